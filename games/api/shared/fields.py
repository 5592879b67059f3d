"""Descriptions of structs' fields in JSON Schema, made of the words under them in the source."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.inspect import StructType, type_info


def documented_components(shape: Any, parts: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the components of a type with the descriptions of its fields. References are kept."""
    said = {struct.__name__: _field_docstrings(struct) for struct in _structs(type_info(shape), set())}
    return {name: _add_descriptions(part, said.get(name, {})) for name, part in parts.items()}


def _add_descriptions(part: dict[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    if "properties" not in part:
        return part
    properties = {
        name: {**value, "description": words[name]} if name in words else value
        for name, value in part["properties"].items()
    }
    return {**part, "properties": properties}


def _structs(info: Any, seen: set[type]) -> Iterator[type[msgspec.Struct]]:
    """Every struct that a type leads to, once."""
    if isinstance(info, StructType):
        if info.cls in seen:
            return
        seen.add(info.cls)
        yield info.cls
    for name in getattr(info, "__struct_fields__", ()):
        value = getattr(info, name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, msgspec.Struct):
                yield from _structs(each, seen)


@cache
def _field_docstrings(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """The docstrings under the fields of a struct and of those it extends."""
    words: dict[str, str] = {}
    for each in reversed(struct.__mro__):
        if issubclass(each, msgspec.Struct) and each.__module__ != "msgspec":
            body = ast.parse(textwrap.dedent(inspect.getsource(each))).body[0]
            assert isinstance(body, ast.ClassDef)
            words |= dict(_read_docstrings(body))
    return words


def _read_docstrings(body: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, said in zip(body.body, body.body[1:], strict=False):
        match field, said:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                yield name, inspect.cleandoc(words)

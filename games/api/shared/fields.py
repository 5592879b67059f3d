"""Descriptions of struct fields in JSON Schema, taken from the docstrings below the fields."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.inspect import StructType, type_info


def documented_components(shape: Any, parts: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the components of a type with the descriptions of their fields. References are kept."""
    docstrings = {struct.__name__: _field_docstrings(struct) for struct in _structs(type_info(shape), set())}
    return {name: _add_descriptions(part, docstrings.get(name, {})) for name, part in parts.items()}


def _add_descriptions(part: dict[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    if "properties" not in part:
        return part
    properties = {
        name: {**value, "description": words[name]} if name in words else value
        for name, value in part["properties"].items()
    }
    return {**part, "properties": properties}


def _structs(info: Any, visited: set[type]) -> Iterator[type[msgspec.Struct]]:
    """Yield every struct that a type refers to, once."""
    if isinstance(info, StructType):
        if info.cls in visited:
            return
        visited.add(info.cls)
        yield info.cls
    for name in getattr(info, "__struct_fields__", ()):
        value = getattr(info, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, msgspec.Struct):
                yield from _structs(part, visited)


@cache
def _field_docstrings(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return the docstrings below the fields of a struct and of its base classes."""
    words: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base.__module__ != "msgspec":
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
            assert isinstance(body, ast.ClassDef)
            words |= dict(_read_docstrings(body))
    return words


def _read_docstrings(body: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, docstring in zip(body.body, body.body[1:], strict=False):
        match field, docstring:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                yield name, inspect.cleandoc(words)

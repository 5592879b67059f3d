"""Room for growth: answers may get new fields and new values, requests stay as they are described.

A post-processing hook of drf-spectacular. Codes in answers become open enums, in the form that generators support: a
known value or any string. Requests keep their closed enums. The default of a request field is part of its description
text, because generators make a field with a default required, or always send it.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from games.api.shared.unions import COMPONENTS

_ANY_STRING: Final = {"type": "string"}
_BLANK: Final = f"{COMPONENTS}BlankEnum"
_DESCRIBING: Final = ("description", "readOnly", "writeOnly", "title")


def make_room(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: open the answers, and describe the defaults of requests."""
    schemas = result["components"]["schemas"]
    answered = reached(schemas, _answers(result))
    sent = reached(schemas, _requests(result)) - answered
    enums = {name for name, schema in schemas.items() if _is_enum(schema)}
    for name in answered - enums:
        schemas[name] = _opened(schemas[name], enums)
    for name in sent:
        schemas[name] = _sendable(schemas[name])
    result["components"]["schemas"] = {name: schemas[name] for name in sorted(answered | sent)}
    return result


def reached(schemas: Mapping[str, Any], roots: Any) -> set[str]:
    """The components to which a part of the document leads."""
    found: set[str] = set()
    waiting = list(_pointers(roots))
    while waiting:
        name = waiting.pop()
        if name not in found and name in schemas:
            found.add(name)
            waiting += _pointers(schemas[name])
    return found


def _pointers(part: Any) -> Iterator[str]:
    """The names of the components that stand in a part of the document."""
    if isinstance(part, Mapping):
        if isinstance(where := part.get("$ref"), str) and where.startswith(COMPONENTS):
            yield where.removeprefix(COMPONENTS)
        for value in part.values():
            yield from _pointers(value)
    elif isinstance(part, list):
        for value in part:
            yield from _pointers(value)


def _each_operation(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in result["paths"].values():
        yield from (value for value in item.values() if isinstance(value, Mapping) and "responses" in value)


def _answers(result: Mapping[str, Any]) -> list[Any]:
    common = result["components"].get("responses", {})
    told = result.get("webhooks", {})
    return [common, told, *(operation["responses"] for operation in _each_operation(result))]


def _requests(result: Mapping[str, Any]) -> list[Any]:
    return [[each.get("requestBody"), each.get("parameters")] for each in _each_operation(result)]


def _is_enum(schema: Mapping[str, Any]) -> bool:
    return "enum" in schema and "properties" not in schema


def _each_schema(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A schema after a change of it and of every schema in it, the inner ones first."""
    if not isinstance(schema, Mapping):
        return schema
    changed = dict(schema)
    for name, value in schema.items():
        if name == "properties":
            changed[name] = {inner: _each_schema(each, change) for inner, each in value.items()}
        elif name in ("items", "additionalProperties", "not"):
            changed[name] = _each_schema(value, change)
        elif name in ("allOf", "anyOf", "oneOf"):
            changed[name] = [_each_schema(each, change) for each in value]
    return change(changed)


def _opened(schema: Any, enums: Collection[str]) -> Any:
    """A schema of an answer in which every enum of strings is open, and every object may have more fields."""

    def change(part: dict[str, Any]) -> dict[str, Any]:
        part.pop("default", None)
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        return _open_enum(part) if _names_enum(part, enums) else _flat(part)

    return _each_schema(schema, change)


def _names_enum(schema: Mapping[str, Any], enums: Collection[str]) -> bool:
    """Return whether a schema is an enum of strings, or points to one."""
    if "const" in schema:
        return False
    if "enum" in schema:
        return all(isinstance(value, str) for value in schema["enum"])
    return schema.get("$ref", "").removeprefix(COMPONENTS) in enums


def _open_enum(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are known today, or any string."""
    said = {name: schema[name] for name in _DESCRIBING if name in schema}
    bare = {name: value for name, value in schema.items() if name not in _DESCRIBING}
    return {**said, "anyOf": [bare, dict(_ANY_STRING)]}


def _flat(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema around open enums as one union: generators take no union in another."""
    name = next(
        (each for each in ("allOf", "oneOf", "anyOf") if any("anyOf" in inner for inner in schema.get(each, ()))), None
    )
    if name is None:
        return schema
    members: list[Any] = []
    for each in [inner for member in schema.pop(name) for inner in member.get("anyOf", [member])]:
        if each not in members and each.get("$ref") != _BLANK:
            members.append(each)
    return {**schema, "anyOf": members}


def _sendable(schema: Any) -> Any:
    """A schema of a request whose defaults stand in the descriptions of its properties."""

    def change(part: dict[str, Any]) -> dict[str, Any]:
        part = _without_blank(part)
        default = part.pop("default", None)
        if default not in (None, ""):
            said = f"Default: `{str(default).lower() if isinstance(default, bool) else default}`."
            part["description"] = f"{part['description']} {said}" if part.get("description") else said
        return part

    return _each_schema(schema, change)


def _without_blank(schema: dict[str, Any]) -> dict[str, Any]:
    """A text that may be blank as one schema, where its pattern says so already."""
    match schema.get("oneOf"):
        case [{"pattern": str(pattern)} as text, {"type": "string", "maxLength": 0}] if re.match(pattern, ""):
            return {**{name: value for name, value in schema.items() if name != "oneOf"}, **text}
    return schema

"""Schemas to which later versions can add fields and values.

This is a post-processing hook of drf-spectacular. Codes in responses become open enums, in the form that generators
support: a known value or any string. Requests keep their closed enums. The default of a request field is part of its
description, because generators make a field with a default required, or always send it.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from games.api.shared.schema import COMPONENTS

_ANY_STRING: Final = {"type": "string"}
_BLANK: Final = f"{COMPONENTS}BlankEnum"
_DESCRIBING: Final = ("description", "readOnly", "writeOnly", "title")


def make_room(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: open the enums of responses, and describe the defaults of requests."""
    schemas = result["components"]["schemas"]
    of_responses = reachable_components(schemas, _responses(result))
    of_requests = reachable_components(schemas, _requests(result)) - of_responses
    enums = {name for name, schema in schemas.items() if _is_enum(schema)}
    for name in of_responses - enums:
        schemas[name] = _response_schema(schemas[name], enums)
    for name in of_requests:
        schemas[name] = _request_schema(schemas[name])
    result["components"]["schemas"] = {name: schemas[name] for name in sorted(of_responses | of_requests)}
    return result


def reachable_components(schemas: Mapping[str, Any], roots: Any) -> set[str]:
    """Return the names of the components that a part of the document refers to, directly or not."""
    names: set[str] = set()
    references = list(_references(roots))
    while references:
        name = references.pop()
        if name not in names and name in schemas:
            names.add(name)
            references += _references(schemas[name])
    return names


def _references(part: Any) -> Iterator[str]:
    """Yield the names of the components that a part of the document refers to."""
    if isinstance(part, Mapping):
        if isinstance(reference := part.get("$ref"), str) and reference.startswith(COMPONENTS):
            yield reference.removeprefix(COMPONENTS)
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)


def _operations(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in result["paths"].values():
        yield from (value for value in item.values() if isinstance(value, Mapping) and "responses" in value)


def _responses(result: Mapping[str, Any]) -> list[Any]:
    components = result["components"].get("responses", {})
    webhooks = result.get("webhooks", {})
    return [components, webhooks, *(operation["responses"] for operation in _operations(result))]


def _requests(result: Mapping[str, Any]) -> list[Any]:
    return [[operation.get("requestBody"), operation.get("parameters")] for operation in _operations(result)]


def _is_enum(schema: Mapping[str, Any]) -> bool:
    return "enum" in schema and "properties" not in schema


def _change_schemas(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return a schema after a change of it and of every schema in it, the inner ones first."""
    if not isinstance(schema, Mapping):
        return schema
    changed = dict(schema)
    for name, value in schema.items():
        if name == "properties":
            changed[name] = {inner: _change_schemas(member, change) for inner, member in value.items()}
        elif name in ("items", "additionalProperties", "not"):
            changed[name] = _change_schemas(value, change)
        elif name in ("allOf", "anyOf", "oneOf"):
            changed[name] = [_change_schemas(member, change) for member in value]
    return change(changed)


def _response_schema(schema: Any, enums: Collection[str]) -> Any:
    """Return a schema in which every enum of strings is open, and every object may have more fields."""

    def change(part: dict[str, Any]) -> dict[str, Any]:
        part.pop("default", None)
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        return _open_enum(part) if _names_enum(part, enums) else _flat(part)

    return _change_schemas(schema, change)


def _names_enum(schema: Mapping[str, Any], enums: Collection[str]) -> bool:
    """Return whether a schema is an enum of strings, or points to one."""
    if "const" in schema:
        return False
    if "enum" in schema:
        return all(isinstance(value, str) for value in schema["enum"])
    return schema.get("$ref", "").removeprefix(COMPONENTS) in enums


def _open_enum(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a known value or any string."""
    description = {name: schema[name] for name in _DESCRIBING if name in schema}
    enum = {name: value for name, value in schema.items() if name not in _DESCRIBING}
    return {**description, "anyOf": [enum, dict(_ANY_STRING)]}


def _flat(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that contains open enums as one union, because generators accept no nested unions."""
    unions = (
        union for union in ("allOf", "oneOf", "anyOf") if any("anyOf" in inner for inner in schema.get(union, ()))
    )
    name = next(unions, None)
    if name is None:
        return schema
    members: list[Any] = []
    for member in [inner for outer in schema.pop(name) for inner in outer.get("anyOf", [outer])]:
        if member not in members and member.get("$ref") != _BLANK:
            members.append(member)
    return {**schema, "anyOf": members}


def _request_schema(schema: Any) -> Any:
    """Return a schema whose defaults are in the descriptions of its properties."""

    def change(part: dict[str, Any]) -> dict[str, Any]:
        part = _without_blank(part)
        default = part.pop("default", None)
        if default not in (None, ""):
            sentence = f"Default: `{str(default).lower() if isinstance(default, bool) else default}`."
            part["description"] = f"{part['description']} {sentence}" if part.get("description") else sentence
        return part

    return _change_schemas(schema, change)


def _without_blank(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a string that may be blank without the blank alternative, if its pattern allows it."""
    match schema.get("oneOf"):
        case [{"pattern": str(pattern)} as text, {"type": "string", "maxLength": 0}] if re.match(pattern, ""):
            return {**{name: value for name, value in schema.items() if name != "oneOf"}, **text}
    return schema

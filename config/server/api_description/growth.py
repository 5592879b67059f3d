"""Schemas to which later versions can add fields and values.

This is a post-processing hook of drf-spectacular. Codes in responses become open enums: strings whose known values are
listed under ``x-extensible-enum``. Generators read them as strings; a union of an enum and a string would be an empty
interface for some. Requests keep their closed enums. The default of a request field is part of its description, because
generators make a field with a default required, or always send it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from games.api.shared.schema import COMPONENTS, OPEN_UNIONS, known_name

OPEN: Final = "x-extensible-enum"
_LEFT_OUT: Final = ("x-spec-enum-id", "title")
"""Keys that drf-spectacular adds: its own ids, and names of database columns in the active language."""


def make_room(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: open the enums of responses, and describe the defaults of requests."""
    schemas = result["components"]["schemas"]
    of_responses = reachable_components(schemas, _responses(result))
    of_responses |= {known_name(union) for union in OPEN_UNIONS}
    of_requests = reachable_components(schemas, _requests(result)) - of_responses
    enums = {name: schema["enum"] for name, schema in schemas.items() if _is_enum(schema)}
    for name in of_responses - enums.keys():
        schemas[name] = _response_schema(schemas[name], enums)
    for name in of_requests - enums.keys():
        schemas[name] = _request_schema(schemas[name], enums)
    for operation in _operations(result):
        for parameter in operation.get("parameters", []):
            parameter["schema"] = _change_schemas(parameter["schema"], dict)
    result["components"]["schemas"] = {
        name: schemas[name] for name in sorted(of_responses | of_requests) if name not in enums
    }
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
    operations = list(_operations(result))
    callbacks = [operation.get("callbacks") for operation in operations]
    return [components, *callbacks, *(operation["responses"] for operation in operations)]


def _requests(result: Mapping[str, Any]) -> list[Any]:
    return [[operation.get("requestBody"), operation.get("parameters")] for operation in _operations(result)]


def _is_enum(schema: Mapping[str, Any]) -> bool:
    return "enum" in schema and "properties" not in schema


def _change_schemas(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return a schema after a change of it and of every schema in it, the inner ones first."""
    if not isinstance(schema, Mapping):
        return schema
    changed = {name: value for name, value in schema.items() if name not in _LEFT_OUT}
    for name, value in changed.items():
        if name == "properties":
            changed[name] = {inner: _change_schemas(member, change) for inner, member in value.items()}
        elif name in ("items", "additionalProperties"):
            changed[name] = _change_schemas(value, change)
        elif name in ("allOf", "anyOf", "oneOf"):
            changed[name] = [_change_schemas(member, change) for member in value]
    return change(changed)


def _response_schema(schema: Any, enums: Mapping[str, Sequence[Any]]) -> Any:
    """Return a schema in which every enum of strings is open, and every object may have more fields."""

    def change(part: dict[str, Any]) -> dict[str, Any]:
        part.pop("default", None)
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        return _collapsed(_open_enum(part, enums))

    return _change_schemas(schema, change)


def _open_enum(schema: dict[str, Any], enums: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the schema of any string in place of an enum of strings, or of a reference to one."""
    values = schema.get("enum", enums.get(schema.get("$ref", "").removeprefix(COMPONENTS)))
    if "const" in schema or values is None or not all(value is None or isinstance(value, str) for value in values):
        return schema
    rest = {name: value for name, value in schema.items() if name not in ("$ref", "enum")}
    return {"type": "string", **rest, OPEN: [value for value in values if value]}


def _collapsed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a union of an open enum and null as a single type."""
    members = schema.get("anyOf", [])
    if len(members) != 2 or {"type": "null"} not in members:
        return schema
    (text,) = (member for member in members if member != {"type": "null"})
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return {**text, **rest, "type": ["string", "null"]} if OPEN in text else schema


def _request_schema(schema: Any, enums: Mapping[str, Sequence[Any]]) -> Any:
    """Return a schema with its enums in place, and with its defaults in the descriptions of its properties."""

    def change(part: dict[str, Any]) -> dict[str, Any]:
        part = _without_blank(part)
        name = part.get("$ref", "").removeprefix(COMPONENTS)
        if name in enums:
            # Go's generator declares the values of two named enums twice if both have the same value.
            part = {"type": "string", **{key: part[key] for key in part if key != "$ref"}, "enum": [*enums[name]]}
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

"""Writes the generated base of the JavaScript client: the operations of both documents in ``docs``, and their types.

``python clients/js/generate.py`` writes it again; a test fails when it is out of date.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

HERE: Final = Path(__file__).parent
DOCUMENTS: Final = HERE.parent.parent / "docs"
FOLDER: Final = HERE / "generated"
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_PLAIN: Final = {"integer": "number", "number": "number", "boolean": "boolean", "null": "null", "string": "string"}
_TOP: Final = "// Generated from the documents in docs by clients/js/generate.py: do not edit.\n"


def files() -> dict[str, str]:
    """Every generated file, by its name."""
    document = _document()
    operations = list(_each_operation(document))
    return {
        "types.d.ts": _TOP + "".join(_component(*schema) for schema in document["components"]["schemas"].items()),
        "operations.js": _TOP + _table(operations),
        "operations.d.ts": _TOP + _interface(operations),
        "known.js": _TOP + "".join(_guard(*guard) for guard in _unions(document)),
        "known.d.ts": _TOP
        + 'import type * as t from "./types.js";\n'
        + "".join(_guard_type(*guard) for guard in _unions(document)),
    }


def _document() -> Mapping[str, Any]:
    """Return both documents as one. The main one has all shapes of the games."""
    main, account = (
        yaml.load((DOCUMENTS / name).read_text(), Loader=yaml.CSafeLoader)
        for name in ("openapi.yaml", "openapi-account.yaml")
    )
    schemas = account["components"]["schemas"] | main["components"]["schemas"]
    paths = {path: main["paths"].get(path, {}) | item for path, item in account["paths"].items()}
    return {"paths": main["paths"] | paths, "components": {"schemas": dict(sorted(schemas.items()))}}


def _unions(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the unions with the shapes that this client knows: their names without ``Known``, and what tells them."""
    for name, schema in document["components"]["schemas"].items():
        if name.startswith("Known"):
            yield name.removeprefix("Known"), schema["discriminator"]


def _guard(name: str, discriminator: Mapping[str, Any]) -> str:
    values = ", ".join(map(json.dumps, discriminator["mapping"]))
    thing, tag = name.lower(), discriminator["propertyName"]
    guard = f"export const isKnown{name} = ({thing}) => {thing}s.has({thing}.{tag});\n"
    return f"\nconst {thing}s = new Set([{values}]);\n{guard}"


def _guard_type(name: str, _: Mapping[str, Any]) -> str:
    thing = name.lower()
    return (
        f"/** Returns whether this client knows the shape of this {thing}, so that its type narrows. */\n"
        f"export function isKnown{name}({thing}: t.Game{name}): {thing} is t.Known{name};\n"
    )


def _each_operation(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, path_item in document["paths"].items():
        for method in _METHODS:
            if method in path_item and path_item[method]["tags"] != ["stream"]:
                yield path, method, path_item[method]


def _component(name: str, schema: Mapping[str, Any]) -> str:
    return f"\n/** {_description(schema, name)} */\nexport type {name} = {_type(schema)};\n"


def _description(schema: Mapping[str, Any], name: str) -> str:
    first = re.split(r"(?<=\.)\s", str(schema.get("description", name)), maxsplit=1)[0]
    return " ".join(first.split()).replace("*/", "")


def _type(schema: Mapping[str, Any], prefix: str = "") -> str:
    """A schema as a type of TypeScript."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "x-extensible-enum" in schema:
        values = " | ".join(map(json.dumps, schema["x-extensible-enum"]))
        return f"{values} | (string & {{}})" + (" | null" if "null" in schema["type"] else "")
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for together in ("anyOf", "oneOf", "allOf"):
        if together in schema:
            return " | ".join(dict.fromkeys(_type(member, prefix) for member in schema[together]))
    kinds = schema.get("type", "any")
    return " | ".join(_of_type(kind, schema, prefix) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _of_type(kind: str, schema: Mapping[str, Any], prefix: str) -> str:
    if kind == "array":
        return f"Array<{_type(schema.get('items', {}), prefix)}>"
    if kind != "object":
        return _PLAIN.get(kind, "unknown")
    required = schema.get("required", ())
    fields = [
        f"{json.dumps(name)}{'' if name in required else '?'}: {_type(value, prefix)}"
        for name, value in schema.get("properties", {}).items()
    ]
    inner = schema.get("additionalProperties")
    if isinstance(inner, Mapping):
        fields.append(f"[name: string]: {_type(inner, prefix) if not fields else 'unknown'}")
    return "{ " + "; ".join(fields) + " }" if fields else "Record<string, unknown>"


def _table(operations: list[tuple[str, str, Mapping[str, Any]]]) -> str:
    """The operations as data: method, path, whether there is a body, and whether it takes an idempotency key."""
    rows = {
        _camel(operation): [method.upper(), path, "requestBody" in operation, _takes_key(operation)]
        for path, method, operation in operations
    }
    lines = [f"    {name}: {json.dumps(row)},\n" for name, row in rows.items()]
    return f"export const operations = {{\n{''.join(lines)}}};\n"


def _takes_key(operation: Mapping[str, Any]) -> bool:
    return any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", []))


def _camel(operation: Mapping[str, Any]) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), operation["operationId"])


def _interface(operations: list[tuple[str, str, Mapping[str, Any]]]) -> str:
    lines = ['import type * as t from "./types.js";\n']
    lines.append("\nexport interface Options {\n    idempotencyKey?: string;\n    prefer?: string;\n")
    lines.append("    ifNoneMatch?: string;\n    signal?: AbortSignal;\n}\n\nexport interface Operations {\n")
    lines += [_method(operation) for _, _, operation in operations]
    return "".join([*lines, "}\n"])


def _method(operation: Mapping[str, Any]) -> str:
    parameters = operation.get("parameters", [])
    arguments = [f"{parameter['name']}: string" for parameter in parameters if parameter["in"] == "path"]
    arguments += [f"body: {body}" for body in _bodies(operation)]
    queries = [
        f"{parameter['name']}?: {_type(parameter['schema'], 't.')}"
        for parameter in parameters
        if parameter["in"] == "query"
    ]
    options = f"Options & {{ {'; '.join(queries)} }}" if queries else "Options"
    signature = ", ".join([*arguments, f"options?: {options}"])
    comment = f"    /** {_description(operation, '')} */\n"
    return f"{comment}    {_camel(operation)}({signature}): Promise<{_answer(operation)}>;\n"


def _bodies(operation: Mapping[str, Any]) -> list[str]:
    contents = operation.get("requestBody", {}).get("content", {}).values()
    return [_type(content["schema"], "t.") for content in contents][:1]


def _answer(operation: Mapping[str, Any]) -> str:
    kinds: dict[str, None] = {}
    for status, response in operation["responses"].items():
        if status[0] == "2":
            contents = response.get("content", {}).items()
            types = [_type(content["schema"], "t.") if "json" in media else "string" for media, content in contents]
            kinds |= dict.fromkeys(types or ["undefined"])
    return " | ".join(kinds) or "undefined"


def main() -> None:
    """Write the base."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()

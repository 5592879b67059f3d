"""Writes the generated base of the Python client: the types and operations of both documents in ``docs``.

A test fails if its output is out of date.
"""

import keyword
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

HERE: Final = Path(__file__).parent
DOCUMENTS: Final = HERE.parent.parent / "docs"
FOLDER: Final = HERE / "darbar_client" / "_generated"
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_PLAIN: Final = {"integer": "int", "number": "float", "boolean": "bool", "null": "None", "string": "str"}
_HEADERS: Final = {"Idempotency-Key": "idempotency_key", "Prefer": "prefer", "If-None-Match": "if_none_match"}
"""The headers that operations take as arguments."""
_TOP: Final = '"""%s\n\nGenerated from the documents in docs by clients/python/generate.py: do not edit."""\n\n'

_PAGE: Final = '''
Row = TypeVar("Row")


class Page(TypedDict, Generic[Row]):
    """A page of a list. ``next`` is the address of the page after it."""

    next: str | None
    results: list[Row]

'''


def files() -> dict[str, str]:
    """Return every generated file by its name."""
    document = _document()
    return {
        "__init__.py": _TOP.removesuffix("\n") % "The generated base of the client.",
        "types.py": _types(document["components"]["schemas"]),
        "operations.py": _operations(document, is_async=False),
        "async_operations.py": _operations(document, is_async=True),
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


def _types(schemas: Mapping[str, Any]) -> str:
    lines = [_TOP % "The shapes of the API, as dictionaries with known keys.", "from __future__ import annotations\n\n"]
    lines.append("from typing import Any, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeGuard, TypeVar\n")
    lines.append(_PAGE)
    for name, schema in schemas.items():
        lines.append(f"\n{_component(name, schema)}\n")
    return "".join([*lines, *_guards(schemas)])


def _guards(schemas: Mapping[str, Any]) -> Iterator[str]:
    """Yield a function for each union with known shapes. It tells them from the rest, so that types narrow."""
    for name, schema in schemas.items():
        if name.startswith("Known"):
            thing, tag = name.removeprefix("Known").lower(), schema["discriminator"]["propertyName"]
            values = ", ".join(map(repr, schema["discriminator"]["mapping"]))
            yield (
                f"\n_{thing.upper()}S = frozenset(({values},))\n\n\n"
                f"def is_known_{thing}({thing}: {name.replace('Known', 'Game')}) -> TypeGuard[{name}]:\n"
                f'    """Return whether this client knows the shape of this {thing}."""\n'
                f'    return {thing}["{tag}"] in _{thing.upper()}S\n\n'
            )


def _component(name: str, schema: Mapping[str, Any]) -> str:
    if "properties" not in schema:
        return f'{name}: TypeAlias = "{_type(schema)}"'
    fields = [(field, _field(field, value, schema)) for field, value in schema["properties"].items()]
    if any(keyword.iskeyword(field) for field, _ in fields):
        inner = ", ".join(f'"{field}": "{text}"' for field, text in fields)
        return f'{name} = TypedDict("{name}", {{{inner}}})'
    body = "".join(f"    {field}: {text}\n" for field, text in fields)
    return f'\nclass {name}(TypedDict):\n    """{_description(schema, name)}"""\n\n{body}'


def _description(schema: Mapping[str, Any], name: str) -> str:
    first = re.split(r"(?<=\.)\s", str(schema.get("description", name)), maxsplit=1)[0]
    return " ".join(first.split()).replace("\\", "")


def _field(name: str, value: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    kind = _type(value)
    return kind if name in schema.get("required", ()) else f"NotRequired[{kind}]"


def _type(schema: Mapping[str, Any]) -> str:
    """Return a schema as a Python type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "x-extensible-enum" in schema:
        return " | ".join([f"Literal[{', '.join(map(repr, schema['x-extensible-enum']))}]", *_names(schema["type"])])
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    for together in ("anyOf", "oneOf", "allOf"):
        if together in schema:
            return " | ".join(dict.fromkeys(_type(part) for part in schema[together]))
    kinds = schema.get("type", "any")
    return " | ".join(_of_type(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _names(kinds: str | list[str]) -> list[str]:
    return [_PLAIN[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]


def _of_type(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "array":
        return f"list[{_type(schema.get('items', {}))}]"
    if kind == "object" and schema.get("properties", {}).keys() == {"next", "results"}:
        return f"Page[{_type(schema['properties']['results']['items'])}]"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"dict[str, {_type(inner)}]" if isinstance(inner, Mapping) and inner else "dict[str, Any]"
    return _PLAIN.get(kind, "Any")


def _operations(document: Mapping[str, Any], *, is_async: bool) -> str:
    name = "AsyncOperations" if is_async else "Operations"
    lines = [_TOP % "The operations of the API, one method each."]
    lines.append("from __future__ import annotations\n\n")
    lines.append("from collections.abc import Mapping\nfrom typing import Any, Literal, Protocol\n\n")
    lines.append("from darbar_client._generated import types as t\n\n\n")
    lines.append(f'class {name}(Protocol):\n    """Every operation of the API; ``call`` is how one is asked for."""\n')
    word, wait = ("async ", "await ") if is_async else ("", "")
    lines.append(
        f"\n    {word}def call(\n        self, method: str, path: str, *, query: Mapping[str, Any], "
        "headers: Mapping[str, str | None], body: Any\n    ) -> Any:\n"
        '        """The answer to a request."""\n        ...\n'
    )
    for path, method, operation in _each_operation(document):
        lines.append(_method(path, method, operation, word, wait))
    return "".join(lines)


def _each_operation(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, path_item in document["paths"].items():
        for method in _METHODS:
            if method in path_item and path_item[method]["tags"] != ["stream"]:
                yield path, method, path_item[method]


def _method(path: str, method: str, operation: Mapping[str, Any], word: str, wait: str) -> str:
    parameters = operation.get("parameters", [])
    places = [parameter["name"] for parameter in parameters if parameter["in"] == "path"]
    queries = [parameter for parameter in parameters if parameter["in"] == "query"]
    headers = [
        parameter["name"] for parameter in parameters if parameter["in"] == "header" and parameter["name"] in _HEADERS
    ]
    body = _body(operation)
    arguments = [*(f"{place}: str" for place in places), *([f"body: {body}"] if body else [])]
    options = [f"{parameter['name']}: {_query_type(parameter)} | None = None" for parameter in queries]
    options += [f"{_HEADERS[name]}: str | None = None" for name in headers]
    signature = ", ".join(["self", *arguments, *(["*", *options] if options else [])])
    calls = re.sub(r"{(\w+)}", r"{\1}", path)
    query = ", ".join(f'"{parameter["name"]}": {parameter["name"]}' for parameter in queries)
    head = ", ".join(f'"{name}": {_HEADERS[name]}' for name in headers)
    answer = _answer(operation)
    sent = f"query={{{query}}}, headers={{{head}}}, body={'body' if body else None}"
    call = f'{wait}self.call("{method.upper()}", f"{calls}", {sent})'
    docstring = _description(operation, operation["operationId"])
    return f'\n    {word}def {operation["operationId"]}({signature}) -> {answer}:\n        """{docstring}"""\n' + (
        f"        {call}\n" if answer == "None" else f"        answer: {answer} = {call}\n        return answer\n"
    )


def _query_type(parameter: Mapping[str, Any]) -> str:
    kind = _type(parameter["schema"])
    return re.sub(r"\b([A-Z]\w*Options)\b", r"t.\1", kind)


def _body(operation: Mapping[str, Any]) -> str:
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        return _content_type(media, content)
    return ""


def _answer(operation: Mapping[str, Any]) -> str:
    """Return the type of a successful answer."""
    kinds: dict[str, None] = {}
    for status, response in operation["responses"].items():
        if status[0] == "2":
            contents = list(response.get("content", {}).items())
            kinds |= dict.fromkeys(_content_type(media, value) for media, value in contents)
            if not contents:
                kinds["None"] = None
    return " | ".join(kinds) or "None"


def _content_type(media: str, content: Mapping[str, Any]) -> str:
    if "json" not in media:
        return "str"
    return re.sub(r"\b(?!Any\b|None\b|Literal\b)([A-Z]\w+)\b", r"t.\1", _type(content["schema"]))


def main() -> None:
    """Write the generated base."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()

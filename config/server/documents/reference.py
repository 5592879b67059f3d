"""The reference of the API as a page of the documents site, written from ``docs/openapi.yaml``. Its search finds each
operation by its title.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

DOCUMENT: Final = Path(__file__).parents[3] / "docs" / "openapi.yaml"
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_LONGEST_EXAMPLE: Final = 1200
_API: Final = "/api/v1/"
_FIRST: Final = ("send_move", "list_questions", "get_view", "create_game", "list_games", "join_game")
"""The operations that come first in their groups, because readers look for them."""


def reference() -> str:
    """Return a section for each group of operations, in Markdown, with what a program sends and gets."""
    document = yaml.load(DOCUMENT.read_text(), Loader=yaml.CSafeLoader)
    groups: dict[str, list[str]] = {
        tag["name"]: [f"\n## {tag['name'].capitalize()}\n\n{tag['description']}\n"] for tag in document["tags"]
    }
    operations = [
        (path, method, item[method])
        for path, item in document["paths"].items()
        for method in _METHODS
        if method in item
    ]
    for path, method, operation in sorted(operations, key=_rank):
        groups[operation["tags"][0]].append(_operation(path, method, operation, document["components"]))
    return "\n".join(line for lines in groups.values() for line in lines)


def _rank(row: tuple[str, str, Mapping[str, Any]]) -> int:
    name = row[2]["operationId"]
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def _operation(path: str, method: str, operation: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    title, _, text = operation["description"].partition("\n\n")
    heading = operation["summary"].removesuffix(".")
    detail = text if " ".join(title.split()).removesuffix(".") == heading else operation["description"]
    lines = [
        f"### {heading}",
        f"`{method.upper()} {path.removeprefix(_API)}` · `{operation['operationId']}`\n",
        f"{detail}\n",
        *_table("parameter", _parameters(operation)),
        *_table("member of the request", _members(operation, components)),
        *_examples(operation),
    ]
    return "\n".join(lines) + "\n"


def _parameters(operation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for parameter in operation.get("parameters", []):
        yield f"{parameter['name']}` ({parameter['in']})", parameter["description"]


def _members(operation: Mapping[str, Any], components: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = _resolved(content["schema"], components)
        for name, member in schema.get("properties", {}).items():
            is_required = name in schema.get("required", ())
            yield (
                f"{name}`" + (" (required)" if is_required else ""),
                _resolved(member, components).get("description", ""),
            )


def _resolved(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with the members of the component that it refers to, if any."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return {**components["schemas"].get(name, {}), **schema}


def _table(title: str, rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    lines = [f"| `{name} | {' '.join(text.split()).replace('|', chr(92) + '|')} |" for name, text in rows]
    if lines:
        yield "\n".join([f"| {title} | |", "|---|---|", *lines]) + "\n"


def _examples(operation: Mapping[str, Any]) -> Iterator[str]:
    """Yield the first example of the request and of a successful answer."""
    answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    for body in (operation.get("requestBody", {}), *answers[:1]):
        for media, content in body.get("content", {}).items():
            for example in [*content.get("examples", {}).values()][: "json" in media]:
                text = json.dumps(example["value"], indent=2, ensure_ascii=False)
                yield f"```json\n{text if len(text) < _LONGEST_EXAMPLE else text[:_LONGEST_EXAMPLE] + ' …'}\n```\n"

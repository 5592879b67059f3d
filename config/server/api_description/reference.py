"""The pages of the API reference at ``/api/docs/``, written from the description of the API. They need no script.

They are in English, as the description is.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from django.http import Http404
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.generic import TemplateView

from config.server.api_description.document import ACCOUNT, MAIN, document
from config.server.api_description.openapi import operations

_FIRST: Final = (
    "create_game", "list_questions", "send_move", "get_view", "list_games", "join_game", "list_events", "follow_events",
)  # fmt: skip
"""The operations that most readers look for, in the order in which a program uses them."""
_CODE: Final = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+|/[^)\s]*)\)")
_ITEM: Final = re.compile(r"^[-*] ", re.MULTILINE)


@dataclass(frozen=True)
class Member:
    """A parameter, or a member of a request or an answer."""

    name: str
    kind: SafeString
    text: SafeString
    is_required: bool


@dataclass(frozen=True)
class Answer:
    """The answers of an operation that have one status."""

    status: str
    text: SafeString
    kind: SafeString | str = ""
    members: list[Member] = field(default_factory=list)
    examples: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Operation:
    """An operation, as its own page and the list of all operations show it."""

    name: str
    title: str
    method: str
    path: str
    tag: str
    description: Mapping[str, Any] = field(repr=False)

    @property
    def url(self) -> str:
        return reverse("docs-entry", args=[self.name])

    def search_text(self) -> str:
        return f"{self.title} {self.name} {self.path} {self.description['description']}".lower()


@cache
def _whole() -> Mapping[str, Any]:
    """Return both documents as one."""
    main, account = (json.loads(document(f"{name}.json")[0]) for name in (MAIN, ACCOUNT))
    main["paths"] |= {path: main["paths"].get(path, {}) | item for path, item in account["paths"].items()}
    # The shapes of the games are in the main document only.
    main["components"]["schemas"] = account["components"]["schemas"] | main["components"]["schemas"]
    return {**main, "groups": [main["tags"], account["tags"]]}


@cache
def _operations() -> dict[str, Operation]:
    return {
        entry["operationId"]: Operation(
            entry["operationId"], entry["summary"], method.upper(), path, entry["tags"][0], entry
        )
        for path, method, entry in operations(_whole())
    }


class Reference(TemplateView):
    """The operations by group, those of a bot first, or the results of a search."""

    template_name = "reference.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the operations to list."""
        query = " ".join(self.request.GET.get("q", "").replace("\0", "").split())[:100]
        context = super().get_context_data(query=query, version=_whole()["info"]["version"], **kwargs)
        if query:
            return context | {"results": _matches(query), "schemas": _matching_schemas(query)}
        entries = _operations()
        return context | {
            "first": [entries[name] for name in _FIRST],
            "sections": [
                [
                    (
                        tag["name"].capitalize(),
                        tag["description"],
                        [entry for entry in entries.values() if entry.tag == tag["name"]],
                    )
                    for tag in tags
                ]
                for tags in _whole()["groups"]
            ],
        }


def _matches(query: str) -> list[Operation]:
    """Return the operations with all the words, those with the words in their titles first."""
    words = query.lower().split()
    matches = [entry for entry in _operations().values() if all(word in entry.search_text() for word in words)]
    return sorted(matches, key=lambda entry: not all(word in f"{entry.title} {entry.name}".lower() for word in words))


def _matching_schemas(query: str) -> list[str]:
    name = query.replace(" ", "").lower()
    return [schema for schema in _whole()["components"]["schemas"] if name in schema.lower()]


class ReferenceEntry(TemplateView):
    """An operation, or a shape: the schema of a component."""

    def get_template_names(self) -> list[str]:
        """Return the template of an operation or of a shape."""
        return ["reference_operation.html" if self.kwargs["name"] in _operations() else "reference_schema.html"]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the parts of the operation, or the members of the shape."""
        name = kwargs["name"]
        if operation := _operations().get(name):
            return super().get_context_data(**_operation_context(operation))
        schema = _whole()["components"]["schemas"].get(name)
        if schema is None:
            raise Http404
        return super().get_context_data(
            name=name,
            text=_as_html(schema.get("description", "")),
            kind="" if schema.get("properties") else _kind(schema),
            members=list(_members(schema)),
            choices=[_kind(choice) for choice in (*schema.get("oneOf", ()), *schema.get("anyOf", ()))],
        )


def _operation_context(operation: Operation) -> dict[str, Any]:
    entry = operation.description
    title, _, detail = entry["description"].partition("\n\n")
    is_only_title = " ".join(title.split()).removesuffix(".") == operation.title
    content = entry.get("requestBody", {}).get("content", {})
    body: Mapping[str, Any] = next(iter(content.values()), {})
    examples = list(_examples(body))
    responses = [(status, _resolved(response)) for status, response in entry["responses"].items()]
    answers = [_answer(status, response) for status, response in responses if status[0] in "23"]
    followers = {name for _, response in responses for name in response.get("links", {})}
    return {
        "operation": operation,
        "text": _as_html(detail if is_only_title else entry["description"]),
        "curl": _curl(operation, examples),
        "parameters": [
            Member(parameter["name"], format_html("{} ({})", _kind(parameter["schema"]), parameter["in"]),
                   _as_html(parameter.get("description", "")), parameter.get("required", False))
            for parameter in map(_resolved, entry.get("parameters", ()))
        ],
        "body": _kind(body["schema"]) if body else "",
        "members": list(_members(_resolved(body["schema"]))) if body else [],
        "examples": examples,
        "answers": answers,
        "errors": [
            Answer(status, _as_html(response.get("description", "")))
            for status, response in responses if status[0] in "45"
        ],
        "followers": [_operations()[name] for name in sorted(followers)],
    }  # fmt: skip


def _answer(status: str, response: Mapping[str, Any]) -> Answer:
    content: Mapping[str, Any] = next(iter(response.get("content", {}).values()), {})
    schema = content.get("schema", {})
    kind = _kind(schema) if schema else ""
    members = list(_members(_resolved(schema)))
    return Answer(status, _as_html(response["description"]), kind, members, list(_examples(content)))


def _curl(operation: Operation, examples: list[tuple[str, str]]) -> str:
    """Return a command that sends the first example. The variables are those of the guide."""
    path = re.sub(r"\{(\w+)\}", r"$\1", operation.path.removeprefix("/api/v1"))
    method = "" if operation.method == ("POST" if examples else "GET") else f" -X {operation.method}"
    command = f'curl -sS{method} "$api{path}"'
    if any(operation.description.get("security", ())):
        command += ' -H "$me"'
    if examples:
        body = json.dumps(json.loads(examples[0][1]), ensure_ascii=False).replace("'", r"'\''")
        command += f" -H \"$json\" \\\n    -d '{body}'"
    return command


def _examples(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, example in content.get("examples", {}).items():
        value = _resolved(example)["value"]
        if not isinstance(value, str):
            yield name, json.dumps(value, indent=2, ensure_ascii=False)


def _members(schema: Mapping[str, Any]) -> Iterator[Member]:
    """Yield the members of an object, also of one that extends others."""
    for part in schema.get("allOf", ()):
        yield from _members(_resolved(part))
    for name, member in schema.get("properties", {}).items():
        text = member.get("description") or _resolved(member).get("description", "")
        yield Member(name, _kind(member), _as_html(text), name in schema.get("required", ()))


def _resolved(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a part of the document, or the component that it refers to."""
    if "$ref" not in part:
        return part
    _, _, group, name = part["$ref"].split("/")
    component: Mapping[str, Any] = _whole()["components"][group][name]
    return component


def _kind(schema: Mapping[str, Any]) -> SafeString:
    """Return the type of a value in words, with links to shapes."""
    choices = [*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())]
    types = schema.get("type", [])
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        kind = f'<a href="{escape(reverse("docs-entry", args=[name]))}">{escape(name)}</a>'
    elif choices:
        kind = " or ".join(dict.fromkeys(map(_kind, choices)))
    elif "items" in schema:
        kind = f"list of {_kind(schema['items'])}" + (" or null" if "null" in types else "")
    else:
        kind = escape(" or ".join([types] if isinstance(types, str) else types) or "any value")
        kind += f", {escape(schema['format'])}" if "format" in schema else ""
    values = schema.get("enum") or schema.get("x-extensible-enum") or ([schema["const"]] if "const" in schema else [])
    if values:
        kind += ": " + ", ".join(f"<code>{escape(json.dumps(value, ensure_ascii=False))}</code>" for value in values)
    return mark_safe(kind)


def _as_html(text: str) -> SafeString:
    """Return a description as HTML. Of Markdown it knows paragraphs, lists, code and links."""
    blocks = [
        f"<ul>{''.join(f'<li>{item}</li>' for item in _ITEM.split(block) if item)}</ul>"
        if _ITEM.match(block)
        else f"<p>{block}</p>"
        for block in re.split(r"\n\s*\n", escape(text.strip()))
        if block
    ]
    html = _LINK.sub(r'<a href="\2">\1</a>', _CODE.sub(r"<code>\2</code>", "".join(blocks)))
    return mark_safe(html)

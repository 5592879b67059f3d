"""The parts of the OpenAPI document that all operations have in common: problems, headers, examples.

This is a post-processing hook of drf-spectacular. The errors and headers of an operation follow from its form: whether
it has a body, needs a token, or takes an idempotency key.
"""

import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from config.server.api_description import limits_table
from config.server.api_description.codes import ERRORS, PROBLEMS
from config.server.problems import MEDIA_TYPE, TITLES
from config.server.problems import problem as problem_of
from games.api.shared.schema import ref

_HERE: Final = Path(__file__).parent
_METHODS: Final = ("get", "post", "put", "patch", "delete")

_TAGS: Final[Mapping[str, str]] = json.loads((_HERE / "tags.json").read_text())
_EXAMPLES: Final[Mapping[str, Any]] = {
    operation: examples
    for file in sorted((_HERE / "examples").glob("*.json"))
    for operation, examples in json.loads(file.read_text()).items()
}
"""The examples of each operation, by ``request`` or status, and by name."""

_HEADERS: Final[Mapping[str, tuple[str, str, str]]] = {
    "Deprecation": (
        "string",
        "The time since which the operation is deprecated (RFC 9745), in seconds.",
        "@1798761600",
    ),
    "ETag": ("string", "A digest of the answer, for `If-None-Match`.", '"5d41402abc4b2a76b9719d911017c592"'),
    "Idempotent-Replayed": ("string", "`true`: the answer to a repeated request, which had no second effect.", "true"),
    "Link": ("string", 'The address of the next lines: `rel="next"`.', '</api/v1/games/export/?cursor=…>; rel="next"'),
    "Location": ("string", "The address of what was made.", "/api/v1/games/8a1f7b1e-3c1d-4a53-9d2f-0b7a5f7f2d11/"),
    "Preference-Applied": ("string", "`wait`: the server was ready to wait (RFC 7240).", "wait"),
    "RateLimit": ("string", "The number of requests that are left, and for how many seconds.", '"account";r=2999;t=1'),
    "RateLimit-Policy": (
        "string",
        "The number of requests in a window, and its length in seconds.",
        '"account";q=3000;w=60',
    ),
    "Retry-After": ("string", "After how many seconds to try again.", "60"),
    "Sunset": ("string", "The time until which the operation is there (RFC 8594).", "Fri, 01 Jan 2027 00:00:00 GMT"),
    "WWW-Authenticate": ("string", "The ways to authenticate.", "Bearer"),
}
_ANY_PROBLEM: Final = "#/components/responses/AnyProblem"
_COUNTED: Final = ("RateLimit", "RateLimit-Policy")
"""The headers of responses to counted requests."""
_REFUSAL_HEADERS: Final[Mapping[str, tuple[int, ...]]] = {"WWW-Authenticate": (401,), "Retry-After": (409, 429, 503)}
_WITHOUT_LOCATION: Final = ("ask_for_confirmation", "send_deletion_code")
"""Operations with an idempotency key that only send an email."""
_NAMES: Final[Mapping[str, str]] = {
    "/api/v1/rules/{name}/": "The name of a game, one of those at `rules/`.",
    "/api/v1/players/{name}/": "The name of a player.",
}
"""The descriptions of path parameters that are names, not ids."""
_SENTENCES: Final[Mapping[str, str]] = {
    "malformed": "seat_count: A valid integer is required.",
    "unauthenticated": "Authentication credentials were not provided.",
    "forbidden": "This token lacks the scope “games:play”.",
    "not-found": "Not found.",
    "not-acceptable": "Could not satisfy the request Accept header.",
    "conflict": "This game isn’t over yet.",
    "limit-reached": "You have 100 tokens, which is the limit. Delete one first.",
    "too-large": "A request may have at most 2621440 bytes.",
    "unsupported-media-type": "Unsupported media type “text/plain” in request.",
    "misdirected": "The event stream has its own address, which `stream` names. Send your token there.",
    "key-busy": "The same request is still being processed. Send it again in a few seconds.",
    "key-refused": "This request takes no Idempotency-Key: its answer can’t be repeated. Send it without one.",
    "key-reused": "This Idempotency-Key was used for another request. Choose a new one.",
    "rate-limited": "Request was throttled. Expected available in 60 seconds.",
    "unavailable": "The database doesn’t answer right now. Please try again in a few seconds.",
    "error": "The fault is ours; the operator is told.",
}
"""An example of ``detail`` for each problem code."""


def complete(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: complete all operations."""
    components = result["components"]
    result["info"]["description"] = description()
    result["info"]["license"] = {"name": "Apache 2.0", "identifier": "Apache-2.0"}
    result["servers"] = [{"url": "/", "description": "The server that this page comes from."}]
    components["schemas"]["Problem"] = _problem_schema()
    components["headers"] = {
        name: {"description": text, "schema": {"type": kind}, "example": example}
        for name, (kind, text, example) in _HEADERS.items()
    }
    components["responses"] = {
        _component_name(status): _refusal(status) for status in sorted({PROBLEMS[code][0] for code in _SENTENCES})
    }
    components["responses"]["AnyProblem"] = _refusal(500, "Any other refusal: programs go by `code`.")
    components["examples"] = {code: _problem_example(code, detail) for code, detail in _SENTENCES.items()}
    tags = set()
    for path, method, operation in operations(result):
        _complete_operation(path, method, operation, components["schemas"])
        tags.update(operation["tags"])
    result["tags"] = [{"name": tag, "description": text} for tag, text in _TAGS.items() if tag in tags]
    return result


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the path, method and description of every operation in a document."""
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                yield path, method, item[method]


def description() -> str:
    """Return the introduction of the document, in Markdown."""
    rows = [f"| `{code}` | {status} | {meaning} |" for code, (status, meaning) in PROBLEMS.items()]
    table = "\n".join(["| code | status | what it means |", "|---|---|---|", *rows])
    page = (_HERE / "description.md").read_text()
    return page.replace("{problems}", table).replace("{limits}", limits_table.markdown_table())


def _problem_schema() -> dict[str, Any]:
    def text(description: str) -> dict[str, str]:
        return {"type": "string", "description": description}

    return {
        "type": "object",
        "description": "A refusal (RFC 9457).",
        "properties": {
            "type": text(
                "The code as a URI: `urn:darbar:problem:` and the code. `/docs/en/api/errors/` explains each."
            ),
            "title": text("The meaning of the code, for people."),
            "status": {"type": "integer", "description": "The status of the answer."},
            "code": {"type": "string", "enum": list(TITLES), "description": "The code, for programs."},
            "detail": text("The mistake in this request, for people."),
            "stream": text("If the code is `misdirected`: the address of the event stream."),
            "errors": {
                "type": "array",
                "description": "For a malformed request: each mistake in it.",
                "items": {
                    "type": "object",
                    "properties": {
                        "pointer": text(
                            "The place of the mistake: a JSON pointer as a fragment, `#/seat_count`; `#` is the whole."
                        ),
                        "parameter": text("Instead of `pointer`: the query parameter with the mistake."),
                        "code": {"type": "string", "enum": list(ERRORS), "description": "The kind of mistake."},
                        "detail": text("The mistake, for people."),
                    },
                    "required": ["code", "detail"],
                },
            },
        },
        "required": ["type", "title", "status", "code", "detail"],
    }


def _problem_example(code: str, detail: str) -> dict[str, Any]:
    error = {"pointer": "#/seat_count", "code": "invalid", "detail": detail.removeprefix("seat_count: ")}
    errors = [error] if code == "malformed" else None
    members = {"stream": "http://localhost:8001/api/v1/stream/"} if code == "misdirected" else {}
    return {"summary": PROBLEMS[code][1], "value": problem_of(PROBLEMS[code][0], code, detail, errors) | members}


def _complete_operation(path: str, method: str, operation: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    operation.setdefault("summary", _first_sentence(operation["description"]))
    if scopes := {scope for option in operation.get("security", []) for names in option.values() for scope in names}:
        operation["description"] += f"\n\nScope: `{'`, `'.join(sorted(scopes))}`."
    for parameter in operation.get("parameters", []):
        if not parameter.get("description"):
            parameter["description"] = _parameter_description(path, parameter)
    responses = operation["responses"]
    for status, response in responses.items():
        if status[0] in "45":
            responses[status] = _refusal(int(status), response.get("description", ""))
        else:
            response["description"] = response.get("description") or HTTPStatus(int(status)).phrase
            response["headers"] = {name: _header(name) for name in _COUNTED} | response.get("headers", {})
            _add_headers(method, operation, status, response)
    for status in {PROBLEMS[code][0] for code in _refusals(path, operation, schemas)}:
        responses.setdefault(str(status), {"$ref": f"#/components/responses/{_component_name(status)}"})
    operation["responses"] = {**dict(sorted(responses.items())), "default": {"$ref": _ANY_PROBLEM}}
    _add_examples(operation)
    add_links(operation)


def _parameter_description(path: str, parameter: Mapping[str, Any]) -> str:
    """Return the description of a path parameter. Other parameters are described by their serializers."""
    if parameter["in"] != "path":
        return ""
    thing = path.split("/{" + parameter["name"])[0].rpartition("/")[2].removesuffix("s")
    return _NAMES.get(path, f"The id of the {thing}.")


def _first_sentence(description: str) -> str:
    sentence = re.split(r"\.(?:\s|$)", description, maxsplit=1)[0]
    return " ".join(sentence.split())


def _parameters(operation: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(parameter["in"], parameter["name"]) for parameter in operation.get("parameters", [])}


def _refusals(path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problem codes of an operation of this form."""
    yield from ("malformed", "not-acceptable", "rate-limited", "unavailable")
    if any(operation.get("security", [])):
        yield from ("unauthenticated", "forbidden")
    if "{" in path or _refers_to_object(operation, schemas):
        yield "not-found"
    if "{game}/" in path and not path.endswith("commitment/"):
        yield "conflict"
    if "requestBody" in operation:
        yield from ("unsupported-media-type", "too-large")
    if ("header", "Idempotency-Key") in _parameters(operation):
        yield from ("key-busy", "key-reused")


def _component_name(status: int) -> str:
    """Return the component name of the usual response with this status."""
    return "".join(word.capitalize() for word in HTTPStatus(status).phrase.split())


def _refers_to_object(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> bool:
    """Return True if the body refers to an object by its id."""
    properties = _request_schema(operation, schemas).get("properties", {})
    return any(schema.get("format") == "uuid" for schema in properties.values())


def _request_schema(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of the request's body, or an empty dict."""
    bodies = operation.get("requestBody", {}).get("content", {}).values()
    return next((schemas[body["schema"]["$ref"].rpartition("/")[2]] for body in bodies), {})


def _refusal(status: int, description: str = "") -> dict[str, Any]:
    codes = [code for code in _SENTENCES if PROBLEMS[code][0] == status]
    headers = [
        *(_COUNTED if status < 500 else ()),
        *(name for name, ones in _REFUSAL_HEADERS.items() if status in ones),
    ]
    return {
        "description": description or " ".join(f"`{code}`: {PROBLEMS[code][1]}" for code in codes),
        **({"headers": {name: _header(name) for name in headers}} if headers else {}),
        "content": {
            MEDIA_TYPE: {
                "schema": ref("Problem"),
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
            }
        },
    }


def _header(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}


def _add_headers(method: str, operation: Mapping[str, Any], status: str, response: dict[str, Any]) -> None:
    parameters = _parameters(operation)
    takes_key = ("header", "Idempotency-Key") in parameters
    conditions = {
        "ETag": status in ("200", "304") and ("header", "If-None-Match") in parameters,
        "Location": method == "post"
        and status[0] == "2"
        and takes_key
        and status != "204"
        and operation["operationId"] not in _WITHOUT_LOCATION,
        "Idempotent-Replayed": takes_key and status[0] == "2",
        "Deprecation": operation.get("deprecated", False),
        "Sunset": operation.get("deprecated", False),
        "Link": operation["operationId"] == "export_games" and status == "200",
        "Preference-Applied": status in ("200", "304") and ("header", "Prefer") in parameters,
    }
    if headers := {name: _header(name) for name, is_present in conditions.items() if is_present}:
        response["headers"] = {**response.get("headers", {}), **headers}


def _add_examples(operation: dict[str, Any]) -> None:
    for key, examples in _EXAMPLES.get(operation["operationId"], {}).items():
        body = operation["requestBody"] if key == "request" else operation["responses"][key]
        for media in body["content"].values():
            media.setdefault("examples", {}).update({name: {"value": value} for name, value in examples.items()})


_OF_GAME: Final = {"game": "$response.body#/id"}
_SAME_GAME: Final = {"game": "$request.path.game"}

_LINKS: Final[Mapping[tuple[str, str], Mapping[str, Mapping[str, str]]]] = {
    ("create_game", "201"): dict.fromkeys(("get_game", "get_view", "list_game_questions", "list_events"), _OF_GAME),
    ("join_game", "200"): dict.fromkeys(("get_view", "list_game_questions"), _SAME_GAME),
    ("get_game", "200"): dict.fromkeys(("get_view", "list_events", "list_game_questions"), _SAME_GAME),
    ("list_game_questions", "200"): {"send_move": _SAME_GAME},
    **{
        (operation, status): {"get_move": {"game": "$response.body#/game", "move": "$response.body#/id"}}
        for operation in ("send_move", "resign")
        for status in ("200", "202")
    },
    ("create_token", "201"): {"delete_token": {"id": "$response.body#/id"}},
    ("create_webhook", "201"): {"test_webhook": {"id": "$response.body#/id"}},
}
"""The operations that follow an operation and status, with the sources of their parameters."""


def add_links(operation: Mapping[str, Any]) -> None:
    """Add the links of an operation to its responses."""
    for status, response in operation["responses"].items():
        for name, parameters in _LINKS.get((operation["operationId"], status), {}).items():
            response.setdefault("links", {})[name] = {"operationId": name, "parameters": dict(parameters)}

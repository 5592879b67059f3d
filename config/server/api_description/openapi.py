"""The parts of the OpenAPI document that all operations have in common: problems, headers, examples.

This is a post-processing hook of drf-spectacular. The errors and headers of an operation follow from its form: whether
it has a body, needs a token, or takes an idempotency key.
"""

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from django.utils.translation import override

from accounts.api.shared.serializers import IdentitySerializer
from config.server.api_description.codes import ERRORS, PROBLEMS
from config.server.problems import MEDIA_TYPE, TITLES
from config.server.problems import problem as problem_of
from games.api.shared.schema import ref

_HERE: Final = Path(__file__).parent
_METHODS: Final = ("get", "post", "put", "patch", "delete")


def _data(name: str) -> Any:
    return json.loads((_HERE / f"{name}.json").read_text())


_TAGS: Final[Mapping[str, str]] = _data("tags")
_EXAMPLES: Final[Mapping[str, Any]] = {
    operation: examples
    for file in sorted((_HERE / "examples").glob("*.json"))
    for operation, examples in json.loads(file.read_text()).items()
}
"""The examples of each operation, by ``request`` or status, and by name."""
_DETAILS: Final[Mapping[str, str]] = _data("problem_details")
"""An example of ``detail`` for each problem code."""
_LINKS: Final[Mapping[str, Mapping[str, Mapping[str, Mapping[str, str]]]]] = _data("links")
"""The operations that follow an operation, by its status, with the sources of their parameters."""
_ANY_PROBLEM: Final = "#/components/responses/AnyProblem"
_COUNTED: Final = ("RateLimit", "RateLimit-Policy")
"""The headers of responses to counted requests."""
_REFUSAL_HEADERS: Final[Mapping[str, tuple[int, ...]]] = {"WWW-Authenticate": (401,), "Retry-After": (409, 429, 503)}
_WITHOUT_LOCATION: Final = ("send_confirmation", "send_deletion_code")
"""Operations with an idempotency key that only send an email."""
_NAMES: Final[Mapping[str, str]] = {
    "entry": "The id of the entry in the open lobby.",
    "number": "The number of the line in the log.",
    "player": "The name of a player.",
    "rules": "The name of a game, one of those at `rules/`.",
    "seat": "The number of the bot's seat.",
}
"""The descriptions of path parameters that are no ids of the thing that they are named after."""


def complete(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: complete all operations."""
    components = result["components"]
    result["info"]["description"] = (_HERE / "description.md").read_text()
    # A copy, because the settings keep the original.
    problem = components["schemas"]["Problem"] = deepcopy(components["schemas"]["Problem"])
    problem["properties"]["code"]["enum"] = list(TITLES)
    problem["properties"]["errors"]["items"]["properties"]["code"]["enum"] = list(ERRORS)
    # A token without the scope ``account`` gets these members only.
    components["schemas"]["Account"]["required"] = list(IdentitySerializer().fields)
    components["responses"] = {
        _component_name(status): _refusal(status) for status in sorted({PROBLEMS[code][0] for code in _DETAILS})
    }
    components["responses"]["AnyProblem"] = _refusal(500, "Any other refusal: programs go by `code`.")
    components["examples"] = {code: _problem_example(code, detail) for code, detail in _DETAILS.items()}
    nothing = components["schemas"]["NothingRequest"]
    # A page has no name of its own: there would be one for each list.
    pages = {ref(name)["$ref"]: components["schemas"].pop(name) for name in [*components["schemas"]] if _is_page(name)}
    for path, method, operation in operations(result):
        for body in operation.get("requestBody", {}).get("content", {}).values():
            # Nor has an empty object.
            body["schema"] = nothing if body["schema"] == ref("NothingRequest") else body["schema"]
        for body in operation["responses"].get("200", {}).get("content", {}).values():
            body["schema"] = pages.get(body["schema"].get("$ref"), body["schema"])
        _complete_operation(path, method, operation, components["schemas"])
    result["tags"] = [{"name": tag, "description": text} for tag, text in _TAGS.items()]
    return result


def _is_page(component: str) -> bool:
    return component.endswith("Page")


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the path, method and description of every operation in a document."""
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                yield path, method, item[method]


def _problem_example(code: str, detail: str) -> dict[str, Any]:
    error = {"pointer": "#/seat_count", "code": "invalid", "detail": detail.removeprefix("seat_count: ")}
    errors = [error] if code == "malformed" else None
    with override("en"):
        return {"summary": PROBLEMS[code][1], "value": problem_of(PROBLEMS[code][0], code, detail, errors)}


def _complete_operation(path: str, method: str, operation: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    operation.setdefault("summary", _title(operation["description"]))
    if scopes := {scope for option in operation.get("security", []) for names in option.values() for scope in names}:
        operation["description"] += f"\n\nScope: `{'`, `'.join(sorted(scopes))}`."
    for parameter in operation.get("parameters", []):
        if not parameter.get("description"):
            parameter["description"] = _parameter_description(parameter)
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


def _parameter_description(parameter: Mapping[str, Any]) -> str:
    """Return the description of a path parameter. Other parameters are described by their serializers."""
    if parameter["in"] != "path":
        return ""
    return _NAMES.get(parameter["name"], f"The id of the {parameter['name']}.")


def _title(description: str) -> str:
    """Return the beginning of the first sentence, up to a colon or semicolon, as plain text."""
    beginning = re.split(r"\.(?:\s|$)|[:;]\s", description, maxsplit=1)[0]
    return " ".join(beginning.replace("`", "").split())


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
    shapes = (body["schema"] for body in bodies)
    return next((schemas[shape["$ref"].rpartition("/")[2]] if "$ref" in shape else shape for shape in shapes), {})


def _refusal(status: int, description: str = "") -> dict[str, Any]:
    codes = [code for code in _DETAILS if PROBLEMS[code][0] == status]
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


def add_links(operation: Mapping[str, Any]) -> None:
    """Add the links of an operation to its responses."""
    for status, links in _LINKS.get(operation["operationId"], {}).items():
        operation["responses"][status]["links"] = {
            name: {"operationId": name, "parameters": parameters} for name, parameters in links.items()
        }

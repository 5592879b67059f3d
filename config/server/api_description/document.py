"""The OpenAPI documents as YAML and JSON. The runner builds them after each start, and all processes read its files."""

import gzip
import json
import threading
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer

from config.core import processes
from config.server.api_description.growth import reachable_components
from config.server.api_description.openapi import operations
from games.api.shared.schema import CHOSEN_OPTIONS, GAME_OPTIONS, OPEN_UNIONS, known_name

MAIN: Final = "openapi"
ACCOUNT: Final = "openapi-account"
CORE: Final = "core"
_ACCOUNT_TAGS: Final = ("accounts", "tokens", "apps", "devices", "sandbox")
"""The groups of operations that have a document of their own, because programs that play seldom need them."""
_ACCOUNT_TEXT: Final = """\
Accounts, their tokens, apps and devices, and the sandbox. The others are in the main document, at `/api/schema/`.
Both have the same server, tokens and errors."""
_CORE_OPERATIONS: Final = (
    "get_me", "list_rules", "get_rules", "list_games", "create_game", "get_game", "join_game", "start_game",
    "list_questions", "send_move", "get_move", "get_view", "list_events", "send_chat_message", "follow_events",
)  # fmt: skip
"""The operations that most programs need."""
_documents: Final[dict[str, tuple[bytes, bytes]]] = {}
"""The documents and their gzip by file name, as this process has read or built them. They never change."""
_lock: Final = threading.Lock()


def document(name: str) -> tuple[bytes, bytes]:
    """Return a document, such as ``core.json``, plain and compressed. Build all in two seconds if there is no file."""
    with _lock:
        if name not in _documents:
            file = settings.API_FOLDER / f"{name}.gz"
            if file.exists():
                compressed = file.read_bytes()
                _documents[name] = gzip.decompress(compressed), compressed
            else:
                _documents.update(_build())
        return _documents[name]


def build_in_background() -> None:
    """Write the files. The server answers meanwhile."""
    processes.watch_parent()
    settings.API_FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (_, compressed) in _build().items():
        new = settings.API_FOLDER / f"{name}.new"
        new.write_bytes(compressed)
        new.replace(settings.API_FOLDER / f"{name}.gz")


def _build() -> dict[str, tuple[bytes, bytes]]:
    whole = SchemaGenerator().get_schema(request=None, public=True)
    plain: dict[str, bytes] = {}
    for name, make in ((MAIN, main_document), (ACCOUNT, account_document), (CORE, core_document)):
        schema = make(whole)
        plain[f"{name}.yaml"] = OpenApiYamlRenderer().render(schema, renderer_context={})
        plain[f"{name}.json"] = json.dumps(schema, ensure_ascii=False).encode()
    return {name: (text, gzip.compress(text, mtime=0)) for name, text in plain.items()}


def main_document(whole: Mapping[str, Any]) -> dict[str, Any]:
    return _part(whole, lambda operation: operation["tags"][0] not in _ACCOUNT_TAGS)


def account_document(whole: Mapping[str, Any]) -> dict[str, Any]:
    account = _part(_without_games(whole), lambda operation: operation["tags"][0] in _ACCOUNT_TAGS)
    account["info"] |= {"title": "Darbar: accounts", "description": _ACCOUNT_TEXT}
    return account


def core_document(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of the document that most programs need, without examples and links."""
    core = _without_games(whole)
    core |= {"paths": _without_examples(core["paths"]), "components": _without_examples(core["components"])}
    return _part(core, lambda operation: operation["operationId"] in _CORE_OPERATIONS)


def _without_games(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document without the shapes of each game. Offered moves can be sent back, and events have texts."""
    document = deepcopy(dict(whole))
    schemas = document["components"]["schemas"]
    for name in schemas.keys() & {known_name(union) for union in OPEN_UNIONS}:
        del schemas[name]
    for name in schemas.keys() & {*OPEN_UNIONS, GAME_OPTIONS, CHOSEN_OPTIONS}:
        schemas[name] = {"type": "object", "description": schemas[name]["description"], "additionalProperties": {}}
    return document


def _part(whole: Mapping[str, Any], belongs: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
    """Return a document with some of the operations, and with their components and groups."""
    part = {**deepcopy(dict(whole)), "paths": {}}
    for path, method, operation in operations(whole):
        if belongs(operation):
            part["paths"].setdefault(path, {})[method] = operation
    components = part["components"]
    names = reachable_components(components["schemas"], [part["paths"], components["responses"]])
    # No operation refers to the unions of known shapes. They are there so that types narrow.
    names |= components["schemas"].keys() & {known_name(union) for union in OPEN_UNIONS if union in names}
    components["schemas"] = {name: components["schemas"][name] for name in sorted(names)}
    tags = {tag for _, _, operation in operations(part) for tag in operation["tags"]}
    part["tags"] = [tag for tag in part["tags"] if tag["name"] in tags]
    return part


def _without_examples(part: Any) -> Any:
    if isinstance(part, Mapping):
        left_out = ("examples", "links") if "schema" in part or "headers" in part or "responses" in part else ()
        return {name: _without_examples(value) for name, value in part.items() if name not in left_out}
    return [_without_examples(value) for value in part] if isinstance(part, list) else part

"""The OpenAPI document as YAML and JSON. The runner builds it after each start, and all processes read its files."""

import gzip
import json
import threading
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer

from config.core import processes
from config.server.api_description.growth import reachable_components
from config.server.api_description.openapi import operations
from games.api.shared.schema import CHOSEN_OPTIONS, GAME_OPTIONS, OPEN_UNIONS

WHOLE: Final = "openapi"
CORE: Final = "core"
_CORE_OPERATIONS: Final = (
    "get_me", "list_rules", "get_rules", "list_games", "create_game", "get_game", "join_game", "start_game",
    "list_questions", "send_move", "get_move", "get_view", "list_events", "send_chat_message", "stream",
)  # fmt: skip
"""The operations that most programs need."""
_documents: Final[dict[str, tuple[bytes, bytes]]] = {}
"""The document and its gzip by format, as this process has read or built it. They never change while it runs."""
_lock: Final = threading.Lock()


def document(name: str) -> tuple[bytes, bytes]:
    """Return a document, such as ``core.json``, plain and compressed. Build it in two seconds if there is no file."""
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
    for name, schema in ((WHOLE, whole), (CORE, core_document(whole))):
        plain[f"{name}.yaml"] = OpenApiYamlRenderer().render(schema, renderer_context={})
        plain[f"{name}.json"] = json.dumps(schema, ensure_ascii=False).encode()
    return {name: (text, gzip.compress(text, mtime=0)) for name, text in plain.items()}


def core_document(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of the document that most programs need, without examples and links.

    The shapes of each game are left out: an offered move can be sent back, and an event has a text.
    """
    core = {**deepcopy(dict(whole)), "paths": {}}
    schemas = core["components"]["schemas"]
    for path, method, operation in operations(whole):
        if operation["operationId"] in _CORE_OPERATIONS:
            core["paths"].setdefault(path, {})[method] = _without_examples(operation)
    for name, schema in schemas.items():
        if name in (*OPEN_UNIONS, GAME_OPTIONS, CHOSEN_OPTIONS):
            schemas[name] = {"type": "object", "description": schema["description"], "additionalProperties": {}}
    core["components"] = _without_examples(core["components"])
    names = reachable_components(schemas, [core["paths"], core["components"]["responses"]])
    core["components"]["schemas"] = {name: schemas[name] for name in sorted(names)}
    tags = {tag for _, _, operation in operations(core) for tag in operation["tags"]}
    core["tags"] = [tag for tag in core["tags"] if tag["name"] in tags]
    return core


def _without_examples(part: Any) -> Any:
    if isinstance(part, Mapping):
        left_out = ("examples", "links") if "schema" in part or "headers" in part or "responses" in part else ()
        return {name: _without_examples(value) for name, value in part.items() if name not in left_out}
    return [_without_examples(value) for value in part] if isinstance(part, list) else part

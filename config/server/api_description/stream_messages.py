"""The payloads of the event stream and of webhooks in the OpenAPI document."""

from collections.abc import Mapping
from typing import Any, Final

from games.api.shared.schema import ref
from notifications.endpoints import Kind

_MOMENT: Final = {"type": "string", "format": "date-time", "description": "The time at which it happened."}
_STREAMED: Final = ("ready", "reset", *Kind)
_NOTICES: Final = ("ready", "reset", "test")
"""Kinds of events without details."""
_STREAMED_GAMES: Final = ("open-game", "closed-game")
_HEADERS: Final = {
    "webhook-id": "Unique to the message, and the same for every try: keep it to take each message once.",
    "webhook-timestamp": "Seconds since 1970; refuse what is more than five minutes off.",
    "webhook-signature": "One or more signatures after Standard Webhooks, with spaces between them.",
}

_OPERATION: Final[Mapping[str, Any]] = {
    "operationId": "receive_webhook_message",
    "summary": "Receive a message",
    "description": "The server posts a message to the address of a webhook. Answer with any 2xx; 410 ends the webhook, "
    "everything else is tried again.",
    "tags": ["webhooks"],
    "security": [],
    "parameters": [
        {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
        for name, text in _HEADERS.items()
    ],
    "requestBody": {"required": True, "content": {"application/json": {"schema": ref("WebhookMessage")}}},
    "responses": {"2XX": {"description": "It was taken."}},
}


def add_stream_messages(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: describe webhooks, and the payloads of both streams."""
    schemas, paths = result["components"]["schemas"], result["paths"]
    described = {kind: schemas[payload_component(kind)]["description"] for kind in Kind}
    schemas |= {_message_name(kind): _message(kind, description) for kind, description in described.items()}
    schemas["WebhookMessage"] = {
        "description": "A message to a webhook, by its `type`. More types may come: each webhook says which it wants.",
        "oneOf": [ref(_message_name(kind)) for kind in Kind],
        "discriminator": {
            "propertyName": "type",
            "mapping": {str(kind): ref(_message_name(kind))["$ref"] for kind in Kind},
        },
    }
    # A callback, because generators make code that does not compile of the document's own `webhooks`.
    paths["/api/v1/me/webhooks/"]["post"]["callbacks"] = {"message": {"{$request.body#/url}": {"post": _OPERATION}}}
    for path, kinds in (("/api/v1/stream/", _STREAMED), ("/api/v1/stream/games/", _STREAMED_GAMES)):
        paths[path]["get"]["responses"]["200"]["content"]["text/event-stream"]["schema"] = {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"anyOf": [*map(ref, dict.fromkeys(map(payload_component, kinds)))]},
        }
    return result


def payload_component(kind: str) -> str:
    """Return the name of the component with the payload of an event of this kind."""
    if kind in _NOTICES:
        return "StreamNotice"
    return "StreamProgress" if kind == Kind.EVENT else f"Stream{kind.title().replace('-', '')}"


def _message_name(kind: str) -> str:
    return f"Webhook{kind.capitalize()}"


def _message(kind: str, description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": {
            "type": {"type": "string", "const": str(kind)},
            "timestamp": _MOMENT,
            "data": ref(payload_component(kind)),
        },
        "required": ["type", "timestamp", "data"],
    }

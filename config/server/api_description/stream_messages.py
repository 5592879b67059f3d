"""The payloads of the event stream and of webhooks in the OpenAPI document."""

from collections.abc import Mapping
from typing import Any, Final

from games.api.shared.schema import ref
from notifications.endpoints import Kind

_MOMENT: Final = {"type": "string", "format": "date-time"}
_UUID: Final = {"type": "string", "format": "uuid"}
_AT: Final = {**_MOMENT, "description": "The time at which it happened. Messages to webhooks have `timestamp` instead."}
_GAME: Final = {**_UUID, "description": "The id of the game."}
_QUESTION: Final = {"type": "string", "description": "The id of the question."}
_STATE: Final = {"anyOf": [ref("GameStateEnum"), {"type": "string"}], "description": "The new state."}
_NUMBER: Final = {"type": "integer", "description": "Events up to this number are at `games/{id}/events/`."}

_PAYLOADS: Final[Mapping[str, tuple[str, str, Mapping[str, Any]]]] = {
    "ready": ("StreamReady", "From here on you are told everything; what waits already is at `questions/`.", {}),
    "reset": ("StreamReset", "Forget what you know, and read your games and `questions/` again.", {}),
    Kind.QUESTION: (
        "StreamQuestion",
        "You are asked something.",
        {"game": _GAME, "question": _QUESTION, "due_at": {**_MOMENT, "description": "Its deadline."}},
    ),
    Kind.CLOSED: ("StreamClosed", "A question to you is closed.", {"game": _GAME, "question": _QUESTION}),
    Kind.EVENT: ("StreamProgress", "Something happened in a game.", {"game": _GAME, "number": _NUMBER}),
    Kind.GAME: ("StreamGame", "A game has started, ended or been cancelled.", {"game": _GAME, "state": _STATE}),
    Kind.CHAT: (
        "StreamChat",
        "Someone wrote something that you may read.",
        {"game": _GAME, "message": {**_UUID, "description": "The id of the message."}},
    ),
    Kind.PRESENCE: (
        "StreamPresence",
        "All who play are here now, and agreed to show it: see `games/{id}/presence/`.",
        {"game": _GAME},
    ),
    Kind.TEST: ("StreamTest", "A test message that the owner of a webhook asked for.", {}),
}
"""The component, description and fields of each kind of stream event or webhook message."""
_ONLY_STREAMED: Final = ("ready", "reset")
_HEADERS: Final = {
    "webhook-id": "Unique to the message, and the same for every try: keep it to take each message once.",
    "webhook-timestamp": "Seconds since 1970; refuse what is more than five minutes off.",
    "webhook-signature": "One or more signatures after Standard Webhooks, with spaces between them.",
}


_OF_OPEN_GAMES: Final[Mapping[str, tuple[str, str, Mapping[str, Any]]]] = {
    "open-game": (
        "StreamOpenGame",
        "A public game that can be joined.",
        {
            "game": _GAME,
            "rules": {"type": "string", "description": "The name of its rules."},
            "options": {**ref("GameOptions"), "description": "Its options."},
            "seat_count": {"type": "integer", "description": "The number of players."},
            "free": {"type": "integer", "description": "The number of seats that are free for people."},
            "created_at": {**_MOMENT, "description": "The time at which it was created."},
        },
    ),
    "closed-game": ("StreamClosedGame", "A game that can no longer be joined.", {"game": _GAME}),
}
"""The component, description and fields of each kind of event in the stream of open games."""


def add_stream_messages(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Describe stream events and webhook messages. A post-processing hook of drf-spectacular."""
    schemas = result["components"]["schemas"]
    for component, description, fields in _PAYLOADS.values():
        schemas[component] = _payload(description, fields)
    kinds = [kind for kind in _PAYLOADS if kind not in _ONLY_STREAMED]
    for kind in kinds:
        schemas[_message_name(kind)] = _message(kind)
    result["webhooks"] = {str(kind): {"post": _operation(kind)} for kind in kinds}
    _describe_stream(result["paths"]["/api/v1/stream/"]["get"], [component for component, _, _ in _PAYLOADS.values()])
    for component, description, fields in _OF_OPEN_GAMES.values():
        schemas[component] = _payload(description, fields)
    _describe_stream(
        result["paths"]["/api/v1/stream/games/"]["get"], [component for component, _, _ in _OF_OPEN_GAMES.values()]
    )
    return result


def payload_component(kind: str) -> str:
    """Return the name of the component with the payload of an event of this kind."""
    return _PAYLOADS[kind][0]


def _payload(description: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "description": description, "properties": {**fields, "at": _AT}}
    return {**schema, "required": [*fields]} if fields else schema


def _message_name(kind: str) -> str:
    return f"Webhook{kind.capitalize()}"


def _message(kind: str) -> dict[str, Any]:
    component, description, _ = _PAYLOADS[kind]
    return {
        "type": "object",
        "description": description,
        "properties": {
            "type": {"type": "string", "const": str(kind)},
            "timestamp": {**_MOMENT, "description": "The time at which it happened."},
            "data": ref(component),
        },
        "required": ["type", "timestamp", "data"],
    }


def _operation(kind: str) -> dict[str, Any]:
    description = _PAYLOADS[kind][1]
    headers = [
        {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
        for name, text in _HEADERS.items()
    ]
    return {
        "operationId": f"on_{kind}",
        "summary": description.removesuffix("."),
        "description": f"{description} Answer with any 2xx; 410 ends the webhook, everything else is tried again.",
        "tags": ["webhooks"],
        "parameters": headers,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": ref(_message_name(kind))}},
        },
        "responses": {"2XX": {"description": "It was taken."}},
    }


def _describe_stream(operation: dict[str, Any], components: list[str]) -> None:
    """Describe the payloads of a stream, which follow `data:` in each event."""
    content = operation["responses"]["200"]["content"]["text/event-stream"]
    content["schema"] = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"anyOf": [ref(component) for component in components]},
    }

"""Links of the OpenAPI document: from a response to the operations that a client calls next."""

from collections.abc import Mapping
from typing import Any, Final

_OF_GAME: Final = {"game": "$response.body#/id"}
_SAME_GAME: Final = {"game": "$request.path.game"}

_LINKS: Final[Mapping[tuple[str, str], Mapping[str, Mapping[str, str]]]] = {
    ("create_game", "201"): dict.fromkeys(("get_game", "get_view", "list_game_questions", "list_events"), _OF_GAME),
    ("rematch_game", "201"): dict.fromkeys(("get_game", "get_view", "list_game_questions"), _OF_GAME),
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

"""Known shapes narrow by their tag. Type checkers read this file; nothing runs it."""

from typing import assert_type

from darbar_client import Darbar, types


def declared_action(event: types.GameEvent) -> str:
    """Return the action of a declaration in Coup, or the type of any other event."""
    if types.is_known_event(event):
        if event["type"] == "coup.declared":
            assert_type(event, types.CoupEventDeclared)
            return event["action"]
        if event["type"] == "table.ended":
            return str(event["winners"])
    return event["type"]


def own_games(darbar: Darbar) -> list[str]:
    """Return the ids of all own games, page by page."""
    games = list(darbar.results(darbar.list_games(mine=True)))
    assert_type(games, list[types.Game])
    return [game["id"] for game in games]


def target(move: types.GameMove) -> int | None:
    """Return the target of a theft."""
    return move["target"] if types.is_known_move(move) and move["type"] == "coup.steal" else None


def treasury(view: types.GameView) -> int:
    """Return the coins in the treasury of Coup."""
    return view["treasury"] if types.is_known_view(view) and view["rules"] == "coup" else 0


def question_id(message: types.WebhookMessage) -> str:
    """Return the id of the question that a message tells of."""
    return message["data"]["question"] if message["type"] == "question" else ""

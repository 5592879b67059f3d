"""What became of a move, and what happened at a table, as one viewer may know it."""

import logging
from datetime import timedelta
from typing import Any

import msgspec
from django.db import OperationalError
from django.utils import timezone

from games import log_store
from games.api.problems import problem
from games.api.waiting import slot
from games.engine import Phrase, gettext_noop
from games.models import Move
from games.play.access import Sight
from games.play.envelope import Shown, shown
from games.play.resolve import resolve
from games.play.speak import speak
from games.play.table_events import TableEvent, story

logger = logging.getLogger(__name__)


def awaited(move: Move, patience: timedelta) -> Move:
    """The move, judged here and now if that can be done in time; else as it is."""
    with slot() as free:
        if not free:
            return move
        try:
            resolve(move.game_id, timezone.now(), patience)
        except OperationalError as error:
            logger.warning("move %s is left to the worker: %s", move.id, type(error).__name__)
    move.refresh_from_db()
    return move


def shown_lines(seen: Sight) -> list[dict[str, Any]]:
    """The log as this viewer may know it, ready to be sent."""
    lines = shown(log_store.rules_of(seen.game), log_store.read(seen.game), seen.viewer)
    return [told_line(seen, line) for line in lines]


def told_line(seen: Sight, line: Shown) -> dict[str, Any]:
    """One line of the log, ready to be sent."""
    rules = log_store.rules_of(seen.game)
    phrase = story(line.event) if isinstance(line.event, TableEvent) else rules.words.story(line.event)
    return {**msgspec.to_builtins(line), "text": None if phrase is None else speak(phrase, seen.names)}


def of_move(seen: Sight, move: Move) -> dict[str, Any]:
    """A move and what became of it, for who sent it."""
    applied = move.state == Move.State.APPLIED
    return {
        "id": move.id,
        "game": move.game_id,
        "question": move.question,
        "text": move.text,
        "move": None if move.body is None else msgspec.json.decode(move.body),
        "received_at": move.received_at,
        "state": move.state,
        "problem": _problem(seen, move),
        "events": [line for line in shown_lines(seen) if line["move"] == str(move.id)] if applied else [],
    }


def _problem(seen: Sight, move: Move) -> dict[str, Any] | None:
    if move.state == Move.State.REJECTED:
        return problem(move.code, msgspec.json.decode(move.phrase or "", type=Phrase), seen.game.names())
    if move.state == Move.State.FAILED:
        sentence = gettext_noop("This move could not be judged; the fault is ours, and the operator knows of it.")
        return problem("error", Phrase(sentence), {})
    return None

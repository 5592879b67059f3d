"""Moves that somebody tells a bot of the sandbox to make. They are kept for a day, in the cache that all share."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from games.engine import AnyRules, Question, RuleViolation
from games.engine.reading import is_notation
from games.engine.rules import Names

KEPT: Final = timedelta(days=1)
MOST: Final = 100
"""The most moves that a bot is told at once."""


def tell(game: uuid.UUID, seat: int, moves: Sequence[str]) -> None:
    """Tell the bot on a seat what to answer, in notation, in place of what it was told before."""
    cache.set(_key(game, seat), list(moves), KEPT.total_seconds())


def unreadable(rules: AnyRules, moves: Sequence[str], names: Names) -> dict[int, str]:
    """Return the moves that no question of this game can take, by their place."""
    return {place: move for place, move in enumerate(moves) if not is_notation(rules, move, names)}


def told(game: uuid.UUID, seat: int) -> list[str]:
    """Return what the bot on a seat is still to answer."""
    return list(cache.get(_key(game, seat), ())) if settings.SANDBOX else []


def fitting(game: uuid.UUID, rules: AnyRules, state: Any, question: Question, names: Names) -> Any | None:
    """Return the next move that a bot was told, where it answers this question; else None."""
    moves = told(game, question.seat)
    if not moves:
        return None
    try:
        move = rules.parse(state, question, moves[0], names)
    except RuleViolation:
        return None
    return move if move in rules.legal_moves(state, question) else None


def drop_first(game: uuid.UUID, seat: int) -> None:
    """Note that the first of the moves was made."""
    tell(game, seat, told(game, seat)[1:])


def _key(game: uuid.UUID, seat: int) -> str:
    return f"told-moves:{game}:{seat}"

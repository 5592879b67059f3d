"""Scripted moves of sandbox bots. They are kept in the shared cache for a day."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from games.engine import AnyRules, Question, RuleViolation
from games.engine.reading import is_notation
from games.engine.rules import Names

LIFETIME: Final = timedelta(days=1)
MAX_MOVES: Final = 100
"""The most scripted moves of a bot."""


def set_moves(game: uuid.UUID, seat: int, moves: Sequence[str]) -> None:
    """Replace the scripted moves of a bot. They are in notation."""
    cache.set(_key(game, seat), list(moves), LIFETIME.total_seconds())


def unreadable_moves(rules: AnyRules, moves: Sequence[str], names: Names) -> dict[int, str]:
    """Return the moves that are no notation of this game, by their index."""
    return {place: move for place, move in enumerate(moves) if not is_notation(rules, move, names)}


def remaining_moves(game: uuid.UUID, seat: int) -> list[str]:
    """Return the scripted moves that a bot has not made yet."""
    return list(cache.get(_key(game, seat), ())) if settings.SANDBOX else []


def next_move(game: uuid.UUID, rules: AnyRules, state: Any, question: Question, names: Names) -> Any | None:
    """Return the next scripted move of a bot if it is a legal answer to this question."""
    moves = remaining_moves(game, question.seat)
    if not moves:
        return None
    try:
        move = rules.parse(state, question, moves[0], names)
    except RuleViolation:
        return None
    return move if move in rules.legal_moves(state, question) else None


def drop_first(game: uuid.UUID, seat: int) -> None:
    """Delete the first scripted move of a bot, after it was made."""
    set_moves(game, seat, remaining_moves(game, seat)[1:])


def _key(game: uuid.UUID, seat: int) -> str:
    return f"told-moves:{game}:{seat}"

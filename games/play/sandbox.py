"""The sandbox for authors of programs (setting ``SANDBOX``): time that passes on request, and scripted bots.

Time passes by moving deadlines. The times in the log do not change. The scripted moves of bots are kept in the shared
cache for a day.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F

from config.core.tasks import enqueue
from games.engine import AnyRules, Phrase, Question, RuleViolation, gettext_noop
from games.engine.reading import is_notation
from games.engine.rules import Names
from games.event_log.table_events import Paused
from games.models import Game, OpenQuestion
from games.play.locked_game import lock_game
from games.refusals import Refusal


def pass_time(game: uuid.UUID, by: timedelta, now: datetime) -> None:
    """Let time pass in a game. Raises Refusal(conflict) if it is over."""
    with transaction.atomic():
        rows = Game.objects.select_for_update(no_key=True).filter(pk=game).exclude(state__in=_ENDED)
        if rows.first() is None:
            raise Refusal("conflict", Phrase(gettext_noop("No time passes in a game that is over.")))
        OpenQuestion.objects.filter(game=game).update(
            due_at=F("due_at") - by, remind_at=F("remind_at") - by, planned_at=F("planned_at") - by
        )
        Game.objects.filter(pk=game).update(due_at=F("due_at") - by, start_check_at=F("start_check_at") - by)
        _shorten_pause(game, by, now)
        enqueue("games.tasks.resolve_moves")


def _shorten_pause(game: uuid.UUID, by: timedelta, now: datetime) -> None:
    """Let a pause end earlier. The log decides when it ends, so the change is an event."""
    with lock_game(game, now) as locked:
        pause = locked and locked.position.table and locked.position.table.pause
        if locked and pause and pause.on:
            locked.add_table_event(Paused(seconds=pause.seconds, until=pause.ends_at - by))


_ENDED = (Game.State.OVER, Game.State.CANCELLED)


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

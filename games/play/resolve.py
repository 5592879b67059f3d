"""Resolves stored moves: applies or rejects them, in the order of ``(received_at, id)``.

A move is rejected only if the rules raise RuleViolation. After any other error the game is stalled
(``games.play.stalls``) and is tried again later. Other games are not affected.
"""

import logging
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import InterfaceError, OperationalError

from config.core import metrics
from config.core.logs import describe_error
from config.core.tasks import enqueue
from games.announcements import setbacks
from games.engine import Phrase, Question, RuleViolation, SeatNumber, gettext_noop
from games.engine.forms import offered_moves
from games.engine.reading import illegal_move, names_to_read
from games.engine.validation import ILLEGAL, QUESTION_CLOSED
from games.event_log import log_store
from games.event_log.lines import decode, encode
from games.event_log.table_events import Resigned
from games.models import Move
from games.play import absence, stalls
from games.play.batch import games_with_moves, run_batch
from games.play.locked_game import MAX_GAMES, LockedGame, lock_game
from games.play.submit import is_resignation

logger = logging.getLogger(__name__)

_ANY_TIME: Final = datetime.max.replace(tzinfo=UTC)
_MAX_SINGLE_MOVES: Final = 1000
"""The most moves of a game that one task resolves one by one."""


def resolve(game: uuid.UUID, now: datetime, patience: timedelta | None = None) -> LockedGame | None:
    """Resolve the received moves of a game. It is safe to call this often and from many processes.

    Return the stored game, which is no longer locked, or None if it does not exist. Raises OperationalError if the
    database fails, or if another transaction locks the game for longer than ``patience``. The moves stay unresolved
    then, and also if the rules of the game are not installed here. In that case, and if an error makes it resolve the
    moves one by one, the result is None.
    """
    try:
        with lock_game(game, now, patience=patience) as locked:
            if locked is not None:
                resolve_locked(locked)
        return locked
    except (OperationalError, InterfaceError):
        raise
    except log_store.UnknownRules as error:
        logger.warning("game %s is left to a server that has its rules: %s", game, error)
    except Exception as error:
        logger.error("game %s could not be resolved, its moves are tried one by one: %s", game, describe_error(error))
        _resolve_one_by_one(game, now)
    return None


def resolve_now(game: uuid.UUID, now: datetime, patience: timedelta) -> LockedGame | None:
    """Resolve the moves of a game in the process that stored one of them, and return what ``resolve`` returns.

    Return None, too, if they are left to a worker: the game stays locked for longer than ``patience``, or the database
    fails.
    """
    try:
        return resolve(game, now, patience)
    except OperationalError as error:
        logger.warning("the moves of game %s are left to a worker: %s", game, type(error).__name__)
        return None


def resolve_waiting(now: datetime, until: datetime = _ANY_TIME) -> None:
    """Resolve all received moves, or all moves received by ``until``, many games in a transaction.

    An error in one game does not stop the others. Raises OperationalError if the database fails.
    """
    # Without ``until`` no clock is read: the clock of the process that stored a move may be a little ahead.
    passed: set[uuid.UUID] = set()
    while games := games_with_moves(2 * MAX_GAMES, until, passed):
        together, alone = run_batch(games, now, resolve_locked, lambda game: resolve(game, now))
        passed.update(together, alone)  # A move that is stored now has a task of its own.
        if not (together or alone):
            # All games are locked by other processes, which may not have seen the last move. Wait for one of them.
            resolve(games[0], now)
            passed.add(games[0])


def retry_stalled(game: uuid.UUID, now: datetime) -> bool:
    """Try to resolve all moves of a stalled game, or else its first move, so that a later move does not block it.

    Return False if the game is locked elsewhere, or if its rules are not installed here.
    """
    try:
        return _try_again(game, now, None)
    except (OperationalError, InterfaceError):
        raise
    except log_store.UnknownRules as error:
        logger.warning("game %s is left to a server that has its rules: %s", game, error)
        return False
    except Exception as error:
        logger.error("game %s could not be resolved again, its first move is tried: %s", game, describe_error(error))
    try:
        _try_again(game, now, 1)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        stalls.fail_again(game, error, now)
    else:
        resolve(game, now)
    return True


def _try_again(game: uuid.UUID, now: datetime, limit: int | None) -> bool:
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is not None:
            resolve_locked(locked, limit, again=True)
    return locked is not None


def retry_move(move: uuid.UUID, now: datetime) -> bool:
    """Resolve a move again that was set aside. Return False if there is no such move."""
    updated = Move.objects.filter(pk=move, state=Move.State.FAILED).update(state=Move.State.RECEIVED)
    enqueue("games.tasks.resolve_moves")
    return bool(updated)


def _resolve_one_by_one(game: uuid.UUID, now: datetime) -> None:
    """Resolve moves in a transaction each. The move that fails stalls the game."""
    try:
        for _ in range(_MAX_SINGLE_MOVES):
            with lock_game(game, now) as locked:
                resolved = resolve_locked(locked, 1) if locked else 0
            if not resolved:
                return
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        stalls.begin(game, error, now)


def resolve_locked(locked: LockedGame, limit: int | None = None, *, again: bool = False) -> int:
    """Resolve the received moves of a locked game, and return their number.

    A stalled game is resolved only with ``again``.
    """
    was_stalled = locked.game.stalled_since is not None
    if was_stalled and not again:
        return 0
    if was_stalled:
        stalls.lift(locked)
    moves = locked.received_moves[:limit]
    for move in moves:
        resolve_move(locked, move)
        if was_stalled or move.attempts:
            setbacks.notify_resolved_at_last(move, locked.names(), locked.now)
    if moves:
        absence.settle(locked)
    return len(moves)


def resolve_move(locked: LockedGame, move: Move) -> None:
    """Apply a move to a locked game, or reject it."""
    try:
        if locked.state is None:
            raise RuleViolation(
                QUESTION_CLOSED, Phrase(gettext_noop("The game hasn’t started, so you can’t move yet."))
            )
        if move.text is not None and is_resignation(move.text):
            _resign(locked, move)
        else:
            _apply_move(locked, move)
    except RuleViolation as violation:
        move.state = Move.State.REJECTED
        move.code = violation.code
        move.phrase = msgspec.json.encode(violation.phrase).decode()
        locked.resolved_moves.append(move)
    else:
        move.state = Move.State.APPLIED
    metrics.MOVES.labels(str(move.via), str(move.state)).inc()
    logger.debug("game %s: a move by %s is %s", move.game_id, move.via, move.state)


def _resign(locked: LockedGame, move: Move) -> None:
    seat, chance = SeatNumber(move.seat), locked.chance()
    events = locked.rules.resign(locked.state, seat, chance)
    locked.add_table_event(Resigned(seat=seat), move.via, seat)
    locked.apply_events(events, chance, move)


def _apply_move(locked: LockedGame, move: Move) -> None:
    seat, chance = SeatNumber(move.seat), locked.chance()
    question = locked.question(seat, move.question)
    row = locked.open[question.id]
    if not row.bot and move.via != Move.Via.TIMEOUT and locked.effective_time(move) > row.due_at:
        raise RuleViolation(
            QUESTION_CLOSED, Phrase(gettext_noop("This move came after its deadline, so it wasn’t played."))
        )
    if move.text is not None:
        answer = locked.rules.parse(locked.state, question, move.text, names_to_read(locked.names()))
    else:
        answer = decode(locked.rules.move_type, move.body or "", question.id)
    move.body, move.asked_at = encode(answer), row.asked_at
    if move.account_id == locked.seats[seat].account_id:  # A stand-in must not learn when the player saw it.
        move.seen_at = row.seen_at
    try:
        events = locked.rules.decide(locked.state, seat, answer, chance)
    except RuleViolation as violation:
        if violation.code != ILLEGAL:
            raise
        raise _explain_illegal_move(locked, question, answer) from violation
    locked.apply_events(events, chance, move)


def _explain_illegal_move(locked: LockedGame, question: Question, answer: Any) -> RuleViolation:
    """Return the error of a move that the rules do not allow now, with a reason and the moves that they offer."""
    rules, text = locked.rules, locked.rules.text(answer)
    moves = offered_moves(rules, locked.state, question)
    return illegal_move(text, moves, rules.why_illegal(locked.state, question, text.split()))

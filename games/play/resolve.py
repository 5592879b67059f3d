"""From stored moves to events: what is received is resolved in its order, and applied or refused.

Whoever was first is the order of (received_at, id) among the moves stored when the game is resolved; what is
applied stays applied. A game in which a move cannot be resolved for a reason outside the rules is stalled
(``games.play.stalls``) and tried again later; no other game notices.
"""

import logging
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import InterfaceError, OperationalError

from config.core import metrics
from config.core.logs import describe_error
from games.announcements import setbacks
from games.engine import Phrase, Question, RuleViolation, SeatNumber, gettext_noop
from games.engine.forms import offered_moves
from games.engine.reading import illegal_move, names_to_read
from games.engine.validation import ILLEGAL, NOT_ASKED, QUESTION_CLOSED
from games.event_log import log_store
from games.event_log.encoding import decode, encode
from games.event_log.enqueue import enqueue
from games.event_log.table_events import Resigned
from games.models import Move
from games.play import absence, rows, stalls
from games.play.batch import work_on
from games.play.locked_game import TOGETHER, LockedGame, lock_game
from games.play.resignation import is_resignation

logger = logging.getLogger(__name__)

_EVER: Final = datetime.max.replace(tzinfo=UTC)
_MOST_SINGLE: Final = 1000
"""The most moves of a game that are resolved one by one; the next task goes on."""


def resolve(game: uuid.UUID, now: datetime, patience: timedelta | None = None) -> None:
    """Resolve what is stored for this game. Nothing is done twice, whoever calls it and how often.

    A database that fails is the caller's concern (OperationalError), and so is somebody who holds the game for
    longer than ``patience``: the moves stay as they are. They do too where the game's rules are not on this server.
    """
    try:
        _resolve(game, now, patience=patience)
    except (OperationalError, InterfaceError):
        raise
    except log_store.UnknownRules as error:
        logger.warning("game %s is left to a server that has its rules: %s", game, error)
    except Exception as error:
        logger.error("game %s could not be resolved, its moves are tried one by one: %s", game, describe_error(error))
        _resolve_singly(game, now)


def resolve_now(game: uuid.UUID, now: datetime, patience: timedelta) -> bool:
    """Resolve the moves of a game in the process that stored one of them, as a worker does.

    Return False if they are left to a worker: the game stays locked for longer than ``patience``, or the database
    fails.
    """
    try:
        resolve(game, now, patience)
    except OperationalError as error:
        logger.warning("the moves of game %s are left to a worker: %s", game, type(error).__name__)
        return False
    return True


def resolve_waiting(now: datetime, until: datetime = _EVER) -> None:
    """Resolve whatever is stored (``until``: was by then), many games in a transaction.

    Without ``until`` it does not look at any clock: that of whoever stored a move may be a little ahead. What goes
    wrong with one game stops no other. A database that fails is the caller's concern (OperationalError): the moves
    stay as they are.
    """
    passed: set[uuid.UUID] = set()
    while games := rows.waiting(2 * TOGETHER, until, passed):
        together, alone = work_on(games, now, resolve_locked, lambda game: resolve(game, now))
        passed.update(together, alone)  # each once: a move that comes now has a task of its own
        if not (together or alone):
            resolve(games[0], now)  # somebody holds each of them, and may not have seen its last move
            passed.add(games[0])


def retry_stalled(game: uuid.UUID, now: datetime) -> bool:
    """Try again to resolve a stalled game: all its moves, else the first, so that one further back does not hold it up.

    False where somebody else holds it, or its rules are not on this server.
    """
    try:
        return _is_retried(game, now, None)
    except (OperationalError, InterfaceError):
        raise
    except log_store.UnknownRules as error:
        logger.warning("game %s is left to a server that has its rules: %s", game, error)
        return False
    except Exception as error:
        logger.error("game %s could not be resolved again, its first move is tried: %s", game, describe_error(error))
    try:
        _is_retried(game, now, 1)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        stalls.fail_again(game, error, now)
    else:
        resolve(game, now)
    return True


def _is_retried(game: uuid.UUID, now: datetime, limit: int | None) -> bool:
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is not None:
            resolve_locked(locked, limit, again=True)
    return locked is not None


def retry(move: uuid.UUID, now: datetime) -> bool:
    """Resolve a move again that was set aside, as of when it came; return False where there is none of this id."""
    again = Move.objects.filter(pk=move, state=Move.State.FAILED).update(state=Move.State.RECEIVED)
    enqueue("games.tasks.resolve_moves")
    return bool(again)


def _resolve(game: uuid.UUID, now: datetime, limit: int | None = None, patience: timedelta | None = None) -> int:
    with lock_game(game, now, patience=patience) as locked:
        return resolve_locked(locked, limit) if locked else 0


def _resolve_singly(game: uuid.UUID, now: datetime) -> None:
    """Resolve one move a transaction, up to the one at fault; the game is stalled from there on."""
    try:
        for _ in range(_MOST_SINGLE):
            if not _resolve(game, now, limit=1):
                return
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        stalls.begin(game, error, now)


def resolve_locked(locked: LockedGame, limit: int | None = None, *, again: bool = False) -> int:
    """Resolve the waiting moves of a held game; gives how many there were. A stalled game is resolved only
    ``again``.
    """
    was_stalled = locked.game.stalled_since is not None
    if was_stalled and not again:
        return 0
    if was_stalled:
        stalls.lift(locked)
    moves = locked.waiting[:limit]
    for move in moves:
        resolve_move(locked, move)
        if was_stalled or move.attempts:
            setbacks.notify_resolved_at_last(move, locked.names(), locked.now)
    if moves:
        absence.settle(locked)
    return len(moves)


def resolve_move(locked: LockedGame, move: Move) -> None:
    """Apply one move to a held game, or refuse it. Its row is stored with what happened."""
    try:
        if locked.state is None:
            raise RuleViolation(
                NOT_ASKED, Phrase(gettext_noop("The game has not begun, so there is nothing to move yet."))
            )
        if move.text is not None and is_resignation(move.text):
            _resign(locked, move)
        else:
            _play(locked, move)
    except RuleViolation as violation:
        move.state = Move.State.REJECTED
        move.code = violation.code
        move.phrase = msgspec.json.encode(violation.phrase).decode()
        locked.resolved.append(move)
    else:
        move.state = Move.State.APPLIED
    metrics.MOVES.labels(str(move.via), str(move.state)).inc()


def _resign(locked: LockedGame, move: Move) -> None:
    seat, chance = SeatNumber(move.seat), locked.chance()
    events = locked.rules.resign(locked.state, seat, chance)
    locked.tell(Resigned(seat=seat), move.via, seat)
    locked.happen(events, chance, move)


def _play(locked: LockedGame, move: Move) -> None:
    seat, chance = SeatNumber(move.seat), locked.chance()
    question = locked.question(seat, move.question)
    row = locked.open[question.id]
    if not row.bot and move.via != Move.Via.TIMEOUT and locked.received_at(move) > row.due_at:
        raise RuleViolation(
            QUESTION_CLOSED, Phrase(gettext_noop("This move came after its deadline, so it was not played."))
        )
    if move.text is not None:
        answer = locked.rules.parse(locked.state, question, move.text, names_to_read(locked.names()))
    else:
        answer = decode(locked.rules.move_type, move.body or "", question.id)
    move.body, move.asked_at = encode(answer), row.asked_at
    if move.account_id == locked.seats[seat].account_id:  # a stand-in does not learn when the player saw it
        move.seen_at = row.seen_at
    try:
        events = locked.rules.decide(locked.state, seat, answer, chance)
    except RuleViolation as violation:
        if violation.code != ILLEGAL:
            raise
        raise _explained(locked, question, answer) from violation
    locked.happen(events, chance, move)


def _explained(locked: LockedGame, question: Question, answer: Any) -> RuleViolation:
    """Return the refusal of a move that the rules do not allow now, as it is told to people who have written it."""
    rules, text = locked.rules, locked.rules.text(answer)
    offered = offered_moves(rules, locked.state, question)
    return illegal_move(text, offered, rules.why_illegal(locked.state, question, text.split()))

"""The resolution of stored moves, for many games in one transaction.

Moves are applied or rejected in the order of ``(received_at, id)``. A move is rejected only if the rules raise
RuleViolation. After any other error the game is stalled (``games.play.outages``) and is tried again later. Other games
are not affected.
"""

import logging
import uuid
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.models import Min, Q, QuerySet

from config.core import metrics
from config.core.logs import describe_error, repeated
from config.core.tasks import app, enqueue
from games.announcements import setbacks
from games.engine import Phrase, Question, RuleViolation, SeatNumber, gettext_noop
from games.engine.forms import offered_moves
from games.engine.reading import illegal_move, names_to_read
from games.engine.validation import ILLEGAL, QUESTION_CLOSED
from games.event_log import log_store
from games.event_log.log_store import decode, encode
from games.event_log.table_events import Resigned
from games.models import Move, OpenQuestion
from games.play import absence, outages
from games.play.locked_game import MAX_GAMES, LockedGame, lock_game, lock_games
from games.play.submit import is_resignation
from games.rules.registry import every_version

logger = logging.getLogger(__name__)


class _GameError(Exception):
    """The work on one of the games failed."""

    def __init__(self, game: uuid.UUID) -> None:
        super().__init__(game)
        self.game = game


def run_batch(
    games: Sequence[uuid.UUID],
    now: datetime,
    work: Callable[[LockedGame], object],
    alone: Callable[[uuid.UUID], object],
) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """Run ``work`` on the games that are not locked elsewhere. Run ``alone`` for a game in which it failed.

    An error in one game rolls back the whole transaction, since the game may have been changed in part. The other
    games are then worked on again. Return the games that were worked on together, and those that were worked on alone.
    Games beyond the limit of one transaction are in neither list. Raises OperationalError if the database fails;
    nothing has changed then.
    """
    remaining, failed = list(games), list[uuid.UUID]()
    while True:
        together = list(remaining)
        try:
            with lock_games(remaining, now) as locked_games:
                together = [locked.game.id for locked in locked_games]
                for locked in locked_games:
                    _run(work, locked)
            break
        except _GameError as error:
            remaining.remove(error.game)
            failed.append(error.game)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            kind = describe_error(error)
            logger.error(
                "%d games could not be stored together, each is tried alone: %s",
                len(together),
                kind,
                extra=repeated("together", kind),
            )
            failed += together
            together = []
            break
    for game in failed:
        alone(game)
    return together, failed


def _run(work: Callable[[LockedGame], object], locked: LockedGame) -> None:
    try:
        work(locked)
    except DatabaseError:
        raise
    except Exception as error:
        logger.error("game %s is worked on apart from others: %s", locked.game.id, describe_error(error))
        raise _GameError(locked.game.id) from None


BATCH: Final = 200
"""The number of games that are found by one query."""


def each_game(find: Callable[[Collection[uuid.UUID]], list[uuid.UUID]], work: Callable[[uuid.UUID], object]) -> None:
    """Do ``work`` once for each game that ``find`` returns. An error in one game does not stop the others.

    ``find`` gets the games that were worked on and must leave them out: if the work changed nothing, the game waits
    for the next sweep and holds up no other. A worker that has been told to end leaves the other games to the next
    sweep, too.
    """
    passed: set[uuid.UUID] = set()
    while games := [game for game in find(passed) if game not in passed]:
        for game in games:
            if app.is_ending:
                return
            passed.add(game)
            attempt(work, game)


def attempt(work: Callable[[uuid.UUID], object], game: uuid.UUID) -> None:
    """Run ``work`` for one game. Errors are logged by type only, because a message could contain a hidden card."""
    try:
        work(game)
    except Exception as error:
        logger.error("game %s was passed by: %s", game, describe_error(error))


def playable(game: str = "game__") -> Q:
    """Return a condition for rows of games whose rules are installed here.

    ``game`` is the prefix of the lookup from the row to its game. It is empty for games themselves.
    """
    condition = Q(pk__in=[])
    for rules in every_version():
        condition |= Q(**{f"{game}rules": rules.name, f"{game}rules_version": rules.version})
    return condition


def games_with_rows(rows: QuerySet[Any], moment: str, exclude: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Return the games of these rows, ordered by the earliest ``moment``. Skips stalled games and ``exclude``."""
    games = _playable_rows(rows, exclude).values_list("game", flat=True)
    return list(games.annotate(first=Min(moment)).order_by("first")[:BATCH])


def games_with_moves(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games with unresolved moves that were received by ``until``, the oldest move first.

    Skips stalled games, games in ``exclude``, and games whose rules are not installed here.
    """
    moves = Move.objects.filter(state=Move.State.RECEIVED, received_at__lte=until)
    return _first_games(moves.order_by("received_at"), exclude, limit)


def games_overdue(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games with a deadline before ``until``. Skips games as ``games_with_moves`` does."""
    questions = OpenQuestion.objects.filter(bot=False, due_at__lte=until)
    return _first_games(questions.order_by("due_at"), exclude, limit)


def games_with_planned_answers(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games in which a plan answers by ``until``. Skips games as ``games_with_moves`` does."""
    questions = OpenQuestion.objects.filter(planned_at__lte=until)
    return _first_games(questions.order_by("planned_at"), exclude, limit)


def _first_games(rows: QuerySet[Any], exclude: Collection[uuid.UUID], limit: int) -> list[uuid.UUID]:
    """Return the games of the first rows. A limit on rows needs only the first part of an index."""
    return list(dict.fromkeys(_playable_rows(rows, exclude).values_list("game", flat=True)[:limit]))


def _playable_rows(rows: QuerySet[Any], exclude: Collection[uuid.UUID]) -> QuerySet[Any]:
    return rows.filter(playable(), game__stalled_since=None).exclude(game__any=exclude)


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
        outages.fail_again(game, error, now)
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
        outages.begin(game, error, now)


def resolve_locked(locked: LockedGame, limit: int | None = None, *, again: bool = False) -> int:
    """Resolve the received moves of a locked game, and return their number.

    A stalled game is resolved only with ``again``.
    """
    was_stalled = locked.game.stalled_since is not None
    if was_stalled and not again:
        return 0
    if was_stalled:
        outages.lift(locked)
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

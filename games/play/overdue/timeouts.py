"""Timeouts: default moves for those who did not answer, reminders, and time given back after downtime.

Every function may be called late, twice, or by many at once: the rows say what is left to do.
"""

import logging
import uuid
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from accounts.models import IdempotencyKey
from config.core.database.checks import GRACE
from config.core.logs import describe_error, repeated
from games.announcements import notify
from games.deadlines.clock_skew import ClockStep
from games.event_log.table_events import DeadlinesMoved
from games.models import GOING, Game, Heartbeat, Move, OpenQuestion
from games.play import absence, resolve, rows, stalls
from games.play.batch import work_on
from games.play.each_game import BATCH, attempt, each_game, playable
from games.play.locked_game import TOGETHER, LockedGame, lock_game
from games.play.overdue import moving, outages, planned
from games.play.overdue.default_moves import play_default
from notifications import received_mail
from notifications.content import addresses
from notifications.delivery import outages as mail_outages

logger = logging.getLogger(__name__)

LOST_TASK: Final = timedelta(seconds=3)
"""After so long a move that nobody resolved is taken to have lost its task."""
PULSE: Final = timedelta(seconds=30)
DOWNTIME: Final = timedelta(minutes=5)
"""A silence of the clock that is longer than this is given back."""
KEPT: Final = timedelta(days=30)
"""The time for which the idempotency key of a request is kept that belongs to no game."""
REJECTED: Final = 100
"""The number of rejected moves that are kept of each seat."""
_FORGET_REJECTED: Final = """
    DELETE FROM games_move WHERE id IN (
        SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY game_id, seat ORDER BY received_at DESC) AS place
            FROM games_move WHERE state = 'rejected'
        ) AS counted WHERE place > %s
    )
"""


def sweep(now: datetime, step: ClockStep | None = None) -> None:
    """Do whatever is due: resolve moves whose task was lost, play for those whose time is over, remind.

    ``step`` is one that the clock has just made.
    """
    if not beat(now, step):
        return
    resolve.resolve_waiting(now, now - LOST_TASK)
    outages.give_back(now)
    for game in stalls.due(now).values_list("game", flat=True):
        attempt(lambda each: resolve.retry_stalled(each, now), game)
    each_game(lambda passed: _paused(now, passed), lambda game: go_on(game, now))
    planned.sweep(now)
    _strike_all(now)
    _remind_all(now)


def waiting(now: datetime) -> Iterable[QuerySet[Any]]:
    """The rows that a sweep works on: moves without a task, stalls to try, pauses and times over, and reminders."""
    return [
        stalls.due(now),
        Move.objects.filter(state=Move.State.RECEIVED, received_at__lte=now - LOST_TASK).order_by("received_at"),
        Game.objects.filter(paused_until__lte=now).order_by("paused_until"),
        OpenQuestion.objects.filter(planned_at__lte=now).order_by("planned_at"),
        OpenQuestion.objects.filter(bot=False, due_at__lte=now - GRACE).order_by("due_at"),
        _to_remind(now),
        *mail_outages.waiting(now),
    ]


def beating(now: datetime) -> Iterable[QuerySet[Heartbeat]]:
    """The clock's heart, if it has beaten of late."""
    return [Heartbeat.objects.filter(at__gt=now - PULSE, at__lte=now).order_by("pk")]


def _paused(now: datetime, passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
    games = Game.objects.filter(playable(""), paused_until__lte=now).exclude(pk__in=passed)
    return list(games.order_by("paused_until").values_list("pk", flat=True)[:BATCH])


def go_on(game: uuid.UUID, now: datetime) -> None:
    """End a pause whose time is over. Deadlines were moved by all of it when it began."""
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is not None:
            locked.settle_pause()


def _strike_all(now: datetime) -> None:
    """Play wherever time is over, many games in a transaction, each game once."""
    passed: set[uuid.UUID] = set()
    while games := rows.overdue(TOGETHER, now - GRACE, passed):
        struck = _struck_together(games, now)
        for game in games:
            passed.add(game)
            if game not in struck:
                attempt(lambda id: strike(id, now), game)


def _struck_together(games: list[uuid.UUID], now: datetime) -> set[uuid.UUID]:
    """Play wherever time is over in these games; gives those that are done with."""
    done: set[uuid.UUID] = set()
    is_mail_waiting = cache(received_mail.is_any_unread)

    def work(locked: LockedGame) -> None:
        if not locked.waiting and _struck(locked, is_mail_waiting):
            done.add(locked.game.id)

    work_on(games, now, work, alone=done.discard)
    return done


def strike(game: uuid.UUID, now: datetime) -> bool:
    """Play for those whose time is over, once every move that has come in is resolved.

    False where somebody else holds the game, a move is left that cannot be resolved yet, or a mail that was in
    before the end of the time has not been read yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        return locked is not None and not locked.waiting and _struck(locked, received_mail.is_any_unread)


def _struck(locked: LockedGame, is_mail_waiting: Callable[[], bool]) -> bool:
    """Play for those whose time is over in a held game; False where a mail may still be an answer."""
    if any(row.planned_at for row in locked.open.values()):
        absence.settle(locked)
    overdue = [row for row in locked.open.values() if not row.bot and row.due_at <= locked.exact_now - GRACE]
    last = max((row.due_at for row in overdue), default=locked.now)
    if overdue and is_mail_waiting() and received_mail.unread(addresses.short(locked.game.id), last, locked.now):
        return False
    for row in sorted(overdue, key=lambda row: row.seat):
        if row.question in locked.open:
            play_default(locked, row)
            absence.settle(locked)
    return True


def _remind_all(now: datetime) -> None:
    """Remind players once at each step of their reminder schedule. Each question is taken once.

    If some cannot be reminded of together, each is tried alone: an error in one does not stop the others.
    """
    questions = list(_to_remind(now).values_list("game", "question"))
    for begin in range(0, len(questions), BATCH):
        batch = questions[begin : begin + BATCH]
        try:
            _remind(batch, now)
        except Exception as error:
            kind = describe_error(error)
            logger.error(
                "%d reminders were not written together: %s", len(batch), kind, extra=repeated("reminders", kind)
            )
            for question in batch:
                attempt(lambda _, key=question: _remind([key], now), question[0])  # type: ignore[misc]


@transaction.atomic
def _remind(questions: Collection[tuple[uuid.UUID, str]], now: datetime) -> None:
    rows = list(_to_remind(now).filter(pk__in=questions).select_for_update(skip_locked=True, of=("self",)))
    if rows:
        notify.remind(rows, now)
        OpenQuestion.objects.bulk_update(rows, ["remind_at", "reminders"])


def _to_remind(now: datetime) -> QuerySet[OpenQuestion]:
    return OpenQuestion.objects.filter(remind_at__lte=now).order_by("remind_at")


def beat(now: datetime, step: ClockStep | None = None) -> bool:
    """Say that the clock is alive, and give back the time in which it was not, or by which it was set forward.

    A step that is shorter than the grace after deadlines closes nothing early; one back never does, and nothing that
    waits for a machine waits for the clock to come there again. False where another worker is doing just that: until
    it is done, no deadline may be acted on.
    """
    heart = Heartbeat.objects.first()
    if heart is not None and timedelta() <= now - heart.at < PULSE and not _lost(heart, step):
        return True
    with transaction.atomic():
        Heartbeat.objects.bulk_create([Heartbeat(at=now)], ignore_conflicts=True)
        heart = Heartbeat.objects.select_for_update(skip_locked=True).first()
        if heart is None:
            return False
        if now - heart.at > DOWNTIME:
            give_back(now - heart.at, now)
        elif lost := _lost(heart, step):
            give_back(lost, now)
        elif heart.at - now > GRACE:
            catch_up(heart.at + PULSE + GRACE, now)
        heart.at = now
        heart.save(update_fields=["at"])
    return True


def _lost(heart: Heartbeat, step: ClockStep | None) -> timedelta:
    """The time that a step of the clock has taken from everybody, and nobody has given back."""
    return step.by if step is not None and step.by > GRACE and heart.at <= step.before else timedelta()


def give_back(time: timedelta, now: datetime) -> None:
    """Move every open deadline back by ``time``, and out of the sleep of who has to answer.

    Only inside a transaction that remembers having done it.
    """
    outages.give_back_until(now - time, now)
    asked = OpenQuestion.objects.filter(bot=False).values("game")
    games = list(Game.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=asked).order_by("pk"))
    seconds = int(time.total_seconds())
    moving.move_deadlines(games, DeadlinesMoved(seconds=seconds), timedelta(seconds=seconds), now)


def catch_up(before: datetime, now: datetime) -> None:
    """Do what should have been done by ``before`` and waits for no person, since the clock was set back.

    Only inside a transaction that remembers having done it. Deadlines of people stay: they come later, never earlier.
    """
    logger.warning("the clock was set back: what was due by %s is done now", f"{before:%Y-%m-%d %H:%M:%S}")
    mail_outages.catch_up(before, now)
    OpenQuestion.objects.filter(bot=True, due_at=F("asked_at"), due_at__gt=now).update(due_at=now)
    stalls.standing().filter(try_at__gt=now, try_at__lte=before).update(try_at=now)
    transaction.on_commit(lambda: resolve.resolve_waiting(now))


def forget_keys(now: datetime) -> None:
    """Delete the idempotency keys that need not be kept: after their game's end, or 30 days where there is none."""
    going = Game.objects.filter(state__in=GOING)
    over = Q(game__isnull=False) & ~Q(game__in=going.values("pk"))
    IdempotencyKey.objects.filter(over | Q(game=None, created_at__lt=now - KEPT)).delete()


def forget_rejected_moves() -> None:
    """Delete the oldest rejected moves of each seat beyond ``REJECTED``: they have changed nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET_REJECTED, [REJECTED])

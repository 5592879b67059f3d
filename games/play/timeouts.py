"""Timeouts: default moves, reminders, and deadlines that are moved after downtime.

All functions may be called late, twice, or by many processes: the rows show the work that is left.
"""

import logging
import uuid
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.models import IdempotencyKey
from config.core import metrics
from config.core.database.checks import GRACE
from config.core.logs import describe_error, repeated
from games.announcements import notify
from games.deadlines.clock_skew import ClockStep
from games.deadlines.reminder_schedule import AHEAD
from games.engine import SeatNumber
from games.event_log.log_store import encode
from games.event_log.table_events import DeadlinesMoved
from games.models import GOING, Game, Heartbeat, Move, OpenQuestion
from games.play import absence, outages, resolve
from games.play.locked_game import MAX_GAMES, LockedGame, lock_game
from games.play.resolve import BATCH, attempt, each_game, games_overdue, games_with_planned_answers, playable, run_batch
from notifications import mail_outages, received_mail, reply_addresses

logger = logging.getLogger(__name__)

LOST_TASK_AGE: Final = timedelta(seconds=3)
"""The age at which an unresolved move is assumed to have lost its task."""
HEARTBEAT_INTERVAL: Final = timedelta(seconds=30)
DOWNTIME: Final = timedelta(minutes=5)
"""A longer time without a heartbeat moves all deadlines."""
KEY_LIFETIME: Final = timedelta(days=30)
"""The lifetime of an idempotency key that belongs to no game."""
MAX_REJECTED: Final = 100
"""The number of rejected moves that are kept for each seat."""


def sweep(now: datetime, step: ClockStep | None = None) -> None:
    """Resolve moves whose task was lost, retry stalled games, end pauses, play default moves and send reminders.

    ``step`` is a step that the clock has just made.
    """
    if not record_heartbeat(now, step):
        return
    resolve.resolve_waiting(now, now - LOST_TASK_AGE)
    outages.compensate(now)
    for game in outages.due_stalls(now).values_list("game", flat=True):
        attempt(lambda id: resolve.retry_stalled(id, now), game)
    each_game(lambda passed: _games_to_resume(now, passed), lambda game: end_pause(game, now))
    answer_all(now)
    _time_out_all(now)
    _remind_all(now)


def rows_due(now: datetime) -> Iterable[QuerySet[Any]]:
    """Return the rows that a sweep would work on."""
    return [
        outages.due_stalls(now),
        Move.objects.filter(state=Move.State.RECEIVED, received_at__lte=now - LOST_TASK_AGE).order_by("received_at"),
        Game.objects.filter(paused_until__lte=now).order_by("paused_until"),
        OpenQuestion.objects.filter(planned_at__lte=now).order_by("planned_at"),
        OpenQuestion.objects.filter(bot=False, due_at__lte=now - GRACE).order_by("due_at"),
        _due_reminders(now),
        *mail_outages.waiting(now),
    ]


def recent_heartbeats(now: datetime) -> Iterable[QuerySet[Heartbeat]]:
    """Return the heartbeat of the tick, if it is recent."""
    return [Heartbeat.objects.filter(at__gt=now - HEARTBEAT_INTERVAL, at__lte=now).order_by("pk")]


def _games_to_resume(now: datetime, passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
    games = Game.objects.filter(playable(""), paused_until__lte=now).exclude(pk__any=passed)
    return list(games.order_by("paused_until").values_list("pk", flat=True)[:BATCH])


def end_pause(game: uuid.UUID, now: datetime) -> None:
    """End a pause whose time is over."""
    # Deadlines were moved by the whole pause when it began.
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is not None:
            locked.settle_pause()


def _time_out_all(now: datetime) -> None:
    """Play default moves in all games with overdue questions, many games in a transaction."""
    passed: set[uuid.UUID] = set()
    while games := games_overdue(MAX_GAMES, now - GRACE, passed):
        finished = _time_out_batch(games, now)
        for game in games:
            passed.add(game)
            if game not in finished:
                attempt(lambda id: time_out_game(id, now), game)


def _time_out_batch(games: list[uuid.UUID], now: datetime) -> set[uuid.UUID]:
    """Play default moves in these games, and return the games that are finished with."""
    finished: set[uuid.UUID] = set()
    is_mail_waiting = cache(received_mail.is_any_unread)

    def work(locked: LockedGame) -> None:
        if not locked.received_moves and _time_out(locked, is_mail_waiting):
            finished.add(locked.game.id)

    run_batch(games, now, work, alone=finished.discard)
    return finished


def time_out_game(game: uuid.UUID, now: datetime) -> bool:
    """Play default moves in a game after its received moves.

    Return False if the game is locked elsewhere, if a move could not be resolved yet, or if an email that was received
    before the deadline has not been read yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        return locked is not None and not locked.received_moves and _time_out(locked, received_mail.is_any_unread)


def _time_out(locked: LockedGame, is_mail_waiting: Callable[[], bool]) -> bool:
    """Play default moves in a locked game. Return False if an unread email may still be an answer."""
    if any(row.planned_at for row in locked.open.values()):
        absence.settle(locked)
    overdue = [row for row in locked.open.values() if not row.bot and row.due_at <= locked.exact_now - GRACE]
    last = max((row.due_at for row in overdue), default=locked.now)
    if overdue and is_mail_waiting() and received_mail.unread(reply_addresses.short(locked.game.id), last, locked.now):
        return False
    for row in sorted(overdue, key=lambda row: row.seat):
        if row.question in locked.open:
            play_default_move(locked, row)
            absence.settle(locked)
    return True


def _remind_all(now: datetime) -> None:
    """Send the reminders that are due. If a batch fails, its reminders are sent one by one."""
    questions = list(_due_reminders(now).values_list("game", "question"))
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
    rows = list(_due_reminders(now).filter(pk__in=questions).select_for_update(skip_locked=True, of=("self",)))
    if rows:
        notify.remind(rows, now)
        OpenQuestion.objects.bulk_update(rows, ["remind_at", "reminders"])


def _due_reminders(now: datetime) -> QuerySet[OpenQuestion]:
    return OpenQuestion.objects.filter(remind_at__lte=now).order_by("remind_at")


def record_heartbeat(now: datetime, step: ClockStep | None = None) -> bool:
    """Record that the tick works, and move deadlines by downtime or by a forward step of the clock.

    A forward step that is shorter than the grace after deadlines is ignored. After a backward step, work that waits
    for no person is done immediately. Return False while another worker does this: no deadline may pass before.
    """
    heartbeat = Heartbeat.objects.first()
    if (
        heartbeat is not None
        and timedelta() <= now - heartbeat.at < HEARTBEAT_INTERVAL
        and not _lost_to_step(heartbeat, step)
    ):
        return True
    with transaction.atomic():
        Heartbeat.objects.bulk_create([Heartbeat(at=now)], ignore_conflicts=True)
        heartbeat = Heartbeat.objects.select_for_update(skip_locked=True).first()
        if heartbeat is None:
            return False
        if now - heartbeat.at > DOWNTIME:
            give_time_back(now - heartbeat.at, now)
        elif lost := _lost_to_step(heartbeat, step):
            give_time_back(lost, now)
        elif heartbeat.at - now > GRACE:
            catch_up(heartbeat.at + HEARTBEAT_INTERVAL + GRACE, now)
        heartbeat.at = now
        heartbeat.save(update_fields=["at"])
    return True


def _lost_to_step(heartbeat: Heartbeat, step: ClockStep | None) -> timedelta:
    """Return the time that players lost by a forward step of the clock since the last heartbeat."""
    return step.by if step is not None and step.by > GRACE and heartbeat.at <= step.before else timedelta()


def give_time_back(time: timedelta, now: datetime) -> None:
    """Move every open deadline by ``time``, and then out of the sleep hours of the players.

    Call it in a transaction that also records that it was done.
    """
    outages.compensate_until(now - time, now)
    game_ids = OpenQuestion.objects.filter(bot=False).values("game")
    games = list(Game.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=game_ids).order_by("pk"))
    seconds = int(time.total_seconds())
    outages.move_deadlines(games, DeadlinesMoved(seconds=seconds), timedelta(seconds=seconds), now)


def catch_up(before: datetime, now: datetime) -> None:
    """After a backward step of the clock, do the work of bots and machines that was due by ``before``.

    Call it in a transaction that also records that it was done. Deadlines of people do not change.
    """
    logger.warning("the clock was set back: what was due by %s is done now", f"{before:%Y-%m-%d %H:%M:%S}")
    mail_outages.catch_up(before, now)
    OpenQuestion.objects.filter(bot=True, due_at=F("asked_at"), due_at__gt=now).update(due_at=now)
    outages.stalled_games().filter(try_at__gt=now, try_at__lte=before).update(try_at=now)
    transaction.on_commit(lambda: resolve.resolve_waiting(now))


def forget_keys(now: datetime) -> None:
    """Delete the idempotency keys of finished games, and old keys that belong to no game."""
    current_games = Game.objects.filter(state__in=GOING)
    over = Q(game__isnull=False) & ~Q(game__in=current_games.values("pk"))
    IdempotencyKey.objects.filter(over | Q(game=None, created_at__lt=now - KEY_LIFETIME)).delete()


def forget_rejected_moves() -> None:
    """Delete the oldest rejected moves of each seat beyond ``MAX_REJECTED``."""
    place = Window(RowNumber(), partition_by=[F("game"), F("seat")], order_by=F("received_at").desc())
    rejected = Move.objects.filter(state=Move.State.REJECTED).annotate(place=place).filter(place__gt=MAX_REJECTED)
    Move.objects.filter(pk__in=rejected.values("pk")).delete()


def play_default_move(locked: LockedGame, row: OpenQuestion) -> None:
    """Answer a question with the default move of the rules. The log has it with ``via: timeout``."""
    seat = SeatNumber(row.seat)
    question = locked.question(seat, row.question)
    chance = locked.chance()
    answer = locked.rules.default_move(locked.state, question, chance)
    events = locked.rules.decide(locked.state, seat, answer, chance)
    move = Move(
        game_id=locked.game.id,
        seat=seat,
        question=row.question,
        body=encode(answer),
        via=Move.Via.TIMEOUT,
        received_at=locked.now,
        seen_at=row.seen_at,
        state=Move.State.APPLIED,
    )
    locked.apply_events(events, chance, move)
    metrics.MOVES.labels(str(move.via), str(move.state)).inc()
    metrics.DEADLINE_SECONDS_LATE.observe((locked.now - row.due_at).total_seconds())


def answer_all(now: datetime) -> None:
    """Play all planned answers that are due, many games in a transaction.

    They are played within a few hundredths of a second, like answers by hand. If they were played at the next tick,
    their times would show that a plan gave them.
    """
    passed: set[uuid.UUID] = set()
    while games := games_with_planned_answers(MAX_GAMES, now, passed):
        run_batch(games, now, _answer_locked, lambda game: attempt(lambda id: answer_game(id, now), game))
        passed.update(games)


def answer_game(game: uuid.UUID, now: datetime) -> bool:
    """Play the planned answers of a game after its received moves, because answers by hand come first.

    Return False if the game is locked elsewhere, or if a move could not be resolved yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None or locked.received_moves:
            return False
        absence.settle(locked)
    return True


def _answer_locked(locked: LockedGame) -> None:
    if not resolve.resolve_locked(locked):
        absence.settle(locked)


def questions_due(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """Return the questions that plans answer before the next tick."""
    return [OpenQuestion.objects.filter(planned_at__lte=now + AHEAD).order_by("planned_at")]


def seconds_to_next_answer(now: datetime) -> float | None:
    """Return the seconds to the next planned answer, or None if there is none before the next tick."""
    questions = OpenQuestion.objects.filter(planned_at__gt=now, planned_at__lte=now + AHEAD)
    moment = questions.order_by("planned_at").values_list("planned_at", flat=True).first()
    return None if moment is None else (moment - now) / timedelta(seconds=1)

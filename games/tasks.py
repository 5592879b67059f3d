"""Tasks of games: each calls one function and hands it the time. The work itself is in the database."""

import logging
import threading
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from celery import Task, current_app, shared_task
from django.db.models import QuerySet

from accounts.people import blocks
from config.core import clock
from config.core.logs import describe_error
from config.core.tasks import app
from config.core.work import ConcurrencyLimit, PendingWork, do_due
from games.announcements import notify, table_channels
from games.archive import analyses as analyses
from games.archive import ratings, records, time_stamps
from games.away import stand_ins
from games.deadlines.clock_skew import ClockSkewDetector
from games.event_log.enqueue import enqueue
from games.lobby import starting
from games.play import bots, resolve, timeouts
from games.seeks import own_seeks
from games.seeks import sweep as seeks
from games.tournaments import club_posts as tournament_posts
from games.tournaments import rounds as tournaments
from games.visibility import table
from notifications import received_mail
from notifications.delivery import deliver, outbox
from notifications.stream import stream_events
from notifications.webhooks import posting

logger = logging.getLogger(__name__)

CLOCK_SKEW: Final = ClockSkewDetector()
"""The detector of this process."""
PATIENCE: Final = 5.0
"""Seconds after which a task that no worker has taken expires: the next tick sends it again."""
_RESOLVING: Final = ConcurrencyLimit(lambda: resolve.resolve_waiting(clock.now()))
_THINKING: Final = ConcurrencyLimit(lambda: bots.think_in_all(clock.now))
_POSTING: Final = ConcurrencyLimit(
    lambda: do_due(table_channels.post_due, table_channels.remind_due, tournament_posts.post_due)
)
_ANALYSING: Final = ConcurrencyLimit(lambda: analyses.make(clock.now))
_WRITING: Final = ConcurrencyLimit(lambda: _write_notifications(), in_a_row=10)
_PAGES_FIRST: Final = 0.05
"""Seconds that notifications wait to be written. To compose them takes a processor that open pages need first."""


@shared_task(ignore_result=True)
def resolve_moves() -> None:
    """Resolve the moves that wait. Enqueued after each commit that stored one."""
    _RESOLVING()


@shared_task(ignore_result=True)
def play_bots(game: str) -> None:
    """Play for the bots of a game. Enqueued after each commit that asked one."""
    bots.try_to_play(UUID(game), clock.now())


@shared_task(ignore_result=True, name="games.tasks.bots")
def sweep_bots() -> None:
    """Play for bots whose task was lost. Run every few seconds."""
    bots.sweep(clock.now())


@shared_task(ignore_result=True)
def think_for_bots() -> None:
    """Let the bots think who do so ahead. Enqueued where one is asked, and every few seconds where one waits."""
    _THINKING()


@shared_task(ignore_result=True)
def make_analyses() -> None:
    """Analyse games that are over. Enqueued where somebody asks for it, and every few seconds where one waits."""
    _ANALYSING()


@shared_task(ignore_result=True)
def sweep() -> None:
    """Do what is due. Run every few seconds."""
    now = clock.now()
    timeouts.sweep(now, CLOCK_SKEW.step(now))


@shared_task(ignore_result=True)
def answer_planned() -> None:
    """Let plans answer, and come again for the next one that does before the next tick.

    Enqueued by ticks, and where one is near.
    """
    now = clock.now()
    if timeouts.record_heartbeat(now, CLOCK_SKEW.step(now)):
        timeouts.answer_all(now)
        if (seconds := timeouts.seconds_to_next_answer(now)) is not None:
            threading.Timer(seconds, current_app.send_task, [answer_planned.name]).start()


@shared_task(ignore_result=True)
def start_games() -> None:
    """Deal where the seeds are late or the public beacon has spoken. Run every few seconds, where something waits."""
    starting.sweep(clock.now())


@shared_task(ignore_result=True)
def post_to_chats() -> None:
    """Post how games and tournaments stand to the chats of games and clubs. Enqueued every few seconds."""
    _POSTING()


def _waiting_for_chats(now: datetime) -> Iterable[QuerySet[Any]]:
    return [*table_channels.waiting(now), *tournament_posts.waiting(now)]


@shared_task(ignore_result=True)
def heartbeat() -> None:
    """Say that the clock is alive. Enqueued every half minute."""
    now = clock.now()
    timeouts.record_heartbeat(now, CLOCK_SKEW.step(now))


@shared_task(ignore_result=True)
def check_rounds() -> None:
    """Check that the rounds of the clock end. Run every half minute."""
    app.check_rounds()


@shared_task(ignore_result=True)
def check_broker() -> None:
    """Check that the broker answers. Run every half minute."""
    app.check_broker()


@shared_task(ignore_result=True)
def compose_notifications() -> None:
    """Write the notifications that were ordered. Enqueued after each commit that ordered one, and every few seconds."""
    _WRITING()


def _write_notifications() -> None:
    time.sleep(_PAGES_FIRST)
    notify.write_due(clock.now())


@shared_task(ignore_result=True)
def lift_suspensions() -> None:
    """Open accounts again whose suspension is over. Enqueued every hour."""
    blocks.lift_suspensions(clock.now())


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Delete idempotency keys that need not be kept any longer, and who was here. Enqueued every hour."""
    timeouts.forget_keys(clock.now())
    table.delete_expired_presences(clock.now())


@shared_task(ignore_result=True)
def stamp_heads() -> None:
    """Let an authority stamp the newest heads of all games, once a day. Enqueued every hour."""
    time_stamps.stamp_heads(clock.now())


@shared_task(ignore_result=True)
def forget_rejected_moves() -> None:
    """Delete rejected moves beyond those that are kept of each seat. Enqueued every hour."""
    timeouts.forget_rejected_moves()


@shared_task(ignore_result=True)
def archive_games() -> None:
    """Put the logs of games that were over long ago into archives. Enqueued every hour."""
    records.archive_all(clock.now())


@shared_task(ignore_result=True)
def count_games() -> None:
    """Count the games that are over into the player stats. Run every few seconds."""
    ratings.count_all(clock.now())


@shared_task(ignore_result=True)
def match_seeks() -> None:
    """Make games of the seeks that fit together. Enqueued by each new one, and every few seconds where one waits."""
    seeks.sweep(clock.now())


@shared_task(ignore_result=True)
def go_on_with_tournaments() -> None:
    """Take tournaments on: their first draw, results, the next round. Run every few seconds, where something waits."""
    tournaments.sweep(clock.now())


@shared_task(ignore_result=True)
def forget_seeks() -> None:
    """Delete the seeks that have been over for long. Enqueued every hour."""
    own_seeks.forget_old(clock.now())


@shared_task(ignore_result=True)
def end_stand_ins() -> None:
    """End what somebody answers for another where its time is over. Run every few seconds."""
    stand_ins.sweep(clock.now())


_TICK_TASKS: Final = {
    sweep: timeouts.rows_due,
    answer_planned: timeouts.questions_due,
    sweep_bots: bots.questions_due,
    compose_notifications: outbox.unwritten,
    end_stand_ins: stand_ins.waiting,
    match_seeks: seeks.waiting,
    count_games: ratings.waiting,
    go_on_with_tournaments: tournaments.waiting,
}
"""The tasks that a tick does itself, in this order, each with the query for what waits for it."""
_ENQUEUED_TASKS: Final = {
    "games.mail.tasks.read_mail": received_mail.waiting,
    "notifications.delivery.tasks.deliver_notifications": deliver.waiting,
    "notifications.delivery.tasks.dispatch_notifications": deliver.waiting_posts,
    stream_events.POSTING: posting.waiting,
    post_to_chats.name: _waiting_for_chats,
    start_games.name: starting.waiting,
    think_for_bots.name: bots.search_questions_due,
    make_analyses.name: analyses.waiting,
}
"""Tasks that a tick enqueues, as they may take their time: mail that came in, and what goes out."""
_HEARTBEAT: Final = "heart"
_PENDING_WORK: Final = PendingWork(
    {
        _HEARTBEAT: timeouts.recent_heartbeats,
        **{task.name: waiting for task, waiting in _TICK_TASKS.items()},
        **_ENQUEUED_TASKS,
    }
)


@shared_task(ignore_result=True)
def tick() -> None:
    """Do, one after another, what waits of all that is done every few seconds. Nothing that fails stops another."""
    now = clock.now()
    found = _PENDING_WORK(now)
    if _HEARTBEAT not in found or CLOCK_SKEW.step(now):
        found.add(sweep.name)
    for task in _TICK_TASKS:
        if task.name in found:
            _run_safely(task)
    for name in _ENQUEUED_TASKS:
        if name in found:
            enqueue(name, expires=PATIENCE)


def _run_safely(task: "Task[Any, Any]") -> None:
    try:
        task()
    except Exception as error:
        logger.error("%s has failed: %s", task.name, describe_error(error))

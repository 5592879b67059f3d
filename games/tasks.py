"""Celery tasks of games. The work is found in the database, so a lost or repeated task does no harm."""

import logging
import threading
import time
from typing import Any, Final
from uuid import UUID

from celery import Task, current_app, shared_task

from accounts import blocks
from config.core import clock
from config.core.logs import describe_error
from config.core.tasks import app, enqueue
from config.core.work import ConcurrencyLimit, PendingWork, do_due
from games.announcements import notify, table_channels
from games.archive import analyses as analyses
from games.archive import ratings, records, time_stamps
from games.deadlines.clock_skew import ClockSkewDetector
from games.play import bots, resolve, timeouts
from games.tables import matching, rematch, seeks, stand_ins, starting
from games.tournaments import rounds as tournaments
from games.visibility import table
from notifications import deliver, outbox, received_mail

logger = logging.getLogger(__name__)

CLOCK_SKEW: Final = ClockSkewDetector()
"""The clock-skew detector of this process."""
PATIENCE: Final = 5.0
"""The seconds after which a task that no worker has taken expires. The next tick enqueues it again."""
_RESOLVING: Final = ConcurrencyLimit(lambda: resolve.resolve_waiting(clock.now()))
_THINKING: Final = ConcurrencyLimit(lambda: bots.think_in_all(clock.now))
_ANALYSING: Final = ConcurrencyLimit(lambda: analyses.make(clock.now))
_WRITING: Final = ConcurrencyLimit(lambda: _write_notifications(), in_a_row=10)
_PAGES_FIRST: Final = 0.05
"""The delay in seconds before notifications are composed. Composing takes the processor, and open pages need it first.
"""


@shared_task(ignore_result=True)
def resolve_moves() -> None:
    """Resolve received moves. Enqueued after each commit that stored a move."""
    _RESOLVING()


@shared_task(ignore_result=True)
def play_bots(game: str) -> None:
    """Play for the bots of a game. Enqueued after each commit with a question for a bot."""
    bots.try_to_play(UUID(game), clock.now())


@shared_task(ignore_result=True, name="games.tasks.bots")
def sweep_bots() -> None:
    """Play for bots whose task was lost. Run every few seconds."""
    bots.sweep(clock.now())


@shared_task(ignore_result=True)
def think_for_bots() -> None:
    """Let bots search for their moves ahead of the time at which they answer. Enqueued when such a bot has a question,
    and every few seconds while one waits.
    """
    _THINKING()


@shared_task(ignore_result=True)
def make_analyses() -> None:
    """Analyse finished games. Enqueued on a request for an analysis, and every few seconds while one is unfinished."""
    _ANALYSING()


@shared_task(ignore_result=True)
def sweep() -> None:
    """Time out questions and send reminders. Run every few seconds."""
    now = clock.now()
    timeouts.sweep(now, CLOCK_SKEW.step(now))


@shared_task(ignore_result=True)
def answer_planned() -> None:
    """Let plans answer, and run again at the time of the next answer if that is before the next tick.

    Enqueued by ticks, and by a commit that lets a plan answer soon.
    """
    now = clock.now()
    if timeouts.record_heartbeat(now, CLOCK_SKEW.step(now)):
        timeouts.answer_all(now)
        if (seconds := timeouts.seconds_to_next_answer(now)) is not None:
            threading.Timer(seconds, current_app.send_task, [answer_planned.name]).start()


@shared_task(ignore_result=True)
def start_games() -> None:
    """Deal games whose time to reveal seeds is over, or whose round of the beacon is published. Run every few seconds
    while a game waits.
    """
    starting.sweep(clock.now())


@shared_task(ignore_result=True)
def close_rematch_offers() -> None:
    """Start rematches whose time to accept is over. Run every few seconds while such an offer is open."""
    rematch.sweep(clock.now())


@shared_task(ignore_result=True)
def post_to_chats() -> None:
    """Order messages to the chats of games that have changed or need a reminder. Run every few seconds."""
    do_due(table_channels.order_due)


@shared_task(ignore_result=True)
def heartbeat() -> None:
    """Record that the clock runs. Enqueued every half minute."""
    now = clock.now()
    timeouts.record_heartbeat(now, CLOCK_SKEW.step(now))


@shared_task(ignore_result=True)
def check_rounds() -> None:
    """Check that the rounds of the clock process end. Run every half minute."""
    app.check_rounds()


@shared_task(ignore_result=True)
def check_broker() -> None:
    """Check that the broker answers. Run every half minute."""
    app.check_broker()


@shared_task(ignore_result=True)
def compose_notifications() -> None:
    """Compose the notifications that were ordered. Enqueued after each commit with an order, and every few seconds."""
    _WRITING()


def _write_notifications() -> None:
    time.sleep(_PAGES_FIRST)
    notify.write_due(clock.now())


@shared_task(ignore_result=True)
def lift_suspensions() -> None:
    """Reopen accounts whose suspension has ended. Enqueued every hour."""
    blocks.lift_suspensions(clock.now())


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Delete old idempotency keys and presences. Enqueued every hour."""
    timeouts.forget_keys(clock.now())
    table.delete_expired_presences(clock.now())


@shared_task(ignore_result=True)
def stamp_heads() -> None:
    """Send the newest heads of all games to a time-stamp authority, once a day. Enqueued every hour."""
    time_stamps.stamp_heads(clock.now())


@shared_task(ignore_result=True)
def forget_rejected_moves() -> None:
    """Delete the oldest rejected moves of seats that have too many. Enqueued every hour."""
    timeouts.forget_rejected_moves()


@shared_task(ignore_result=True)
def archive_games() -> None:
    """Archive the logs of games that ended long ago. Enqueued every hour."""
    records.archive_all(clock.now())


@shared_task(ignore_result=True)
def count_games() -> None:
    """Add finished games to the player stats. Run every few seconds."""
    ratings.count_all(clock.now())


@shared_task(ignore_result=True)
def match_seeks() -> None:
    """Create games from matching seeks. Enqueued by each new seek, and every few seconds while one is open."""
    matching.sweep(clock.now())


@shared_task(ignore_result=True)
def go_on_with_tournaments() -> None:
    """Continue tournaments: the first draw, results, the next round. Run every few seconds while something is due."""
    tournaments.sweep(clock.now())


@shared_task(ignore_result=True)
def forget_seeks() -> None:
    """Delete seeks that ended long ago. Enqueued every hour."""
    seeks.forget_old(clock.now())


@shared_task(ignore_result=True)
def end_stand_ins() -> None:
    """End stand-ins whose time is over. Run every few seconds."""
    stand_ins.sweep(clock.now())


_TICK_TASKS: Final = {
    sweep: timeouts.rows_due,
    answer_planned: timeouts.questions_due,
    sweep_bots: bots.questions_due,
    compose_notifications: outbox.unwritten,
    end_stand_ins: stand_ins.waiting,
    match_seeks: matching.waiting,
    close_rematch_offers: rematch.waiting,
    count_games: ratings.waiting,
    go_on_with_tournaments: tournaments.waiting,
    post_to_chats: table_channels.waiting,
}
"""The tasks that a tick runs itself, in this order, each with the query for its pending work."""
_ENQUEUED_TASKS: Final = {
    "games.mail.tasks.read_mail": received_mail.waiting,
    "notifications.tasks.deliver_notifications": deliver.waiting,
    "notifications.tasks.dispatch_notifications": deliver.waiting_posts,
    "notifications.tasks.dispatch_messages": deliver.waiting_messages,
    start_games.name: starting.waiting,
    think_for_bots.name: bots.search_questions_due,
    make_analyses.name: analyses.waiting,
}
"""The tasks that a tick enqueues because they may take long, each with the query for its pending work."""
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
    """Run the tasks that have pending work, one after another. A failing task does not stop the others."""
    now = clock.now()
    pending = _PENDING_WORK(now)
    if _HEARTBEAT not in pending or CLOCK_SKEW.step(now):
        pending.add(sweep.name)
    for task in _TICK_TASKS:
        if task.name in pending:
            _run_safely(task)
    for name in _ENQUEUED_TASKS:
        if name in pending:
            enqueue(name, expires=PATIENCE)


def _run_safely(task: "Task[Any, Any]") -> None:
    try:
        task()
    except Exception as error:
        logger.error("%s has failed: %s", task.name, describe_error(error))

"""The tick: it does what waits of all that is done every few seconds, and asks once whether anything does."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from celery import current_app

from accounts.models import Account
from config.core import clock
from config.core.clock import whole_second
from games import links, tasks
from games.deadlines.clock_skew import ClockSkewDetector
from games.engine import SeatNumber
from games.mail.intake import receive
from games.models import Game, Move, OpenQuestion, StandIn
from games.play import timeouts
from games.tables import pausing, stand_ins
from notifications import outbox
from notifications.endpoints import Webhook
from notifications.models import Notification, State
from tests.notifications.outbox_rows import posted
from tests.third_game.table import NOON, create_fist, fresh, open_question, play, sent, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _of_no_other_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the clock's state and the statements that other tests have built."""
    monkeypatch.setattr(tasks, "CLOCK_SKEW", ClockSkewDetector())
    monkeypatch.delitem(vars(tasks._PENDING_WORK), "_statement", raising=False)


@pytest.fixture
def now() -> datetime:
    """The time as the tick sees it: by the database's clock, which a test before may have made this process compare."""
    return clock.now()


@pytest.fixture
def at_table(maryam: Account, bahareh: Account, now: datetime) -> Game:
    """A game in which nothing waits for the clock: it has just begun, and its notifications are written."""
    timeouts.record_heartbeat(now)
    game = create_fist(maryam, bahareh, now=now)
    tasks.compose_notifications()
    return game


def test_a_tick_with_nothing_to_do_asks_once(at_table: Game, django_assert_num_queries: Any) -> None:
    Notification.objects.all().delete()
    tasks.tick()
    with django_assert_num_queries(1):
        tasks.tick()


def test_a_tick_resolves_a_move_whose_bell_was_lost(at_table: Game, now: datetime) -> None:
    move = sent(at_table, 1, "claim 3", now - timeouts.LOST_TASK_AGE)
    tasks.tick()
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED


def test_a_tick_plays_for_whoever_let_the_time_pass(at_table: Game, now: datetime) -> None:
    question = open_question(at_table, 1)
    OpenQuestion.objects.update(due_at=now - timeouts.GRACE)
    tasks.tick()
    assert Move.objects.get(question=question).via == Move.Via.TIMEOUT


def test_a_tick_reminds(at_table: Game, now: datetime) -> None:
    OpenQuestion.objects.update(remind_at=now)
    tasks.tick()
    assert Notification.objects.filter(reason="reminder").exists()


def test_a_tick_ends_a_pause(at_table: Game, maryam: Account, bahareh: Account, now: datetime) -> None:
    pausing.propose(at_table.id, maryam, DAY, "api", now - 2 * DAY)
    pausing.agree(at_table.id, bahareh, "api", now - 2 * DAY)
    assert fresh(at_table).paused_until == whole_second(now - DAY)
    tasks.tick()
    assert fresh(at_table).paused_until is None


def test_a_tick_plays_for_bots_whose_bell_was_lost(maryam: Account, now: datetime) -> None:
    timeouts.record_heartbeat(now)
    game = create_fist(maryam, bots=1, now=now)
    play(game, 1, "claim 3", now)
    assert OpenQuestion.objects.filter(bot=True).exists()
    tasks.tick()
    assert Move.objects.filter(via=Move.Via.BOT).exists()


def test_a_tick_ends_what_was_given_to_somebody_else(
    at_table: Game, maryam: Account, sepideh: Account, now: datetime
) -> None:
    stand_ins.name_stand_in(at_table.id, maryam, sepideh, now + HOUR, now)
    StandIn.objects.update(until=now)
    tasks.tick()
    assert StandIn.objects.get().ended_at is not None


def test_a_tick_counts_the_games_that_are_over(at_table: Game, now: datetime) -> None:
    play(at_table, 1, "resign yes", now)
    assert fresh(at_table).state == Game.State.OVER
    tasks.tick()
    assert fresh(at_table).counted


def test_a_tick_writes_the_notifications_that_are_due(maryam: Account, bahareh: Account, now: datetime) -> None:
    timeouts.record_heartbeat(now)
    create_fist(maryam, bahareh, now=now)
    tasks.tick()
    assert Notification.objects.filter(state=State.READY).exists()
    assert not Notification.objects.filter(state=State.SCHEDULED).exists()


def test_a_tick_gives_back_the_time_in_which_nothing_ticked(at_table: Game, now: datetime) -> None:
    before = OpenQuestion.objects.get().due_at
    timeouts.Heartbeat.objects.update(at=now - HOUR)
    tasks.tick()
    assert OpenQuestion.objects.get().due_at - before >= HOUR


def notification_by(channel: str) -> Callable[[Account], None]:
    """A notification that is due on this channel."""

    def begin(account: Account) -> None:
        posted(account)
        Notification.objects.update(channel=channel)

    return begin


def mail_comes(account: Account) -> None:
    receive(b"\n", account.email, [links.seat_address(uuid4(), SeatNumber(1), account.pk)], NOON)


def webhook_waits(account: Account) -> None:
    webhook = Webhook.objects.create(account=account, url="https://a.example", kinds=[], created_at=NOON)
    outbox.add_message("webhooks", webhook.pk, "test", NOON)


@pytest.mark.parametrize(
    ("begin", "enqueued"),
    [
        (lambda account: None, []),
        (mail_comes, ["games.mail.tasks.read_mail"]),
        (notification_by("mail"), ["notifications.tasks.deliver_notifications"]),
        (notification_by("push"), ["notifications.tasks.dispatch_notifications"]),
        (webhook_waits, ["notifications.tasks.dispatch_messages"]),
    ],
    ids=["nothing", "mail", "letter", "push", "webhook"],
)
def test_a_tick_rings_for_what_waits_and_for_nothing_else(
    maryam: Account,
    sent_tasks: list[Any],
    begin: Callable[[Account], None],
    enqueued: list[str],
    django_capture_on_commit_callbacks: Any,
) -> None:
    begin(maryam)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.tick()
    assert sent_tasks == [(task,) for task in enqueued]


def test_a_task_that_a_tick_enqueued_expires_when_the_next_tick_comes(
    maryam: Account, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    patience: list[float | None] = []
    monkeypatch.setattr(current_app, "send_task", lambda *_, expires=None: patience.append(expires))
    mail_comes(maryam)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.tick()
    assert patience == [tasks.PATIENCE]


def test_a_task_of_a_tick_that_fails_stops_no_other(
    maryam: Account, bahareh: Account, now: datetime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    create_fist(maryam, bahareh, now=now)
    monkeypatch.setattr(tasks, "CLOCK_SKEW", ClockSkewDetector(iter(list[float]()).__next__))
    tasks.tick()
    assert "games.tasks.sweep has failed: StopIteration" in caplog.text
    assert Notification.objects.filter(state=State.READY).exists()

"""An outage of the mail server is downtime: no question by mail times out, and tables learn nothing else."""

import re
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from bench.ports import free_port
from games.announcements import notify
from games.archive import game_audit
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved, EmailOutage
from games.models import Game, Heartbeat, Move
from games.play import outages, timeouts
from notifications import deliver
from notifications import mail_outages as mail
from notifications.models import MailOutage, Notification, State
from tests.notifications.conftest import sink
from tests.notifications.sink import Sink
from tests.third_game.table import LATER, NOON, create_fist, fresh, lie, play, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["sink", "with_fist"]

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    """A game in which Maryam was asked at noon, and has a day."""
    Heartbeat.objects.create(at=NOON)
    return create_fist(maryam, bahareh, turn_limit=DAY, reaction_limit=DAY)


def run(begin: Any, end: Any, step: timedelta = 5 * MINUTE) -> None:
    """Make the clock sweep from one moment to another."""
    while begin <= end:
        Heartbeat.objects.update(at=begin)
        timeouts.sweep(begin)
        begin += step


def moved(game: Game, kind: type[Any] = EmailOutage) -> list[int]:
    """Return the seconds of each postponement of a game's deadlines."""
    return [line.event.seconds for line in log_store.read(fresh(game)) if isinstance(line.event, kind)]


def due_at(game: Game) -> Any:
    due = fresh(game).open_questions.get().due_at
    assert fresh(game).due_at == due
    return due


def test_an_outage_that_lasts_for_days_closes_nothing_and_is_given_back_as_a_whole(game: Game) -> None:
    mail.begin(NOON + HOUR)
    run(NOON + HOUR, NOON + 3 * DAY, HOUR)
    assert not Move.objects.exists()
    mail.end(NOON + 3 * DAY)
    run(NOON + 3 * DAY, NOON + 3 * DAY + HOUR)
    assert sum(moved(game)) == (3 * DAY - HOUR).total_seconds()
    assert due_at(game) == NOON + DAY + 3 * DAY - HOUR
    assert game_audit.find_faults(fresh(game)) == []
    run(NOON + 4 * DAY, NOON + 5 * DAY, HOUR)
    assert Move.objects.get().via == "timeout"


def test_a_short_outage_counts_for_nothing(game: Game) -> None:
    mail.begin(NOON + HOUR)
    mail.end(NOON + HOUR + mail.GRACE)
    run(NOON + HOUR, NOON + 2 * HOUR)
    assert moved(game) == []
    assert not mail.unsettled().exists()


def test_what_was_asked_in_an_outage_gets_the_time_since_then(maryam: Account, bahareh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    mail.begin(NOON - 3 * HOUR)
    game = create_fist(maryam, bahareh, turn_limit=DAY, reaction_limit=DAY)
    mail.end(NOON + 30 * MINUTE)
    run(NOON + 30 * MINUTE, NOON + HOUR)
    assert moved(game) == [1800]


def test_the_shortest_limit_that_is_played_by_mail_never_passes_in_an_outage(maryam: Account, bahareh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    mail.begin(NOON)
    game = create_fist(
        maryam, bahareh, turn_limit=outages.SHORTEST_EMAIL_TURN, reaction_limit=outages.SHORTEST_EMAIL_TURN
    )
    run(NOON, NOON + 2 * HOUR, MINUTE)
    assert not Move.objects.exists()
    assert due_at(game) > NOON + 2 * HOUR


def test_a_table_with_short_turns_is_not_played_by_mail(maryam: Account, bahareh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    game = create_fist(maryam, bahareh, turn_limit=outages.SHORTEST_EMAIL_TURN - MINUTE, reaction_limit=MINUTE)
    mail.begin(NOON)
    run(NOON, NOON + HOUR)
    assert moved(game) == []
    assert Move.objects.exists()


def test_no_more_than_a_week_is_given_back(game: Game) -> None:
    mail.begin(NOON + HOUR)
    run(NOON + HOUR, NOON + 10 * DAY, 4 * HOUR)
    assert sum(moved(game)) == outages.MAX_COMPENSATION.total_seconds()
    assert {move.via for move in Move.objects.all()} == {"timeout"}


def test_downtime_in_an_outage_is_given_back_once(game: Game) -> None:
    mail.begin(NOON + HOUR)
    run(NOON + HOUR, NOON + 2 * HOUR)
    Heartbeat.objects.update(at=NOON + 2 * HOUR)
    timeouts.sweep(NOON + 5 * HOUR)
    mail.end(NOON + 6 * HOUR)
    run(NOON + 6 * HOUR, NOON + 7 * HOUR)
    assert (sum(moved(game)), moved(game, DeadlinesMoved)) == (2 * 3600, [3 * 3600])
    assert due_at(game) == NOON + DAY + 5 * HOUR


def test_a_window_is_moved_as_a_whole_whoever_has_answered(maryam: Account, bahareh: Account, dariush: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    game = create_fist(maryam, bahareh, dariush, turn_limit=DAY, reaction_limit=HOUR)
    play(game, 1, f"claim {lie(game, 1)}")
    mail.begin(LATER)
    play(game, 2, "allow", LATER + MINUTE)
    run(LATER, LATER + 6 * HOUR)
    assert not Move.objects.filter(via="timeout").exists()
    deadline = fresh(game).due_at
    assert deadline is not None
    assert deadline > LATER + 6 * HOUR


def test_a_mail_server_that_is_away_makes_an_outage_and_the_first_email_it_takes_ends_it(
    game: Game, sink: Sink, settings: Any
) -> None:
    settings.EMAIL_PORT = free_port()
    notify.write_due(NOON)
    for minute in range(0, 120):
        deliver.deliver_due(NOON + minute * MINUTE)
    notification = Notification.objects.filter(reason="question").get()
    assert (notification.state, notification.attempts) == (State.READY, 0)
    outage = MailOutage.objects.get()
    assert (outage.since, outage.until) == (NOON, None)
    settings.EMAIL_PORT = sink.port
    back = NOON + 2 * HOUR
    deliver.deliver_due(back)
    assert MailOutage.objects.get().until == back
    run(back, back)
    assert moved(game) == [7200]


def test_an_email_that_waited_tells_the_deadline_as_it_was_moved(
    maryam: Account, bahareh: Account, sink: Sink, settings: Any
) -> None:
    Heartbeat.objects.create(at=NOON)
    settings.EMAIL_PORT = free_port()
    games = [create_fist(maryam, bahareh, turn_limit=DAY, reaction_limit=DAY, now=NOON) for _ in range(4)]
    notify.write_due(NOON)
    deliver.deliver_due(NOON)
    settings.EMAIL_PORT = sink.port
    back = NOON + 2 * HOUR
    deliver.deliver_due(back)
    run(back, back)
    notify.write_due(back + mail.RECOMPOSED_AFTER)
    deliver.deliver_due(back + mail.RECOMPOSED_AFTER)
    assert {moved(game)[0] for game in games} == {7200}
    texts = [" ".join(sent.get_body(("plain",)).get_content().split()) for sent in sink.taken]
    stated = [re.search(r"Reply by (.*?) \(", text)[1] for text in texts if "Reply by" in text]
    moved_to = "Monday 23 March, 17:30"
    assert len(stated) == 4
    assert sum(moved_to in text for text in stated) >= 3  # the first email of all may be one that was written before


@pytest.mark.parametrize(
    "sentence",
    ["450 4.2.1 Busy", "451 4.7.1 Greylisted", "451 Greylisted", "450 4.4.1 No route", "550 5.1.1 Nobody", "552 Full"],
)
def test_a_mailbox_that_refuses_is_no_outage_of_ours(game: Game, sink: Sink, maryam: Account, sentence: str) -> None:
    sink.answers[maryam.email] = [sentence]
    notify.write_due(NOON)
    deliver.deliver_due(NOON)
    assert not MailOutage.objects.exists()


@pytest.mark.parametrize("sentence", ["451 4.3.0 Queue full", "452 4.3.1 Disk full", "421 4.3.2 Shutting down"])
def test_a_mail_server_that_takes_nothing_for_now_is_one(
    game: Game, sink: Sink, maryam: Account, bahareh: Account, sentence: str
) -> None:
    sink.answers |= {account.email: [sentence] * 9 for account in (maryam, bahareh)}
    notify.write_due(NOON)
    for minute in range(4):
        deliver.deliver_due(NOON + minute * MINUTE)
    assert MailOutage.objects.get().since == NOON
    assert {notification.attempts for notification in Notification.objects.filter(reason="question")} == {0}


def test_a_server_without_a_mail_server_has_no_outage(game: Game, settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.MAILBOX = "django.core.mail.backends.dummy.EmailBackend", False
    notify.write_due(NOON)
    deliver.deliver_due(NOON)
    assert not MailOutage.objects.exists()


def test_there_is_one_outage_at_a_time(db: None) -> None:
    for hour in range(3):
        mail.begin(NOON + hour * HOUR)
    assert (MailOutage.objects.count(), mail.since()) == (1, NOON)
    mail.end(NOON + DAY)
    mail.end(NOON + 2 * DAY)
    assert [outage.until for outage in mail.unsettled()] == [NOON + DAY]
    mail.begin(NOON + 3 * DAY)
    assert mail.since() == NOON + 3 * DAY

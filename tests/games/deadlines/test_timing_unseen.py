"""Deadlines that move while a window is open do not reveal which players have answered."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.archive import game_audit
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Game, Heartbeat
from games.play import timeouts
from games.tables import pausing, vacations
from games.visibility.shown_events import show_log
from notifications import mail_outages
from tests.games.unseen import world
from tests.third_game.table import LATER, NOON, create_fist, fresh, lie, play, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

HOUR, DAY, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(seconds=1)
Table = tuple[Game, Account, Account, Account]


@pytest.fixture
def table(maryam: Account, bahareh: Account, dariush: Account) -> Table:
    """Maryam has claimed something, and the two others are asked; Bahareh sleeps long."""
    Heartbeat.objects.create(at=NOON)
    Account.objects.update(time_zone="UTC")
    for person in (maryam, bahareh, dariush):
        person.refresh_from_db()
    bahareh.sleep_from, bahareh.sleep_to = time(20), time(8)
    bahareh.save()
    game = create_fist(maryam, bahareh, dariush, reaction_limit=3 * DAY)
    play(game, 1, f"claim {lie(game, 1)}")
    return game, maryam, bahareh, dariush


def downtime(table: Table) -> None:
    timeouts.record_heartbeat(NOON + 8 * HOUR)


def a_pause(table: Table) -> None:
    game, *people = table
    pausing.propose(game.id, people[0], 8 * HOUR, "api", LATER + HOUR)
    for person in people[1:]:
        pausing.agree(game.id, person, "api", LATER + HOUR)


def a_vacation(table: Table) -> None:
    vacations.announce(table[2], date(2026, 3, 24), date(2026, 3, 26), LATER + HOUR)


def a_vacation_after_a_pause(table: Table) -> None:
    a_pause(table)
    a_vacation(table)


def a_vacation_in_a_pause_that_ends_early(table: Table) -> None:
    game, *people = table
    a_pause(table)
    a_vacation(table)
    for person in people:
        pausing.resume(game.id, person, "api", LATER + 3 * HOUR)


def an_outage_of_our_mail(table: Table) -> None:
    mail_outages.begin(LATER + HOUR)
    for hour in range(2, 90):
        Heartbeat.objects.update(at=LATER + hour * HOUR)
        timeouts.sweep(LATER + hour * HOUR)
    mail_outages.end(LATER + 90 * HOUR)
    Heartbeat.objects.update(at=LATER + 90 * HOUR)
    timeouts.sweep(LATER + 90 * HOUR)


def claimants_view(game: Game) -> tuple[Any, ...]:
    """Return the claimant's view of the remaining time, and of the log."""
    game = fresh(game)
    lines = show_log(log_store.rules_of(game), log_store.read(game), SeatNumber(1))
    return game.due_at, [(line.event, line.at) for line in lines if line.seat in (None, 1)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "happens",
    [
        downtime,
        a_pause,
        a_vacation,
        an_outage_of_our_mail,
        a_vacation_after_a_pause,
        a_vacation_in_a_pause_that_ends_early,
    ],
    ids=lambda item: item.__name__,
)
def test_deadlines_that_move_tell_nobody_who_has_answered(table: Table, happens: Callable[[Table], None]) -> None:
    game, observations = table[0], []
    for answered in (None, 2, 3):
        with world():
            if answered:
                play(game, answered, "allow", LATER + SECOND)
            happens(table)
            observations.append(claimants_view(game))
            assert game_audit.find_faults(fresh(game)) == []
            rows = fresh(game).open_questions.filter(bot=False)
            assert max(row.due_at for row in rows) <= latest(game)
    assert observations[1:] == [observations[0]] * 2


def latest(game: Game) -> datetime:
    """Return the deadline that other players see."""
    due_at = fresh(game).due_at
    assert due_at is not None
    return due_at


def test_a_vacation_of_somebody_who_is_not_asked_moves_nothing_for_the_others(table: Table) -> None:
    game, maryam, *_ = table
    before = claimants_view(game)
    vacations.announce(maryam, date(2026, 3, 24), date(2026, 3, 26), LATER + HOUR)
    assert claimants_view(game) == before

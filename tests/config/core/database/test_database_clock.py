"""The clock of the database, derived in a process from its monotonic clock."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import OperationalError

from config.core.clock import DatabaseClock

NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class Clocks:
    """The clocks of a machine and of its database, each as a test sets it."""

    def __init__(self) -> None:
        self.steady = 100.0
        self.own = NOON
        self.database = NOON
        self.journey = 0.0
        self.way_there = 0.5
        """The part of the journey after which the database is there."""

    def pass_by(self, seconds: float) -> None:
        self.steady += seconds
        self.own += timedelta(seconds=seconds)
        self.database += timedelta(seconds=seconds)

    def ask(self) -> datetime:
        self.pass_by(self.journey * self.way_there)
        database_time = self.database
        self.pass_by(self.journey * (1 - self.way_there))
        return database_time

    def clock(self) -> DatabaseClock:
        return DatabaseClock(lambda: self.steady, lambda: self.own)


def test_before_it_is_compared_it_is_the_machines() -> None:
    clocks = Clocks()
    clock = clocks.clock()
    clocks.own += 90 * SECOND
    assert (clock.now(), clock.ahead()) == (NOON + 90 * SECOND, timedelta())


def test_a_machine_that_is_fast_goes_by_the_database_and_knows_how_fast_it_is() -> None:
    clocks = Clocks()
    clock = clocks.clock()
    clocks.own += 90 * SECOND
    clock.compare(clocks.ask)
    clocks.pass_by(7)
    assert (clock.now(), clock.ahead()) == (NOON + 7 * SECOND, 90 * SECOND)
    clocks.own -= 100 * SECOND
    assert clock.now() == NOON + 7 * SECOND
    clock.compare(clocks.ask)
    assert (clock.now(), clock.ahead()) == (NOON + 7 * SECOND, -10 * SECOND)


def test_a_step_of_the_databases_clock_is_followed_at_the_next_look() -> None:
    clocks = Clocks()
    clock = clocks.clock()
    clock.compare(clocks.ask)
    clocks.database -= 3600 * SECOND
    assert clock.now() == NOON
    clock.compare(clocks.ask)
    assert clock.now() == clocks.database


def test_the_road_to_the_database_moves_nothing() -> None:
    clocks = Clocks()
    clock = clocks.clock()
    clock.compare(clocks.ask)
    before = clock.now() - clocks.database
    for journey in (0.001, 0.09, 3.0):
        clocks.journey = journey
        clock.compare(clocks.ask)
        assert clock.now() - clocks.database == before


@pytest.mark.parametrize("way_there", [0.0, 1.0])
def test_a_slow_first_look_is_put_right_by_a_quick_one(way_there: float) -> None:
    clocks = Clocks()
    clocks.journey, clocks.way_there = 0.09, way_there
    clock = clocks.clock()
    clock.compare(clocks.ask)
    assert abs(clock.now() - clocks.database) == timedelta(seconds=0.045)
    clocks.journey = 0.001
    clock.compare(clocks.ask)
    assert abs(clock.now() - clocks.database) <= timedelta(seconds=0.001)


def test_when_the_machines_clock_is_set_the_database_is_asked_at_once() -> None:
    clocks, looks = Clocks(), list[datetime]()
    clock = clocks.clock()

    def look() -> None:
        looks.append(clocks.database)
        clock.compare(clocks.ask)

    clock.look = look
    look()
    clocks.own -= 3600 * SECOND
    clocks.database -= 3600 * SECOND
    assert [clock.now(), clock.now()] == [clocks.database] * 2
    clocks.own += 90 * SECOND
    assert [clock.now(), clock.now()] == [clocks.database] * 2
    assert len(looks) == 3


def test_while_the_database_is_away_it_is_taken_to_be_set_alike() -> None:
    clocks = Clocks()
    clock = clocks.clock()
    clock.compare(clocks.ask)

    def look() -> None:
        raise OperationalError

    clock.look = look
    clocks.own -= 3600 * SECOND
    assert clock.now() == NOON - 3600 * SECOND

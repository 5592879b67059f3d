"""Games by post on a virtual clock: what the bench counts is what happened."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bench.pace.course import Course
from bench.pace.figures import all_figures, summary, tables, times_fewer
from bench.pace.match import Match
from bench.pace.people import Habits
from bench.pace.protocols import NAIVE, UPTAKE, Protocol
from bench.pace.server import VirtualServer
from games.archive import game_audit
from games.event_log import log_store
from games.models import Game, Move
from games.rules.coup import RULES
from notifications.models import Notification

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
EAGER = Protocol("eager", Habits(taps=1.0, plans=1.0, second=1.0))


@pytest.fixture
def server() -> Iterator[VirtualServer]:
    server = VirtualServer()
    yield server
    server.close()


@pytest.mark.parametrize("protocol", [NAIVE, EAGER], ids=lambda item: item.name)
def test_every_day_of_a_game_was_waited_for_somebody(server: VirtualServer, protocol: Protocol) -> None:
    course = Match(server, protocol, 3, Random("3/1")).play()
    game = Game.objects.get()
    assert game.state == Game.State.OVER
    assert game_audit.find_faults(game) == []
    assert sum(course.waits.values()) == pytest.approx(course.days, rel=0.01)
    assert sum(course.causes.values()) == pytest.approx(course.days, rel=0.01)
    assert sum(course.answers.values()) == Move.objects.filter(state=Move.State.APPLIED).count()
    assert sum(course.questions) == Notification.objects.filter(reason="question").count()
    assert bool(course.answers["plan"]) == (protocol is EAGER)
    assert log_store.position(game).state.options == RULES.options(**protocol.options)


def test_who_is_next_says_their_turn_with_the_answer_before_it_and_plans_nothing_else(server: VirtualServer) -> None:
    answering = replace(NAIVE, habits=Habits(second=1.0), options={})
    for number in range(4):  # The server deals at random, and a short game may give no occasion for a plan.
        Match(server, answering, 3, Random(f"3/{number}")).play()
    assert {body for body in Move.objects.exclude(plan=None).values_list("plan", flat=True) if body} != set()
    plans = Move.objects.exclude(plan=None).values_list("plan", flat=True)
    assert all('"type":"next-turn"' in (body or "") for body in plans)


def test_as_many_take_the_tap_and_plan_ahead_as_the_uptake_says() -> None:
    assert [(share.habits.taps, share.habits.plans) for share in UPTAKE.values()] == [
        (0, 0),
        (0.2, 0.1),
        (0.6, 0.3),
        (0.95, 0.475),
    ]


def course(protocol: Protocol, seats: int, days: float) -> Course:
    """Return the course of a game with ten turns."""
    return Course(
        protocol.name,
        seats,
        days,
        10,
        questions=[3],
        reports=[0],
        mails=[5],
        playing=[days],
        answers=Counter(api=9, timeout=1),
        waits=defaultdict(float, turn=days / 5, challenge=days * 4 / 5),
        causes=defaultdict(float, asleep=days),
    )


def test_the_figures_are_told_as_a_table_and_a_line() -> None:
    courses = [course(NAIVE, 2, days) for days in (20, 30)] + [course(UPTAKE[20], 2, days) for days in (10, 15)]
    results = all_figures([*courses, course(NAIVE, 8, 10)])
    assert list(results) == ["2"], "with eight nothing can be compared"
    assert summary(results).startswith("2 players")
    assert "| 2 | uptake 20 % | 2 | 12.5 | 15.0 | 1.25 | 2.00 (" in tables(results)
    assert "| 10.0 % |" in tables(results), "answers by the clock"
    assert "| turn | 12.0 | 6.0 |" in tables(results), "of 60 and of 30 hours"
    assert "| challenges of actions | 10.0 |" in tables(results), "of 1.25 days a quarter is left, of 2.5 naively"


def test_the_interval_holds_the_factor_and_is_a_point_where_all_games_are_alike() -> None:
    alike = times_fewer([course(NAIVE, 2, 20)] * 9, [course(EAGER, 2, 10)] * 9)
    assert alike == (2.0, 2.0, 2.0)
    times, low, high = times_fewer(
        [course(NAIVE, 2, days) for days in range(10, 30)], [course(EAGER, 2, days) for days in range(5, 15)]
    )
    assert low < times < high

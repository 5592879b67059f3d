"""Games by post on a virtual clock: what the bench counts is what happened."""

from collections.abc import Iterator
from random import Random

import pytest

from bench.pace.course import Course
from bench.pace.figures import all_figures, summary, tables
from bench.pace.match import Match
from bench.pace.plot import plot
from bench.pace.protocols import DARBAR, NAIVE, Protocol
from bench.pace.server import VirtualServer
from games.archive import audit
from games.event_log import log_store
from games.models import Game, Move
from games.rules.coup import RULES
from notifications.models import Notification

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server() -> Iterator[VirtualServer]:
    server = VirtualServer()
    yield server
    server.close()


@pytest.mark.parametrize("protocol", [NAIVE, DARBAR], ids=lambda each: each.name)
def test_every_day_of_a_game_was_waited_for_somebody(server: VirtualServer, protocol: Protocol) -> None:
    course = Match(server, protocol, 3, Random("3/1")).play()
    game = Game.objects.get()
    assert game.state == Game.State.OVER
    assert audit.find_faults(game) == []
    assert sum(course.waited.values()) == pytest.approx(course.days, rel=0.01)
    assert sum(course.because.values()) == pytest.approx(course.days, rel=0.01)
    assert sum(course.answers.values()) == Move.objects.filter(state=Move.State.APPLIED).count()
    assert sum(course.asked) == Notification.objects.filter(reason="question").count()
    assert bool(course.answers["plan"]) == (protocol is DARBAR)
    assert log_store.position(game).state.options == RULES.options(**protocol.options)


def test_the_figures_are_told_as_a_table_a_picture_and_a_line(server: VirtualServer) -> None:
    courses = [Match(server, protocol, 2, Random("2/1")).play() for protocol in (NAIVE, DARBAR)]
    results = all_figures([*courses, Course(NAIVE.name, 8)])
    assert list(results) == ["2"], "with eight nothing can be compared"
    assert summary(results).startswith("2 players")
    assert "| 2 | naive | 1 |" in tables(results)
    assert plot(results).startswith("<svg")

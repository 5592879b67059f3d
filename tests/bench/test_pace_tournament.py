"""A tournament on the virtual clock: it ends, on time, and its figures are what happened."""

from collections.abc import Iterator

import pytest

from bench.pace.server import VirtualServer
from bench.pace.tournament import played
from games.models import Game, Pairing, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server() -> Iterator[VirtualServer]:
    server = VirtualServer()
    yield server
    server.close()


def test_a_tournament_of_three_is_played_to_its_end_on_time(server: VirtualServer) -> None:
    outcome = played(server, 3, 1, 3)
    cup = Tournament.objects.get()
    assert (cup.state, outcome.rounds, outcome.on_time) == ("over", 1, True)
    assert outcome.games == Game.objects.count() == 1
    assert Pairing.objects.filter(kind="table", place=None).count() == 0
    assert sorted(entry.place or 0 for entry in cup.entries.all())[0] == 1
    assert len(outcome.digest) == 64

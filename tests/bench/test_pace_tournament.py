"""A tournament on the virtual clock: it ends, on time, and its figures are what happened."""

from collections.abc import Iterator

import pytest

from bench.pace import tournament
from bench.pace.server import VirtualServer
from bench.pace.tournament import played
from games.models import Game, Pairing, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


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


def test_two_seasons_of_a_league_of_three_are_played_to_their_end_on_time(
    server: VirtualServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for share in ("ABSENT", "WITHDRAWS", "RESTS", "SKIPS"):
        monkeypatch.setattr(tournament, share, 0)
    outcome = played(server, 3, 0, 3, seasons=2)
    assert list(Tournament.objects.order_by("season").values_list("season", "state")) == [
        (1, "over"),
        (2, "over"),
        (3, "open"),
    ]
    assert outcome.on_time

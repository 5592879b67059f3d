"""Data that are public in finished games only."""

import pytest

from accounts.models import Account
from games.archive import records
from games.engine import SPECTATOR
from games.engine.record import load
from games.event_log import log_store
from games.models import Analysis, Game
from games.visibility.shown_events import show_log
from tests.games.api.conftest import client
from tests.games.finished import finished
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db
GAMES = "/api/v1/games/"
PARTS = ("record", "replay/1", "transcript", "statistics")


@pytest.fixture
def over(maryam: Account, bahareh: Account) -> Game:
    return finished([maryam, bahareh], seed=4, two_player_setup="dealt")


def path(game: Game, part: str) -> str:
    return f"{GAMES}{game.id}/{part}/"


@pytest.mark.parametrize("part", PARTS)
def test_nothing_of_it_is_open_while_the_game_runs(game: Game, maryam: Account, part: str) -> None:
    answer = client(maryam).get(path(game, part))
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


@pytest.mark.parametrize("part", PARTS)
def test_a_private_game_is_open_to_those_who_sat_there_only(
    over: Game, maryam: Account, kaveh: Account, part: str
) -> None:
    assert client(kaveh).get(path(over, part)).status_code == 200
    Game.objects.filter(pk=over.pk).update(private=True)
    assert client(kaveh).get(path(over, part)).status_code == 404
    assert client(maryam).get(path(over, part)).status_code == 200


def test_the_record_is_the_documents_own_bytes(over: Game, kaveh: Account) -> None:
    answer = client(kaveh).get(path(over, "record"))
    assert answer["Content-Disposition"] == f'attachment; filename="darbar-{over.id}.json"'
    assert load(answer.content) == records.export_record(over)
    again = client(kaveh).get(path(over, "record"), headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_a_player_sees_again_what_they_knew_then_and_no_more(over: Game, kaveh: Account) -> None:
    rules, lines = log_store.rules_of(over), log_store.read(over)
    begun = next(line.number for line in lines if line.event.__struct_config__.tag == "turn-began")
    now = client(kaveh).get(path(over, f"replay/{begun}")).json()
    assert [len(seat["hand"]) for seat in now["view"]["seats"]] == [2, 2]
    assert (now["number"], now["last"]) == (begun, over.version)
    then = client(kaveh).get(path(over, f"replay/{begun}"), {"seat": 2}).json()
    assert [seat["hand"] is None for seat in then["view"]["seats"]] == [True, False]
    spectator = client(kaveh).get(path(over, f"replay/{begun}"), {"seat": 0}).json()
    assert [seat["hand"] for seat in spectator["view"]["seats"]] == [None, None]
    shown_lines = [
        client(kaveh).get(path(over, f"replay/{line.number}"), {"seat": 0}).json()["line"] for line in lines[:12]
    ]
    assert len([line for line in shown_lines if line]) == len(show_log(rules, lines[:12], SPECTATOR))


@pytest.mark.parametrize("number", [0, 9999])
def test_a_line_that_there_is_not_is_not_found(over: Game, kaveh: Account, number: int) -> None:
    assert client(kaveh).get(path(over, f"replay/{number}")).status_code == 404
    assert client(kaveh).get(path(over, "replay/1"), {"seat": 3}).status_code == 404
    assert client(kaveh).get(path(over, "transcript"), {"seat": -1}).status_code == 400


def test_the_transcript_tells_the_game_in_the_readers_language(over: Game, kaveh: Account, sepideh: Account) -> None:
    english = client(kaveh).get(path(over, "transcript")).content.decode()
    assert english.count("\n") == 1 + sum(line.event.begins_line for line in log_store.read(over))
    assert "Maryam" in english
    persian = client(sepideh).get(path(over, "transcript")).content.decode()
    assert persian.count("\n") == english.count("\n")
    assert "بازی را برد" in persian
    assert client(kaveh).get(path(over, "transcript"), {"seat": 0}).content.decode() != english


def test_statistics_say_who_bluffed(over: Game, kaveh: Account) -> None:
    statistics = client(kaveh).get(path(over, "statistics")).json()
    assert statistics["claims"]
    assert {row["seat"] for row in statistics["claims"]} <= {1, 2}
    assert sum(row["challenged"] for row in statistics["claims"]) == sum(
        row["made"] for row in statistics["challenges"]
    )


def test_an_analysis_is_computed_when_it_is_asked_for_first(over: Game, maryam: Account, kaveh: Account) -> None:
    answer = client(maryam).get(path(over, "analysis"))
    assert (answer.status_code, answer.json()["state"]) == (202, "computing")
    assert answer.json()["seat"] == next(seat.number for seat in over.seats.all() if seat.account_id == maryam.pk)
    assert client(kaveh).get(path(over, "analysis")).json()["seat"] == 1, "who had no seat reads of the first"
    assert client(kaveh).get(path(over, "analysis"), {"seat": 1}).status_code == 202
    assert client(kaveh).get(path(over, "analysis"), {"seat": 3}).status_code == 404
    Analysis.objects.update(done_at=NOON)
    ready = client(kaveh).get(path(over, "analysis"), {"seat": 1})
    assert (ready.status_code, ready.json()["state"]) == (200, "ready")
    Game.objects.filter(pk=over.pk).update(private=True)
    assert client(kaveh).get(path(over, "analysis"), {"seat": 1}).status_code == 404


def test_a_running_game_is_not_analysed(game: Game, maryam: Account) -> None:
    answer = client(maryam).get(path(game, "analysis"))
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert not Analysis.objects.exists()

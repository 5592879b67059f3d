"""Many games in one request: lists as lines of JSON, games by id, and views of many games."""

import json
from typing import Any

import pytest

from accounts.models import Account
from games.models import Game
from tests.games.api.conftest import client
from tests.third_game.table import create_fist

pytestmark = pytest.mark.django_db
GAMES = "/api/v1/games/"


def lines(answer: Any) -> list[Any]:
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/x-ndjson")
    return [json.loads(line) for line in answer.content.decode().splitlines()]


def test_games_are_lines_as_the_list_has_them(game: Game, hidden: Game, sepideh: Account) -> None:
    program = client(sepideh)
    listed = program.get(GAMES).json()["results"]
    answer = program.get(f"{GAMES}export/", headers={"Accept": "application/x-ndjson"})
    assert lines(answer) == listed
    assert str(hidden.id) not in answer.content.decode()
    assert program.get(f"{GAMES}export/", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_an_export_goes_on_where_its_link_leads(maryam: Account, bahareh: Account, with_fist: None) -> None:
    games = [create_fist(maryam, bahareh) for _ in range(3)]
    program, rows = client(maryam), list[Any]()
    address = f"{GAMES}export/?mine=true&limit=2"
    while address:
        answer = program.get(address)
        rows += lines(answer)
        address = answer["Link"].removeprefix("<").partition(">")[0] if "Link" in answer else ""
    assert rows == program.get(f"{GAMES}?mine=true").json()["results"]
    assert {row["id"] for row in rows} == {str(game.id) for game in games}


def test_the_events_of_a_game_are_lines_as_its_reader_may_know_them(
    game: Game, maryam: Account, kaveh: Account
) -> None:
    for account in (maryam, kaveh):
        program = client(account)
        events = program.get(f"{GAMES}{game.id}/events/").json()["results"]
        assert lines(program.get(f"{GAMES}{game.id}/events/export/")) == events
        assert lines(program.get(f"{GAMES}{game.id}/events/export/?after=2")) == events[2:]


def test_games_can_be_asked_for_by_their_ids(game: Game, hidden: Game, sepideh: Account) -> None:
    rows = client(sepideh).get(f"{GAMES}?ids={game.id},{hidden.id}").json()["results"]
    assert [row["id"] for row in rows] == [str(game.id)], "what is not there for me is left out"
    refused = client(sepideh).get(f"{GAMES}?ids=7")
    assert (refused.status_code, refused.json()["errors"][0]["parameter"]) == (400, "ids")
    too_many = ",".join([str(game.id)] * 51)
    assert client(sepideh).get(f"{GAMES}?ids={too_many}").status_code == 400


def test_views_of_many_games_are_those_of_each(game: Game, hidden: Game, maryam: Account, sepideh: Account) -> None:
    url = f"/api/v1/views/?games={game.id},{hidden.id}"
    for account, visible in ((maryam, {game, hidden}), (sepideh, {game})):
        program = client(account)
        views = {entry["game"]: entry["view"] for entry in program.get(url).json()["results"]}
        assert views == {str(game_row.id): program.get(f"{GAMES}{game_row.id}/view/").json() for game_row in visible}


def test_a_game_that_has_not_begun_has_no_view(maryam: Account) -> None:
    program = client(maryam)
    game_id = program.post(GAMES, {"rules": "coup", "seat_count": 2}, format="json").json()["id"]
    assert program.get(f"/api/v1/views/?games={game_id}").json()["results"] == [{"game": game_id, "view": None}]


@pytest.mark.parametrize(("part", "form"), [("transcript/", "text/plain"), ("picture.svg", "image/svg+xml")])
def test_a_client_may_ask_for_the_form_that_is_described(game: Game, maryam: Account, part: str, form: str) -> None:
    answer = client(maryam).get(f"{GAMES}{game.id}/{part}", headers={"Accept": form})
    assert answer.status_code != 406

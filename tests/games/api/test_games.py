"""Tables over HTTP."""

import uuid
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from accounts.blocks import follow
from accounts.models import Account
from games.models import Game, commitment_of
from games.tables.joining import leave_game
from tests.examples import for_each
from tests.games.api.conftest import client
from tests.third_game.table import NOON, create_fist, fresh

pytestmark = pytest.mark.django_db
GAMES = "/api/v1/games/"
OPENING = {"rules": "fist", "seat_count": 3}


def test_opening_a_table_gives_its_id_code_and_commitment(maryam: Account) -> None:
    data = {
        **OPENING,
        "options": {"highest": 9},
        "bots": [{}],
        "turn_limit": "PT1H30M",
        "reaction_limit": "P3D",
        "private": True,
    }
    answer = client(maryam).post(GAMES, data, format="json")
    assert answer.status_code == 201, answer.content
    table = answer.json()
    assert answer["Location"] == f"{GAMES}{table['id']}/"
    game = Game.objects.get(pk=table["id"])
    assert table["commitment"] == commitment_of(game.id, bytes(game.seed))
    assert table["code"] == game.code
    assert (table["turn_limit"], table["reaction_limit"], table["options"]) == ("PT1H30M", "P3D", {"highest": 9})
    (seat,) = table["seats"]
    assert (seat["seat"], seat["name"], seat["bot"]) == (1, "Maryam", False)
    assert len(bytes.fromhex(seat["seed"])) == 32
    assert (table["state"], table["seat"], table["host"], table["seed"]) == ("open", 1, 1, None)


def test_what_is_not_said_has_its_default(maryam: Account) -> None:
    table = client(maryam).post(GAMES, OPENING, format="json").json()
    assert (table["turn_limit"], table["reaction_limit"], table["bots"], table["private"]) == ("P2D", "P1D", [], False)
    assert table["options"] == {"highest": 6}


@for_each(
    "wrong, pointer",
    [
        ({"rules": "chess"}, "#/rules"),
        ({"rules": 7, "seat_count": None}, "#/seat_count"),
        ({"seat_count": 0}, "#/seat_count"),
        ({"seat_count": "many"}, "#/seat_count"),
        ({"bots": [{}, {}, {}]}, "#/bots"),
        ({"turn_limit": "PT59S"}, "#/turn_limit"),
        ({"turn_limit": "2 days"}, "#/turn_limit"),
        ({"reaction_limit": "P31D"}, "#/reaction_limit"),
        ({"options": []}, "#/options"),
        ({"options": {"lowest": 1}}, "#/options"),
        ({"options": {"previous_winners": [1]}}, "#/options/previous_winners"),
        ({"options": {"prompts": "separate"}}, "#/options/prompts"),
        ({"host": 1}, "#/host"),
        ({"seed": "00"}, "#/seed"),
        ({"commitment": "00"}, "#/commitment"),
        ({"id": "5b0c7a54-2f0e-4d0b-9a3e-6b1f0e1c9d42"}, "#/id"),
        ({"state": "over"}, "#/state"),
    ],
    undone=True,
)
def test_a_wrong_field_is_named_and_nothing_is_made(maryam: Account, wrong: dict[str, Any], pointer: str) -> None:
    answer = client(maryam).post(GAMES, {**OPENING, **wrong}, format="json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == "malformed"
    assert pointer in [error["pointer"] for error in problem["errors"]]
    assert not Game.objects.exists()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff", b"null", b'{"rules": NaN}'])
def test_what_is_no_request_is_malformed(maryam: Account, body: bytes) -> None:
    answer = client(maryam).post(GAMES, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_joining_fills_the_table_and_begins_the_game(maryam: Account, bahareh: Account, sepideh: Account) -> None:
    table = client(maryam).post(GAMES, OPENING, format="json").json()
    join = f"{GAMES}{table['id']}/join/"
    assert client(bahareh).post(join).json()["state"] == "open"
    joined = client(sepideh).post(join, {}, format="json").json()
    assert (joined["state"], joined["seat"]) == ("running", 3)
    late = client(bahareh).post(join)
    assert (late.status_code, late.json()["code"]) == (409, "conflict")


def test_the_host_begins_early(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh, seat_count=4)
    start = f"{GAMES}{game.id}/start/"
    assert client(bahareh).post(start).json()["code"] == "forbidden"
    assert client(maryam).post(start).json()["state"] == "running"


def test_leaving_makes_room_again(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh, seat_count=4)
    assert client(bahareh).post(f"{GAMES}{game.id}/leave/").status_code == 204
    assert game.seats.count() == 1


def test_the_code_is_for_those_who_sit_there(game: Game, maryam: Account, kaveh: Account) -> None:
    assert client(maryam).get(f"{GAMES}{game.id}/").json()["code"] == game.code
    assert client(kaveh).get(f"{GAMES}{game.id}/").json()["code"] is None


def test_a_private_table_is_joined_with_its_code(maryam: Account, kaveh: Account) -> None:
    game = create_fist(maryam, seat_count=3, private=True)
    join = f"{GAMES}{game.id}/join/"
    assert client(kaveh).post(join).status_code == 404
    assert client(kaveh).post(join, {"code": "x" * 12}, format="json").status_code == 404
    assert client(kaveh).post(join, {"code": game.code}, format="json").json()["seat"] == 2


def test_lists_hold_public_tables_and_mine_newest_first(
    maryam: Account, bahareh: Account, kaveh: Account, game: Game, hidden: Game
) -> None:
    def ids(account: Account, query: str = "") -> set[str]:
        return {table["id"] for table in client(account).get(f"{GAMES}{query}").json()["results"]}

    assert ids(maryam) == {str(game.id), str(hidden.id)}
    assert ids(kaveh) == {str(game.id)}
    assert ids(kaveh, "?mine=true") == set()
    assert ids(bahareh, "?mine=false") == set()
    assert ids(maryam, "?state=open") == set()
    assert ids(maryam, "?state=running") == ids(maryam)
    assert ids(maryam, "?rules=coup") == set()
    assert client(maryam).get(f"{GAMES}?colour=red").json()["errors"][0]["parameter"] == "colour"


def test_a_list_may_be_filtered_in_every_way_at_once(
    maryam: Account, bahareh: Account, game: Game, hidden: Game
) -> None:
    follow(maryam, bahareh, NOON)
    Game.objects.update(rules="coup")  # the filter takes the names of games that were there when it was made
    filters = {"state": "running", "rules": "coup", "mine": "true", "arena": "false", "followed": "true"}

    def ids(**others: object) -> list[str]:
        game_ids, address = list[str](), f"{GAMES}?{urlencode({**filters, 'limit': 1, **others})}"
        while address:
            page = client(maryam).get(address).json()
            game_ids += [game["id"] for game in page["results"]]
            address = page["next"]
        return sorted(game_ids)

    assert ids() == ids(ids=f"{game.id},{hidden.id}") == sorted([str(game.id), str(hidden.id)])
    assert ids(ids=hidden.id) == [str(hidden.id)]
    for name, value in {"state": "over", "rules": "sedlec", "mine": "false", "arena": "true"}.items():
        assert ids(**{name: value}) == [], name
    assert ids(club=uuid.uuid4()) == ids(ids=uuid.uuid4()) == []


def test_a_list_is_read_page_by_page_while_new_tables_open(maryam: Account, settings: Any) -> None:
    settings.OPEN_GAMES = settings.OPEN_GAMES_HOSTED = settings.GAMES_PER_HOUR = 1000
    old = [str(create_fist(maryam, seat_count=2).id) for _ in range(60)]
    program = client(maryam)
    first = program.get(GAMES).json()
    assert len(first["results"]) == 50
    create_fist(maryam, seat_count=2, now=NOON + timedelta(minutes=1))
    second = program.get(first["next"]).json()
    assert second["next"] is None
    listed_ids = [table["id"] for table in first["results"] + second["results"]]
    assert sorted(listed_ids) == sorted(old)


def test_the_seed_is_shown_once_the_game_is_over(game: Game, maryam: Account, kaveh: Account) -> None:
    path = f"{GAMES}{game.id}/"
    assert client(kaveh).get(path).json()["seed"] is None
    client(maryam).post(f"{path}resign/", headers={"Prefer": "wait=1"})
    over = client(kaveh).get(path).json()
    assert (over["state"], over["seed"]) == ("over", bytes(game.seed).hex())
    assert commitment_of(game.id, bytes.fromhex(over["seed"])) == over["commitment"]


def test_the_commitment_of_a_table_that_was_given_up_stays_open(maryam: Account, client: Any) -> None:
    game = create_fist(maryam, seat_count=2, private=True)
    leave_game(game.id, maryam, "api", NOON)
    assert fresh(game).state == "cancelled"
    assert client.get(f"{GAMES}{game.id}/commitment/").json()["commitment"] == fresh(game).commitment


def test_commitments_are_open_to_everybody(game: Game, hidden: Game, client: Any) -> None:
    for row in (game, hidden):
        answer = client.get(f"{GAMES}{row.id}/commitment/")
        assert answer.json() == {"id": str(row.id), "commitment": fresh(row).commitment, "deal_head": ""}
    assert client.get(f"{GAMES}{uuid.uuid4()}/commitment/").status_code == 404


def test_an_unknown_name_has_one_code_wherever_it_is_written(maryam: Account, bahareh: Account) -> None:
    program, game = client(maryam), create_fist(maryam, bahareh)
    until = (timezone.now() + timedelta(days=1)).isoformat()
    requests = [
        program.post("/api/v1/me/people/blocks/", {"name": "Nobody"}, format="json"),
        program.post(f"{GAMES}{game.id}/stand-in/", {"name": "Nobody", "until": until}, format="json"),
        program.post(GAMES, {"rules": "chess", "seat_count": 2}, format="json"),
        program.post("/api/v1/seeks/", {"rules": "chess", "least": 2, "most": 2}, format="json"),
    ]
    assert {request.json()["errors"][0]["code"] for request in requests} == {"name-unknown"}

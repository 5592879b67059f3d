"""Tournaments by the API."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Account
from games.models import Tournament
from games.tournaments import rounds
from games.tournaments.core import commitment
from tests.cast import program
from tests.games.tournaments.tournament_cast import finish_round, people

pytestmark = pytest.mark.django_db
JSON = "application/json"
ALL = "/api/v1/tournaments/"


def create_tournament(client: Client, **data: Any) -> dict[str, Any]:
    usual = {"name": "Spring cup", "format": "swiss", "rules": "coup", "table_size": 4, "rounds": 1}
    times = {"starts_at": (timezone.now() + timedelta(days=7)).isoformat(), "round_length": "P14D"}
    answer = client.post(ALL, {**usual, **times, **data}, JSON)
    assert answer.status_code == 201, answer.content
    assert client.get(answer.headers["Location"]).json() == answer.json()
    return dict(answer.json())


def test_a_tournament_is_created_entered_begun_and_played_to_the_seed(maryam: Account) -> None:
    host, players = program(maryam), people(4)
    cup = create_tournament(host, about="One round", options={"inquisitor": True})
    here = f"{ALL}{cup['id']}/"
    assert (cup["state"], cup["entries"], cup["number"], cup["seed"]) == ("open", 0, None, None)
    for number, player in enumerate(players, start=1):
        assert program(player).put(f"{here}entry/", {}, JSON).json()["number"] == number
    assert program(players[0]).put(f"{here}entry/", {}, JSON).json()["number"] == 1
    begun = host.post(f"{here}start/", {}, JSON).json()
    assert (begun["state"], begun["entries"], begun["round"]) == ("starting", 4, 0)
    now = timezone.now()
    rounds.sweep(now)
    running = program(players[1]).get(here).json()
    assert (running["state"], running["round"], running["number"]) == ("running", 1, 2)
    assert running["round_ends_at"] is not None
    (round,) = host.get(f"{here}rounds/").json()["results"]
    (table,) = round["tables"]
    assert {seat["name"]: (seat["place"], seat["points"]) for seat in table["seats"]} == {
        player.name: (None, None) for player in players
    }
    game = host.get(f"/api/v1/games/{table['game']}/").json()
    assert (game["state"], game["options"]["inquisitor"], game["host"]) == ("running", True, None)
    finish_round(again_of(cup), now)
    over = host.get(here).json()
    assert (over["state"], commitment(cup["id"], bytes.fromhex(over["seed"]))) == ("over", cup["commitment"])
    standings = host.get(f"{here}standings/").json()["results"]
    assert (standings[0]["place"], standings[0]["name"]) == (1, "Player 1")
    assert [standing["points"] for standing in standings] == [100, 33, 33, 33]
    assert program(players[0]).get(f"{here}entry/").json()["place"] == 1


def test_a_league_is_created_and_its_seasons_divisions_and_movements_are_listed(maryam: Account) -> None:
    host, players = program(maryam), people(6)
    terms = {"division_size": 3, "promoted": 1, "season_break": "P7D"}
    league = create_tournament(host, format="league", rounds=None, table_size=3, **terms)
    assert {name: league[name] for name in terms} == terms
    assert (league["league"], league["season"]) == (league["id"], 1)
    here = f"{ALL}{league['id']}/"
    for player in players:
        program(player).put(f"{here}entry/", {}, JSON)
    host.post(f"{here}start/", {}, JSON)
    now = timezone.now()
    rounds.sweep(now)
    assert program(players[5]).get(f"{here}entry/").json()["division"] == 2
    finish_round(again_of(league), now)
    standings = host.get(f"{here}standings/").json()["results"]
    assert [(standing["division"], standing["place"], standing["movement"]) for standing in standings] == [
        *((1, 1, ""), (1, 2, ""), (1, 2, "down")),
        *((2, 1, "up"), (2, 2, ""), (2, 2, "")),
    ]
    assert program(players[3]).get(f"{here}entry/").json()["movement"] == "up"
    following, season = host.get(f"{ALL}?league={league['id']}").json()["results"]
    assert (season["id"], following["season"], following["state"], following["entries"]) == (league["id"], 2, "open", 6)
    assert following["commitment"] != season["commitment"]
    there = f"{ALL}{following['id']}/"
    assert program(players[0]).delete(f"{there}entry/").status_code == 204
    divisions = [standing["division"] for standing in host.get(f"{there}standings/").json()["results"]]
    assert divisions == [1, 1, 1, 2, 2]


def again_of(cup: dict[str, Any]) -> Tournament:
    """The row of a tournament of the API."""
    return Tournament.objects.get(pk=cup["id"])


def test_rounds_are_sat_out_and_an_entry_is_withdrawn(maryam: Account, bahareh: Account) -> None:
    host, entrant = program(maryam), program(bahareh)
    here = f"{ALL}{create_tournament(host, rounds=3)['id']}/entry/"
    assert entrant.get(here).status_code == 404
    assert entrant.put(here, {}, JSON).status_code == 200
    assert entrant.patch(here, {"sits_out": [3, 2], "notify": False}, JSON).json()["sits_out"] == [2, 3]
    refused = entrant.patch(here, {"sits_out": [4]}, JSON)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/sits_out")
    assert entrant.get(here).json()["notify"] is False
    assert entrant.delete(here).status_code == 204
    assert entrant.get(here).status_code == 404


def test_tournaments_are_listed_by_state_and_by_those_one_takes_part_in(maryam: Account, bahareh: Account) -> None:
    host, entrant = program(maryam), program(bahareh)
    one, other = create_tournament(host), create_tournament(host, name="Other")
    entrant.put(f"{ALL}{one['id']}/entry/", {}, JSON)
    assert [tournament["id"] for tournament in entrant.get(ALL).json()["results"]] == [other["id"], one["id"]]
    assert [tournament["id"] for tournament in entrant.get(f"{ALL}?mine=true").json()["results"]] == [one["id"]]
    cancelled = host.post(f"{ALL}{other['id']}/cancel/", {}, JSON).json()
    assert (cancelled["state"], len(cancelled["seed"])) == ("cancelled", 64)
    assert [tournament["id"] for tournament in entrant.get(f"{ALL}?state=open").json()["results"]] == [one["id"]]


def test_the_host_changes_a_tournament_and_others_do_not(maryam: Account, bahareh: Account) -> None:
    host, other = program(maryam), program(bahareh)
    here = f"{ALL}{create_tournament(host)['id']}/"
    assert host.patch(here, {"name": "Summer cup"}, JSON).json()["name"] == "Summer cup"
    assert other.patch(here, {"name": "Mine"}, JSON).status_code == 403
    later = (timezone.now() + timedelta(days=9)).isoformat()
    assert host.patch(here, {"starts_at": later}, JSON).status_code == 200
    assert Tournament.objects.get().starts_at.isoformat() == later
    past = host.patch(here, {"starts_at": timezone.now().isoformat()}, JSON)
    assert (past.status_code, past.json()["errors"][0]["pointer"]) == (400, "#/starts_at")
    assert other.patch(here, {"starts_at": later}, JSON).status_code == 403
    assert other.post(f"{here}start/", {}, JSON).status_code == 403
    assert host.post(f"{here}start/", {}, JSON).status_code == 409


def test_what_it_cannot_be_is_a_problem_with_its_field(maryam: Account) -> None:
    data = {"name": "Cup", "format": "swiss", "rules": "coup", "table_size": 4, "round_length": "P14D"}
    later = (timezone.now() + timedelta(days=7)).isoformat()
    refused = program(maryam).post(ALL, {**data, "starts_at": later}, JSON)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/rounds")

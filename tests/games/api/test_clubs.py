"""Clubs by the API."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from games.models import Club
from tests.cast import program

pytestmark = pytest.mark.django_db
JSON = "application/json"


def create_club(client: Client, **data: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/clubs/", {"name": "Thursday liars", **data}, JSON)
    assert answer.status_code == 201, answer.content
    assert client.get(answer.headers["Location"]).json() == answer.json()
    return dict(answer.json())


def test_friends_found_a_club_play_in_it_and_stand_on_its_leaderboard(maryam: Account, bahareh: Account) -> None:
    owner, friend = program(maryam), program(bahareh)
    club = create_club(owner, about="Since 2026")
    here = f"/api/v1/clubs/{club['id']}/"
    assert (club["role"], len(club["code"])) == ("owner", 12)
    assert friend.get(here).status_code == 404
    joined = friend.post("/api/v1/clubs/join/", {"code": club["code"]}, JSON)
    assert (joined.status_code, joined.json()["role"], joined.json()["code"]) == (200, "member", None)
    game = owner.post("/api/v1/games/", {"rules": "coup", "seat_count": 2, "club": club["id"]}, JSON).json()
    assert (game["private"], game["club"], game["code"] is None) == (True, club["id"], False)
    (listed_game,) = friend.get(f"/api/v1/games/?club={club['id']}").json()["results"]
    assert (listed_game["id"], listed_game["code"]) == (game["id"], None)
    assert friend.post(f"/api/v1/games/{game['id']}/join/", {}, JSON).json()["state"] == "running"
    assert friend.get(f"{here}leaders/").json()["results"] == []
    assert [member["name"] for member in friend.get(f"{here}members/").json()["results"]] == ["Maryam", "Bahareh"]


def test_the_owner_gives_roles_and_removes_people(maryam: Account, bahareh: Account) -> None:
    owner, friend = program(maryam), program(bahareh)
    club = create_club(owner)
    here = f"/api/v1/clubs/{club['id']}/"
    member = friend.post("/api/v1/clubs/join/", {"code": club["code"]}, JSON).json()["member"]
    refused = friend.patch(here, {"notify": False, "name": "Ours"}, JSON)
    assert (refused.status_code, friend.get(here).json()["notify"]) == (403, True)
    assert friend.patch(here, {"notify": False}, JSON).json()["notify"] is False
    assert owner.patch(f"{here}members/{member}/", {"role": "organizer"}, JSON).json()["role"] == "organizer"
    assert owner.patch(f"{here}members/{member}/", {}, JSON).json()["role"] == "organizer"
    assert friend.patch(here, {"name": "Ours"}, JSON).json()["name"] == "Ours"
    renewed = friend.post(f"{here}link/", {}, JSON).json()["code"]
    assert renewed not in (None, club["code"])
    assert owner.delete(f"{here}members/{member}/").status_code == 204
    assert friend.get(here).status_code == 404
    assert owner.delete(f"{here}members/{club['member']}/").status_code == 409
    assert owner.delete(here).status_code == 204
    assert not Club.objects.exists()


def test_a_club_is_created_once_for_each_key(maryam: Account) -> None:
    client = program(maryam)
    answers = [
        client.post("/api/v1/clubs/", {"name": "Liars"}, JSON, headers={"Idempotency-Key": "club-1"}) for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert Club.objects.count() == 1


def test_a_chat_is_connected_and_its_secret_never_shown(maryam: Account) -> None:
    client = program(maryam)
    here = f"/api/v1/group-chats/clubs/{create_club(client)['id']}/"
    assert client.get(here).status_code == 404
    data = {"app": "discord", "secret": "https://discord.com/api/webhooks/42/wnD3-v_9xQz1"}
    assert client.patch(here, {"handle": "204255221017214977"}, JSON).status_code == 404
    assert client.put(here, data, JSON).json() == {"app": "discord", "handle": "", "works": True}
    assert client.patch(here, {"handle": "204255221017214977"}, JSON).json()["handle"] == "204255221017214977"
    assert client.get(here).json() == {"app": "discord", "handle": "204255221017214977", "works": True}
    refused = client.put(here, {**data, "secret": "https://discord.com/channels/1/2"}, JSON)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/secret")
    assert client.delete(here).status_code == 204
    assert client.get(here.replace("clubs", "tournaments")).status_code == 404


@pytest.mark.parametrize(
    ("data", "field"), [({}, "/name"), ({"name": "…"}, "/name"), ({"name": "A", "about": "www.a.b"}, "/about")]
)
def test_what_a_club_cannot_be_is_a_problem_with_its_field(maryam: Account, data: dict[str, str], field: str) -> None:
    refused = program(maryam).post("/api/v1/clubs/", data, JSON)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, f"#{field}")
    assert not Club.objects.exists()


def test_a_club_of_others_cannot_be_named_for_a_new_game(maryam: Account, bahareh: Account) -> None:
    club = create_club(program(maryam))
    data = {"rules": "coup", "seat_count": 2, "club": club["id"]}
    refused = program(bahareh).post("/api/v1/games/", data, JSON)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/club")

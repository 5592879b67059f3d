"""Looking for players by the API."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Account
from games.models import Seek
from games.tables import matching
from tests.cast import program

pytestmark = pytest.mark.django_db
WANTED = {"rules": "coup", "least": 2, "most": 2, "options": {"inquisitor": True}}


def test_a_seek_becomes_a_game_of_two_programs(maryam: Account, bahareh: Account) -> None:
    seeker, partner = program(maryam), program(bahareh)
    answer = seeker.post("/api/v1/seeks/", WANTED, "application/json")
    assert answer.status_code == 201
    assert seeker.get(answer.headers["Location"]).json() == answer.json()
    assert (answer.json()["state"], answer.json()["game"], answer.json()["fill_after"]) == ("open", None, None)
    assert partner.get(answer.headers["Location"]).status_code == 404
    assert partner.get("/api/v1/seeks/").json()["results"] == []
    partner.post("/api/v1/seeks/", WANTED, "application/json")
    matching.sweep(timezone.now())
    (seek,) = partner.get("/api/v1/seeks/").json()["results"]
    assert seek["state"] == "matched"
    game = partner.get(f"/api/v1/games/{seek['game']}/").json()
    assert (game["state"], game["private"], game["options"]["inquisitor"]) == ("running", False, True)
    assert seeker.delete(answer.headers["Location"]).status_code == 409


def test_a_seek_is_created_once_for_each_key(maryam: Account) -> None:
    client = program(maryam)
    answers = [
        client.post("/api/v1/seeks/", WANTED, "application/json", headers={"Idempotency-Key": "seek-1"})
        for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert Seek.objects.count() == 1


def test_a_seek_is_withdrawn_and_may_be_so_again(maryam: Account) -> None:
    client = program(maryam)
    address = client.post("/api/v1/seeks/", {**WANTED, "fill_after": "PT6H"}, "application/json").headers["Location"]
    assert [client.delete(address).status_code for _ in range(2)] == [204, 204]
    assert client.get(address).json()["state"] == "withdrawn"
    assert Seek.objects.get().fill_after == timedelta(hours=6)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"speed": "hasty"}, "speed"),
        ({"least": 1}, "least"),
        ({"options": {"bomb": True}}, "options"),
        ({"fill_after": "PT30S"}, "fill_after"),
        ({"speed": "live", "fill_after": "PT2H"}, "fill_after"),
    ],
)
def test_what_cannot_be_wanted_is_a_problem_with_its_field(
    maryam: Account, wrong: dict[str, object], field: str
) -> None:
    answer = program(maryam).post("/api/v1/seeks/", {**WANTED, **wrong}, "application/json")
    assert answer.status_code == 400
    assert field in answer.content.decode()
    assert not Seek.objects.exists()

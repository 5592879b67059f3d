"""Following players: their games are easy to find, and the players are not notified."""

import pytest
from django.utils import timezone

from accounts import blocks
from accounts.account_data import export_data
from accounts.models import Account, Follow
from tests.cast import program
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened

pytestmark = pytest.mark.django_db
FOLLOWED = "/games/?whose=followed"


def test_by_one_button_the_games_of_a_player_are_found_and_by_another_no_more(
    maryam: Account, bahareh: Account
) -> None:
    game, private = opened(bahareh, seat_count=3), opened(bahareh, seat_count=3, private=True)
    others = opened(maryam, seat_count=3)
    reader = Visitor(maryam)
    assert str(game.pk) not in str(reader.go(FOLLOWED).all("a"))
    reader.go("/players/Bahareh/")
    reader.send("/people/keep/", do="follow")
    links = str(reader.go(FOLLOWED).all("a"))
    assert str(game.pk) in links
    assert str(private.pk) not in links
    assert str(others.pk) not in links
    assert "Bahareh" in reader.go("/settings/people/").text
    reader.go("/players/Bahareh/")
    reader.send("/people/keep/", do="unfollow")
    assert str(game.pk) not in str(reader.go(FOLLOWED).all("a"))


def test_programs_follow_and_filter_too(maryam: Account, bahareh: Account) -> None:
    game, _ = opened(bahareh, seat_count=3), opened(maryam, seat_count=3)
    client = program(maryam)
    response = client.post("/api/v1/me/people/follows/", {"name": "Bahareh"}, "application/json")
    assert (response.status_code, response.json()["name"]) == (201, "Bahareh")
    data = client.get("/api/v1/games/?followed=true").json()
    assert [game["id"] for game in data["results"]] == [str(game.pk)]
    assert client.delete(response.headers["Location"]).status_code == 204
    assert client.get("/api/v1/me/people/follows/").json()["results"] == []


def test_whom_i_block_i_follow_no_more(maryam: Account, bahareh: Account) -> None:
    blocks.follow(maryam, bahareh, timezone.now())
    assert [follow["name"] for follow in export_data(maryam)["follows"]] == ["Bahareh"]
    blocks.block(maryam, bahareh, timezone.now())
    assert not Follow.objects.exists()

"""The arena by page and API: the bots in it, their ratings and their games are public."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Account
from games.models import ArenaStats, Game, Seek
from games.tables import matching
from tests.cast import program
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_every_page import sound

pytestmark = pytest.mark.django_db
WANTED = {"rules": "coup", "least": 2, "most": 3, "games_at_once": 2, "options": {"inquisitor": True}}


@pytest.fixture
def bots(maryam: Account, sepideh: Account) -> list[Account]:
    """Two bot accounts in the arena, in a game that goes on; visitors may open the page of the first."""
    for bot, public in ((maryam, True), (sepideh, False)):
        bot.is_bot, bot.public_profile = True, public
        bot.save()
        answer = program(bot).post("/api/v1/seeks/", WANTED, "application/json")
        assert (answer.status_code, answer.json()["speed"], answer.json()["games_at_once"]) == (201, "live", 2)
    ArenaStats.objects.create(account=sepideh, rules="coup", games=4, wins=3, asked=20, in_time=19, mean=30, doubt=5)
    ArenaStats.objects.create(account=None, rules="coup", games=7, wins=2)
    matching.sweep(timezone.now() + timedelta(minutes=1))
    return [maryam, sepideh]


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize("language", ["en", "fa"])
def test_everybody_sees_who_is_there_and_may_watch(language: str) -> None:
    page = Visitor(language=language).go("/arena/")
    sound(page, language)
    links = {link["href"] for link in page.all("a")}
    game = Game.objects.get(arena=True)
    assert f"/games/{game.pk}/" in links
    assert "/players/Maryam/" in links
    assert not [link for link in links if "/players/" in link and "Maryam" not in link]
    assert "سپیده" in page.text
    Visitor().go(f"/games/{game.pk}/")


def test_a_program_reads_the_same(bots: list[Account], bahareh: Account) -> None:
    first, house, last = program(bahareh).get("/api/v1/arena/").json()["results"]
    game = str(Game.objects.get().pk)
    assert first == {
        **{"name": "سپیده", "rules": "coup", "least": 2, "most": 3, "options": {"inquisitor": True}},
        **{"fill_after": None, "games_at_once": 2, "games": 4, "wins": 3, "rating": 1860, "reliability": 0.95},
        "running": [game],
    }
    assert (house["name"], house["games"], house["least"], house["running"]) == (None, 7, None, [])
    assert (last["name"], last["games"], last["rating"], last["running"]) == ("Maryam", 0, 1500, [game])
    Account.objects.filter(pk=bots[1].pk).update(is_active=False)
    Seek.objects.filter(account=bots[0]).update(state=Seek.State.WITHDRAWN)
    assert program(bahareh).get("/api/v1/arena/").json()["results"] == []


@pytest.mark.usefixtures("bots")
def test_lists_of_games_show_those_of_the_arena_to_whoever_asks_for_them(bahareh: Account) -> None:
    game, visitor = Game.objects.get(), Visitor(bahareh)
    code = game.code[:4].upper()
    assert code not in visitor.go("/games/?state=running").text
    assert code in visitor.go("/games/?state=running&bots=arena").text
    client = program(bahareh)
    assert client.get(f"/api/v1/games/{game.pk}/").json()["arena"] is True
    results = {value: client.get("/api/v1/games/", {"arena": value}).json()["results"] for value in ("true", "false")}
    assert [game["id"] for game in results["true"]] == [str(game.pk)]
    assert results["false"] == []
    Game.objects.update(state="over", counted=True, ended_at=timezone.now())
    assert str(game.pk) not in Visitor().client.get("/feeds/en/results.atom").content.decode()


def test_what_does_not_fit_the_arena_is_a_problem(maryam: Account) -> None:
    def answer(**fields: Any) -> Any:
        return program(maryam).post("/api/v1/seeks/", {**WANTED, **fields}, "application/json")

    assert answer().status_code == 403
    Account.objects.filter(pk=maryam.pk).update(is_bot=True)
    assert answer(games_at_once=6).json()["errors"][0]["pointer"] == "#/games_at_once"
    assert answer(speed="daily").json()["errors"][0]["pointer"] == "#/speed"
    assert answer(games_at_once=None).status_code == 403
    assert not Seek.objects.exists()


def test_a_server_without_an_arena_has_no_page_and_no_link(settings: Any, maryam: Account) -> None:
    for path in ("/leaders/", "/games/"):
        assert "/arena/" in {link["href"] for link in Visitor().go(path).all("a")}
    settings.ARENA_GAMES_PER_HOUR = 0
    Visitor().go("/arena/", 404)
    for path in ("/leaders/", "/games/"):
        assert "/arena/" not in {link["href"] for link in Visitor().go(path).all("a")}
    assert program(maryam).get("/api/v1/arena/").json()["results"] == []

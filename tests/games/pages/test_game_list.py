"""The list of games: filters, and what a card tells of a game; who may, joins by one press."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest

from accounts.models import Account
from games.models import Game, PlayerStats, Seat
from games.phrases import isolated
from games.terms import SPEEDS
from games.visibility.words import short_code
from tests.games.pages.at_home import Page, Visitor
from tests.games.pages.conftest import opened
from tests.games.pages.test_every_page import sound
from tests.games.seated import begin

pytestmark = pytest.mark.django_db


def listed(page: Page) -> set[str]:
    """The games of the list, by the addresses of their pages."""
    return {
        link["href"].split("/")[2]
        for link in page.all("a")
        if link["href"].startswith("/games/") and "-" in link["href"]
    }


@pytest.fixture
def games(maryam: Account) -> dict[str, str]:
    """Open games, one that each filter finds."""
    games_by_name = {
        "plain": opened(maryam, seat_count=3),
        "bots": opened(maryam, seat_count=3, bots=1),
        "sedlec": opened(maryam, rules="sedlec", seat_count=3),
        "live": opened(maryam, seat_count=3, **SPEEDS["live"].limits),
        "own": opened(maryam, seat_count=3, turn_limit=timedelta(days=9)),
    }
    return {str(game.pk): name for name, game in games_by_name.items()}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", {"plain", "bots", "sedlec", "live", "own"}),
        ("rules=sedlec", {"sedlec"}),
        ("speed=live", {"live"}),
        ("speed=daily&rules=coup", {"plain", "bots"}),
        ("bots=yes", {"bots"}),
        ("bots=no&speed=daily&rules=coup", {"plain"}),
        ("speed=never&bots=perhaps", {"plain", "bots", "sedlec", "live", "own"}),
        ("state=running", set()),
    ],
)
def test_a_filter_finds_the_games_of_its_kind(games: dict[str, str], query: str, names: set[str]) -> None:
    assert {games[game_id] for game_id in listed(Visitor().go(f"/games/?{query}"))} == names


def test_a_game_that_the_reader_may_see_is_found_by_its_name(maryam: Account, bahareh: Account) -> None:
    game, private = begin([maryam, bahareh]), opened(maryam, seat_count=3, private=True)
    for name in (f"Coup {short_code(game)}", short_code(game).lower(), f"Coup {isolated(short_code(game))}"):
        assert listed(Visitor().go(f"/games/?{urlencode({'name': name, 'state': 'open'})}")) == {str(game.pk)}, name
    path = f"/games/?{urlencode({'name': short_code(private)})}"
    assert listed(Visitor(maryam).go(path)) == {str(private.pk)}
    for name in (short_code(private), game.code, game.code[:5], "Coup", "EYU2"):
        assert not listed(Visitor().go(f"/games/?{urlencode({'name': name})}")), name


def test_a_card_tells_options_speed_and_the_ratings_of_those_who_sit_there(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    stats = PlayerStats.objects.create(
        account=maryam, rules="coup", seat_count=0, with_bots=False, games=9, wins=5, mean=31, doubt=2
    )
    opened(maryam, sepideh, seat_count=4, bots=1, options={"reformation": True})
    page = Visitor(bahareh).go("/games/")
    sound(page, "en")
    for words in ("Daily", "1 bot", "Maryam 2100", "سپیده", "new", "1 seat is free", "Reformation"):
        assert words in page.text, words
    visitor = Visitor().go("/games/")
    assert "2100" not in visitor.text
    Account.objects.filter(pk=stats.account_id).update(public_profile=True)
    assert "Maryam 2100" in Visitor().go("/games/").text


def test_one_press_joins(maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, seat_count=3)
    visitor = Visitor(sepideh)
    visitor.go("/games/")
    visitor.send(f"/games/{game.pk}/join/")
    assert visitor.path == f"/games/{game.pk}/"
    assert Seat.objects.filter(game=game, account=sepideh).exists()
    for account in (maryam, sepideh):
        page = Visitor(account).go("/games/")
        assert f"/games/{game.pk}/join/" not in {form["action"] for form in page.forms}
    page = Visitor().go("/games/")
    assert "Log in first" in page.text
    Game.objects.filter(pk=game.pk).update(state="running")
    assert "Log in first" not in Visitor().go("/games/?state=all").text

"""The pages of players and of who plays best."""

import pytest
from django.utils import timezone

from accounts.models import Account
from games.archive import ratings
from games.models import Game, PlayerStats
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_every_page import sound
from tests.games.seated import begin, play

pytestmark = pytest.mark.django_db


def won(host: Account, other: Account, **row: object) -> Game:
    """A game of Coup that its host has won, counted."""
    game = begin([host, other], ["contessa", "duke", "captain", "assassin"], two_player_setup="dealt")
    play(game, "1 income", "2 resign yes")
    Game.objects.filter(pk=game.pk).update(**row)
    ratings.count_all(timezone.now())
    return game


def test_a_players_page_shows_what_they_have_finished(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    won(maryam, sepideh)
    page = Visitor(bahareh).go("/players/Maryam/")
    sound(page, "en")
    assert "Answers on time: 100%" in page.text
    assert "1 (100%)" in page.text
    assert "Last games" in page.text
    persian = Visitor(sepideh).go("/players/سپیده/")
    sound(persian, "fa")
    assert "۰ (۰٪)" in persian.text


def test_a_private_game_is_listed_only_to_those_who_sat_at_it(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = won(maryam, sepideh, private=True)
    for account, is_shown in ((sepideh, True), (bahareh, False)):
        assert (str(game.pk) in str(Visitor(account).go("/players/Maryam/").all("a"))) is is_shown


def test_who_never_sat_at_a_table_has_no_page(maryam: Account, bahareh: Account) -> None:
    visitor = Visitor(maryam)
    assert visitor.go("/players/Bahareh/", 404).text == visitor.go("/players/Nobody/", 404).text


def test_the_board_shows_the_best_first_and_bots_apart(maryam: Account, sepideh: Account) -> None:
    kind = {"rules": "coup", "seat_count": 0, "with_bots": False}
    PlayerStats.objects.create(account=maryam, games=9, wins=5, mean=31, doubt=2, **kind)
    PlayerStats.objects.create(account=sepideh, games=8, wins=1, mean=30, doubt=2, **kind)
    PlayerStats.objects.create(account=None, games=40, wins=9, mean=28, doubt=1, **{**kind, "with_bots": True})
    visitor = Visitor(maryam)
    page = visitor.go("/leaders/")
    sound(page, "en")
    assert 0 < page.text.index("Maryam") < page.text.index("سپیده")
    assert "2100" in page.text
    assert "the bots" not in page.text
    assert "the bots" in visitor.go("/leaders/?with_bots=yes").text
    assert "Nobody has finished enough games" in visitor.go("/leaders/?rules=sedlec&seat_count=3").text
    visitor.go("/leaders/?rules=go", 404)


def test_the_seat_shows_the_record_of_its_player(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    won(maryam, sepideh)
    game = begin([maryam, bahareh], ["contessa", "duke", "captain", "assassin"], two_player_setup="dealt")
    text = Visitor(bahareh).go(f"/games/{game.pk}/").text
    assert "Finished 1, won 1, rating 1" in text
    assert "100% on time" in text
    assert "New to this game" in text

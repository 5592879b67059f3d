"""Cards that are turned up on the page of a game, the moment after one's own last card, and one's place at the end."""

import re
from datetime import timedelta

import pytest

from accounts.models import Account
from games.archive.ratings import count_all
from games.models import Game
from tests.games.pages.at_home import Visitor
from tests.games.seated import NOON, begin, play

pytestmark = pytest.mark.django_db
HANDS = ["contessa", "duke", "captain", "contessa", "assassin", "duke"]
_TURNED = re.compile(r'data-turned="(seat-\d)" data-card="([a-z]+)"')


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A game of three in English before its first move."""
    Account.objects.filter(pk__in=[sepideh.pk, bahareh.pk]).update(language="en")
    return begin([maryam, sepideh, bahareh], HANDS)


def page_of(account: Account, game: Game) -> str:
    """Return the page of the game for this player."""
    visitor = Visitor(Account.objects.get(pk=account.pk))
    visitor.go(f"/games/{game.pk}/")
    return visitor.answer.content.decode()


def test_a_challenged_card_is_drawn_at_the_seat_that_showed_it_and_so_is_the_lost_one(
    sepideh: Account, bahareh: Account, game: Game
) -> None:
    play(game, "1 tax", "2 challenge", "1 prove")
    assert _TURNED.findall(page_of(sepideh, game)) == [("seat-1", "duke")]
    play(game, "2 lose captain")
    assert _TURNED.findall(page_of(bahareh, game)) == [("seat-1", "duke"), ("seat-2", "captain")]


def test_an_exchange_turns_no_card(bahareh: Account, game: Game) -> None:
    play(game, "1 exchange", "2 allow", "3 allow", "1 keep contessa duke")
    assert _TURNED.findall(page_of(bahareh, game)) == []


def test_after_the_last_card_the_page_says_so_and_how_the_game_went_on(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    play(game, "1 tax", "2 challenge", "1 prove", "2 lose captain")
    play(game, "2 tax", "1 challenge", "2 concede", "3 income")
    page = page_of(sepideh, game)
    assert "You’re out" in page
    assert "Your place: 3 of 3." in page
    assert "took income" in page[page.index("How the game went on") :]
    assert "You’re out" not in page_of(bahareh, game) + page_of(maryam, game)


def test_the_end_shows_ones_own_place_and_the_change_of_the_rating(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    play(game, "1 tax", "2 challenge", "1 prove", "2 lose captain", "2 tax", "1 challenge", "2 concede")
    play(game, "3 resign yes")
    game.refresh_from_db()
    assert game.state == Game.State.OVER
    count_all(NOON + timedelta(days=9))
    places = [re.findall(r"Your place: .*?(\d) of", page_of(account, game)) for account in (maryam, bahareh, sepideh)]
    assert places == [["1"], ["2"], ["3"]]
    assert "Your rating:" in page_of(maryam, game)
    assert page_of(maryam, game).count('<button name="answer" value="accept">') == 1

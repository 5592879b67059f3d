"""The help in a player's first game, and the controls for experts, which come later."""

import pytest

from accounts.models import Account
from games.models import Game
from tests.games.pages.at_home import Visitor
from tests.games.seated import begin, play
from tests.third_game.table import create_fist
from tests.third_game.table import with_fist as with_fist

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]
GOAL, ODDS, LIE = "Be the last player who still has", "of 100 deals", "you may lie"


def duel(maryam: Account, sepideh: Account) -> Game:
    return begin([maryam, sepideh], DUEL, two_player_setup="dealt")


def test_the_first_three_decisions_have_help_and_the_goal_comes_with_the_first(
    maryam: Account, sepideh: Account
) -> None:
    game = duel(maryam, sepideh)
    page = Visitor(maryam).go(f"/games/{game.pk}/")
    assert GOAL in page.text
    assert LIE in page.text
    # The explanation is behind the word “challenge”, below the answers, so that these are in sight on a phone.
    assert page.text.index("You say that a claim is a lie.") > page.text.index("Take income")
    play(game, "1 income", "2 tax")
    page = Visitor(maryam).go(f"/games/{game.pk}/")
    assert GOAL not in page.text
    assert ODDS in page.text
    play(game, "1 allow", "1 income", "2 income")
    assert LIE not in Visitor(maryam).go(f"/games/{game.pk}/").text


def test_a_second_game_of_the_same_rules_has_no_help(maryam: Account, sepideh: Account) -> None:
    duel(maryam, sepideh)
    assert LIE not in Visitor(maryam).go(f"/games/{duel(maryam, sepideh).pk}/").text


def test_controls_for_experts_are_folded_away_for_three_games(maryam: Account, sepideh: Account) -> None:
    for number in range(1, 5):
        game = duel(maryam, sepideh)
        visitor = Visitor(maryam)
        page = visitor.go(f"/games/{game.pk}/")
        is_expert = number > 3
        assert ("Write the answer yourself" in page.text) == is_expert
        [menu] = [details for details in page.all("details") if details.get("class") == "sheet menu"]
        assert ("open" in menu) == is_expert
        assert "Plan a move" in page.text


def test_they_are_folded_away_in_a_game_whose_rules_give_no_help_too(maryam: Account, sepideh: Account) -> None:
    page = Visitor(maryam).go(f"/games/{create_fist(maryam, sepideh).pk}/")
    assert "Write the answer yourself" not in page.text
    [menu] = [details for details in page.all("details") if details.get("class") == "sheet menu"]
    assert "open" not in menu

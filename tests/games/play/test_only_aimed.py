"""Players who are asked only questions that concern them, and the second question of the next player."""

import pytest

from accounts.models import Account
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Game, Move, Plan
from games.play import plans
from games.refusals import Refusal
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.visibility.player_view import PlayerView
from notifications import preferences
from tests.games.finished import begun
from tests.games.seated import NOON, agree, begin, play
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db


def open_questions(game: Game) -> list[tuple[int, str]]:
    return sorted(game.open_questions.values_list("seat", "kind"))


def opened(host: Account, *others: Account) -> Game:
    """A game that was created and joined, with the first seat to move."""
    game = create_game(
        host, NewGame(rules="coup", seat_count=3, plans="quick", options={"starting_player": 1}), "page", NOON
    )
    for other in others:
        join_game(game.id, other, "", "page", NOON)
    return fresh(game)


def view_of(game: Game, account: Account) -> PlayerView:
    game = fresh(game)
    return PlayerView(game, SeatNumber(game.seats.get(account=account).number), account)


def seconds(game: Game, account: Account) -> list[str]:
    """Return the turns that a player may plan with the present question."""
    view = view_of(game, account)
    return [answer.notation for question in view.questions() for answer in view.second_answers(question)]


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    return begin([maryam, sepideh, bahareh])


def test_who_asks_for_it_is_asked_only_what_concerns_them_here_and_in_games_that_start_later(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    agree(game, plans="quick")
    play(game, "1 tax")
    plans.set_only_aimed(game.pk, bahareh, True, Move.Via.PAGE, NOON)
    assert open_questions(game) == [(2, "challenge")]
    assert view_of(game, bahareh).only_aimed() is True
    assert view_of(game, sepideh).only_aimed() is False
    later = opened(maryam, sepideh, bahareh)
    play(later, "1 tax")
    assert open_questions(later) == [(2, "challenge")], "it is her usual now"
    play(later, "2 allow", "2 steal 3", "1 allow")
    assert open_questions(later) == [(3, "challenge")], "what is aimed at her she is asked"


def test_who_takes_it_back_is_asked_everything_again_here_and_later(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    for is_wanted in (True, True, False, False):
        plans.set_only_aimed(game.pk, bahareh, is_wanted, Move.Via.PAGE, NOON)
    assert not preferences.of(Account.objects.get(pk=bahareh.pk)).only_aimed
    for one_game in (game, opened(maryam, sepideh, bahareh)):
        play(one_game, "1 tax")
        assert open_questions(one_game) == [(2, "challenge"), (3, "challenge")]


def test_a_plan_that_is_usual_answers_as_its_owner_does_by_hand(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    first = begin([maryam, sepideh, bahareh])
    move = Move.objects.create(game=first, seat=3, account=bahareh, text="x", via="mail", received_at=NOON)
    assert move.plan is None
    preferences.change(bahareh, {"only_aimed": True}, NOON)
    game = opened(maryam, sepideh, bahareh)
    assert Plan.objects.get(game=game).via == "mail", "the record of the game tells them from nothing"


def test_a_game_in_which_everything_concerns_one_offers_no_such_plan(maryam: Account, sepideh: Account) -> None:
    preferences.change(sepideh, {"only_aimed": True}, NOON)
    game = begun([maryam, sepideh], "sedlec")
    assert view_of(game, sepideh).only_aimed() is None
    assert not Plan.objects.exists()
    with pytest.raises(Refusal, match="every question concerns you"):
        plans.set_only_aimed(game.pk, sepideh, True, Move.Via.PAGE, NOON)
    assert not preferences.of(maryam).only_aimed


def nobody_is_next(view: PlayerView) -> bool:
    return not any(view.is_next(question) for question in view.questions())


def test_whoever_is_asked_during_anothers_turn_is_asked_their_next_turn_too(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    agree(game, plans="quick")
    assert seconds(game, maryam) == [], "it is her turn"
    play(game, "1 tax")
    for account, others in ((sepideh, "1"), (bahareh, "12")):
        offered = seconds(game, account)
        assert {"next-turn income", "next-turn tax", *(f"next-turn steal {other}" for other in others)} <= {*offered}
        assert not [notation for notation in offered if "coup" in notation or "assassinate" in notation], (
            "they have two coins"
        )
    assert [nobody_is_next(view_of(game, person)) for person in (sepideh, bahareh)] == [False, True]
    for account in (sepideh, bahareh):
        plans.store_plan(game.pk, account, {"type": "next-turn", "move": {"type": "income"}}, NOON)
        assert seconds(game, account) == [], "they have said it"
    play(game, "2 allow", "3 allow")
    assert log_store.position(fresh(game)).state.turn == 1, "their turns were played as they said"


def test_who_is_being_robbed_is_offered_what_they_can_pay_for_if_it_goes_through(sepideh: Account, game: Game) -> None:
    play(game, "1 income", "2 tax", "1 allow", "3 allow", "3 income", "1 steal 2")
    offered = seconds(game, sepideh)
    assert offered
    assert "next-turn assassinate 1" in offered, "of five coins three are left"


def test_who_loses_a_card_before_a_robbery_of_them_is_offered_what_they_can_pay_for_after_it(
    bahareh: Account, game: Game
) -> None:
    play(game, "1 income", "2 income", "3 income", "1 income", "2 steal 3", "3 challenge", "2 prove")
    assert open_questions(game) == [(3, "loss")]
    assert [second for second in seconds(game, bahareh) if "assassinate" in second] == [], "of three coins one is left"


def test_who_may_be_examined_or_get_the_bomb_is_not_asked_what_they_do_with_cards_they_do_not_know(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    deal = ["inquisitor", "duke", "captain", "assassin", "contessa", "duke"]
    game = begin([maryam, sepideh, bahareh], deal, inquisitor=True, anarchist=True)
    play(game, "1 examine 3")
    assert (seconds(game, bahareh), seconds(game, sepideh) != []) == ([], True)


def test_who_is_to_lose_a_card_says_their_turn_with_the_loss_and_not_before(
    sepideh: Account, bahareh: Account, game: Game
) -> None:
    play(game, "1 tax", "2 allow", "3 allow", "2 income", "3 income", "1 assassinate 3")
    assert seconds(game, bahareh) == [], "she does not know yet what she is left with"
    assert seconds(game, sepideh) != []
    play(game, "2 allow", "3 allow")
    assert open_questions(game) == [(3, "loss")]
    assert "next-turn tax" in seconds(game, bahareh)


def test_who_has_to_prove_is_not_asked_what_they_do_with_a_card_they_do_not_know(bahareh: Account, game: Game) -> None:
    play(game, "1 foreign-aid", "3 block duke", "1 challenge")
    assert open_questions(game) == [(3, "proof")]
    assert seconds(game, bahareh) == []

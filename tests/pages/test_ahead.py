"""Standing orders on a table's page."""

import pytest

from accounts.models import Account
from games.models import Game, Move, StandingOrder
from tests.pages.at_home import Visitor
from tests.play.seated import begin, play

pytestmark = pytest.mark.django_db
DEAL = ["contessa", "contessa", "duke", "ambassador", "captain", "duke"]
ALLOW = '{"type":"allow-others"}'


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A game of three in which Maryam is to move."""
    return begin([maryam, sepideh, bahareh], DEAL)


def at(account: Account, game: Game) -> Visitor:
    visitor = Visitor(account)
    visitor.go(f"/games/{game.pk}/")
    return visitor


def proposed(visitor: Visitor) -> list[str]:
    """The orders for which there is a button."""
    return [known["value"] for known in visitor.page.all("button") if known.get("name") == "order"]


def test_an_order_is_chosen_from_sentences_and_answers_what_is_asked(bahareh: Account, game: Game) -> None:
    visitor = at(bahareh, game)
    page = visitor.send(f"{visitor.path}orders/", order=proposed(visitor)[0])
    assert "This is answered for you from now on." in page.text
    assert page.text.count("Allow everything that is not aimed at me.") == 1, "it stands, and is proposed no more"
    play(game, "1 tax")
    assert [move.account for move in Move.objects.filter(via="order")] == [bahareh]


def test_only_ones_own_cards_are_proposed_to_be_lost(maryam: Account, bahareh: Account, game: Game) -> None:
    orders = [each for each in proposed(at(bahareh, game)) if "lose" in each]
    assert orders == ['{"type":"if-challenged","lose":"captain"}', '{"type":"if-challenged","lose":"duke"}']
    others = [each for each in proposed(at(maryam, game)) if "lose" in each]
    assert others == ['{"type":"if-challenged","lose":"contessa"}']


def test_an_order_is_taken_back(bahareh: Account, game: Game) -> None:
    visitor = at(bahareh, game)
    visitor.send(f"{visitor.path}orders/", order='{"type":"if-blocked","challenge":true}')
    page = visitor.send(f"/games/{game.pk}/orders/withdraw/")
    assert "You are asked yourself again." in page.text
    assert not StandingOrder.objects.exists()


def test_the_orders_of_another_are_neither_seen_nor_taken_back(maryam: Account, bahareh: Account, game: Game) -> None:
    at(bahareh, game).send(f"/games/{game.pk}/orders/", order=ALLOW)
    visitor = at(maryam, game)
    assert not [form for form in visitor.page.forms if form["action"].endswith("/withdraw/")]
    visitor.send(f"/games/{game.pk}/orders/", order=ALLOW)
    theirs = StandingOrder.objects.get(account=bahareh)
    visitor.send(f"/games/{game.pk}/orders/withdraw/", status=404, order=str(theirs.pk))
    assert StandingOrder.objects.count() == 2


@pytest.mark.parametrize("wrong", ["", "{", "\0", "7", '{"type":"fly"}', '{"type":"if-challenged","lose":"king"}'])
def test_what_is_no_order_is_refused(bahareh: Account, game: Game, wrong: str) -> None:
    visitor = at(bahareh, game)
    visitor.send(f"/games/{game.pk}/orders/", order=wrong)
    assert 'class="error"' in visitor.answer.content.decode()
    assert not StandingOrder.objects.exists()


def test_who_looks_on_is_offered_none(game: Game) -> None:
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    assert "Answers given ahead" not in at(kaveh, game).page.text

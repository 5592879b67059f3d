"""Absent players and stand-ins on the page of a game."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Account
from games.models import Game, OpenQuestion, StandIn
from games.play import bots
from notifications.models import Notification
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.games.seated import absent, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """A public game of two, in which Maryam is asked first."""
    game = begin([maryam, sepideh, None])
    OpenQuestion.objects.filter(game=game).update(due_at=timezone.now() + timedelta(days=2))
    return game


def at(account: Account, game: Game) -> Visitor:
    visitor = Visitor(account)
    visitor.go(f"/games/{game.pk}/")
    return visitor


def test_who_is_away_comes_back_with_a_button_and_all_see_it(maryam: Account, sepideh: Account, game: Game) -> None:
    absent(game, 1, timezone.now())
    visitor = at(maryam, game)
    assert "A bot sits in for you" in visitor.page.text
    assert not [button for button in visitor.page.all("button") if button.get("name") == "answer"]
    assert "Maryam" in at(sepideh, game).page.text
    page = visitor.send(f"/games/{game.pk}/back/")
    assert "You’re answering for yourself again." in page.text
    assert "Your move" in page.text


def test_a_stand_in_is_named_on_the_page_and_answers_on_theirs(maryam: Account, bahareh: Account, game: Game) -> None:
    visitor = at(maryam, game)
    until = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    page = visitor.send(f"/games/{game.pk}/stand-in/", name="Bahareh", until=until)
    assert "Bahareh is your stand-in." in page.text
    assert StandIn.objects.get().account == bahareh
    stand_in = at(bahareh, game)
    assert "You’re the stand-in for Maryam" in stand_in.page.text
    assert "Your move" in stand_in.page.text
    assert "Resign" not in stand_in.page.text
    assert "Plan ahead" not in stand_in.page.text
    page = stand_in.send(f"/games/{game.pk}/answer/", answer="1", text=None)
    assert "Move played." in page.text
    page = stand_in.send(f"/games/{game.pk}/stand-in/end/")
    assert StandIn.objects.get().ended_at is not None
    assert "no longer a stand-in" in page.text


@pytest.mark.parametrize(("name", "until"), [("Nobody", "2030-01-01T00:00"), ("Bahareh", "soon"), ("Bahareh", "")])
def test_what_cannot_be_is_said_on_the_page(
    maryam: Account, bahareh: Account, game: Game, name: str, until: str
) -> None:
    page = at(maryam, game).send(f"/games/{game.pk}/stand-in/", name=name, until=until)
    assert not StandIn.objects.exists()
    assert "Copy the name from the page of a game." in page.text or "Enter the day and time when it ends." in page.text


def test_somebody_is_invited_to_a_seat_that_is_offered(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = opened(maryam, bahareh, seat_count=3, bots=1, absence="invite")
    absent(game, 1, timezone.now())
    bots.play(game.pk, timezone.now())
    visitor = at(bahareh, game)
    assert "The seat of Maryam is offered" in visitor.page.text
    visitor.send(f"/games/{game.pk}/invite/", address="kaveh@example.org", language="en", seat="1")
    assert Notification.objects.filter(reason="invitation").count() == 1


def test_the_terms_are_chosen_in_the_form_and_told_on_the_page(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go("/games/new/coup/")
    assert "Absent players" in visitor.page.text
    visitor.send("", seat_count="2", bots="1", misses="5", absence="forfeit")
    game = Game.objects.get()
    assert (game.terms.misses, game.terms.absence) == (5, "forfeit")
    assert "A player who misses 5 questions in a row is out of the game" in visitor.page.text

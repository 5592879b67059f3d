"""Games between people are for those who have shown an address; against bots anybody plays."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Account
from games.models import Bot, Game, Seat, Seek
from games.refusals import Refusal
from games.tables.joining import join_game, take_over_seat
from games.tables.new_game import NewGame
from games.tables.rematch import accept_rematch
from games.tables.seeks import NewSeek, create_seek
from games.tables.starting import create_game
from tests.cast import program
from tests.games.seated import NOON, absent, agree, begin, play

pytestmark = pytest.mark.django_db
OPEN = NewGame(rules="coup", seat_count=3)


@pytest.fixture
def kaveh(db: None) -> Account:
    """An account with an address that is not confirmed."""
    account = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    EmailAddress.objects.create(user=account, email=account.email, verified=False, primary=True)
    return account


def _create(maryam: Account, kaveh: Account) -> object:
    return create_game(kaveh, OPEN, "api", NOON)


def _join(maryam: Account, kaveh: Account) -> object:
    return join_game(create_game(maryam, OPEN, "api", NOON).pk, kaveh, "", "api", NOON)


def _take_over(maryam: Account, kaveh: Account) -> object:
    game = begin([maryam, None, None])
    agree(game, absence="invite")
    absent(game, 1, NOON)
    return take_over_seat(game.pk, 1, kaveh, "api", NOON)


def _play_again(maryam: Account, kaveh: Account) -> object:
    game = begin([maryam, kaveh, None])
    play(game, "1 resign yes", "2 resign yes")
    accept_rematch(game.pk, maryam, {}, "api", NOON)
    return accept_rematch(game.pk, kaveh, {}, "api", NOON)


def _seek(maryam: Account, kaveh: Account) -> object:
    return create_seek(kaveh, NewSeek(rules="coup", least=3, most=3), NOON)


@pytest.mark.parametrize("enter", [_create, _join, _take_over, _play_again, _seek])
def test_a_game_with_people_is_refused_until_the_address_is_confirmed(
    maryam: Account, kaveh: Account, enter: Callable[[Account, Account], Any]
) -> None:
    seats = Seat.objects.filter(account=kaveh)
    with pytest.raises(Refusal) as caught:
        enter(maryam, kaveh)
    assert (caught.value.code, "Log out and log in again" in caught.value.phrase.text) == ("forbidden", True)
    assert not seats.exclude(game__state=Game.State.OVER).exists()
    assert not Seek.objects.exists()
    Game.objects.all().delete()
    EmailAddress.objects.update(verified=True)
    enter(maryam, kaveh)
    assert seats.exists() or Seek.objects.exists()


def test_a_guest_is_told_to_make_an_account(maryam: Account) -> None:
    guest = Account.objects.create_user("x@guest.invalid", name="Guest 1", is_guest=True)
    with pytest.raises(Refusal) as caught:
        _join(maryam, guest)
    assert "Make an account first" in caught.value.phrase.text


def test_against_bots_anybody_plays(kaveh: Account) -> None:
    bots = NewGame(rules="coup", seat_count=3, bots=(Bot(), Bot()))
    assert create_game(kaveh, bots, "api", NOON).state == Game.State.RUNNING


def test_a_program_reads_what_to_do(kaveh: Account) -> None:
    answer = program(kaveh).post("/api/v1/games/", {"rules": "coup", "seat_count": 3}, "application/json")
    assert (answer.status_code, "Confirm your email address first" in answer.json()["detail"]) == (403, True)

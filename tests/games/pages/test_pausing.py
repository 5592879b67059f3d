"""Pauses on the page of a table."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import Account
from tests.third_game.table import LATER, create_fist, fresh, play, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


def browser(account: Account) -> Client:
    visitor = Client()
    visitor.force_login(account, settings.AUTHENTICATION_BACKENDS[0])
    return visitor


def text_of_page(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_pause_is_asked_for_agreed_to_and_ended_with_buttons(maryam: Account, sepideh: Account) -> None:
    game = create_fist(maryam, sepideh)
    address = f"/games/{game.id}/"
    one, other = browser(maryam), browser(sepideh)
    assert "Ask the others" in text_of_page(one.get(address))
    one.post(f"{address}pause/", {"length": "P3D"})
    page_text = text_of_page(one.get(address))
    assert "Withdraw it" in page_text
    assert "سپیده" in page_text.partition("Still to answer:")[2].partition("</p>")[0]
    assert "وقفه‌ای پیشنهاد شده است" in text_of_page(other.get(address))
    other.post(f"{address}pause/agree/")
    assert "The game is paused until" in text_of_page(one.get(address))
    assert fresh(game).paused_until is not None
    for visitor in (one, other):
        visitor.post(f"{address}pause/resume/")
    assert fresh(game).paused_until is None


def test_who_does_not_agree_says_so_and_nobody_is_told_who(maryam: Account, sepideh: Account) -> None:
    game = create_fist(maryam, sepideh)
    address = f"/games/{game.id}/"
    one, other = browser(maryam), browser(sepideh)
    one.post(f"{address}pause/", {"length": "P1D"})
    other.post(f"{address}pause/decline/")
    refused = one.post(f"{address}pause/", {"length": "P1D"}, follow=True)
    assert "A pause was already proposed in this turn. Propose one in the next turn." in text_of_page(refused)


def test_nothing_is_said_of_pauses_where_none_can_be(maryam: Account, sepideh: Account) -> None:
    game = create_fist(maryam, sepideh)
    play(game, 1, "resign yes", LATER, question="")
    assert 'id="pause"' not in text_of_page(browser(maryam).get(f"/games/{game.id}/"))

"""From nothing to the first move: signing up, the code, and a game with bots."""

import re

import pytest

from accounts.models import Account
from games.models import Game, Move
from notifications.models import Notification
from tests.games.pages.at_home import Visitor

pytestmark = pytest.mark.django_db
PASSWORD = "seven goats on a roof"


def code() -> str:
    """The code out of the last mail."""
    notification = Notification.objects.latest("created_at")
    match = re.search(r"\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b", str(notification.rendered))
    assert match, notification.rendered
    return match[0]


def sign_up(visitor: Visitor, name: str, **more: str) -> None:
    """To the page that asks for the code."""
    visitor.go("/signup/")
    visitor.send(name=name, email="maryam@example.org", **more)


def test_a_first_visitor_makes_their_first_move_after_six_pages() -> None:
    maryam = Visitor()
    maryam.go("/")
    maryam.go("/signup/")
    maryam.send(name="Maryam", email="maryam@example.org", time_zone="Asia/Tehran")
    maryam.send(code=code(), password=PASSWORD)
    maryam.send("/play/", rules="coup")
    game = Game.objects.get()
    assert maryam.path == f"/games/{game.pk}/"
    maryam.send(f"{maryam.path}answer/", answer="1")
    move = Move.objects.get(account__name="Maryam")
    assert (move.state, move.via) == ("applied", "page")
    assert maryam.loads == 6
    assert "Move played." in maryam.page.text


def test_an_account_is_made_as_the_form_said() -> None:
    visitor = Visitor(language="fa")
    sign_up(visitor, "مریم")
    visitor.send(code=code(), password=PASSWORD)
    maryam = Account.objects.get()
    assert (maryam.name, maryam.language, maryam.time_zone) == ("مریم", "fa", "Asia/Tehran")
    assert 'lang="fa" dir="rtl"' in visitor.answer.content.decode()

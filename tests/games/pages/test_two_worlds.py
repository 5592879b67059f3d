"""Pages in two worlds that a reader must not tell apart: text, title, picture, answers and counts are the same."""

import re
from typing import Final

import pytest

from accounts.models import Account
from games.models import Game
from tests.games.pages.at_home import Visitor
from tests.games.seated import begin, play
from tests.games.unseen import RANDOM, world

pytestmark = pytest.mark.django_db
_CHANGING: Final = re.compile(
    r'(csrfmiddlewaretoken" value="|data-csrf="|data-digest="|last-event-id=)[^"]+|'
    r"\d\d:\d\d(:\d\d)?|\d+ (hours?|minutes?)"
)
"""What differs from one visit to the next: tokens of forms, times, and digests of what stands there with them."""
HANDS: Final = (
    ["contessa", "duke", "captain", "assassin", "ambassador", "duke"],
    ["contessa", "duke", "contessa", "contessa", "assassin", "captain"],
)
"""Maryam holds the same cards in both, the others do not."""


@pytest.fixture
def kaveh(db: None) -> Account:
    """Somebody who looks on."""
    return Account.objects.create_user("kaveh@example.org", name="Kaveh")


def seen(account: Account | None, game: Game) -> list[str]:
    """The pages of a game and the lists of games, without what changes by itself; None is a visitor."""
    visitor = Visitor(account)
    pages = []
    table = f"/games/{game.pk}/"
    for path in (table, f"{table}?story=whole", f"{table}plans/", "/", "/games/?state=all"):
        visitor.go(path)
        text = visitor.answer.content.decode().replace(game.code[:4].upper(), "CODE").replace(game.code, "CODE")
        pages.append(_CHANGING.sub("x", RANDOM.sub("x", text)))
    return pages


@pytest.mark.parametrize(
    "moves",
    [
        (),
        ("1 tax",),
        ("1 tax", "2 allow", "3 allow", "2 steal 1"),
        ("1 income", "2 foreign-aid"),
    ],
)
def test_the_hands_of_others_show_on_no_page(
    maryam: Account, sepideh: Account, bahareh: Account, kaveh: Account, moves: tuple[str, ...]
) -> None:
    found = []
    for hands in HANDS:
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            Game.objects.filter(pk=game.pk).update(code="abcdefghjkmn")
            game.refresh_from_db()
            play(game, *moves)
            found.append([seen(account, game) for account in (maryam, kaveh, None)])
    assert found[0] == found[1]


@pytest.mark.parametrize("answers", ["first", "sealed"])
def test_an_answer_in_an_open_window_shows_on_no_page_of_others(
    maryam: Account, sepideh: Account, bahareh: Account, kaveh: Account, answers: str
) -> None:
    game = begin([maryam, sepideh, bahareh], HANDS[0], waiting="hidden", answers=answers)
    play(game, "1 tax")
    found = []
    for hidden in (None, "2 allow", "3 allow"):
        with world():
            if hidden:
                play(game, hidden)
            found.append([seen(account, game) for account in (maryam, kaveh, None)])
    assert found[1:] == [found[0]] * 2

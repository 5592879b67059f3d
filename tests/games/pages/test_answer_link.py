"""The links in a mail: looking changes nothing, the button moves, and a closed question says what happened."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from games import links
from games.models import Game, Move, OpenQuestion
from games.play.timeouts import time_out_game
from tests.games.pages.at_home import writing
from tests.games.seated import NOON, begin, play

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    """Stop the clock at noon."""
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def browser() -> Client:
    """A browser that keeps cookies and checks CSRF tokens."""
    return Client(enforce_csrf_checks=True)


def link(game: Game, account: Account, question: str = "1.1", number: int = 0) -> str:
    return links.question_page(game.id, question, account.pk, number)


def press(browser: Client, page: str, answer: int) -> Any:
    """Press the button on a page for an answer."""
    html = browser.get(page).content.decode()
    action = re.search(r'action="([^"]+)"', html)
    secret = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', html)
    assert action is not None
    assert secret is not None
    return browser.post(action[1], {"csrfmiddlewaretoken": secret[1], "answer": answer})


def text(answer: Any) -> str:
    return re.sub(r"<[^>]+>", "", answer.content.decode()).replace("&#x27;", "'")


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    return begin([maryam, bahareh, None])


def test_looking_at_any_link_writes_nothing(browser: Client, maryam: Account, game: Game) -> None:
    for number in range(8):
        for method in (browser.get, browser.head):
            with CaptureQueriesContext(connection) as queries:
                assert method(link(game, maryam, number=number)).status_code == 200
            assert not writing(queries)
    assert not Move.objects.exists()


def test_the_button_moves_without_anybody_signed_in(browser: Client, maryam: Account, game: Game) -> None:
    answer = press(browser, link(game, maryam, number=3), 3)
    assert answer.status_code == 303
    [move] = Move.objects.all()
    assert (move.text, move.via, move.state, move.account) == ("tax", "page", "applied", maryam)
    page = text(browser.get(answer.headers["Location"]))
    assert "is closed: you’ve answered it." in page
    assert "You claimed the duke to collect tax." in page


def test_a_page_of_all_answers_has_a_button_for_each(browser: Client, maryam: Account, game: Game) -> None:
    page = browser.get(link(game, maryam)).content.decode()
    assert [int(value) for value in re.findall(r'<button name="answer" value="(\d+)"', page)] == [1, 2, 3, 4, 5, 6]
    press(browser, link(game, maryam), 1)
    assert Move.objects.get().text == "income"


def test_a_strangers_form_moves_nothing(maryam: Account, game: Game) -> None:
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(link(game, maryam), {"answer": "1"}).status_code == 403
    assert not Move.objects.exists()


def test_pressing_twice_moves_once(browser: Client, maryam: Account, game: Game) -> None:
    html = browser.get(link(game, maryam)).content.decode()
    secret = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', html)
    assert secret is not None
    for answer in ("1", "3"):
        browser.post(link(game, maryam), {"csrfmiddlewaretoken": secret[1], "answer": answer})
    assert [move.text for move in Move.objects.filter(seat=1)] == ["income"]


@pytest.mark.parametrize("answer", ["0", "99", "-1", "x", "", "۱", "1e9"])
def test_an_answer_that_was_not_offered_moves_nothing(
    browser: Client, maryam: Account, answer: Any, game: Game
) -> None:
    assert press(browser, link(game, maryam), answer).status_code == 303
    assert not Move.objects.exists()


def test_a_link_for_a_question_that_the_clock_answered_says_so(browser: Client, maryam: Account, game: Game) -> None:
    due = OpenQuestion.objects.get(game=game).due_at
    time_out_game(game.id, due.replace(second=30))
    page = text(browser.get(link(game, maryam, number=3)))
    assert "it timed out, and Darbar moved for you" in page
    assert "You took income: 1 coin." in page
    assert "<button" not in browser.get(link(game, maryam, number=3)).content.decode()


def test_a_link_is_for_no_later_question_of_the_same_player(browser: Client, maryam: Account, game: Game) -> None:
    play(game, "1 income", "2 foreign-aid", at=NOON)
    assert OpenQuestion.objects.filter(game=game, seat=1).exists()
    page = browser.get(link(game, maryam)).content.decode()
    assert "is closed" in page
    assert "<button" not in page


def test_the_page_of_a_closed_question_shows_nothing_that_not_everybody_may_know(
    browser: Client, maryam: Account, bahareh: Account
) -> None:
    game = begin([maryam, bahareh, None], ["contessa", "contessa", "duke", "ambassador", "duke", "duke"])
    play(game, "1 income", at=NOON)
    page = text(browser.get(link(game, maryam)))
    assert "You took income: 1 coin." in page
    for card in ("contessa", "duke", "ambassador"):
        assert card not in page


def test_a_link_for_another_seat_or_person_or_game_finds_nothing(
    browser: Client, maryam: Account, bahareh: Account, sepideh: Account, game: Game
) -> None:
    for account, question in ((bahareh, "1.1"), (sepideh, "1.1"), (maryam, "2.1")):
        assert browser.get(link(game, account, question)).status_code == 404
    assert browser.get(link(game, maryam).replace("/a-", "/q-")).status_code == 404
    assert browser.get("/answer/x/").status_code == 404
    game.seats.filter(account=maryam).update(account=None)
    assert browser.get(link(game, maryam)).status_code == 404


def test_the_page_tells_nobody_where_one_came_from_and_is_kept_nowhere(
    browser: Client, maryam: Account, bahareh: Account
) -> None:
    answer = browser.get(link(begin([maryam, bahareh, None]), maryam))
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer.headers["Cache-Control"]
    assert "script" not in answer.headers["Content-Security-Policy"]
    page = answer.content.decode()
    assert "<script" not in page
    assert not re.findall(r'(?:href|src|action)="(?![/#])', page)


def test_a_persian_reader_gets_a_persian_page(browser: Client, sepideh: Account, bahareh: Account) -> None:
    page = browser.get(link(begin([sepideh, bahareh, None]), sepideh, number=3)).content.decode()
    assert 'lang="fa" dir="rtl"' in page
    assert "انجام این حرکت" in page
    assert "<bdi>مالیات</bdi>" in page

"""The new sentences of the story are played one after the other in a browser, and the answers can be used meanwhile."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from games.models import Game, OpenQuestion
from tests.browser import Visit, chromium, visit
from tests.games.pages.test_motion import come
from tests.games.seated import begin, play

__all__ = ["chromium", "visit"]
pytestmark = pytest.mark.django_db(transaction=True)
_PLAYING = """() => {
    const now = document.querySelector(".tale .new.now");
    return now && {
      by: now.dataset.by,
      text: now.textContent,
      later: document.querySelectorAll(".tale .new.later").length,
      acting: document.querySelector(".picture .acting")?.dataset.place,
      told: document.querySelector("[data-told]").textContent,
    };
}"""
"""A script that returns the state of the page at one moment while a sentence is played."""


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A game in which Maryam is asked, and two others have moved since her answer."""
    game = begin([maryam, sepideh, bahareh])
    play(game, "1 income", "2 income", "3 tax")
    OpenQuestion.objects.filter(game=game).update(due_at=timezone.now() + timedelta(days=2))
    return game


def test_the_moves_are_played_one_by_one_and_escape_ends_that(
    live_server: LiveServer, visit: Visit, maryam: Account, game: Game
) -> None:
    browser = come(live_server, visit, maryam)
    browser.go(f"/games/{game.pk}/")
    page = browser.page
    playing = page.wait_for_function(_PLAYING).json_value()
    assert playing["acting"] == playing["by"]
    assert playing["told"] == playing["text"]
    assert playing["later"] > 0
    assert page.locator(".answers button").first.is_enabled()
    page.keyboard.press("Escape")
    later, now = page.locator(".tale .new.later"), page.locator(".tale .new.now")
    assert (later.count(), now.count(), page.locator("[data-skip]").is_visible()) == (0, 0, False)
    page.reload()
    page.wait_for_timeout(300)
    assert (later.count(), now.count()) == (0, 0), "it is played once"
    assert browser.complaints == []


def test_without_motion_the_sentences_are_a_list(
    live_server: LiveServer, visit: Visit, maryam: Account, game: Game
) -> None:
    browser = come(live_server, visit, maryam, reduced_motion="reduce")
    browser.go(f"/games/{game.pk}/")
    browser.page.wait_for_timeout(300)
    sentences = browser.page.locator(".tale .new")
    assert sentences.count() == browser.page.locator(".tale .new:visible").count() == 3
    assert browser.page.locator(".tale .now, .picture .acting").count() == 0


def test_after_an_answer_by_keyboard_the_focus_is_on_the_next_question(
    live_server: LiveServer, visit: Visit, maryam: Account, game: Game
) -> None:
    browser = come(live_server, visit, maryam)
    browser.go(f"/games/{game.pk}/")
    question = browser.page.locator(".answers [name=question]").input_value()
    browser.page.locator(".answers button", has_text="Challenge").focus()
    browser.page.keyboard.press("Enter")
    browser.page.wait_for_function(
        "asked => document.querySelector('.answers [name=question]')?.value !== asked", arg=question
    )
    browser.page.wait_for_function("['question', 'stands'].includes(document.activeElement.id)")
    assert browser.complaints == []

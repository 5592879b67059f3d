"""After the first move the page offers to be installed and to tell of turns; a sound or a buzz is off until wanted."""

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from games.models import Game
from tests.browser import Visit, Visitor, chromium, visit
from tests.games.pages import at_home
from tests.games.pages.conftest import opened

__all__ = ["chromium", "visit"]
pytestmark = pytest.mark.django_db(transaction=True)
_BROWSER = """
    window.buzzes = [];
    navigator.vibrate = (length) => window.buzzes.push(length);
    delete window.PushManager;
    window.mayInstall = () => {
      const asked = new Event("beforeinstallprompt", { cancelable: true });
      asked.prompt = async () => { window.installing = true; };
      dispatchEvent(asked);
      return asked.defaultPrevented;
    };
"""
DEALT = {"starting_player": 1, "two_player_setup": "dealt"}
LOOK_AGAIN = "new BroadcastChannel('darbar').postMessage('game')"


@pytest.fixture
def browser(live_server: LiveServer, visit: Visit, maryam: Account) -> Visitor:
    client = Client()
    client.force_login(maryam)
    visitor = visit(live_server.url, locale="en-GB")
    visitor.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    visitor.context.add_init_script(_BROWSER)
    return visitor


def test_nothing_is_offered_before_the_first_move_and_what_is_refused_is_not_offered_again(
    browser: Visitor, maryam: Account, sepideh: Account
) -> None:
    game = opened(maryam, sepideh, seat_count=2, options=DEALT)
    browser.go(f"/games/{game.pk}/")
    offers = browser.page.locator("#offers")
    assert browser.page.evaluate("mayInstall()"), "the browser does not ask by itself"
    assert offers.count() == 0
    browser.page.locator(".answers button", has_text="Take income").click()
    offers.get_by_role("button", name="Install the app").click()
    assert browser.page.evaluate("window.installing")
    offers.wait_for(state="hidden")
    browser.page.evaluate("mayInstall()")
    offers.wait_for(state="visible")
    with browser.page.expect_response(browser.page.url):
        browser.page.evaluate(LOOK_AGAIN)
    browser.page.wait_for_timeout(300)
    assert offers.is_visible(), "it stays when the page changes"
    offers.get_by_role("button", name="Not now").click()
    offers.wait_for(state="hidden")
    browser.page.reload()
    browser.page.evaluate("mayInstall()")
    assert not offers.is_visible()
    assert browser.complaints == []


def test_a_question_that_comes_buzzes_only_where_that_is_wanted(
    browser: Visitor, maryam: Account, sepideh: Account
) -> None:
    game = opened(maryam, sepideh, seat_count=2, options=DEALT)
    browser.go(f"/games/{game.pk}/")
    take_turns(browser, game, sepideh)
    assert browser.page.evaluate("buzzes") == []
    browser.go("/settings/channels/")
    for name in ("Play a short sound", "Vibrate"):
        assert not browser.page.get_by_label(name).is_checked()
    browser.page.get_by_label("Vibrate").check()
    assert browser.page.evaluate("buzzes") == [80], "one feels what one chooses"
    browser.go(f"/games/{game.pk}/")
    assert browser.page.evaluate("buzzes") == [], "a page that is opened tells nothing new"
    take_turns(browser, game, sepideh)
    assert browser.page.evaluate("buzzes") == [80]
    assert browser.complaints == []


def take_turns(browser: Visitor, game: Game, other: Account) -> None:
    """Both take income, so that the next question comes to a page that is open."""
    browser.page.wait_for_timeout(600)
    browser.page.locator(".answers button", has_text="Take income").click()
    browser.page.locator("#stands").wait_for(state="attached")
    across = at_home.Visitor(other)
    across.go(f"/games/{game.pk}/")
    across.send(f"/games/{game.pk}/answer/", answer="1")
    browser.page.evaluate(LOOK_AGAIN)
    browser.page.locator(".answers button").first.wait_for()

"""The tab of a game: it counts as attended while it is visible, and for two minutes after it was used."""

import pytest
from playwright.sync_api import Request
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from tests.browser import Visit, Visitor, chromium, visit
from tests.games.pages.conftest import opened
from tests.games.pages.test_offers import LOOK_AGAIN
from tests.games.pages.test_scripts import sign_in

__all__ = ["chromium", "visit"]
pytestmark = pytest.mark.django_db(transaction=True)
_HIDE = """() => {
    Object.defineProperty(document, "visibilityState", { get: () => window.visibility ?? "visible" });
    window.show = (visibility) => {
        window.visibility = visibility;
        document.dispatchEvent(new Event("visibilitychange"));
    };
}"""


@pytest.fixture
def browser(live_server: LiveServer, visit: Visit, maryam: Account) -> Visitor:
    maryam.shows_presence = True
    maryam.save()
    return sign_in(visit(live_server.url, locale="en-GB"), maryam)


def test_a_tab_tells_the_server_whether_somebody_sees_it(browser: Visitor, maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, sepideh, seat_count=2)
    page = browser.page
    page.clock.install()
    browser.go(f"/games/{game.pk}/")
    page.evaluate(_HIDE)

    def is_live(request: Request) -> bool:
        return "x-live" in request.headers

    def attention(script: str) -> str:
        with page.expect_request(is_live) as sent:
            page.evaluate(script)
            page.clock.run_for(100)
        request = sent.value
        response = request.response()
        assert response is not None
        response.finished()
        page.clock.run_for(100)
        return request.headers["x-attended"]

    assert attention(f"() => {{ {LOOK_AGAIN}; }}") == "yes"
    page.evaluate("() => show('hidden')")
    assert attention(f"() => {{ {LOOK_AGAIN}; }}") == "yes", "it was visible a moment ago"
    page.clock.run_for(60_000)  # real time is added to it: how much depends on the load of the machine
    assert attention(f"() => {{ {LOOK_AGAIN}; }}") == "yes"
    page.clock.run_for(60_000)
    assert attention(f"() => {{ {LOOK_AGAIN}; }}") == "no"
    assert attention("() => show('visible')") == "yes", "a reader who comes back counts at once"
    with page.expect_request(is_live) as sent:
        page.clock.run_for(60_000)
    assert sent.value.headers["x-attended"] == "yes", "a visible page says each minute that its reader is here"
    assert browser.complaints == []

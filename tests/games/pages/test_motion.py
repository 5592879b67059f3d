"""Animations in the picture of a game when its page changes, in a browser. There are none for readers who want none."""

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from tests.browser import Visit, Visitor, chromium, visit
from tests.games.pages import at_home
from tests.games.pages.conftest import opened
from tests.games.pages.test_offers import DEALT, LOOK_AGAIN

__all__ = ["chromium", "visit"]
pytestmark = pytest.mark.django_db(transaction=True)
_WATCH = """
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
      const part = this.closest("[data-part]");
      const place = part?.closest("[data-place]")?.dataset.place ?? "";
      window.moved.push(part ? `${place} ${part.dataset.part}`.trim() : this.localName);
      return animate.apply(this, how);
    };
"""


def come(live_server: LiveServer, visit: Visit, account: Account, **how: str) -> Visitor:
    client = Client()
    client.force_login(account)
    visitor = visit(live_server.url, locale="en-GB", **how)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    visitor.context.add_cookies([cookie])
    visitor.context.add_init_script(_WATCH)
    return visitor


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_claim_pops_up_coins_fly_and_nothing_else_moves(
    live_server: LiveServer, visit: Visit, maryam: Account, sepideh: Account, motion: str
) -> None:
    game = opened(maryam, sepideh, seat_count=2, options=DEALT)
    browser = come(live_server, visit, maryam, reduced_motion=motion)
    browser.go(f"/games/{game.pk}/")
    browser.page.locator(".answers button", has_text="Collect tax").click()
    browser.page.locator("#stands").wait_for(state="attached")
    browser.page.wait_for_timeout(300)
    assert browser.page.evaluate("moved") == ([] if motion == "reduce" else ["claim", "seat-1 claim"])
    browser.page.evaluate("moved.length = 0")
    across = at_home.Visitor(sepideh)
    across.go(f"/games/{game.pk}/")
    across.send(f"/games/{game.pk}/answer/", answer="1")
    browser.page.evaluate(LOOK_AGAIN)
    browser.page.locator("[data-place=seat-1] [data-part=coins][data-shown='4']").wait_for()
    browser.page.wait_for_timeout(300)
    assert browser.page.evaluate("moved") == ([] if motion == "reduce" else ["use"] * 3)
    browser.page.wait_for_function("() => !document.querySelector('.picture .flying')")
    assert browser.complaints == []

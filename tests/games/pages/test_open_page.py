"""A page that is open: no press is lost while it changes, and nothing that has happened is missed or undone."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from games.tables.chat import send_message
from tests.browser import Visit, Visitor, chromium, visit
from tests.games.pages.conftest import opened
from tests.games.pages.test_offers import DEALT, LOOK_AGAIN
from tests.games.pages.test_scripts import sign_in

__all__ = ["chromium", "visit"]
pytestmark = pytest.mark.django_db(transaction=True)
_UNTIL_CHANGED = f"""() => new Promise((done) => {{
    document.addEventListener("page-changed", () => done(), {{ once: true }});
    {LOOK_AGAIN};
}})"""

_HOLD_ANSWER = """() => {
    const send = window.fetch;
    window.held = new Promise((tell) => {
        window.fetch = async (address, how) => {
            const answer = await send(address, how);
            if (how.method === "POST") await new Promise((done) => { window.release = done; tell(); });
            return answer;
        };
    });
}"""


@pytest.fixture
def browser(live_server: LiveServer, visit: Visit, maryam: Account) -> Visitor:
    return sign_in(visit(live_server.url, locale="en-GB"), maryam)


def test_a_press_is_heard_while_the_page_changes(browser: Visitor, maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, sepideh, seat_count=2, options=DEALT)
    browser.go(f"/games/{game.pk}/")
    browser.page.fill("#message", "Good morning")
    browser.page.locator("form[action$='/chat/'] button").hover()
    browser.page.mouse.down()
    browser.page.evaluate(_UNTIL_CHANGED)
    browser.page.mouse.up()
    expect(browser.page.locator(".chat")).to_contain_text("Good morning")
    assert browser.complaints == []


def test_a_question_that_was_answered_does_not_come_back_with_a_page_of_before(
    browser: Visitor, maryam: Account, sepideh: Account
) -> None:
    game = opened(maryam, sepideh, seat_count=2, options=DEALT)
    held_requests: list[tuple[Route, Any]] = []
    browser.go(f"/games/{game.pk}/")
    browser.page.route(f"**/games/{game.pk}/", lambda route: held_requests.append((route, route.fetch())), times=1)
    browser.page.evaluate(LOOK_AGAIN)
    while not held_requests:
        browser.page.wait_for_timeout(20)
    browser.page.locator(".answers button", has_text="Collect tax").click()
    expect(browser.page.locator("#stands")).to_be_attached()
    browser.page.evaluate("""() => {
        window.asked = false;
        document.addEventListener("page-changed", () => { window.asked ||= !!document.querySelector(".question"); });
    }""")
    ((route, old),) = held_requests
    assert "Collect tax" in old.text()
    route.fulfill(response=old)
    browser.page.evaluate(_UNTIL_CHANGED)
    assert not browser.page.evaluate("asked")
    assert browser.complaints == []


def test_what_was_shown_while_an_answer_was_under_way_is_not_lost_with_it(
    browser: Visitor, maryam: Account, sepideh: Account
) -> None:
    game = opened(maryam, sepideh, seat_count=2, options=DEALT)
    browser.go(f"/games/{game.pk}/")
    browser.page.evaluate(_HOLD_ANSWER)
    browser.page.fill("#message", "Good morning")
    browser.page.locator("form[action$='/chat/'] button").click()
    browser.page.evaluate("held")
    send_message(game, sepideh, None, "Good evening", timezone.now())
    browser.page.evaluate(_UNTIL_CHANGED)
    expect(browser.page.locator(".chat")).to_contain_text("Good evening")
    browser.page.evaluate(_UNTIL_CHANGED.replace(LOOK_AGAIN, "release()"))
    expect(browser.page.locator(".chat")).to_contain_text("Good evening")
    assert browser.complaints == []


def test_a_page_that_is_opened_beside_another_learns_what_that_one_heard_meanwhile(
    browser: Visitor, maryam: Account, sepideh: Account
) -> None:
    game = opened(maryam, sepideh, seat_count=2, options=DEALT)
    streams: list[Route] = []
    scripts: list[Route] = []
    browser.context.route("**/api/v1/stream/*", lambda route: streams.append(route))
    with browser.page.expect_request("**/api/v1/stream/*"):
        browser.go(f"/games/{game.pk}/")
    beside = browser.context.new_page()
    beside.route("**/darbar/live*.js", lambda route: scripts.append(route))
    with beside.expect_request("**/darbar/live*.js"):
        beside.goto(f"{browser.home}/games/{game.pk}/", wait_until="commit")
    send_message(game, sepideh, None, "Good morning", timezone.now())
    headers = {"Access-Control-Allow-Origin": browser.home, "Access-Control-Allow-Credentials": "true"}
    streams[0].fulfill(content_type="text/event-stream", headers=headers, body="event: chat\ndata: {}\n\n")
    expect(browser.page.locator(".chat")).to_contain_text("Good morning")
    scripts[0].continue_()
    expect(beside.locator(".chat")).to_contain_text("Good morning")
    assert browser.complaints == []

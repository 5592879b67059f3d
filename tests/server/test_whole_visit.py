"""A person at a real browser before a real server: signs up and plays a whole game of Coup against bots."""

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

from tests.browser import Visit, Visitor, chromium, visit
from tests.notifications.outgoing.phone import Keys, stand_in
from tests.notifications.outgoing.receiver import receiving
from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, wait_until

__all__ = ["chromium", "visit"]
PASSWORD = "seven goats on a roof"
MOST_ANSWERS = 120
LONGEST = 240
"""The number of seconds at most a game with bots takes here."""


@pytest.fixture(scope="module")
def server(prepared: Path) -> Iterator[Darbar]:
    """A server that may push to this machine."""
    with on_a_copy(prepared, OUTGOING_LOOPBACK="yes") as server:
        yield server.start()


def sign_up(visitor: Visitor, name: str, email: str) -> None:
    """From the first page over the form and the code in the mail to one's own first page."""
    visitor.go("/")
    page = visitor.page
    page.click(".hero a[href='/signup/']")
    page.fill("[name=name]", name)
    page.fill("[name=email]", email)
    page.click("main form button")
    page.fill("[name=code]", code(visitor, email))
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    assert page.url == f"{visitor.home}/"


def code(visitor: Visitor, email: str) -> str:
    """Wait for the email with the code, and return the code."""

    def mails() -> list[dict[str, Any]]:
        answer = httpx.get(f"{visitor.home}/mailbox/", params={"to": email}, timeout=60)
        return list(answer.json()["mails"])

    wait_until(mails, "the code has come")
    match = re.search(r"\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b", mails()[0]["text"])
    assert match, mails()[0]["text"]
    return match[0]


def look_again(page: Page) -> None:
    """Wait for others as the page lets one: by its link, or until it changes by itself."""
    link = page.locator("main noscript .actions a.second")
    if link.count() and link.first.is_visible():
        link.first.click()
    else:
        page.wait_for_timeout(200)


def play_to_the_end(visitor: Visitor) -> int:
    """Give bold answers until the game is over, and return their number."""
    page = visitor.page
    answers = 0
    end = monotonic() + LONGEST
    while not page.locator("form[action$='/rematch/']").count():
        page.wait_for_load_state()
        buttons = page.locator(".answers button:enabled")
        # In one look, for a page that lives may change between two: a deadline, or that there is no other move.
        assert not page.locator("main:has(.answers button:enabled):not(:has(.due))").count(), page.inner_text("main")
        if buttons.count():
            buttons.last.click()
            answers += 1
        else:
            look_again(page)
        assert answers < MOST_ANSWERS
        assert monotonic() < end, page.inner_text("main")
    return answers


def test_without_scripts_somebody_signs_up_and_plays_coup_to_the_end(server: Darbar, visit: Visit) -> None:
    maryam = visit(f"http://localhost:{server.port}", java_script_enabled=False, locale="en-GB")
    sign_up(maryam, "Maryam", "maryam@darbar.example")
    maryam.page.click("button[value=coup]")
    assert maryam.page.locator(".picture svg").count() == 1
    assert play_to_the_end(maryam) >= 2
    assert re.search("(has|have) won the game", maryam.page.inner_text("main"))
    maryam.page.click("form[action$='/rematch/'] button")
    assert "/games/" in maryam.page.url
    maryam.page.click("header .self form:first-of-type button")
    assert "Log in" in maryam.page.inner_text("header")
    assert maryam.complaints == []


def asks(pushed: dict[str, str]) -> bool:
    """Return whether this is the push that says that it is Sepideh's turn, in her words."""
    return pushed["title"].startswith("کودتا، بازی ") and pushed["title"].endswith("منتظر پاسخ شماییم.")


def switch_push_on(visitor: Visitor) -> None:
    """From the first page to the settings, and by their button."""
    page = visitor.page
    page.click("header a[href='/settings/']")
    page.click("nav.parts summary")
    page.click("a[href='/settings/channels/']")
    page.click("#push button")
    page.locator("form[action^='/settings/devices/'] button").wait_for()


def test_in_persian_on_a_phone_somebody_plays_coup_to_the_end_with_push(server: Darbar, visit: Visit) -> None:
    size, keys = {"width": 360, "height": 740}, Keys()
    home, how = (
        f"http://localhost:{server.port}",
        {"locale": "fa-IR", "color_scheme": "dark", "timezone_id": "Asia/Kabul"},
    )
    stream = f"http://localhost:{server.stream_port}"
    sepideh = visit(home, stream=stream, viewport=size, permissions=["notifications"], service_workers="allow", **how)
    sign_up(sepideh, "سپیده", "sepideh@darbar.example")
    sepideh.go("/settings/")
    assert sepideh.page.locator("[name=time_zone]").input_value() == "Asia/Kabul"
    sepideh.go("/")
    page = sepideh.page
    assert page.locator("html").get_attribute("dir") == "rtl"
    with receiving() as phone:
        sepideh.context.add_init_script(stand_in(keys.subscription(phone.url)))
        switch_push_on(sepideh)
        sepideh.go("/")
        page.click("button[value=coup]")
        wait_until(
            lambda: any(asks(notification) for notification in map(keys.read, list(phone.taken))),
            "the question is pushed",
        )
        push = next(filter(asks, map(keys.read, phone.taken)))
    assert push["lang"] == "fa"
    assert push["url"].startswith(f"{home}/login/?next=/games/")
    assert play_to_the_end(sepideh) >= 2
    assert re.search("بازی را برده(\u200cاید| است)", page.inner_text("main"))
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert sepideh.complaints == []

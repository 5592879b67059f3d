"""Pages that change by themselves: two people at real browsers before a real server and its event stream."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import Visit, Visitor, chromium, visit
from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, tell
from tests.server.test_whole_visit import sign_up

__all__ = ["chromium", "visit"]
_PRESS_AT_ONCE = """
    const watching = new MutationObserver(() => {
      const button = document.querySelector(".answers button");
      if (!button) return;
      watching.disconnect();
      button.click();
      window.pressed = true;
    });
    watching.observe(document.body, { childList: true, subtree: true });
"""
_WATCH_BADGE = "navigator.setAppBadge = async (count) => { window.badge = count; }"
_DRAWN = "getComputedStyle(document.querySelector('.picture svg .cp-paper')).fill !== 'rgb(0, 0, 0)'"
_PRESS = "moment => setTimeout(() => document.querySelector('.answers button').click(), moment - Date.now())"


@pytest.fixture(scope="module")
def server(prepared: Path) -> Iterator[Darbar]:
    with on_a_copy(prepared) as server:
        yield server.start()


def come(server: Darbar, visit: Visit, name: str, host: str = "localhost") -> Visitor:
    """Return a new visitor whose browser receives the event stream."""
    visitor = visit(f"http://{host}:{server.port}", stream=f"http://{host}:{server.stream_port}", locale="en-GB")
    sign_up(visitor, name, f"{name.lower()}@darbar.example")
    return visitor


def sit_down(host: Visitor, guest: Visitor, who: str = "friends") -> str:
    """Seat two visitors at a game of two, and return its path."""
    host.go("/games/new/coup/")
    host.page.check(f"[name=who][value={who}]")
    host.page.select_option("[name=seat_count]", "2")
    host.page.click("details summary")
    host.page.select_option("[name$=two_player_setup]", "dealt")
    host.page.locator("main form button").last.click()
    host.page.wait_for_url("**/games/*-*/")
    path = host.page.url.removeprefix(host.home)
    code = host.page.locator("dl.facts code").first.inner_text()
    guest.go(f"/join/?code={code}")
    guest.page.click("main form[action$='/join/'] button, main form[method=post] button")
    guest.page.wait_for_url("**/games/*-*/")
    return path


def test_the_link_to_a_game_is_copied_where_the_browser_cannot_share_it(server: Darbar, visit: Visit) -> None:
    host = come(server, visit, "Farah")
    host.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=host.home)
    host.go("/games/new/sedlec/")
    host.page.locator("main form button").last.click()
    host.page.wait_for_url("**/games/*-*/")
    link = host.page.locator("dl.facts code").last.inner_text()
    host.page.evaluate("delete Navigator.prototype.share")
    host.page.get_by_role("button", name="Share the link").click()
    expect(host.page.get_by_role("status").filter(has_text="Link copied.")).to_be_visible()
    assert host.page.evaluate("navigator.clipboard.readText()") == link
    with host.page.expect_response(host.page.url):  # the page looks again, and still says so
        host.page.evaluate("new BroadcastChannel('darbar').postMessage('game')")
    host.page.wait_for_timeout(500)
    expect(host.page.get_by_role("status").filter(has_text="Link copied.")).to_be_visible()
    host.page.evaluate("navigator.share = async (said) => { window.shared = said; }")
    host.page.get_by_role("button", name="Share the link").click()
    host.page.wait_for_function("window.shared")
    assert host.page.evaluate("window.shared.url") == link


def wait_for_question(visitor: Visitor) -> None:
    """Wait for a question, and until it may have been read."""
    expect(visitor.page.locator(".question .answers button").first).to_be_visible()
    visitor.page.wait_for_timeout(600)


def test_what_one_does_shows_on_the_others_page_title_and_menu(server: Darbar, visit: Visit) -> None:
    maryam, bahareh = come(server, visit, "Maryam"), come(server, visit, "Bahareh")
    for visitor in (maryam, bahareh):
        visitor.page.add_init_script(_WATCH_BADGE)
    path = sit_down(maryam, bahareh)
    expect(maryam.page.locator(".question, .bar:has(#stands)")).to_be_visible()  # from the lobby, by itself
    assert maryam.page.evaluate(_DRAWN), "the board has its colors"
    waits = maryam.page.locator(".question").count() > 0
    first, second = (maryam, bahareh) if waits else (bahareh, maryam)
    wait_for_question(first)
    assert first.page.title().startswith("(1) ")
    expect(first.page.locator("#waiting .count")).to_have_text("1")
    assert not second.page.locator(".question").count()
    second.go("/")
    home = second.page.locator("main")
    expect(home).to_contain_text("You’re all caught up.")
    loads: list[str] = []
    for visitor in (first, second):
        visitor.page.on("framenavigated", lambda frame: loads.append(frame.url))
    first.page.locator(".answers button", has_text="Take income").click()
    expect(home.locator(".question .picture svg")).to_be_visible()
    expect(second.page.locator("#waiting .count")).to_have_text("1")
    assert second.page.title().startswith("(1) ")
    assert second.page.evaluate("badge") == 1
    assert loads == [], "no page was loaded anew"
    second.go(path)
    wait_for_question(second)
    treasury = first.page.locator("[data-place=treasury-1] [data-part=coins]")
    before = int(treasury.get_attribute("data-shown") or "")
    answer_in_two_windows(second, path)
    wait_for_question(first)
    expect(treasury).to_have_attribute("data-shown", str(before - 1))
    assert loads == [f"{second.home}{path}"]
    assert first.complaints == second.complaints == []


def answer_in_two_windows(visitor: Visitor, path: str) -> None:
    """Press the same answer in two windows at the same moment."""
    other = visitor.context.new_page()
    visitor.watch(other)
    other.goto(f"{visitor.home}{path}")
    other.wait_for_timeout(600)
    moment = (time.time() + 1) * 1000
    for page in (other, visitor.page):
        page.evaluate(_PRESS, moment)
    for page in (other, visitor.page):
        expect(page.locator("#stands")).to_be_attached()
    other.close()


def test_a_stream_that_ends_comes_back(server: Darbar, visit: Visit) -> None:
    behnam, cyra = come(server, visit, "Behnam"), come(server, visit, "Cyra")
    sit_down(behnam, cyra)
    expect(behnam.page.locator(".play .picture")).to_be_visible()
    tell(signal.SIGKILL, *server.pids(b"config.server.stream"))
    cyra.page.fill("#message", "Are you still there?")
    cyra.page.locator("form[action$='/chat/'] button").click()
    expect(behnam.page.locator(".chat")).to_contain_text("Are you still there?")  # by itself it looks after 120 s


def test_who_looks_on_at_a_public_game_sees_each_move_at_once(server: Darbar, visit: Visit) -> None:
    hamid, iraj = come(server, visit, "Hamid"), come(server, visit, "Iraj")
    path = sit_down(hamid, iraj, "anybody")
    jaleh = come(server, visit, "Jaleh")
    jaleh.go(path)
    expect(jaleh.page.locator(".picture [data-place=seat-1]")).to_be_attached()
    assert not jaleh.page.locator(".answers").count()
    waits = hamid.page.locator(".question").count() > 0
    wait_for_question(hamid if waits else iraj)
    before = jaleh.page.locator("[data-place=treasury-1] [data-part=coins]").get_attribute("data-shown")
    (hamid if waits else iraj).page.locator(".answers button", has_text="Take income").click()
    changed = jaleh.page.locator("[data-place=treasury-1] [data-part=coins]")
    expect(changed).not_to_have_attribute("data-shown", before, timeout=10_000)  # by itself it looks after 120 s
    assert jaleh.complaints == []


def test_what_is_being_written_stays_when_the_page_changes(server: Darbar, visit: Visit) -> None:
    cyrus, dara = come(server, visit, "Cyrus"), come(server, visit, "Dara", "127.0.0.1")
    sit_down(cyrus, dara)
    expect(cyrus.page.locator(".play .picture")).to_be_visible()
    cyrus.page.fill("#message", "I have nothing but du")
    dara.page.fill("#message", "Good morning")
    dara.page.locator("form[action$='/chat/'] button").click()
    expect(cyrus.page.locator(".chat")).to_contain_text("Good morning")
    expect(dara.page.locator(".chat")).to_contain_text("Good morning")
    assert cyrus.page.input_value("#message") == "I have nothing but du"
    assert dara.page.input_value("#message") == ""
    assert cyrus.page.evaluate("document.activeElement.id") == "message"
    assert cyrus.complaints == dara.complaints == []


def test_a_page_that_was_signed_out_in_another_tab_shows_it(server: Darbar, visit: Visit) -> None:
    elham = come(server, visit, "Elham")
    other = elham.context.new_page()
    other.goto(f"{elham.home}/settings/")
    other.locator("header .self form:first-of-type button").click()
    expect(elham.page.locator("header")).to_contain_text("Log in")
    assert elham.complaints == []


def test_a_press_that_was_meant_for_the_question_before_does_nothing(server: Darbar, visit: Visit) -> None:
    farid, golnar = come(server, visit, "Farid"), come(server, visit, "Golnar")
    sit_down(farid, golnar)
    expect(farid.page.locator(".question, .bar:has(#stands)")).to_be_visible()
    waits = farid.page.locator(".question").count() > 0
    first, second = (farid, golnar) if waits else (golnar, farid)
    wait_for_question(first)
    second.page.evaluate(_PRESS_AT_ONCE)
    first.page.locator(".answers button", has_text="Take income").click()
    wait_for_question(second)
    assert second.page.evaluate("window.pressed")
    expect(first.page.locator("#stands")).to_be_attached()
    assert not first.page.locator(".question").count()

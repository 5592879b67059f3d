"""A third game on its page: pressed on a board that names places, and played without one."""

import pytest
from django.test import Client
from django.utils import timezone
from msgspec.structs import replace
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from games.engine.rules import no_picture
from games.kit.checking import find_faults
from games.models import Move
from games.rules.registry import RULES
from tests.browser import Visit, chromium, visit
from tests.games.pages.at_home import Visitor
from tests.third_game import board, fist
from tests.third_game.table import create_fist, state, with_fist

__all__ = ["chromium", "visit", "with_fist"]


@pytest.mark.django_db
def test_a_game_without_a_board_is_played_by_its_list_of_answers(
    kaveh: Account, dariush: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, "fist", replace(fist.RULES, picture=no_picture))
    game = create_fist(kaveh, dariush, now=timezone.now())
    visitor = Visitor(kaveh)
    page = visitor.go(f"/games/{game.pk}/")
    assert not page.all("svg")
    assert [button["value"] for button in page.all("button") if button.get("name") == "answer"] == list("123456")
    visitor.send(f"/games/{game.pk}/answer/", text=None, answer="4")
    assert (Move.objects.get().state, state(game).claims) == ("applied", (4,))


def test_the_board_keeps_the_contract_of_pictures() -> None:
    assert find_faults(board.RULES, games=5) == ()


@pytest.mark.django_db(transaction=True)
def test_a_place_of_a_board_is_pressed_and_leaves_the_answers_about_it(
    live_server: LiveServer, visit: Visit, kaveh: Account, dariush: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, "fist", board.RULES)
    game = create_fist(kaveh, dariush, now=timezone.now())
    client = Client()
    client.force_login(kaveh)
    visitor = visit(live_server.url, locale="en-GB")
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    visitor.context.add_cookies([cookie])
    visitor.go(f"/games/{game.pk}/")
    page = visitor.page
    answers = page.locator(".answers button:visible")
    expect(answers).to_have_count(6)
    for press, left in (("4", ["4"]), ("2", ["2"]), ("2", list("123456")), ("5", ["5"])):
        page.locator(f"[data-place=number-{press}]").click()
        expect(answers).to_have_text(left)
    page.get_by_role("button", name="All answers").click()
    expect(answers).to_have_count(6)
    page.locator("[data-place=number-4]").click()
    page.wait_for_timeout(500)  # until a question may be answered
    answers.first.click()
    expect(page.locator(".picture")).to_contain_text("4")
    expect(page.locator("#stands")).to_be_attached()
    assert state(game).claims == (4,)
    assert visitor.complaints == []

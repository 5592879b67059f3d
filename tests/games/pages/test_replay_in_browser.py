"""Watching a game again in a real browser: steps come without loading the page, and without scripts by links."""

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from games.models import Game
from tests.browser import Visit
from tests.games.seated import begin, play

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "correct horse battery"


@pytest.fixture
def game(db: None) -> Game:
    """Maryam has won against Sepideh."""
    people = [
        Account.objects.create_user(f"{name.lower()}@example.org", SECRET, name=name) for name in ("Maryam", "Sepideh")
    ]
    for person in people:
        person.emailaddress_set.create(email=person.email, verified=True, primary=True)
    game = begin(people, ["contessa", "duke", "captain", "assassin"], two_player_setup="dealt")
    play(game, "1 tax", "2 allow", "2 tax", "1 challenge", "2 concede captain", "1 income", "2 resign yes")
    return Game.objects.get(pk=game.pk)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_slider_takes_a_visitor_to_a_step(live_server: LiveServer, visit: Visit, game: Game, scripts: bool) -> None:
    visitor = visit(live_server.url, java_script_enabled=scripts)
    visitor.go(f"/games/{game.pk}/replay/")
    slider = visitor.page.locator("#step")
    for _ in range(3 if not scripts else 1):
        slider.press("ArrowRight")
    if not scripts:
        visitor.page.click(".reel button")
    visitor.page.wait_for_url("**step=*")
    assert f"step={2 if scripts else 4}" in visitor.page.url
    assert slider.input_value() == ("2" if scripts else "4")
    visitor.page.select_option("#as", "2")
    if not scripts:
        visitor.page.click(".reel button")
    visitor.page.wait_for_url("**as=2*")
    assert visitor.page.locator(".picture svg").is_visible()
    assert not visitor.complaints
    assert not visitor.elsewhere


def test_arrow_keys_links_and_the_clock_take_one_on_without_loading_the_page(
    live_server: LiveServer, visit: Visit, game: Game
) -> None:
    maryam = visit(live_server.url)
    maryam.go(f"/login/?next=/games/{game.pk}/replay/")
    page = maryam.page
    page.fill("[name=email]", "maryam@example.org")
    page.fill("[name=password]", SECRET)
    page.click("main form button")
    page.wait_for_url("**/replay/")
    loads: list[str] = []
    page.on("domcontentloaded", lambda: loads.append(page.url))
    for press, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 1)):
        page.keyboard.press(press)
        page.wait_for_url(f"**step={step}*")
        assert page.input_value("#step") == str(step)
    page.click(".steps a[rel=next]")
    page.wait_for_url("**step=2*")
    page.click("#play")
    page.wait_for_url("**step=4*")
    page.click("#play")
    assert page.get_attribute("#play", "aria-pressed") == "false"
    for press, line in (("End", "won"), ("Shift+ArrowLeft", "lost"), ("Shift+ArrowLeft", "challenged")):
        page.keyboard.press(press)
        page.locator(".story .now", has_text=line).wait_for()
    page.locator(".chances svg").click(position={"x": 1, "y": 40})
    page.wait_for_url("**step=1*")
    assert loads == []
    assert not maryam.complaints

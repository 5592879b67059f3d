"""Watching a game again in a real browser: the slider takes one there by itself, and without scripts by its button."""

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
    play(game, "1 tax", "2 allow", "2 tax", "1 allow", "1 income", "2 resign yes")
    return Game.objects.get(pk=game.pk)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_slider_takes_one_to_a_step(live_server: LiveServer, visit: Visit, game: Game, scripts: bool) -> None:
    maryam = visit(live_server.url, java_script_enabled=scripts)
    maryam.go(f"/login/?next=/games/{game.pk}/replay/")
    maryam.page.fill("[name=email]", "maryam@example.org")
    maryam.page.fill("[name=password]", SECRET)
    maryam.page.click("main form button")
    maryam.page.wait_for_url("**/replay/")
    slider = maryam.page.locator("#step")
    for _ in range(3 if not scripts else 1):
        slider.press("ArrowRight")
    if not scripts:
        maryam.page.click(".reel button")
    maryam.page.wait_for_url("**step=*")
    assert f"step={2 if scripts else 4}" in maryam.page.url
    assert slider.input_value() == ("2" if scripts else "4")
    maryam.page.select_option("#as", "2")
    if not scripts:
        maryam.page.click(".reel button")
    maryam.page.wait_for_url("**as=2*")
    assert maryam.page.evaluate("document.querySelector('.picture img').naturalWidth") > 0
    assert not maryam.complaints
    assert not maryam.elsewhere

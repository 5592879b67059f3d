"""Finding players by pages: strangers who meet on their first day, and what the pages say meanwhile."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Account
from games.models import Game, Seek
from games.play.resolve import resolve
from games.tables import matching
from games.tables.seeks import NewSeek, create_seek
from tests.accounts.people import forget_tries
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_every_page import sound
from tests.games.pages.test_first_visit import PASSWORD, code

pytestmark = pytest.mark.django_db
MOST_ANSWERS = 200


def stranger(name: str, language: str) -> Visitor:
    """Return a new visitor who signs up and looks for a game of three, only by pages."""
    visitor = Visitor(language=language)
    visitor.go("/signup/")
    visitor.send(name=name, email=f"{len(name)}-{language}@example.org")
    visitor.send(code=code(), password=PASSWORD)
    forget_tries()
    (link,) = {element["href"] for element in visitor.go("/").all("a") if element["href"] == "/seeks/"}
    visitor.go(link)
    visitor.go("/seeks/new/coup/")
    visitor.send(least="3", most="3")
    assert visitor.path == f"/seeks/{Seek.objects.latest('created_at').pk}/"
    return visitor


def answer_until_over(game: Game, players: list[Visitor]) -> None:
    """Let all players give the boldest offered answer until the game is over."""
    for turn in range(MOST_ANSWERS):
        player = players[turn % len(players)]
        page = player.go(f"/games/{game.pk}/")
        numbers = [int(button["value"]) for button in page.all("button") if button.get("name") == "answer"]
        if numbers:
            player.send(f"{player.path}answer/", answer=str(max(numbers)))
        resolve(game.pk, timezone.now())
        game.refresh_from_db()
        if game.state == Game.State.OVER:
            return
    raise AssertionError("The game has no end.")


def test_three_strangers_meet_on_their_first_day_play_to_the_end_and_play_again_by_pages_alone() -> None:
    people = [stranger("Maryam", "en"), stranger("سپیده", "fa"), stranger("Bahareh", "en")]
    matching.sweep(timezone.now())
    game = Game.objects.get()
    for visitor in people:
        sound(visitor.go("/seeks/"), "fa" if visitor is people[1] else "en")
        assert f"/games/{game.pk}/" in {link.get("href") for link in visitor.page.all("a")}
    answer_until_over(game, people)
    for visitor in (people[1], people[0]):
        visitor.go(f"/games/{game.pk}/")
        visitor.send(f"/games/{game.pk}/rematch/")
        assert visitor.path == f"/games/{game.pk}/"
        sound(visitor.page, "fa" if visitor is people[1] else "en")
    assert "سپیده\N{POP DIRECTIONAL ISOLATE} offers a rematch" in people[2].go(f"/games/{game.pk}/").text
    people[2].send(f"/games/{game.pk}/rematch/")
    game.refresh_from_db()
    assert game.rematch is not None
    assert people[2].path == f"/games/{game.rematch.pk}/"
    assert f"/games/{game.rematch.pk}/" in {link.get("href") for link in people[1].go(f"/games/{game.pk}/").all("a")}
    assert set(game.rematch.names().values()) == {"Maryam", "سپیده", "Bahareh"}
    assert game.rematch.state == Game.State.RUNNING


@pytest.mark.parametrize("language", ["en", "fa"])
def test_the_form_and_the_list_are_sound_pages_in_both_languages(
    maryam: Account, sepideh: Account, language: str
) -> None:
    reader = sepideh if language == "fa" else maryam
    visitor = Visitor(reader)
    sound(visitor.go("/seeks/new/coup/"), language)
    visitor.send(least="4", most="6", fill_after="PT8H", option__reformation="yes")
    sound(visitor.page, language)
    seek = Seek.objects.get()
    assert (seek.least, seek.most, seek.fill_after) == (4, 6, timedelta(hours=8))
    assert seek.options == {"reformation": True}, "others are with or without"
    sound(visitor.go("/"), language)
    assert "/seeks/" in str(visitor.page.all("a"))


def test_an_expansion_may_be_either_way(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go("/seeks/new/coup/")
    visitor.send(option__inquisitor="", option__reformation="yes", option__anarchist="no", shows_name="on")
    seek = Seek.objects.get()
    assert (seek.options, seek.shows_name) == ({"reformation": True, "anarchist": False}, True)


def test_what_cannot_be_is_said_beside_its_field(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go("/seeks/new/coup/")
    page = visitor.send(status=422, least="5", most="4")
    assert "“Most players” can’t be less" in page.text
    page = visitor.send(status=422, least="4", most="4", speed="live", fill_after="P1D")
    assert "before the search ends" in page.text
    assert not Seek.objects.exists()


def test_a_search_is_stopped_by_a_button(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go("/seeks/new/sedlec/")
    visitor.send()
    seek = Seek.objects.get()
    page = visitor.send(f"/seeks/{seek.pk}/withdraw/")
    assert "The search has ended." in page.text
    assert "Looking for players" not in page.text
    seek.refresh_from_db()
    assert seek.state == Seek.State.WITHDRAWN


def test_a_search_that_found_nobody_says_so(maryam: Account) -> None:
    create_seek(maryam, NewSeek("coup", 3, 4), timezone.now() - timedelta(days=8))
    matching.sweep(timezone.now())
    assert "Not enough players were found in time." in Visitor(maryam).go("/seeks/").text


def test_a_form_that_is_sent_twice_looks_once(maryam: Account) -> None:
    visitor = Visitor(maryam)
    fields = visitor.go("/seeks/new/coup/").form("") | {"least": "3", "most": "3", "speed": "daily"}
    for _ in range(2):
        assert visitor.client.post("/seeks/new/coup/", fields).status_code == 302
    assert Seek.objects.count() == 1


def test_a_guest_is_led_to_signing_up() -> None:
    guest = Visitor()
    guest.go("/")
    guest.send("/try/", rules="coup")
    guest.go("/seeks/")
    assert guest.path == "/signup/"

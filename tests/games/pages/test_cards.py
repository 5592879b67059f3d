"""Preview cards of public pages: they are small, in both languages, and equal in two worlds."""

import io
import uuid
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from django.conf import settings as configured
from PIL import Image

from accounts.models import Account
from games.models import Game
from games.rules.coup import RULES as COUP
from games.rules.registry import RULES
from games.visibility import card
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.games.pages.test_two_worlds import HANDS
from tests.games.seated import begin, play
from tests.games.unseen import world

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]
MOST = 60_000


def card_of(path: str, language: str = "en") -> str:
    """The address of the card of a page, on this site."""
    visitor = Visitor(language=language)
    metadata = {tag.get("property"): tag.get("content", "") for tag in visitor.go(path).all("meta")}
    assert metadata["og:image"].startswith(f"{configured.PUBLIC_URL}/cards/")
    return metadata["og:image"].removeprefix(configured.PUBLIC_URL)


def card_image(path: str) -> bytes:
    """The bytes of a card."""
    answer = Visitor().client.get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png"), path
    assert answer.headers["Cache-Control"] == "public, max-age=86400, immutable"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    image = Image.open(io.BytesIO(answer.content))
    assert image.size == (1200, 630)
    assert len(answer.content) <= MOST
    return bytes(answer.content)


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("path", ["/", "/rules/coup/"])
def test_a_page_for_everybody_has_a_card_in_its_language(path: str, language: str) -> None:
    address = card_of(path, language)
    assert f"/{language}/" in address
    card_image(address)


def test_a_game_has_a_card_before_during_and_after_it(maryam: Account, sepideh: Account) -> None:
    running = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    over = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(over, "1 tax", "2 allow", "2 resign yes")
    waiting = opened(maryam, seat_count=3)
    images = {card_image(card_of(f"/games/{game.pk}/", "fa")) for game in (waiting, running, over)}
    assert len(images) == 3


def test_an_older_card_leads_to_what_there_is_now(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    first = card_of(f"/games/{game.pk}/")
    play(game, "1 income")
    now = card_of(f"/games/{game.pk}/")
    assert first != now
    visitor = Visitor()
    for path in (first, now.replace("/en/", "/en/0")):
        answer = visitor.client.get(path)
        assert (answer.status_code, answer.headers["Location"]) == (302, now)
    assert visitor.client.get(now.replace("/en/", "/de/")).status_code == 404


def test_a_private_game_has_no_card_for_anybody(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    address = card_of(f"/games/{game.pk}/")
    Game.objects.filter(pk=game.pk).update(private=True)
    for visitor in (Visitor(), Visitor(maryam)):
        hidden = visitor.go(address, 404).text
        assert hidden == visitor.go(address.replace(str(game.pk), str(uuid.uuid4())), 404).text
    assert "og:image" not in {tag.get("property") for tag in Visitor(maryam).go(f"/games/{game.pk}/").all("meta")}


@pytest.mark.parametrize("moves", [("1 tax",), ("1 tax", "2 allow", "3 allow", "2 steal 1")])
def test_the_hands_show_on_no_card(maryam: Account, sepideh: Account, bahareh: Account, moves: Sequence[str]) -> None:
    images = []
    for hands in HANDS:
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            Game.objects.filter(pk=game.pk).update(code="abcdefghjkmn")
            play(game, *moves)
            address = card_of(f"/games/{game.pk}/")
            images.append((address.rpartition("/")[2], card_image(address)))
    assert images[0] == images[1]


def test_an_answer_in_an_open_window_shows_on_no_card(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh, bahareh], HANDS[0], waiting="hidden")
    play(game, "1 tax")
    before = card_of(f"/games/{game.pk}/")
    image = card_image(before)
    for hidden in ("2 allow", "3 allow"):
        with world():
            play(game, hidden)
            assert card_of(f"/games/{game.pk}/") == before
            assert card_image(before) == image


def test_a_card_that_would_be_too_large_is_drawn_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    address = card_of("/")
    for most in (9_000, 6_000):
        monkeypatch.setattr(card, "MOST", most)
        answer = Visitor().client.get(address)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
        assert len(answer.content) <= most
        assert Image.open(io.BytesIO(answer.content)).width < card.WIDE


def test_a_visitors_page_and_its_card_show_one_drawing(
    maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    drawn_views = []

    def picture(view: Any, reader: Any) -> str:
        drawn_views.append(view)
        assert COUP.picture is not None
        return COUP.picture(view, reader)

    monkeypatch.setitem(RULES, "coup", msgspec.structs.replace(COUP, picture=picture))
    Visitor().go(f"/games/{game.pk}/")
    assert len(drawn_views) == 1


def test_a_card_is_asked_for_again_where_others_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    address = card_of("/")
    monkeypatch.setattr(card, "PATIENCE", 0.0)
    with card.one_at_a_time:
        answer = Visitor().client.get(address)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    card_image(address)


def test_an_address_gets_few_cards_in_a_minute(settings: Any) -> None:
    settings.REQUESTS_PER_ADDRESS = 20
    address, program = card_of("/"), Visitor().client
    assert [program.get(address, REMOTE_ADDR="203.0.113.9").status_code for _ in range(3)] == [200, 200, 429]
    assert program.get("/", REMOTE_ADDR="203.0.113.9").status_code == 200

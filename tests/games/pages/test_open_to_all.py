"""Public pages that need no account: games, replays, leaderboards, and players who have agreed to it."""

import uuid
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Account
from games.models import Game, PlayerStats
from games.tables import stand_ins
from tests.games.pages.at_home import Page, Visitor
from tests.games.pages.conftest import opened
from tests.games.pages.test_every_page import sound
from tests.games.pages.test_first_visit import PASSWORD, code
from tests.games.pages.test_players import won
from tests.games.seated import begin, play

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]


def forms_of(page: Page) -> set[str]:
    """Return the actions of the forms of a page, without the choice of language."""
    return {form["action"] for form in page.forms} - {"/language/"}


@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_visitor_watches_a_public_game_as_a_spectator(language: str, maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 exchange")
    visitor = Visitor(language=language)
    page = visitor.go(f"/games/{game.pk}/")
    sound(page, language)
    picture = visitor.answer.content.decode().partition("<svg")[2].partition("</svg>")[0]
    assert not [card for card in DUEL if f">{card}<" in picture]
    assert forms_of(page) == set()
    if language == "en":
        assert "Maryam claims the ambassador" in page.text
        assert "Report a player" not in page.text
    assert {"name": "robots", "content": "noindex"} in page.all("meta")
    assert [element["data-refresh"] for element in page.all("div") if "data-refresh" in element] == ["30"]


@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_visitor_reads_all_of_a_public_game_that_is_over_and_its_replay(
    language: str, maryam: Account, sepideh: Account
) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 tax", "2 allow", "2 tax", "1 allow", "1 income", "2 resign yes")
    visitor = Visitor(language=language)
    page = visitor.go(f"/games/{game.pk}/")
    sound(page, language)
    assert page.all("table")
    assert forms_of(page) == set()
    page = visitor.go(f"/games/{game.pk}/replay/?step=3")
    sound(page, language)
    assert [link for link in page.all("a") if link.get("rel") == "next"]
    canonical = [link["href"] for link in page.all("link") if link.get("rel") == "canonical"]
    assert [address.partition("/games/")[2] for address in canonical] == [f"{game.pk}/replay/"]
    record = visitor.client.get(f"/games/{game.pk}/record/").headers
    assert (record["Content-Type"], record["X-Robots-Tag"]) == ("application/json", "noindex")


def test_a_private_game_is_to_a_visitor_as_one_that_does_not_exist(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 resign yes")
    Game.objects.filter(pk=game.pk).update(private=True)
    visitor = Visitor()
    for page in ("", "replay/", "record/"):
        hidden, missing = (visitor.client.get(f"/games/{game_id}/{page}") for game_id in (game.pk, uuid.uuid4()))
        assert hidden.status_code == missing.status_code == 302
        assert hidden.headers["Location"] == f"/login/?next=/games/{game.pk}/{page}"
    assert game.code[:4].upper() not in visitor.go("/games/?state=all").text


def test_a_seat_without_an_account_is_not_taken_for_the_visitors(maryam: Account) -> None:
    game = begin([maryam, None], DUEL, two_player_setup="dealt")
    page = Visitor().go(f"/games/{game.pk}/")
    assert forms_of(page) == set()
    assert "Your move" not in page.text
    game = opened(maryam, seat_count=3, bots=1)
    page = Visitor().go(f"/games/{game.pk}/")
    assert forms_of(page) == set()
    assert "Log in first" in page.text


def test_a_visitor_is_not_told_who_stands_in_for_a_player(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    now = timezone.now()
    stand_ins.name_stand_in(game.pk, maryam, bahareh, now + timedelta(days=1), now)
    assert "Bahareh" in Visitor(sepideh).go(f"/games/{game.pk}/").text
    assert "Bahareh" not in Visitor().go(f"/games/{game.pk}/").text


def test_a_profile_is_for_visitors_only_where_its_owner_likes_it(maryam: Account, sepideh: Account) -> None:
    won(maryam, sepideh)
    visitor = Visitor()
    hidden, missing = (visitor.client.get(f"/players/{name}/") for name in ("Maryam", "Nobody"))
    assert (hidden.status_code, hidden.headers["Location"]) == (302, "/login/?next=/players/Maryam/")
    assert (missing.status_code, missing.headers["Location"]) == (302, "/login/?next=/players/Nobody/")
    settings = Visitor(maryam)
    settings.go("/settings/")
    settings.send(public_profile="on")
    page = visitor.go("/players/Maryam/")
    sound(page, "en")
    assert "Answers on time: 100%" in page.text
    assert "Block or mute" not in page.text
    assert forms_of(page) == set()
    assert "/players/Maryam/" in visitor.client.get("/sitemap.xml").content.decode()
    settings.go("/settings/")
    settings.send(public_profile=None)
    assert visitor.client.get("/players/Maryam/").status_code == 302
    assert "/players/" not in visitor.client.get("/sitemap.xml").content.decode()


def test_the_board_names_to_visitors_only_those_who_like_it(maryam: Account, sepideh: Account) -> None:
    kind = {"rules": "coup", "seat_count": 0, "with_bots": False}
    for account in (maryam, sepideh):
        PlayerStats.objects.create(account=account, games=9, wins=5, mean=31, doubt=2, **kind)
    Account.objects.filter(pk=maryam.pk).update(public_profile=True)
    page = Visitor().go("/leaders/")
    sound(page, "en")
    assert "Maryam" in page.text
    assert "سپیده" not in page.text
    assert "a player" in page.text


def test_a_visitor_finds_public_games_and_no_filter_for_their_own(maryam: Account) -> None:
    game = opened(maryam, seat_count=3)
    page = Visitor().go("/games/?whose=mine")
    assert f"/games/{game.pk}/" in {link["href"] for link in page.all("a")}
    assert "whose" not in {field.get("name") for field in page.all("select")}
    assert {"name": "robots", "content": "noindex"} in page.all("meta")
    assert "/games/" not in Visitor().client.get("/sitemap.xml").content.decode()


def test_pages_for_visitors_are_compressed_and_those_of_players_are_not(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    for path in (f"/games/{game.pk}/", "/games/", "/leaders/"):
        for visitor, encoding in ((Visitor(), "gzip"), (Visitor(maryam), None)):
            answer = visitor.client.get(path, headers={"Accept-Encoding": "gzip"})
            assert answer.headers.get("Content-Encoding") == encoding, path


def test_an_invitation_by_link_is_previewed_to_visitors_without_names_and_leads_back_after_signing_up(
    maryam: Account,
) -> None:
    game = opened(maryam, seat_count=3, private=True)
    link = f"/join/?code={game.code}"
    visitor = Visitor()
    page = visitor.go(link)
    assert "You’re invited to play Coup. 2 seats are free." in page.text
    assert "Maryam" not in visitor.answer.content.decode()
    properties = {tag["property"]: tag["content"] for tag in page.all("meta") if "property" in tag}
    assert properties["og:url"].endswith(link)
    assert properties["og:description"].startswith("2 seats are free · ")
    assert visitor.client.get(urlsplit(properties["og:image"]).path).headers["Content-Type"] == "image/png"
    visitor.go(next(element["href"] for element in page.all("a") if element["href"].startswith("/signup/?next=")))
    visitor.send(name="Bahareh", email="bahareh@example.org")
    visitor.send(code=code(), password=PASSWORD)
    assert visitor.path == link
    visitor.send()
    assert visitor.path == f"/games/{game.pk}/"
    assert set(game.names().values()) == {"Maryam", "Bahareh"}


def test_a_visitor_with_a_wrong_code_sees_no_game_and_without_one_is_asked_to_log_in(maryam: Account) -> None:
    game = opened(maryam, seat_count=3, private=True)
    visitor = Visitor()
    assert "There’s no game with this code." in visitor.go("/join/?code=nothing", status=422).text
    assert visitor.client.get("/join/").headers["Location"] == "/login/?next=/join/"
    answer = Client().post("/join/", {"code": game.code})
    assert answer.headers["Location"] == f"/login/?next=/join/%3Fcode%3D{game.code}"
    assert not game.seats.exclude(account=maryam).exists()

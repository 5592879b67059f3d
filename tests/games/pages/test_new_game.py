"""Creating a game on a page, finding one, and joining it."""

import re
from typing import Any, Final

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from games.models import Bot, Game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.terms import GameTerms, Schedule
from tests.browser import Visit, chromium, visit
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.third_game.table import with_fist

pytestmark = pytest.mark.django_db
__all__ = ["chromium", "visit", "with_fist"]
GAME_PAGE: Final = r"/games/[0-9a-f-]{36}/"


def test_the_form_asks_for_every_option_of_the_game_in_words(maryam: Account) -> None:
    page = Visitor(maryam).go("/games/new/coup/")
    for label in ("The inquisitor replaces the ambassador", "Cards for two players", "by secret draft", "seat 10"):
        assert label in page.text
    assert "previous_winners" not in str(page.forms)


@pytest.fixture
def visitor(maryam: Account) -> Visitor:
    """Maryam on the page that creates a game of Coup."""
    visitor = Visitor(maryam)
    visitor.go("/games/new/coup/")
    return visitor


def test_a_table_is_opened_as_its_host_chose(visitor: Visitor) -> None:
    visitor.send(
        seat_count="5",
        bots="2",
        turn_limit="P7D",
        reaction_limit="PT8H",
        who="friends",
        chat="table",
        option__reformation="on",
        option__starting_player="2",
        option__answers="sealed",
    )
    game = Game.objects.get()
    assert visitor.path == f"/games/{game.pk}/"
    assert "Reformation: parties, conversion and the reserve" in visitor.page.text
    assert (game.seat_count, game.bot_count, game.private, game.terms.chat) == (5, 2, True, "table")
    assert (game.terms.turn_limit.days, game.terms.reaction_limit.total_seconds()) == (7, 8 * 3600)
    options = {"reformation": True, "starting_player": 2, "answers": "sealed", "inquisitor": False}
    assert {name: game.options[name] for name in options} == options


def test_a_speed_sets_every_time_and_a_time_of_its_own_goes_before_it(visitor: Visitor) -> None:
    visitor.send(speed="live", reaction_limit="PT30M", vacation="7")
    terms = Game.objects.get().terms
    minutes = [limit.total_seconds() / 60 for limit in (terms.turn_limit, terms.reaction_limit, terms.choice_limit)]
    assert minutes == [5, 30, 2]
    assert (terms.schedule.sleep, terms.schedule.vacation) == (0, 7)


def test_a_form_that_is_sent_as_it_stands_creates_a_private_game_with_the_usual_terms(
    maryam: Account, visitor: Visitor
) -> None:
    visitor.send()
    game = Game.objects.get()
    usual = GameTerms(schedule=Schedule(zone=maryam.time_zone))
    assert (game.private, game.seat_count, game.bot_count, game.terms) == (True, 4, 0, usual)


@pytest.mark.parametrize(("who", "private", "bots"), [("friends", True, 0), ("anybody", False, 0), ("bots", True, 2)])
def test_the_host_chooses_who_plays(maryam: Account, who: str, private: bool, bots: int) -> None:
    visitor = Visitor(maryam)
    visitor.go("/games/new/sedlec/")
    visitor.send(seat_count="3", who=who, level="strong", style="bold")
    game = Game.objects.get()
    assert (game.private, game.bot_count, game.state) == (private, bots, "running" if bots else "open")
    assert game.bots == (Bot("strong", "bold"),) * bots
    assert visitor.page.text.count("bot: strong") == bots


@pytest.mark.django_db(transaction=True)
def test_the_form_asks_what_bots_are_like_only_where_there_are_any(
    live_server: LiveServer, visit: Visit, maryam: Account
) -> None:
    client = Client()
    client.force_login(maryam)
    page = (visitor := visit(live_server.url, locale="en-GB")).page
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    visitor.context.add_cookies([cookie])
    visitor.go("/games/new/coup/")

    def open_kinds() -> list[str]:
        return [name for name in ("bots", "level", "style") if page.locator(f"[name={name}]").is_visible()]

    assert open_kinds() == ["bots"]
    page.locator("[name=bots]").select_option("2")
    assert open_kinds() == ["bots", "level", "style"]
    page.locator("[name=who][value=bots]").check()
    assert open_kinds() == ["level", "style"]


def test_expansions_are_shown_as_pictures_and_what_is_refused_below_them_is_unfolded(maryam: Account) -> None:
    visitor = Visitor(maryam)
    page = visitor.go("/games/new/coup/")
    pictures = {image["src"].rpartition("/")[2] for image in page.all("img")}
    assert {"inquisitor.en.svg", "reformation.en.svg", "anarchist.en.svg"} <= pictures
    (more,) = page.all("details")
    assert "open" not in more
    (more,) = visitor.send(status=422, misses="99").all("details")
    assert "open" in more


def test_a_game_of_its_own_folder_has_its_form_without_a_line_here(maryam: Account) -> None:
    visitor = Visitor(maryam)
    assert "highest" in visitor.go("/games/new/fist/").text
    visitor.send(seat_count="2", bots="1", option__highest="9")
    assert Game.objects.get().options["highest"] == 9
    assert "The board as a picture" not in str(visitor.page.all("img"))


def test_what_cannot_be_is_said_beside_its_field_and_nothing_is_lost(visitor: Visitor) -> None:
    page = visitor.send(status=422, seat_count="3", bots="3", turn_limit="P14D", option__anarchist="on")
    assert not Game.objects.exists()
    assert "Bots can take from 0 to 2 of these seats: one is yours." in page.text
    wrong = next(field for field in page.all("select") if field["name"] == "bots")
    assert wrong["aria-invalid"] == "true"
    assert "id_bots_error" in wrong["aria-describedby"]
    form = page.form("")
    assert (form["seat_count"], form["bots"], form["turn_limit"], form["option-anarchist"]) == ("3", "3", "P14D", "on")
    visitor.send(bots="1")
    assert Game.objects.get().seat_count == 3


def test_options_that_do_not_go_together_are_told_above_the_form(visitor: Visitor) -> None:
    page = visitor.send(status=422, seat_count="2", option__starting_player="5")
    assert not Game.objects.exists()
    assert "There’s no seat 5. Choose a seat from 1 to 2." in page.text


def test_sending_the_form_twice_opens_one_table(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go("/games/new/sedlec/")
    page = visitor.page
    for seats in ("2", "2", "3"):
        visitor.page, visitor.path = page, "/games/new/sedlec/"
        visitor.send(status=422 if seats == "3" else 200, seat_count=seats)
    assert Game.objects.count() == 1
    assert "You’ve already created a game with this form." in visitor.page.text
    visitor.send()
    assert sorted(Game.objects.values_list("seat_count", flat=True)) == [2, 3]


def test_pressing_play_twice_begins_one_game(maryam: Account) -> None:
    visitor = Visitor(maryam)
    page = visitor.go("/")
    for _ in range(2):
        visitor.page = page
        visitor.send("/play/", rules="sedlec")
    game = Game.objects.get()
    assert (game.state, game.rules, game.seat_count, game.bot_count, game.private) == ("running", "sedlec", 3, 2, True)


def test_there_is_no_form_for_a_game_that_nobody_knows(maryam: Account) -> None:
    assert Visitor(maryam).go("/games/new/chess/", 404)


def test_public_tables_are_found_by_state_game_and_owner(maryam: Account, bahareh: Account) -> None:
    own_game, running = opened(maryam, seat_count=3), opened(bahareh, seat_count=2, bots=1)
    sedlec = opened(bahareh, rules="sedlec", seat_count=3)
    opened(bahareh, seat_count=3, private=True)
    visitor = Visitor(maryam)

    def games_for(query: str) -> set[str]:
        links = [link["href"] for link in visitor.go(f"/games/?{query}").all("a")]
        return {link.split("/")[2] for link in links if re.fullmatch(GAME_PAGE, link)}

    assert games_for("") == {str(own_game.pk), str(sedlec.pk), str(running.pk)}
    assert games_for("state=") == {str(own_game.pk), str(sedlec.pk)}
    assert games_for("state=all") == {str(own_game.pk), str(sedlec.pk), str(running.pk)}
    assert games_for("state=running") == {str(running.pk)}
    assert games_for("rules=sedlec") == {str(sedlec.pk)}
    assert games_for("whose=mine") == {str(own_game.pk)}
    assert games_for("whose=others&state=all") == {str(sedlec.pk), str(running.pk)}
    assert games_for("state=nonsense&rules=chess") == {str(own_game.pk), str(sedlec.pk)}


def test_a_long_list_goes_on_on_another_page(maryam: Account, settings: Any) -> None:
    settings.OPEN_GAMES_HOSTED = settings.GAMES_PER_HOUR = 100
    for _ in range(21):
        create_game(maryam, NewGame(rules="sedlec", seat_count=3), "page", timezone.now())
    visitor = Visitor(maryam)
    onward = next(link["href"] for link in visitor.go("/games/?rules=sedlec").all("a") if link.get("rel") == "next")
    visitor.go(onward)
    assert len([link for link in visitor.page.all("a") if re.fullmatch(GAME_PAGE, link["href"])]) == 1


def test_a_private_table_is_joined_by_its_code(maryam: Account, bahareh: Account) -> None:
    game = opened(maryam, seat_count=2, private=True)
    visitor = Visitor(bahareh)
    visitor.go("/join/")
    visitor.page = visitor.go(f"/join/?code={game.code.upper()}")
    assert game.commitment in visitor.page.text, "before anybody else sits down"
    assert "Maryam" in visitor.page.text
    visitor.path = "/join/"
    visitor.send(code=game.code)
    assert visitor.path == f"/games/{game.pk}/"
    assert Game.objects.get().state == "running"


def test_a_wrong_code_is_said_to_be_none(bahareh: Account) -> None:
    page = Visitor(bahareh).go("/join/?code=abc", 422)
    assert "There’s no game with this code." in page.text
    assert next(field for field in page.all("input") if field.get("name") == "code")["value"] == "abc"


def test_a_link_to_join_survives_signing_in(maryam: Account) -> None:
    game = opened(maryam, seat_count=3)
    visitor = Visitor()
    page = visitor.go(f"/join/?code={game.code}")
    visitor.go(next(link["href"] for link in page.all("a") if link["href"].startswith("/login/?next=")))
    assert visitor.page.form("")["next"] == f"/join/?code={game.code}"


def test_the_host_begins_and_whoever_sits_there_leaves(maryam: Account, bahareh: Account) -> None:
    game = opened(maryam, seat_count=4)
    guest, host = Visitor(bahareh), Visitor(maryam)
    guest.go(f"/games/{game.pk}/")
    assert "Start now" not in guest.send(f"/games/{game.pk}/join/").text
    guest.go(f"/games/{game.pk}/leave/")
    assert "You’ve left the game." in guest.send().text
    guest.go(f"/games/{game.pk}/")
    guest.send(f"/games/{game.pk}/join/")
    assert "Start now" in host.go(f"/games/{game.pk}/").text
    host.send(f"/games/{game.pk}/start/")
    game.refresh_from_db()
    assert (game.state, game.seat_count) == ("running", 2)


def test_somebody_is_invited_by_mail(maryam: Account) -> None:
    game = opened(maryam, seat_count=4)
    host = Visitor(maryam)
    assert game.code in host.go(f"/games/{game.pk}/").text
    host.send(f"/games/{game.pk}/invite/", address="kaveh.87@example.com", language="fa", note="Come and play!")
    assert "on its way to kaveh.87@example.com" in host.page.text
    (invitation,) = game.invitations.all()
    assert (invitation.address, invitation.language, invitation.note) == (
        "kaveh.87@example.com",
        "fa",
        "Come and play!",
    )
    host.send(f"/games/{game.pk}/invite/", address="nobody")
    assert "valid email" in host.page.text
    assert game.invitations.count() == 1


def test_no_option_of_a_list_costs_a_template(visitor: Visitor) -> None:
    visitor.send(status=422, seat_count="99")  # The refused form is rendered again.
    names = {template.name for template in visitor.answer.templates}
    assert "django/forms/widgets/radio_option.html" in names
    assert "django/forms/widgets/select_option.html" not in names


def test_the_fields_are_rendered_once_for_each_zone_and_language(maryam: Account, bahareh: Account) -> None:
    for account, zone, language in ((maryam, "Europe/Berlin", "en"), (bahareh, "Asia/Tehran", "fa")):
        Account.objects.filter(pk=account.pk).update(time_zone=zone, language=language)
    browsers = [Client(), Client()]
    for browser, account in zip(browsers, (maryam, bahareh), strict=True):
        browser.force_login(account)
    for _ in range(2):
        answers = [browser.get("/games/new/coup/") for browser in browsers]
        for answer, zone, word in zip(answers, ("Europe/Berlin", "Asia/Tehran"), ("Players", "بازیکنان"), strict=True):
            assert f'<option value="{zone}" selected>' in answer.content.decode()
            assert word in answer.content.decode()
    assert not any(template.name == "field.html" for answer in answers for template in answer.templates)

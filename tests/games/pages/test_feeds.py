"""Feeds: the calendar behind a secret address, and Atom feeds of public data."""

import io
import logging
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from accounts.account_data import export_account
from accounts.models import Account
from config.core.logs import LineFormatter
from games.models import Game, OpenQuestion
from games.tables import calendar_feed, vacations
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.games.pages.test_players import won
from tests.games.pages.test_two_worlds import HANDS
from tests.games.seated import begin, play
from tests.games.unseen import world

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]
ATOM = "{http://www.w3.org/2005/Atom}"


def turned_on(account: Account) -> str:
    """Return the path of the feed of an account that has turned it on in the settings."""
    visitor = Visitor(account)
    visitor.go("/settings/calendar/")
    page = visitor.send("/settings/calendar/feed/", do="new")
    [address] = re.findall(rf"{settings.PUBLIC_URL}(/calendar/\S+\.ics)", page.text)
    return str(address)


def read(path: str) -> Calendar:
    """Return the calendar at an address, read without signing in."""
    answer = Client().get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert max(map(len, answer.content.split(b"\r\n"))) <= 75
    return Calendar.from_ical(answer.content)


def test_a_calendar_program_reads_deadlines_and_vacations(maryam: Account, sepideh: Account) -> None:
    game = begin([sepideh, maryam], DUEL, two_player_setup="dealt")
    first = timezone.now().date() + timedelta(days=30)
    vacations.announce(sepideh, first, first + timedelta(days=2), timezone.now())
    calendar = read(turned_on(sepideh))
    deadline, away = calendar.walk("VEVENT")
    row = OpenQuestion.objects.get(game=game)
    assert deadline["dtstart"].dt == row.due_at
    assert deadline["summary"] == f"مهلت پاسخ شما در کودتا {game.code[:4].upper()}"
    assert deadline["summary"].params["LANGUAGE"] == "fa"
    assert str(game.pk) in deadline["url"]
    assert (away["dtstart"].dt, away["dtend"].dt) == (first, first + timedelta(days=3))
    assert len({component["uid"] for component in calendar.walk("VEVENT")}) == 2
    play(game, "1 income")
    assert [component["uid"] for component in read(turned_on(sepideh)).walk("VEVENT")] == [away["uid"]]


def test_a_calendar_is_sent_again_only_when_something_changed(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    path, program = turned_on(maryam), Client()
    tag = program.get(path).headers["ETag"]
    assert program.get(path, headers={"If-None-Match": tag}).status_code == 304
    play(game, "1 income")
    assert program.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_an_event_has_a_higher_revision_when_its_deadline_moves(maryam: Account, sepideh: Account) -> None:
    begin([sepideh, maryam, None])
    path = turned_on(sepideh)
    (first,) = read(path).walk("VEVENT")
    assert read(path).walk("VEVENT") == [first]
    for later in (timedelta(minutes=10), timedelta(days=1)):
        OpenQuestion.objects.update(due_at=F("due_at") + later)
        (second,) = read(path).walk("VEVENT")
        assert second["uid"] == first["uid"]
        assert second["sequence"] > first["sequence"]
        for name in ("dtstamp", "last-modified", "dtstart"):
            assert second[name].dt > first[name].dt, name
        first = second


def test_only_the_latest_address_opens_a_calendar_and_none_once_it_is_off(maryam: Account) -> None:
    first, second = turned_on(maryam), turned_on(maryam)
    assert first != second
    program = Client()
    assert [program.get(path).status_code for path in (first, second)] == [404, 200]
    visitor = Visitor(maryam)
    visitor.go("/settings/calendar/")
    visitor.send("/settings/calendar/feed/", do="remove")
    missing = "/calendar/k-1-abc-" + "a" * 26 + ".ics"
    assert [program.get(path).status_code for path in (first, second, missing, "/calendar/x.ics")] == [404] * 4
    third = turned_on(maryam)
    assert third not in (first, second)
    Account.objects.filter(pk=maryam.pk).update(is_active=False)
    assert program.get(third).status_code == 404


def test_the_address_of_a_calendar_stands_in_no_log_and_in_no_export(maryam: Account) -> None:
    path = turned_on(maryam)
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(LineFormatter())
    logging.getLogger("django.request").addHandler(handler)
    try:
        Visitor(maryam).go("/settings/calendar/")
        calendar_feed.turn_off(maryam)
        assert Client().get(path).status_code == 404
    finally:
        logging.getLogger("django.request").removeHandler(handler)
    assert "Not Found: /calendar/" in output.getvalue()
    assert path.removesuffix(".ics").rpartition("-")[2] not in output.getvalue()
    maryam.refresh_from_db()
    calendar_feed.renew(maryam)
    assert maryam.calendar_key not in str(export_account(maryam, timezone.now()))


def test_the_hands_show_in_no_calendar(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    path, calendars = turned_on(maryam), []
    for hands in HANDS:
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            play(game, "1 tax", "2 allow", "3 allow", "2 steal 1")
            calendar = Client().get(path).content.decode().replace(game.code[:4].upper(), "CODE")
            calendars.append(re.sub(r"\s+", "", calendar).replace(str(game.pk), "GAME"))
    assert calendars[0] == calendars[1]


def entries(path: str) -> list[dict[str, str]]:
    """The entries of an Atom feed."""
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    assert answer.headers["X-Robots-Tag"] == "noindex"
    feed = ElementTree.fromstring(answer.content)
    assert feed.find(f"{ATOM}updated") is not None
    rows = []
    for entry in feed.findall(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        rows.append(
            {
                "link": link.get("href", ""),
                "title": entry.findtext(f"{ATOM}title", ""),
                "summary": entry.findtext(f"{ATOM}summary", ""),
            }
        )
    return rows


def test_feeds_tell_of_open_games_and_results(maryam: Account, sepideh: Account) -> None:
    waiting = opened(maryam, seat_count=3)
    opened(maryam, seat_count=3, private=True)
    over = won(maryam, sepideh)
    won(maryam, sepideh, private=True)
    [entry] = entries("/feeds/en/games.atom")
    assert entry["link"] == f"{settings.PUBLIC_URL}/games/{waiting.pk}/"
    assert "Maryam" in entry["summary"]
    [entry] = entries("/feeds/fa/results.atom")
    assert entry["link"] == f"{settings.PUBLIC_URL}/games/{over.pk}/"
    assert entry["title"].startswith("کودتا")
    assert "Maryam" in entry["summary"].partition(".")[0]
    assert Client().get("/feeds/de/results.atom").status_code == 404


def test_a_name_is_text_in_a_feed_not_html(maryam: Account) -> None:
    opened(maryam, seat_count=3)
    Account.objects.filter(pk=maryam.pk).update(name="<b>Maryam</b>")
    [entry] = entries("/feeds/en/games.atom")
    assert "&lt;b&gt;Maryam&lt;/b&gt;" in entry["summary"]


def test_a_players_feed_is_there_only_where_its_owner_likes_it(maryam: Account, sepideh: Account) -> None:
    over = won(maryam, sepideh)
    won(maryam, sepideh, private=True)
    hidden, missing = (Visitor().go(f"/feeds/en/players/{name}.atom", 404).text for name in ("Maryam", "Nobody"))
    assert hidden == missing
    assert "/feeds/" not in str(Visitor(sepideh).go("/players/Maryam/").all("link"))
    Account.objects.filter(pk=maryam.pk).update(public_profile=True)
    [alternate] = [
        link["href"] for link in Visitor().go("/players/Maryam/").all("link") if link.get("rel") == "alternate"
    ]
    assert [entry["link"] for entry in entries(alternate)] == [f"{settings.PUBLIC_URL}/games/{over.pk}/"]


def test_a_running_game_is_in_no_feed(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    Game.objects.filter(pk=game.pk).update(created_at=timezone.now() - timedelta(days=1))
    assert entries("/feeds/en/games.atom") == entries("/feeds/en/results.atom") == []

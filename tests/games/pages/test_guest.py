"""Guests: they play against bots, or with people by a link, reach nothing else, and may become an account."""

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client, RequestFactory
from django.urls import get_resolver
from django.utils import timezone

from accounts import guests
from accounts.models import Account
from accounts.rate_limits import (
    GUESTS,
    GUESTS_IN_DAY,
    GUESTS_OF_SURROUNDINGS,
    TooManyAttempts,
    count_attempt,
    guest_attempt,
)
from games.announcements.notify import write_due
from games.archive.ratings import count_all
from games.models import ChatMessage, Game, PlayerStats
from games.refusals import Refusal
from games.tables.joining import join_game, leave_game, open_to_guests
from notifications.models import Notification
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.games.seated import play

pytestmark = pytest.mark.django_db
PASSWORD = "seven goats on a roof"


def try_it(language: str = "en", *, time_zone: str = "", **more: str) -> Visitor:
    """Return a new visitor who has pressed the button of the first page."""
    visitor = Visitor(language=language)
    visitor.client.defaults |= more
    visitor.go("/")
    visitor.send("/try/", rules="coup", time_zone=time_zone)
    return visitor


def test_one_press_on_the_first_page_leads_to_the_first_question() -> None:
    visitor = try_it()
    assert re.fullmatch(r"/games/[0-9a-f-]{36}/", visitor.path)
    assert "You’re playing as a guest" in visitor.page.text
    game = Game.objects.get()
    guest = Account.objects.get()
    assert (guest.is_guest, guest.has_usable_password()) == (True, False)
    assert [seat.account for seat in game.seats.all() if seat.account] == [guest]
    assert game.state == Game.State.RUNNING
    home = visitor.go("/")
    assert {form["action"] for form in home.forms} >= {"/logout/", "/games/play/"} or home.forms


def test_a_guest_who_logs_out_is_asked_first_because_the_games_are_lost() -> None:
    visitor = try_it()
    visitor.send("/logout/")
    assert "If you log out, you lose your games." in visitor.page.text
    assert "Make an account" in visitor.page.text
    assert visitor.go("/").text.count("You’re playing as a guest") == 1
    visitor.send("/logout/", sure="yes")
    assert "You’re playing as a guest" not in visitor.go("/").text


def test_a_persian_guest_is_called_in_persian() -> None:
    try_it("fa")
    assert Account.objects.get().name.startswith("مهمان")


@pytest.mark.parametrize(
    ("sentence", "zone"), [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", "UTC"), ("", "UTC")]
)
def test_a_guest_lives_in_the_zone_of_their_browser(sentence: str, zone: str) -> None:
    try_it(time_zone=sentence)
    assert Account.objects.get().time_zone == zone


def test_a_guest_gets_no_mail(mailoutbox: list[object]) -> None:
    try_it()
    write_due(timezone.now() + timedelta(days=1))
    assert not Notification.objects.filter(channel="mail", state="ready").exists()


def test_a_guest_reaches_no_view_but_those_for_guests(maryam: Account) -> None:
    visitor = try_it()
    own_game, public = Game.objects.get(), opened(maryam, seat_count=3)
    before = Account.objects.count()
    for path in (
        *("/games/new/", "/games/new/coup/", "/join/", "/settings/"),
        *("/settings/tokens/", "/settings/webhooks/", "/settings/calendar/", "/settings/account/", "/oauth/authorize"),
        f"/games/{own_game.pk}/report/",
    ):
        answer = visitor.client.get(path)
        assert (answer.status_code, answer.headers.get("Location")) == (302, "/signup/"), path
    visitor.go("/")
    token = {"csrfmiddlewaretoken": visitor.page.forms[0]["fields"]["csrfmiddlewaretoken"]}
    for path in (
        *(f"/games/{public.pk}/join/", f"/games/{own_game.pk}/chat/", f"/games/{own_game.pk}/invite/"),
        *(f"/games/{own_game.pk}/plans/", f"/games/{own_game.pk}/pause/", "/games/new/coup/"),
    ):
        answer = visitor.client.post(path, {**token, "text": "hi", "address": "a@example.org"})
        assert answer.headers.get("Location") == "/signup/", path
    assert not ChatMessage.objects.exists()
    assert public.seats.count() == 1
    assert Account.objects.count() == before


def opened_to_guests(host: Account, seat_count: int = 2) -> tuple[Game, str]:
    """Return a game of this host, and the path of its link for guests, made by the button on its page."""
    game, visitor = opened(host, seat_count=seat_count), Visitor(host)
    visitor.go(f"/games/{game.pk}/")
    link = re.search(r"/join/[\w-]{22}/", visitor.send(f"/games/{game.pk}/guests/", answer="open").text)
    assert link is not None
    return game, link[0]


def test_a_guest_by_link_plays_with_accounts_and_the_game_is_not_rated(maryam: Account, bahareh: Account) -> None:
    game, path = opened_to_guests(maryam, seat_count=3)
    join_game(game.pk, bahareh, "", "page", timezone.now())
    guest = Visitor()
    page = guest.go(path)
    assert "Maryam invites you to play Coup" in page.text.replace("\u2068", "").replace("\u2069", "")
    assert "Bahareh" not in page.text
    guest.send(name="Sepideh")
    assert guest.path == f"/games/{game.pk}/"
    game.refresh_from_db()
    assert (game.state, game.has_guests, game.guest_token) == (Game.State.RUNNING, True, "")
    assert set(game.names().values()) == {"Maryam", "Bahareh", "Sepideh"}
    assert Account.objects.get(name="Sepideh").is_guest
    assert "This link no longer works" in Visitor().go(path, 404).text
    play(game, "1 resign yes", "2 resign yes")
    count_all(timezone.now())
    assert Game.objects.get(pk=game.pk).counted
    assert not PlayerStats.objects.exists()


def test_a_guest_whose_host_has_left_starts_the_game(maryam: Account, bahareh: Account) -> None:
    game, path = opened_to_guests(maryam, seat_count=4)
    guest = Visitor()
    guest.go(path)
    guest.send()
    join_game(game.pk, bahareh, "", "page", timezone.now())
    leave_game(game.pk, maryam, "page", timezone.now())
    guest.go(f"/games/{game.pk}/")
    guest.send(f"/games/{game.pk}/start/")
    game.refresh_from_db()
    assert (game.state, game.seat_count, game.has_guests) == (Game.State.RUNNING, 2, True)


def test_an_account_joins_by_the_link_for_guests_as_itself(maryam: Account, bahareh: Account) -> None:
    game, path = opened_to_guests(maryam)
    visitor = Visitor(bahareh)
    visitor.go(path)
    visitor.send()
    game.refresh_from_db()
    assert (set(game.names().values()), game.has_guests) == ({"Maryam", "Bahareh"}, False)


def test_opening_the_link_for_guests_changes_nothing_and_bad_names_are_refused(maryam: Account) -> None:
    game, path = opened_to_guests(maryam, seat_count=3)
    guest = Visitor()
    guest.go(path)
    assert not Account.objects.filter(is_guest=True).exists()
    for name, reason in (("Maryam", "taken"), ("https://example.org", "")):
        page = guest.send(status=422, name=name)
        assert reason in page.text
    assert (Account.objects.count(), game.seats.count()) == (1, 1)
    page = guest.send(name="")
    assert "Leave the game" in page.text
    assert "Invite someone" not in page.text
    assert game.seats.count() == 2
    assert Account.objects.get(is_guest=True).name.startswith("Guest ")


def test_only_the_host_makes_and_ends_a_link_for_guests_and_only_where_anyone_may_sign_up(
    maryam: Account, bahareh: Account, settings: Any
) -> None:
    game, path = opened_to_guests(maryam, seat_count=3)
    join_game(game.pk, bahareh, "", "page", timezone.now())
    assert path not in Visitor(bahareh).go(f"/games/{game.pk}/").text
    for is_open in (False, True):
        with pytest.raises(Refusal, match="Only the host"):
            open_to_guests(game.pk, bahareh, timezone.now(), is_open=is_open)
    Visitor().go(path)
    host = Visitor(maryam)
    host.go(f"/games/{game.pk}/")
    assert "Invite guests" in host.send(f"/games/{game.pk}/guests/", answer="end").text
    Visitor().go(path, 404)
    host.send(f"/games/{game.pk}/guests/", answer="open")
    game.refresh_from_db()
    settings.SIGN_UP = "invitation"
    Visitor().go(f"/join/{game.guest_token}/", 404)
    assert "Invite guests" not in host.go(f"/games/{game.pk}/").text
    with pytest.raises(Refusal, match="doesn’t take guests"):
        open_to_guests(game.pk, maryam, timezone.now(), is_open=True)
    for token in ("", "x" * 22, game.code):
        assert Visitor().client.get(f"/join/{token}/").status_code in (302, 404)


def test_a_guest_reads_what_everybody_may_read(maryam: Account) -> None:
    visitor, public = try_it(), opened(maryam, seat_count=3)
    for path in ("/games/", "/leaders/", f"/games/{public.pk}/"):
        assert "Maryam" in visitor.go(path).text or path == "/leaders/"
    visitor.go("/players/Maryam/", 404)
    Account.objects.filter(pk=maryam.pk).update(public_profile=True)
    assert "Maryam" in visitor.go("/players/Maryam/").text


def test_every_view_that_is_named_for_guests_is_there() -> None:
    resolver = get_resolver()
    names = {name for name in resolver.reverse_dict if isinstance(name, str)}
    names |= {f"pages:{name}" for name in resolver.namespace_dict["pages"][1].reverse_dict if isinstance(name, str)}
    assert names >= guests.GUEST_VIEWS


def test_a_network_makes_few_guests() -> None:
    for _ in range(GUESTS.quota):
        try_it(REMOTE_ADDR="203.0.113.7")
    before = Account.objects.count()
    visitor = Visitor()
    visitor.client.defaults["REMOTE_ADDR"] = "203.0.113.7"
    visitor.go("/")
    assert "Too many people" in visitor.send("/try/", rules="coup").text
    assert Account.objects.count() == before
    for host in range(8, 28):
        visitor = Visitor()
        visitor.client.defaults["REMOTE_ADDR"] = f"203.0.113.{host}"
        visitor.go("/")
        visitor.send("/try/", rules="coup")
    assert Account.objects.filter(is_guest=True).count() == GUESTS_OF_SURROUNDINGS.quota


def test_not_ten_thousand_guests_come_from_one_network_while_a_guest_is_kept() -> None:
    guest_count = 0
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for hour in range(24):
            with suppress(TooManyAttempts):
                for host in range(1, 255):  # each address asks, in IPv4 and as IPv6 writes it, with a forged forwarder
                    address = f"198.51.100.{host}" if hour % 2 else f"::ffff:198.51.100.{host}"
                    asks = RequestFactory().post("/try/", REMOTE_ADDR=address, HTTP_X_FORWARDED_FOR=f"192.0.2.{host}")
                    count_attempt(guest_attempt(asks))
                    guest_count += 1
            clock.shift(timedelta(hours=1))
    assert GUESTS_IN_DAY.quota <= guest_count <= 2 * GUESTS_IN_DAY.quota
    assert GUESTS_IN_DAY.quota * (guests.KEPT.days + 1) < 10_000


def test_a_guest_who_signs_up_keeps_the_game() -> None:
    visitor = try_it()
    game = visitor.path
    guest = Account.objects.get()
    assert "With an account, you keep your games" in visitor.go("/signup/").text
    visitor.send("", name="Nasrin", email="nasrin@example.org")
    assert Account.objects.get().is_guest
    write_due(timezone.now())
    sent = Notification.objects.get(address="nasrin@example.org").content()
    match = re.search(r"\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b", str(sent))
    assert match
    visitor.send("", code=match[0], password=PASSWORD)
    account = Account.objects.get()
    assert (account.pk, account.name, account.is_guest) == (guest.pk, "Nasrin", False)
    assert account.check_password(PASSWORD)
    page = visitor.go(game)
    assert "You’re playing as a guest" not in page.text
    assert visitor.client.get("/settings/").status_code == 200
    assert account.preferences.mails is None


def test_a_guest_can_not_log_in_and_is_deleted_after_a_month() -> None:
    visitor = try_it()
    guest = Account.objects.get()
    assert not Client().login(email=guest.email, password="")
    guests.delete_expired(timezone.now() + guests.KEPT - timedelta(hours=1))
    assert Account.objects.filter(pk=guest.pk).exists()
    guests.delete_expired(timezone.now() + guests.KEPT + timedelta(hours=1))
    assert not Account.objects.filter(pk=guest.pk).exists()
    assert visitor.client.get("/settings/").status_code == 302


def test_nobody_becomes_a_guest_by_looking_or_without_a_game() -> None:
    visitor = Visitor()
    visitor.go("/try/", 405)
    visitor.go("/")
    visitor.send("/try/", status=404, rules="chess")
    assert not Account.objects.exists()

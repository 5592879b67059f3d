"""The page behind the link in an invitation."""

import hashlib
import re
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.test import Client

from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.models import Game, Invitation
from games.tables import invitations
from games.tables.joining import leave_game
from notifications import deliverability
from notifications.models import Notification
from tests.third_game.table import NOON, create_fist, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

KAVEH = "kaveh.87@example.com"


@pytest.fixture
def browser() -> Client:
    """A browser of a visitor who is not signed in. It checks CSRF tokens."""
    return Client(headers={"host": "localhost"}, enforce_csrf_checks=True)


@pytest.fixture
def game(maryam: Account) -> Game:
    return create_fist(maryam, seat_count=3)


@pytest.fixture
def invitation(game: Game, maryam: Account) -> Invitation:
    invitation = invitations.invite(game.id, maryam, KAVEH, "en", NOON)
    write_due(NOON)
    return invitation


def link(invitation: Invitation) -> str:
    return links.invitation_page(invitation.pk)


def press(browser: Client, invitation: Invitation, answer: str, **fields: str) -> Any:
    """Press a button of the page with the fields of its form."""
    html = browser.get(link(invitation)).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
    assert token, html
    form = {"csrfmiddlewaretoken": token[1], "answer": answer, **fields}
    return browser.post(link(invitation), form, follow=True)


def everything() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Account, Invitation, Notification, Game)]


def test_lucky_words_are_typed_on_the_page_and_mixed_in(browser: Client, game: Game, invitation: Invitation) -> None:
    html = browser.get(link(invitation)).content.decode()
    assert "mixed into the shuffle, just for luck" in html
    press(browser, invitation, "join", name="Kaveh", words=" open sesame ")
    assert game.seats.get(number=2).seed == hashlib.sha256(b"open sesame").hexdigest()


def test_a_seat_of_a_running_game_has_no_place_for_lucky_words(browser: Client, invitation: Invitation) -> None:
    invitation.game.seats.update(away=True)
    invitation.game.terms = msgspec.structs.replace(invitation.game.terms, absence="invite")
    invitation.game.state, invitation.seat = Game.State.RUNNING, 1
    invitation.game.save()
    invitation.save()
    page = browser.get(link(invitation)).content.decode()
    assert 'value="join"' in page
    assert 'name="words"' not in page


def test_looking_shows_the_invitation_and_changes_nothing(browser: Client, game: Game, invitation: Invitation) -> None:
    before = everything()
    for method in (browser.get, browser.head):
        for path in (link(invitation), links.invitation_stop_page(invitation.pk)):
            answer = method(path)
            assert answer.status_code == 200
            assert answer.headers["Referrer-Policy"] == "same-origin"
            assert "no-store" in answer.headers["Cache-Control"]
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    page = browser.get(link(invitation)).content.decode()
    assert "“Maryam” invites you" in page
    assert 'value="Kaveh"' in page
    assert game.commitment in page, "what binds the server to the deal is there before the last seat is taken"
    assert everything() == before


def test_the_button_seats_a_newcomer_under_the_name_they_chose(
    browser: Client, invitation: Invitation, game: Game
) -> None:
    page = press(browser, invitation, "join", name="Kaveh Ahangar").content.decode()
    assert "You’ve joined the game as Kaveh Ahangar." in page
    assert game.seats.get(number=2).player == "Kaveh Ahangar"
    assert Notification.objects.filter(account__email=KAVEH, reason="welcome").exists()


@pytest.mark.parametrize("name", ["Maryam", "join", "7"])
def test_a_name_that_cannot_be_is_refused_and_nobody_sits_down(
    browser: Client, invitation: Invitation, game: Game, name: str
) -> None:
    page = press(browser, invitation, "join", name=name).content.decode()
    assert 'class="refused"' in page
    assert game.seats.count() == 1


def test_a_form_from_elsewhere_moves_nothing(browser: Client, invitation: Invitation) -> None:
    assert browser.post(link(invitation), {"answer": "join"}).status_code == 403
    assert not Account.objects.filter(email=KAVEH).exists()


def test_no_declines_and_one_may_think_better_of_it(browser: Client, invitation: Invitation) -> None:
    page = press(browser, invitation, "no").content.decode()
    assert "can still change your mind" in page
    assert Invitation.objects.get().state == "declined"
    assert "You’ve joined the game" in press(browser, invitation, "join").content.decode()


def test_who_has_an_account_is_told_before_they_join_that_only_invitations_end(
    browser: Client, invitation: Invitation
) -> None:
    newcomers = browser.get(link(invitation)).content.decode()
    Account.objects.create_user(KAVEH, name="Kaveh")
    theirs = browser.get(link(invitation)).content.decode()
    assert "No email from Darbar to this address, ever again" in newcomers
    assert "No invitation from Darbar to this address, ever again" in theirs
    assert "No email from Darbar" not in theirs
    assert "Stop all invitations" in browser.get(links.invitation_stop_page(invitation.pk)).content.decode()
    assert "we still email it about its games" in press(browser, invitation, "never").content.decode()


def test_never_ends_all_mail(browser: Client, invitation: Invitation) -> None:
    assert "won’t email this address again" in press(browser, invitation, "never").content.decode()
    assert deliverability.is_suppressed(KAVEH)
    assert "<button" not in browser.get(link(invitation)).content.decode()


def test_a_mail_programs_one_click_ends_all_mail(browser: Client, invitation: Invitation) -> None:
    answer = browser.post(links.invitation_stop_page(invitation.pk), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert deliverability.is_suppressed(KAVEH)


def test_whoever_has_joined_is_told_that_only_invitations_end(browser: Client, invitation: Invitation) -> None:
    press(browser, invitation, "join", name="Kaveh Ahangar")
    stop = links.invitation_stop_page(invitation.pk)
    assert "Stop all invitations" in browser.get(stop).content.decode()
    page = browser.post(stop, {"List-Unsubscribe": "One-Click"}).content.decode()
    assert "send more invitations to this address" in page
    assert "won’t email this address again" not in page
    assert deliverability.is_suppressed(KAVEH)


def test_what_cannot_be_accepted_any_more_says_why(
    browser: Client, invitation: Invitation, game: Game, maryam: Account
) -> None:
    withdrawn = invitations.invite(game.id, maryam, "sara@example.com", "fa", NOON)
    invitations.withdraw(game.id, maryam, withdrawn.pk, NOON)
    page = browser.get(link(withdrawn)).content.decode()
    assert 'lang="fa" dir="rtl"' in page
    assert "<button" not in page
    leave_game(game.id, maryam, "api", NOON + timedelta(hours=1))
    assert "no longer open" in browser.get(link(invitation)).content.decode()


def test_the_reply_address_is_no_link_and_a_guess_finds_nothing(browser: Client, invitation: Invitation) -> None:
    address = links.invitation_address(invitation.pk).partition("@")[0]
    for token in (address, address.replace("i-", "j-", 1), "x"):
        assert browser.get(f"/invitation/{token}/").status_code == 404
    old_link = link(invitation)
    invitation.delete()
    assert browser.get(old_link).status_code == 404

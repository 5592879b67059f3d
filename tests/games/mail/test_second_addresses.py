"""Answers from a second address of a player: the question, the confirmation, and the limits of the address."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts import account_data, email_addresses
from accounts.models import Account, CodeRequest, SecondAddress
from games.models import ChatMessage, Game, Move, OpenQuestion
from notifications import preferences
from notifications.models import Notification
from tests.accounts.people import forget_tries
from tests.examples import for_each
from tests.games.mail.test_account_commands import code_in, latest_to
from tests.games.mail.test_road import LATER, email_bytes, notifications, send
from tests.games.seated import question_address, seat_address

pytestmark = pytest.mark.django_db

OTHER = "maryam@work.example"
SECOND = timedelta(seconds=1)


def answer(game: Game, text: str = "2", sender: str = f"Maryam <{OTHER}>", at: Any = LATER, to: str = "") -> None:
    send(email_bytes(text, sender), to or question_address(game), at=at, envelope=OTHER)


def page_in(notification: Notification) -> str:
    """Return the path of the page that lets an address answer, or a blank text."""
    match = re.search(r"/emails/second-address/[^'\"]+/", repr(notification.content()))
    return match[0] if match else ""


def asked_page(game: Game, maryam: Account) -> str:
    answer(game, "1")
    [email] = notifications(maryam, "answer")
    assert page_in(email)
    return page_in(email)


def code_to(address: str) -> str:
    return code_in(latest_to(address))


def confirm(game: Game, maryam: Account) -> None:
    path, browser = asked_page(game, maryam), Client()
    browser.post(path)
    assert browser.post(path, {"code": code_to(OTHER)}).status_code == 302


def test_the_account_is_asked_once_at_its_own_address_and_nothing_changes(game: Game, maryam: Account) -> None:
    send(email_bytes("1").replace(b"Maryam@Example.org", "Maryam@دربار.org".encode()), question_address(game))
    [email] = notifications(maryam, "answer")
    assert email.destination() == "maryam@example.org"
    assert "maryam@دربار.org (maryam@xn--mgbbuic.org)" in repr(email.content())
    assert page_in(email)
    answer(game, "2", "maryam@xn--mgbbuic.org", LATER + SECOND)
    assert len(notifications(maryam, "answer")) == 1
    assert not Move.objects.exists()
    assert not CodeRequest.objects.exists()
    assert SecondAddress.objects.get().confirmed_at is None


def test_opening_the_page_changes_nothing_and_only_its_button_sends_a_code(game: Game, maryam: Account) -> None:
    path, browser = asked_page(game, maryam), Client()
    page = browser.get(path)
    assert OTHER in page.content.decode()
    # Browsers send the origin with the form, which the server checks, and no other site learns the link.
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert browser.get(path).status_code == 200
    assert not CodeRequest.objects.exists()
    browser.post(path)
    assert latest_to(OTHER).account is None
    assert SecondAddress.objects.get().confirmed_at is None


def test_a_confirmed_address_answers_questions(game: Game, maryam: Account) -> None:
    confirm(game, maryam)
    answer(game, "2", at=LATER + SECOND)
    assert Move.objects.get(game=game).state == "applied"


def test_what_the_second_address_wrote_unclearly_is_asked_back_at_the_own_address(game: Game, maryam: Account) -> None:
    confirm(game, maryam)
    answer(game, "whatever you like", at=LATER + SECOND)
    assert not Move.objects.exists()
    assert notifications(maryam, "answer")[-1].destination() == maryam.email


@for_each(
    "text",
    ["resign yes", "stop", "delete my account", "name Eve", "new address eve@example.net", "my data", "chat all Hello",
     "pause 3", "sleep 23-7"],
)  # fmt: skip
def test_a_second_address_does_nothing_but_answer(game: Game, maryam: Account, text: str) -> None:
    if not SecondAddress.objects.exists():
        confirm(game, maryam)
    before = CodeRequest.objects.count()
    answer(game, text, at=LATER + SECOND)
    answer(game, text, at=LATER + SECOND, to=seat_address(game, 1))
    answer(game, text, at=LATER + SECOND, to="darbar@localhost")
    assert not Move.objects.exists()
    assert CodeRequest.objects.count() == before
    assert OpenQuestion.objects.filter(game=game, seat=1).exists()
    account = Account.objects.get(pk=maryam.pk)
    assert (account.name, account.email, account.sleep_from) == ("Maryam", "maryam@example.org", None)
    assert preferences.of(account).wants_mails
    assert not ChatMessage.objects.exists()


def test_nobody_logs_in_or_gets_a_new_password_with_a_second_address(game: Game, maryam: Account) -> None:
    confirm(game, maryam)
    maryam.set_password("seven goats on a roof")
    maryam.save()
    browser = Client()
    browser.post("/login/", {"email": OTHER, "password": "seven goats on a roof"})
    assert browser.get("/settings/").status_code == 302
    emails = Notification.objects.count()
    browser.post("/password/", {"email": OTHER})
    assert Notification.objects.count() == emails


def test_a_wrong_code_and_the_code_of_another_page_confirm_nothing(game: Game, maryam: Account, kaveh: Account) -> None:
    path, browser = asked_page(game, maryam), Client()
    browser.post(path)
    assert browser.post(path, {"code": "ABCD-EFGH"}).status_code == 422
    row = email_addresses.ask_about_second(kaveh, OTHER, LATER)
    assert row
    code = code_to(OTHER)
    assert (
        browser.post(f"/emails/second-address/{email_addresses.token_of_second(row)}/", {"code": code}).status_code
        == 422
    )
    assert not SecondAddress.objects.filter(confirmed_at__isnull=False).exists()


def test_an_address_with_an_account_looks_the_same_and_answers_nothing(
    game: Game, maryam: Account, kaveh: Account
) -> None:
    answer(game, sender=kaveh.email)
    [email] = notifications(maryam, "answer")
    path, browser = page_in(email), Client()
    assert path
    before = browser.get(path).content.decode()
    assert browser.post(path).status_code == 302
    assert latest_to(kaveh.email).account == kaveh
    assert "Maryam" not in repr(latest_to(kaveh.email).content())
    assert "code" in browser.get(path).content.decode()
    assert browser.post(path, {"code": "ABCD-EFGH"}).status_code == 422
    forget_tries()
    answer(game, sender=OTHER, at=LATER + SECOND)
    row = email_addresses.ask_about_second(maryam, "free@example.net", LATER)
    assert row
    free = browser.get(f"/emails/second-address/{email_addresses.token_of_second(row)}/").content.decode()
    assert without_tokens(free).replace("free@example.net", kaveh.email) == without_tokens(before)


def without_tokens(page: str) -> str:
    return re.sub(r"csrfmiddlewaretoken\" value=\"\w+|nonce-?=?\"[^\"]*|/emails/second-address/[\w-]+/", "", page)


def test_a_second_address_that_gets_an_account_answers_no_more(game: Game, maryam: Account) -> None:
    confirm(game, maryam)
    Account.objects.create_user(OTHER, name="Another")
    answer(game, "2", at=LATER + SECOND)
    assert not Move.objects.exists()


def test_a_failed_check_of_the_sender_is_no_answer(game: Game, maryam: Account, settings: Any) -> None:
    confirm(game, maryam)
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    failed = "mx.darbar.example; dmarc=fail header.from=work.example"
    send(email_bytes("2", OTHER, Authentication_Results=failed), question_address(game), at=LATER + SECOND)
    assert not Move.objects.exists()


def test_an_account_is_asked_about_three_addresses_a_day(maryam: Account) -> None:
    rows = [email_addresses.ask_about_second(maryam, f"m{number}@work.example", LATER) for number in range(5)]
    assert [row is not None for row in rows] == [True, True, True, False, False]
    assert email_addresses.ask_about_second(maryam, "m9@work.example", LATER + timedelta(days=2))


@for_each("address", ["", "root@localhost", "darbar@localhost", "a@[127.0.0.1]"])
def test_an_account_is_not_asked_about_impossible_addresses(maryam: Account, address: str) -> None:
    assert email_addresses.ask_about_second(maryam, address, LATER) is None


def test_an_address_can_be_forbidden_again_and_goes_with_its_account(game: Game, maryam: Account) -> None:
    confirm(game, maryam)
    path = f"/emails/second-address/{email_addresses.token_of_second(SecondAddress.objects.get())}/"
    assert account_data.export_account(maryam, LATER)["second_addresses"][0]["address"] == OTHER
    Client().post(path)
    answer(game, "2", at=LATER + SECOND)
    assert not Move.objects.exists()
    account_data.delete_account(maryam, LATER)
    assert not SecondAddress.objects.exists()
    assert Client().get(path).status_code == 404

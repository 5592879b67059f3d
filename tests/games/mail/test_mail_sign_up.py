"""Sign-up by email: its senders, its codes and its limits."""

from datetime import timedelta
from typing import Any

import pytest

from accounts import email_addresses
from accounts.authentication import sign_up
from accounts.models import Account, CodeRequest
from games.mail.sign_up_handler import is_proven_stranger
from games.models import Game, Heartbeat
from notifications import deliverability
from notifications.models import Notification, RawMail
from tests.accounts.people import Person
from tests.examples import for_each
from tests.games.mail.test_account_commands import Clock, answer, code_in, latest_to, send
from tests.games.mail.test_mailbox_commands import (
    LATER,
    MAILBOX,
    VOUCHED,
    email_bytes,
    last_answer,
    mail_tasks,
    receive,
)
from tests.games.seated import NOON

pytestmark = pytest.mark.django_db

ZARI = "Zari Kermani <zari@example.org>"
ADDRESS = "zari@example.org"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _server(settings: Any) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    Clock.seconds = 0


def ask(text: str = "sign up", sender: str = ZARI, at: Any = None, **headers: str) -> None:
    send(email_bytes(text, sender, **{**VOUCHED, **headers}), at=at)


def emails() -> list[Notification]:
    return list(Notification.objects.filter(rendered__isnull=False).order_by("created_at", "pk"))


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("sign up", "Zari Kermani", "en"),
        ("Hello,\nI'd like to sign up as Zari K.\n\nThanks", "Zari K", "en"),
        ("ثبت‌نام", "Zari Kermani", "fa"),
        ("سلام\nثبت نام با نام زری", "زری", "fa"),
        ("sign up as server", "Zari", "en"),
    ],
)
def test_the_account_exists_once_the_code_has_come_back(text: str, name: str, language: str) -> None:
    ask(text)
    assert not Account.objects.exists()
    [email] = emails()
    assert (email.destination(), email.content().language) == (ADDRESS, language)
    answer(email, code_in(email), ZARI, at=LATER + HOUR / 2)
    account = Account.objects.get()
    assert (account.name, account.language, account.email) == (name, language, ADDRESS)
    assert not account.has_usable_password()
    assert email_addresses.confirmed_addresses(account) == [ADDRESS]
    welcome = last_answer()
    assert "UTC" in repr(welcome)
    zone = "time zone Berlin" if language == "en" else "منطقهٔ زمانی برلین"
    send(email_bytes(zone, ZARI), welcome.reply_to, LATER + HOUR)
    assert Account.objects.get().time_zone == "Europe/Berlin"


def test_the_code_of_the_email_is_taken_and_no_other(maryam: Account) -> None:
    ask()
    email = latest_to(ADDRESS)
    send(email_bytes(code_in(email), ZARI, **VOUCHED))
    answer(email, code_in(email), "eve@example.org")
    answer(email, "yes", ZARI)
    answer(email, code_in(email), ZARI, at=LATER + 2 * HOUR)
    assert Account.objects.count() == 1
    answer(email, "ABCD-EFGH", ZARI)
    assert latest_to(ADDRESS).content().headline == "This code is wrong or has expired. Nothing has changed."
    answer(latest_to(ADDRESS), code_in(email), ZARI)
    assert Account.objects.count() == 2


def test_the_code_of_a_sign_up_on_the_pages_makes_no_account_by_email(db: None) -> None:
    eve = Person("Eve")
    assert eve.sign_up(email=ADDRESS).status_code == 202
    eve.email = ADDRESS
    of_eve = eve.code()
    ask()
    email = Notification.objects.get(key__startswith="command:")
    answer(email, of_eve, ZARI)
    assert not Account.objects.exists()
    answer(email, code_in(email), ZARI)
    assert not Account.objects.get().has_usable_password()


@for_each(
    "verdict",
    ["dmarc=fail header.from=example.org", "dkim=pass header.d=example.net", "dmarc=none header.from=example.org", ""],
)
def test_a_sender_for_whom_nobody_vouches_gets_no_code(db: None, verdict: str) -> None:
    ask(Authentication_Results=f"mx.darbar.example; {verdict}")
    ask(sender="eve@evil.example", Authentication_Results="mx.darbar.example; dkim=pass header.d=example.org")
    assert not emails()


def test_the_word_of_our_mail_server_counts_only_in_mail_that_came_by_it(db: None) -> None:
    receive(email_bytes("sign up", ZARI, **VOUCHED), ADDRESS, [MAILBOX], LATER, relayed=False)
    mail_tasks.read_due(LATER)
    assert not emails()


@pytest.mark.parametrize("state", ["invitation", "closed"])
def test_where_sign_up_is_not_open_there_is_none_by_email(db: None, settings: Any, state: str) -> None:
    settings.SIGN_UP = state
    ask()
    assert not emails()
    settings.SIGN_UP = "open"
    ask("Please sign up")
    settings.SIGN_UP = state
    email = latest_to(ADDRESS)
    answer(email, code_in(email), ZARI)
    assert not Account.objects.exists()


@for_each("headers", [
    {"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"List-Id": "<all.example.org>"}, {"X-Autoreply": "y"},
])  # fmt: skip
def test_machines_and_lists_get_no_code(db: None, headers: dict[str, str]) -> None:
    ask(**headers)
    assert not emails()


def test_a_mailbox_is_answered_once_a_day_whatever_its_spelling(db: None) -> None:
    for index, sender in enumerate((ADDRESS, "ZARI@Example.org", "zari+games@example.org")):
        ask(sender=sender, at=LATER + index * timedelta(minutes=1))
    assert len(emails()) == 1
    ask(at=LATER + timedelta(days=1, minutes=5))
    assert len(emails()) == 2


def test_wrong_codes_from_an_address_are_limited(db: None) -> None:
    ask()
    email = latest_to(ADDRESS)
    for index in range(25):
        answer(email, f"WRNG-{1000 + index}", ZARI)
    assert len(emails()) == 21
    answer(email, code_in(email), ZARI)
    assert not Account.objects.exists()


def test_an_address_with_an_account_is_told_so_and_nobody_else(maryam: Account) -> None:
    ask("sign up as Another", maryam.email)
    assert last_answer().headline == "You already have an account at Darbar."
    assert last_answer().language == "en"
    assert Notification.objects.get().account == maryam
    assert not CodeRequest.objects.exists()


def test_an_address_that_got_an_account_meanwhile_gets_no_second_one(db: None) -> None:
    ask()
    email = latest_to(ADDRESS)
    Account.objects.create_user(ADDRESS, name="Zari")
    answer(email, code_in(email), ZARI)
    assert Account.objects.count() == 1


def test_a_name_that_another_account_got_meanwhile_is_not_taken_from_it(maryam: Account) -> None:
    ask("sign up as Mitra")
    email = latest_to(ADDRESS)
    Account.objects.create_user("mitra@example.net", name="Mitra")
    answer(email, code_in(email), ZARI)
    assert email_addresses.owner_of(ADDRESS).name == "Zari"  # type: ignore[union-attr]


def test_who_wanted_no_emails_gets_them_again_with_the_account(db: None) -> None:
    deliverability.suppress(ADDRESS, NOON)
    ask()
    assert deliverability.is_suppressed(ADDRESS)
    email = latest_to(ADDRESS)
    answer(email, code_in(email), ZARI)
    assert not deliverability.is_suppressed(ADDRESS)


def test_other_emails_of_strangers_get_no_answer_and_create_nothing(db: None) -> None:
    Heartbeat.objects.create(at=NOON)
    for text in ("help", "new coup with 2 bots", "Sign up please, or maybe not", "signup?"):
        ask(text)
    assert not emails()
    assert not Game.objects.exists()


@pytest.mark.parametrize(("text", "is_stranger"), [("sign up", False), ("ثبت‌نام", False), ("help", True)])
def test_the_mail_server_lets_a_sign_up_in(db: None, settings: Any, text: str, is_stranger: bool) -> None:
    raw = email_bytes(text, ZARI, **VOUCHED)
    assert is_proven_stranger(raw, [MAILBOX]) == is_stranger
    settings.SIGN_UP = "closed"
    assert is_proven_stranger(raw, [MAILBOX])


def test_codes_of_old_sign_ups_get_no_answer(db: None) -> None:
    ask()
    email = latest_to(ADDRESS)
    CodeRequest.objects.all().delete()
    answer(email, "ABCD-EFGH", ZARI)
    assert len(emails()) == 1


def test_forgotten_sign_ups_leave_nothing(db: None) -> None:
    ask()
    sign_up.codes.delete_expired(LATER + timedelta(days=2))
    assert not CodeRequest.objects.exists()
    assert not Notification.objects.filter(rendered__isnull=False).exists()
    assert not RawMail.objects.exclude(raw=b"").exists()

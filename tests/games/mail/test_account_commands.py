"""Commands by email about the sender's account, other people, and games that are described in one sentence."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocks, email_addresses
from accounts.account_data import delete_account
from accounts.authentication import codes
from accounts.models import Account, Block, CodeRequest, Report
from games.mail.account_commands import RequestCode
from games.mail.mailbox_reader import read_command_line, read_titles
from games.models import Game, Heartbeat, Move
from games.terms import name_speed
from notifications import account_data, received_mail
from notifications.content import Code, Link
from notifications.models import Notification, RawMail, State
from tests.accounts.people import forget_tries
from tests.examples import for_each, read_examples
from tests.factors import code as otp
from tests.factors import sure, with_app
from tests.games.mail.test_mailbox_commands import LATER, MAILBOX, VOUCHED, account_of, email_bytes, last_answer
from tests.games.mail.test_mailbox_commands import send as mailbox_send
from tests.games.mail.test_road import email_bytes as reply_bytes
from tests.games.seated import NOON, begin, question_address

EXAMPLES = read_examples(__file__)

pytestmark = pytest.mark.django_db

NOTHING = "Your email changed nothing."
HOUR = timedelta(hours=1)


class Clock:
    """The time of the next email: a second after the last one."""

    seconds = 0

    @classmethod
    def tick(cls) -> datetime:
        cls.seconds += 1
        return LATER + timedelta(seconds=cls.seconds)


@pytest.fixture(autouse=True)
def _server(settings: Any) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    Clock.seconds = 0


def send(raw: bytes, to: str = MAILBOX, at: datetime | None = None) -> None:
    mailbox_send(raw, to, at or Clock.tick())


def write(text: str, account: Account | None = None) -> None:
    """Send an email for whose sender our mail server vouches."""
    send(email_bytes(text, account.email if account else "maryam@example.org", **VOUCHED))


def latest_to(address: str) -> Notification:
    """Return the newest email that goes to an address."""
    rows = Notification.objects.filter(rendered__isnull=False).order_by("-created_at", "-pk")
    return next(row for row in rows if row.destination() == address)


def code_in(notification: Notification) -> str:
    [code] = [block.text for block in notification.content().blocks if isinstance(block, Code)]
    return str(code)


def answer(notification: Notification, text: str, sender: str = "maryam@example.org", at: Any = None) -> None:
    """Reply to an email. The reply has no authentication."""
    send(email_bytes(text, sender), notification.content().reply_to, at)


SETTINGS = EXAMPLES["settings"]


@for_each("text", list(SETTINGS))
def test_name_language_and_time_zone_are_changed_by_email(maryam: Account, text: str) -> None:
    write(text)
    field, value = SETTINGS[text]
    assert getattr(account_of(maryam), field) == value


@for_each("text", EXAMPLES["refused_settings"])
def test_a_setting_that_cannot_be_is_answered_with_why(maryam: Account, kaveh: Account, text: str) -> None:
    write(text)
    assert last_answer().headline == NOTHING
    account = account_of(maryam)
    assert (account.name, account.time_zone, account.language) == ("Maryam", "Asia/Tehran", "en")


def test_a_new_language_is_that_of_the_answer(maryam: Account) -> None:
    write("language persian")
    assert (last_answer().language, last_answer().headline) == ("fa", "تنظیمات شما این است.")


@for_each("text", ["name Mitra", "block Kaveh", "report Kaveh: insults", "language fa", "join ved4"])
def test_what_anyone_could_have_written_is_asked_back(maryam: Account, kaveh: Account, text: str) -> None:
    send(email_bytes(text))
    assert last_answer().headline == "Was this email from you?"
    assert account_of(maryam).name == "Maryam"
    assert not Block.objects.exists()


def test_players_are_blocked_and_unblocked_by_name(maryam: Account, kaveh: Account) -> None:
    write("block kaveh")
    assert blocks.has_blocked(maryam.pk, kaveh.pk)
    assert not Notification.objects.filter(account=kaveh).exists()
    write("unblock Kaveh")
    assert not Block.objects.exists()
    write("block Nobody Here")
    assert last_answer().headline == NOTHING


def test_block_in_a_reply_to_a_question_blocks_no_player(maryam: Account, sepideh: Account, kaveh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    game = begin([maryam, kaveh])
    mailbox_send(reply_bytes("block Kaveh", **VOUCHED), question_address(game))
    assert not Block.objects.exists()
    assert Move.objects.count() == 0


def test_a_player_is_reported_in_the_latest_game_with_them(maryam: Account, kaveh: Account, sepideh: Account) -> None:
    begin([maryam, kaveh])
    write("report Kaveh: He insults everyone.")
    report = Report.objects.get()
    assert (report.reporter, report.accused, report.reason) == (maryam, kaveh, "He insults everyone.")
    write(f"report {sepideh.name}: شناس نیست")
    assert Report.objects.count() == 1
    assert last_answer().headline == NOTHING
    assert not Notification.objects.filter(account=kaveh, reason="command").exists()


GAMES = {
    "new coup 4, inquisitor, slow, private": (4, 0, "slow", {"inquisitor": True}, True),
    "Please create a private slow game of coup for 4 with the inquisitor": (4, 0, "slow", {"inquisitor": True}, True),
    "new coup for 5 without the anarchist, evening and public": (5, 0, "evening", {"anarchist": False}, False),
    "بازی تازه کودتا ۴ نفره با بازرس، آهسته، خصوصی": (4, 0, "slow", {"inquisitor": True}, True),
    "بازی تازه کودتا ۳ نفره با ۱ ربات آسان، روزانه": (3, 1, "daily", {}, False),
}


@pytest.mark.parametrize("text", GAMES)
def test_one_sentence_describes_a_game(maryam: Account, text: str) -> None:
    Heartbeat.objects.create(at=NOON)
    write(text)
    game = Game.objects.get()
    seats, bots, speed, options, private = GAMES[text]
    assert (game.seat_count, game.bot_count, game.private) == (seats, bots, private)
    assert {name: game.options[name] for name in options} == options
    assert name_speed(game.terms) == speed
    assert (game.code in repr(last_answer())) is private


@for_each("text", [
    "new coup 4 slow daily", "new coup 4 private public", "new coup 4 with kings", "new coup 4 4", "new coup slow",
    "new coup 4 with inquisitor, without inquisitor", "new private game", "create the game of coup for 4",
])  # fmt: skip
def test_a_sentence_with_an_unknown_part_creates_no_game(maryam: Account, text: str) -> None:
    write(text)
    assert not Game.objects.exists()
    assert last_answer().headline == NOTHING


def test_games_are_joined_by_their_codes(maryam: Account, kaveh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    write("new coup 3")
    public = Game.objects.get()
    write("new coup 3 private")
    private = Game.objects.exclude(pk=public.pk).get()
    write(f"join {public.code[:4].upper()}", kaveh)
    assert public.seats.filter(account=kaveh).exists()
    write(f"join {private.code[:4]}", kaveh)
    assert last_answer().headline == NOTHING
    write("join aaaabbbbcccc", kaveh)
    assert last_answer().headline == NOTHING
    assert not private.seats.filter(account=kaveh).exists()
    write(f"Join the game {private.code}", kaveh)
    assert private.seats.filter(account=kaveh).exists()
    blocks.block(maryam, Account.objects.create_user("eve@example.org", name="Eve"), NOON)
    send(email_bytes(f"join {public.code[:4]}", "eve@example.org", **VOUCHED))
    assert public.seats.count() == 2


REQUESTS = {"my data": "data", "delete my account": "deletion", "new address mitra@example.net": "address"}


@pytest.mark.parametrize("text", REQUESTS)
def test_data_deletion_and_a_new_address_need_the_code_sent_to_the_present_address(maryam: Account, text: str) -> None:
    send(email_bytes(text))
    question = latest_to("maryam@example.org")
    assert question.content().headline.startswith("Use this code")
    request = CodeRequest.objects.get()
    assert (request.purpose, request.account) == (REQUESTS[text], maryam)
    for wrong in ("yes", "ABCD-EFGH", "confirm", text):
        answer(question, wrong)
    assert account_of(maryam).email == "maryam@example.org"
    assert not CodeRequest.objects.filter(purpose__in=("new", "download")).exists()
    assert CodeRequest.objects.filter(pk=request.pk).exists()


@pytest.mark.parametrize("text", REQUESTS)
def test_a_code_is_taken_only_in_a_reply_to_its_own_email_by_its_account(
    maryam: Account, kaveh: Account, text: str
) -> None:
    send(email_bytes(text))
    question = latest_to("maryam@example.org")
    code = code_in(question)
    send(email_bytes(f"code {code}", **VOUCHED))
    answer(question, code, "kaveh@example.org")
    answer(question, code, "mitra@example.net")
    write("help")
    answer(latest_to("maryam@example.org"), code)
    assert Account.objects.filter(email="maryam@example.org").exists()
    assert not CodeRequest.objects.filter(purpose__in=("new", "download")).exists()


def test_the_code_of_one_request_confirms_no_other(maryam: Account) -> None:
    send(email_bytes("my data"))
    data = latest_to("maryam@example.org")
    send(email_bytes("delete my account"))
    deletion = latest_to("maryam@example.org")
    answer(deletion, code_in(data), at=LATER + HOUR / 30)
    assert Account.objects.filter(pk=maryam.pk).exists()
    assert not CodeRequest.objects.filter(purpose="download").exists()


def test_a_code_expires_and_works_once(maryam: Account) -> None:
    send(email_bytes("my data"))
    question = latest_to("maryam@example.org")
    code = code_in(question)
    answer(question, code, at=LATER + 2 * HOUR)
    assert not CodeRequest.objects.filter(purpose="download").exists()
    answer(question, code.lower().replace("-", ""), at=LATER + HOUR / 2)
    assert CodeRequest.objects.filter(purpose="download").count() == 1
    CodeRequest.objects.filter(purpose="download").delete()
    answer(question, code, at=LATER + HOUR / 2 + timedelta(minutes=1))
    assert not CodeRequest.objects.filter(purpose="download").exists()


@pytest.mark.parametrize("text", REQUESTS)
def test_with_a_second_factor_the_code_alone_is_not_enough(maryam: Account, text: str) -> None:
    with_app(maryam)
    send(email_bytes(text))
    question = latest_to("maryam@example.org")
    code = code_in(question)
    answer(question, code)
    assert "two-factor login" in repr(last_answer())
    answer(question, f"{code} 000000")
    assert Account.objects.filter(pk=maryam.pk).exists()
    assert not CodeRequest.objects.filter(purpose__in=("new", "download")).exists()
    answer(question, f"{code} {otp()}")
    if text == "delete my account":
        assert not Account.objects.filter(pk=maryam.pk).exists()
    else:
        assert CodeRequest.objects.filter(purpose__in=("new", "download")).exists()


def test_wrong_codes_are_limited(maryam: Account) -> None:
    send(email_bytes("delete my account"))
    question = latest_to("maryam@example.org")
    code = code_in(question)
    for index in range(19):
        answer(question, f"WRNG-{1000 + index}")
        Notification.objects.filter(reason="command").exclude(pk=question.pk).delete()
    answer(question, "WRNG-9999")
    answer(question, code)
    assert Account.objects.filter(pk=maryam.pk).exists()


def test_codes_by_email_are_limited_for_a_mailbox(maryam: Account) -> None:
    for index in range(3):
        send(email_bytes(f"my data{'.' * index}"), at=LATER + index * timedelta(seconds=1))
    assert CodeRequest.objects.count() == 1


def test_the_account_is_deleted_by_a_code_and_its_address_is_told(maryam: Account, kaveh: Account) -> None:
    send(email_bytes("delete my account"))
    question = latest_to("maryam@example.org")
    answer(question, f"My code is {code_in(question)}.")
    assert not Account.objects.filter(pk=maryam.pk).exists()
    [goodbye] = Notification.objects.filter(address="maryam@example.org")
    assert goodbye.content().headline == "Your account is deleted."
    assert RawMail.objects.latest("pk").sender is None
    send(email_bytes("help"))
    assert Notification.objects.filter(address="maryam@example.org").count() == 1
    codes.delete_expired(LATER + 26 * HOUR)
    assert not Notification.objects.filter(address="maryam@example.org").exists()


def test_a_new_address_that_is_never_confirmed_is_forgotten_after_a_day(maryam: Account) -> None:
    change_address()
    delete_account(maryam, LATER)
    codes.delete_expired(LATER + 23 * HOUR)
    assert Notification.objects.filter(address="mitra@example.net").exists()
    codes.delete_expired(LATER + 26 * HOUR)
    assert not Notification.objects.exists()


def test_the_data_are_behind_a_link_that_works_once_after_login(maryam: Account, kaveh: Account) -> None:
    send(email_bytes("my data"))
    question = latest_to("maryam@example.org")
    answer(question, code_in(question))
    email = latest_to("maryam@example.org").content()
    path = next(block.url for block in email.blocks if isinstance(block, Link) and "export" in block.url)
    path = path.partition("://")[2].partition("/")[2]
    CodeRequest.objects.update(asked_at=timezone.now())
    browser = Client()
    assert browser.get(f"/{path}").status_code == 302
    browser.force_login(kaveh)
    assert browser.get(f"/{path}").status_code == 404
    assert browser.post(f"/{path}").status_code == 404
    browser.force_login(maryam)
    page = browser.get(f"/{path}")
    assert page.status_code == 200
    assert "attachment" not in page.headers.get("Content-Disposition", "")
    data = browser.post(f"/{path}")
    assert data.json()["account"]["email"] == "maryam@example.org"
    assert "attachment" in data.headers["Content-Disposition"]
    assert browser.post(f"/{path}").status_code == 404
    assert browser.get(f"/{path}").status_code == 404


def test_a_link_to_the_data_still_works_if_too_many_copies_were_asked_for(maryam: Account) -> None:
    link = f"/settings/account/export/{email_addresses.create_download(maryam, timezone.now()).pk}/"
    browser = Client()
    browser.force_login(maryam)
    while browser.get("/settings/account/export/").status_code == 200:
        pass
    assert browser.post(link).status_code == 302
    forget_tries()
    assert browser.post(link).status_code == 200
    assert browser.post(link).status_code == 404


@for_each("sender", ["<Zari@Example.org>", "zari@XN--MGBBUIC.org", "zari@دربار.org"])
def test_the_sender_of_an_email_is_forgotten_in_every_spelling(db: None, sender: str) -> None:
    address = "zari@example.org" if "xample" in sender else "zari@xn--mgbbuic.org"
    received_mail.store(b"", sender, [MAILBOX], LATER)
    RawMail.objects.update(state=RawMail.State.READ)
    account_data.forget_address(address)
    assert not RawMail.objects.exclude(sender=None).exists()


def change_address(address: str = "mitra@example.net") -> Notification:
    """Ask for a new address and confirm it with the first code. Return the newest email to the new address."""
    send(email_bytes(f"new address {address}"))
    question = latest_to("maryam@example.org")
    answer(question, code_in(question))
    return latest_to(address)


def test_an_address_is_changed_by_a_code_to_the_new_one_and_a_notice_to_the_old_one(maryam: Account) -> None:
    email = change_address()
    assert account_of(maryam).email == "maryam@example.org"
    answer(email, "ABCD-EFGH", "mitra@example.net")
    answer(email, code_in(email), "maryam@example.org")
    assert account_of(maryam).email == "maryam@example.org"
    answer(email, code_in(email), "Mitra <mitra@example.net>", at=LATER + HOUR / 30)
    account = account_of(maryam)
    assert account.email == "mitra@example.net"
    assert email_addresses.confirmed_addresses(account) == ["mitra@example.net"]
    notice = latest_to("maryam@example.org").content()
    assert notice.headline == "Your account has a new address."
    assert "mitra@example.net" in repr(notice)
    assert not CodeRequest.objects.exists()
    send(email_bytes("name Eve", **VOUCHED), at=LATER + HOUR)
    assert account_of(maryam).name == "Maryam"
    send(email_bytes("status", "mitra@example.net"), at=LATER + HOUR)
    assert last_answer().headline == "These are your settings."


def test_what_went_to_the_former_address_does_nothing_for_the_account_any_more(maryam: Account) -> None:
    second = email_addresses.ask_about_second(maryam, "maryam@work.example", LATER)
    assert second
    write("help")
    help_text = latest_to("maryam@example.org")
    help_text.address, help_text.state = "maryam@example.org", State.SENT
    help_text.save()
    browser = sure_browser(maryam)
    browser.post("/settings/account/code/")
    deletion_email = latest_to("maryam@example.org")
    deletion_code = code_in(deletion_email)
    deletion_email.delete()
    email = change_address()
    answer(email, code_in(email), "mitra@example.net", at=LATER + HOUR / 30)
    answer(help_text, "name Eve", "mitra@example.net", at=LATER + HOUR)
    assert last_answer().headline == "Was this email from you?"
    assert account_of(maryam).name == "Maryam"
    assert browser.post("/settings/account/", {"code": deletion_code}).status_code == 422
    assert browser.get(f"/emails/second-address/{email_addresses.token_of_second(second)}/").status_code == 404


def test_a_new_address_that_has_an_account_looks_the_same_and_changes_nothing(maryam: Account, kaveh: Account) -> None:
    email = change_address()
    free = latest_to("maryam@example.org").content()
    forget_tries()
    CodeRequest.objects.all().delete()
    Notification.objects.all().delete()
    taken_email = change_address(kaveh.email)
    answer_of_other = latest_to("maryam@example.org").content()
    assert repr(free.blocks).replace("mitra@example.net", kaveh.email) == repr(answer_of_other.blocks)
    assert email.account is None
    assert taken_email.account == kaveh
    assert taken_email.content().headline == "Someone wanted to use your address for another account."
    assert "Maryam" not in repr(taken_email.content())
    assert CodeRequest.objects.get(purpose="new").digest is None
    for text in ("yes", "ABCD-EFGH"):
        answer(taken_email, text, kaveh.email)
    assert (account_of(maryam).email, account_of(kaveh).email) == ("maryam@example.org", "kaveh@example.org")


def test_an_address_that_gets_an_account_meanwhile_is_not_taken_from_it(maryam: Account) -> None:
    email = change_address()
    other = Account.objects.create_user("mitra@example.net", name="Mitra")
    answer(email, code_in(email), "mitra@example.net", at=LATER + HOUR / 30)
    assert account_of(maryam).email == "maryam@example.org"
    assert account_of(other).email == "mitra@example.net"


def test_an_address_is_changed_on_the_page_after_a_fresh_login(maryam: Account) -> None:
    browser = Client()
    browser.force_login(maryam)
    page = browser.post("/settings/address/", {"email": "mitra@example.net"})
    assert page.status_code == 302
    assert "/login/again/" in page.headers["Location"]
    assert not CodeRequest.objects.exists()
    sure(browser)
    browser.post("/settings/address/", {"email": "Mitra@Example.net"})
    email = latest_to("mitra@example.net")
    assert "mitra@example.net" in browser.get("/settings/address/").content.decode()
    assert browser.post("/settings/address/", {"code": "ABCD-EFGH"}).status_code == 422
    assert browser.post("/settings/address/", {"code": code_in(email)}).status_code == 302
    assert account_of(maryam).email == "mitra@example.net"
    assert latest_to("maryam@example.org").content().headline == "Your account has a new address."


def test_another_account_cannot_use_the_code_of_a_new_address(maryam: Account, kaveh: Account) -> None:
    browser = sure_browser(kaveh)
    browser.post("/settings/address/", {"email": "mitra@example.net"})
    CodeRequest.objects.all().delete()
    forget_tries()
    change_address()
    CodeRequest.objects.update(asked_at=timezone.now())
    email = Notification.objects.get(topic=f"code:{CodeRequest.objects.get(purpose='new').pk}")
    assert browser.post("/settings/address/", {"code": code_in(email)}).status_code == 422
    assert account_of(kaveh).email == "kaveh@example.org"
    assert account_of(maryam).email == "maryam@example.org"


def sure_browser(account: Account) -> Client:
    browser = Client()
    browser.force_login(account)
    return sure(browser)


@for_each("address", ["maryam@example.org", "Maryam@EXAMPLE.org", "root@localhost", "darbar@localhost", "a@b"])
def test_an_impossible_new_address_is_refused_before_any_code(maryam: Account, address: str) -> None:
    send(email_bytes(f"new address {address}"))
    assert last_answer().headline == NOTHING
    assert not CodeRequest.objects.exists()


@for_each("line", EXAMPLES["words_about_names"])
def test_words_about_a_name_or_a_time_zone_are_no_command(line: str) -> None:
    assert read_command_line(line, read_titles()) is None


@for_each("line", ["delete my accounts", "data", "address", "delete", "my database", "new address", "delete my game"])
def test_lines_that_resemble_a_request_for_a_code_are_none(line: str) -> None:
    assert not isinstance(read_command_line(line, read_titles()), RequestCode)

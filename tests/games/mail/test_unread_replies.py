"""A reply from an account's own address is played, asked back, or shown as received and not read."""

from email.message import EmailMessage
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress

from accounts.models import Account
from games.announcements.notify import write_due
from games.mail import game_handler, senders
from games.mail.mailbox_handler import DAILY_LIMIT
from games.models import ChatMessage, Game, Move, UnreadReply
from games.operations import health
from notifications import reply_addresses
from notifications.models import Notification
from tests.games.mail.test_road import HOUR, LATER, SECOND, digest_address, email_bytes, notifications, send, text_of
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_two_worlds import constant
from tests.games.seated import NOON, question_address, seat_address

pytestmark = pytest.mark.django_db

PERSONAL: list[dict[str, str]] = [
    {"X_Auto_Response_Suppress": "DR, OOF, AutoReply"},
    {"X_Auto_Response_Suppress": "All"},
    {"List_Id": "Forwarder <forward.example.org>"},
    {"List_Unsubscribe": "<mailto:leave@example.org>", "List_Post": "<mailto:post@example.org>"},
    {"Mailing_List": "list forward@example.org"},
    {"Precedence": "bulk"},
    {"Precedence": "list"},
    {"Precedence": "junk"},
    {"X_Loop": "maryam@example.org"},
    {"Auto_Submitted": "no"},
    {"Resent_From": "Maryam <maryam@example.org>", "Resent_To": "x@example.org"},
]
AUTOMATIC: list[dict[str, str]] = [
    {"Auto_Submitted": "auto-replied"},
    {"Auto_Submitted": "auto-generated"},
    {"Auto_Submitted": "auto-forwarded"},
    {"Precedence": "auto_reply"},
    {"X_Autoreply": "yes"},
    {"X_Vacation": "1"},
    {"Return_Path": "<>"},
]


def unread(account: Account) -> list[tuple[str, Any]]:
    """Return why replies of an account were not read, and about which game they were."""
    return list(UnreadReply.objects.filter(account=account).order_by("pk").values_list("why", "game"))


@pytest.mark.parametrize("fields", PERSONAL)
def test_a_reply_by_a_forwarder_or_from_exchange_is_played(game: Game, fields: dict[str, str]) -> None:
    send(email_bytes("income", **fields), question_address(game))
    assert Move.objects.get(game=game).state == "applied"
    assert not UnreadReply.objects.exists()


@pytest.mark.parametrize("fields", PERSONAL)
def test_the_same_from_another_address_is_not_answered(game: Game, fields: dict[str, str]) -> None:
    if "Auto_Submitted" in fields or "Resent_From" in fields:
        return
    before = Notification.objects.count()
    send(email_bytes("income", "Somebody <somebody@example.net>", **fields), question_address(game))
    assert not Move.objects.exists()
    assert Notification.objects.count() == before


@pytest.mark.parametrize("fields", AUTOMATIC)
def test_an_automatic_reply_is_not_read_and_shown_on_the_games_page(
    game: Game, maryam: Account, sepideh: Account, fields: dict[str, str]
) -> None:
    before = Notification.objects.count()
    send(email_bytes("income", **fields), question_address(game))
    assert not Move.objects.exists()
    assert Notification.objects.count() == before
    assert unread(maryam) == [("automatic", game.pk)]


def test_a_reply_without_an_envelope_sender_is_not_read_and_shown(game: Game, maryam: Account) -> None:
    send(email_bytes("income"), question_address(game), envelope="")
    assert not Move.objects.exists()
    assert unread(maryam) == [("automatic", game.pk)]


def page(account: Account | None, path: str, language: str = "en") -> str:
    """Return the text of a page."""
    visitor = Visitor(account, language)
    visitor.go(path)
    return str(visitor.answer.content.decode())


def test_only_the_writer_sees_on_the_games_page_that_an_email_was_not_read(
    game: Game, maryam: Account, sepideh: Account
) -> None:
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    address = f"/games/{game.pk}/"
    with time_machine.travel(LATER, tick=False):
        before = [constant(page(account, address), game) for account in (sepideh, kaveh, None)]
        assert "but didn’t read it" not in page(maryam, address)
        send(email_bytes("income", Auto_Submitted="auto-replied"), question_address(game))
        page_text = page(maryam, address)
        after = [constant(page(account, address), game) for account in (sepideh, kaveh, None)]
    assert "but didn’t read it" in page_text
    assert "marked as an automatic email" in page_text
    assert after == before


def test_the_operator_sees_how_many_replies_were_not_read(game: Game, maryam: Account) -> None:
    send(email_bytes("income", Auto_Submitted="auto-replied"), question_address(game))
    signs = {sign.name: sign.value for sign in health.signs(LATER + HOUR, HOUR)}
    assert signs["unread-replies"] == 1


def test_a_second_email_with_the_message_id_of_the_first_is_read(game: Game, maryam: Account) -> None:
    send(email_bytes("what?", id="same"), question_address(game))
    assert len(notifications(maryam, "answer")) == 1
    send(email_bytes("what?", id="same"), question_address(game), at=LATER + SECOND)
    assert len(notifications(maryam, "answer")) == 1
    send(email_bytes("income", id="same"), question_address(game), at=LATER + 2 * SECOND)
    assert Move.objects.get(game=game).state == "applied"


@pytest.mark.parametrize("name", ["root-beer", "postmaster-jane", "no-reply.fan", "daemonic", "root", "postmaster"])
def test_an_account_may_have_an_address_that_begins_like_a_programs(game: Game, maryam: Account, name: str) -> None:
    Account.objects.filter(pk=maryam.pk).update(email=f"{name}@example.org")
    EmailAddress.objects.filter(user=maryam).update(email=f"{name}@example.org")
    send(email_bytes("income", f"{name}@example.org"), question_address(game), envelope=f"{name}@example.org")
    assert Move.objects.get(game=game).state == "applied"


@pytest.mark.parametrize("name", ["root", "mailer-daemon", "postmaster", "no-reply"])
def test_a_program_at_another_address_is_not_answered(game: Game, maryam: Account, name: str) -> None:
    before = Notification.objects.count()
    send(email_bytes("income", f"{name}@example.org"), question_address(game))
    assert Notification.objects.count() == before


@pytest.mark.parametrize("subject", ["vacation 3 days", "Vacation 3 days", "vacation: 3 days"])
def test_a_vacation_is_a_command_in_the_subject_of_an_email_to_the_server(
    game: Game, maryam: Account, subject: str
) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "maryam@example.org", reply_addresses.mailbox(), subject
    mail.set_content("\n")
    send(mail.as_bytes(), reply_addresses.mailbox())
    (answer,) = notifications(maryam, "command")
    assert "vacation" in text_of(answer).lower()


def test_a_reply_beyond_the_limit_is_shown(game: Game, maryam: Account) -> None:
    for number in range(game_handler.HOURLY_LIMIT + 2):
        send(email_bytes("what is this", id=str(number)), question_address(game))
    assert len(notifications(maryam, "answer")) == game_handler.HOURLY_LIMIT
    assert unread(maryam) == [("limit", game.pk)] * 2


def test_a_command_beyond_the_days_limit_is_counted(game: Game, maryam: Account) -> None:
    for number in range(DAILY_LIMIT + 2):
        send(email_bytes("help", id=str(number)), reply_addresses.mailbox())
    assert len(notifications(maryam, "command")) == DAILY_LIMIT
    assert unread(maryam) == [("limit", None)] * 2


def test_a_reply_to_a_game_that_takes_none_is_shown(game: Game, maryam: Account) -> None:
    to = question_address(game)
    Game.objects.filter(pk=game.pk).update(state="cancelled")
    send(email_bytes("income"), to)
    assert unread(maryam) == [("closed", game.pk)]


def test_a_reply_to_a_digest_that_was_deleted_is_counted(game: Game, maryam: Account) -> None:
    send(email_bytes("income"), reply_addresses.address(reply_addresses.DIGEST, reply_addresses.short(game.pk)))
    assert unread(maryam) == [("closed", None)]


def test_a_reply_to_an_answer_that_was_deleted_is_a_command_to_the_server(game: Game, maryam: Account) -> None:
    send(email_bytes("help"), reply_addresses.address(reply_addresses.COMMAND, "4711"))
    assert len(notifications(maryam, "command")) == 1


def test_each_wrong_reply_to_a_digest_is_answered(game: Game, maryam: Account) -> None:
    write_due(NOON)
    to = digest_address(maryam)
    for number in range(2):
        send(email_bytes(f"nonsense {number}"), to)
    assert len(notifications(maryam, "answer")) == 2


@pytest.mark.parametrize("kind", ["empty", "charset", "attachment", "two-addresses", "encrypted"])
def test_a_reply_without_a_readable_text_is_asked_back(game: Game, maryam: Account, kind: str) -> None:
    to = question_address(game)
    raw, more = email_bytes("income"), []
    if kind == "empty":
        raw = email_bytes("")
    elif kind == "charset":
        raw = email_bytes("xyzzy").replace(b'charset="utf-8"', b'charset="x-unknown"')
    elif kind == "attachment":
        raw = raw.replace(b"Content-Type: text/plain", b"Content-Type: application/pdf")
    elif kind == "encrypted":
        raw = raw.replace(b"Content-Type: text/plain", b"Content-Type: application/pkcs7-mime")
    else:
        more = [seat_address(game, 1)]
    send(raw, to, *more)
    assert not Move.objects.exists()
    assert len(notifications(maryam, "answer")) == 1


def test_two_programs_that_answer_each_other_end_at_the_days_limit(
    game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_handler, "HOURLY_LIMIT", 2)
    monkeypatch.setattr(game_handler, "DAILY_LIMIT", 6)
    to, sent = question_address(game), 0
    for hour in range(0, 30, 3):
        for number in range(3):
            at = LATER + hour * HOUR + number * SECOND
            send(email_bytes("I am away until Monday.", id=f"{hour}-{number}"), to, at=at)
            sent += 1
    answers = Notification.objects.filter(account=maryam, reason="answer")
    first_day = answers.filter(created_at__lt=LATER + 24 * HOUR).count()
    assert first_day == game_handler.DAILY_LIMIT
    assert UnreadReply.objects.count() == sent - answers.count()


def test_an_email_that_shows_both_readings(game: Game, maryam: Account) -> None:
    send(email_bytes("2\nno I mean 3"), question_address(game))
    (answer,) = notifications(maryam, "answer")
    text = text_of(answer)
    assert "We read this answer: " in text
    assert "Take foreign aid" in text
    assert "no I mean 3" in text
    assert "reply with just the answer" in text
    assert not Move.objects.exists()


def test_a_chat_message_may_stand_below_a_move(game: Game, maryam: Account) -> None:
    send(email_bytes("income\nchat good luck, everyone"), question_address(game))
    assert Move.objects.get(game=game).state == "applied"
    assert ChatMessage.objects.get(game=game).text == "good luck, everyone"


def test_notes_of_unread_replies_are_deleted_after_a_month(game: Game, maryam: Account) -> None:
    send(email_bytes("income", Auto_Submitted="auto-replied"), question_address(game))
    senders.forget_unread(LATER + 30 * 24 * HOUR)
    assert UnreadReply.objects.count() == 1
    senders.forget_unread(LATER + 31 * 24 * HOUR)
    assert UnreadReply.objects.count() == 0

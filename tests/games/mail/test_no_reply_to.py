"""Replies that came to the server's own address: they act by the Message-ID that they answer."""

import uuid
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.announcements.notify import write_due
from games.mail.sign_up_handler import is_proven_stranger
from games.models import ChatMessage, Game, Move
from games.tables import chat
from notifications import preferences
from notifications.models import Notification
from tests.games.mail.test_road import LATER, email_bytes, notifications, send, text_of
from tests.games.seated import NOON

pytestmark = pytest.mark.django_db

MAILBOX = "darbar@localhost"
NOBODYS = uuid.UUID(int=7)


def answering(notification: Notification, line: str, sender: str = "maryam@example.org") -> bytes:
    """A reply as programs write it that know no Reply-To."""
    return email_bytes(line, sender, In_Reply_To=f"<{notification.pk}@localhost>")


def test_a_program_that_knows_no_reply_to_answers_what_its_mail_names(game: Game, maryam: Account) -> None:
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    send(answering(question, "income", "sepideh@example.org"), MAILBOX)
    assert Move.objects.count() == 0, "only its reader's own address answers"
    send(answering(question, "games"), MAILBOX)
    assert [notification.reason for notification in notifications(maryam, "command")] == ["command"]
    send(answering(question, "income"), MAILBOX)
    assert Move.objects.get().state == Move.State.APPLIED


def chat_email(game: Game, reader: Account, author: Account) -> Notification:
    """Return an email about nothing but a chat message."""
    write_due(NOON)
    chat.send_message(game, author, None, "Hello!", LATER)
    write_due(LATER + timedelta(hours=1))
    (message,) = notifications(reader, "chat")
    assert message.rendered is not None
    return message


@pytest.mark.parametrize("text", ["I'm on vacation for 3 days", "Unsubscribe me", "leave"])
def test_a_reply_to_a_chat_message_is_a_chat_message(game: Game, maryam: Account, sepideh: Account, text: str) -> None:
    send(answering(chat_email(game, maryam, sepideh), text), MAILBOX, at=LATER + timedelta(hours=2))
    assert ChatMessage.objects.latest("pk").text == text
    assert not notifications(maryam, "command", "answer")


def test_stop_in_reply_to_a_chat_message_stops_emails(game: Game, maryam: Account, sepideh: Account) -> None:
    send(answering(chat_email(game, maryam, sepideh), "stop"), MAILBOX, at=LATER + timedelta(hours=2))
    assert not preferences.of(maryam).wants_mails
    assert ChatMessage.objects.count() == 1


@pytest.mark.parametrize("answered", ["<ABC123@relay.example>", ""])
def test_a_reply_whose_in_reply_to_was_rewritten_is_found_by_its_references(
    game: Game, maryam: Account, answered: str
) -> None:
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    headers = {"In_Reply_To": answered} if answered else {}
    references = f"<{NOBODYS}@localhost> <{question.pk}@localhost> <ABC123@relay.example>"
    send(email_bytes("income", References=references, **headers), MAILBOX)
    assert Move.objects.get().state == Move.State.APPLIED


@pytest.mark.parametrize(
    "header_lines", ["", "<no-number@localhost>", f"<{NOBODYS}@localhost>", "<{pk}@elsewhere.example>"]
)
def test_a_mail_that_answers_no_mail_of_ours_is_a_command(game: Game, maryam: Account, header_lines: str) -> None:
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    headers = {"In_Reply_To": header_lines.format(pk=question.pk)} if header_lines else {}
    send(email_bytes("income", **headers), MAILBOX)
    assert Move.objects.count() == 0
    (answer,) = notifications(maryam, "command")
    assert "We read" in text_of(answer)


def test_a_guest_without_an_account_who_answers_our_mail_is_no_stranger(
    game: Game, maryam: Account, settings: Any
) -> None:
    settings.AUTHENTICATION_SERVER = "mx.localhost"
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    passed = {"Authentication_Results": "mx.localhost; dmarc=pass header.from=example.net"}
    stranger = "Zahra <zahra@example.net>"
    assert is_proven_stranger(email_bytes("join", stranger, **passed), [MAILBOX])
    answer = email_bytes("join", stranger, In_Reply_To=f"<{question.pk}@localhost>", **passed)
    assert not is_proven_stranger(answer, [MAILBOX])

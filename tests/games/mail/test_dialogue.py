"""Tests of what our mail server says in the dialogue, by SMTP and LMTP: to long quotations, unknown addresses and our
own."""

import smtplib
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
from django.db import connections
from django.utils import timezone

from bench.ports import free_port
from games.announcements import notify
from games.mail import smtp_server
from games.mail import tasks as mail_tasks
from games.mail.smtp_server import Conversation, Intake, LocalConversation
from games.models import Game, Move
from notifications import reply_addresses
from notifications.email.message import message
from notifications.models import Notification, RawMail
from tests.games.seated import NOON, question_address

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("an_hour_later")]

LATER = NOON + timedelta(hours=1)


@pytest.fixture(params=[(Conversation, smtplib.SMTP), (LocalConversation, smtplib.LMTP)], ids=["SMTP", "LMTP"])
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[smtplib.SMTP]:
    """A conversation with our mail server."""
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    spoken, speak = request.param

    class Server(Controller):
        def factory(self) -> SMTP:
            return smtp_server.conversation(smtp_server.Post(), Intake(), spoken)

    server = Server(None, hostname="127.0.0.1", port=free_port())
    server.start()
    with speak("127.0.0.1", server.port) as client:
        yield client
    server.stop()


def reply(html: str, sender: str = "maryam@example.org") -> bytes:
    head = f"From: {sender}\r\nMessage-ID: <one@example.org>\r\nSubject: Re: Coup\r\n"
    return f"{head}Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{html}\r\n".encode()


def quoted(extra: str = "") -> str:
    """The HTML of Maryam's question, in one line, as some programs quote it."""
    notify.write_due(LATER)
    notification = Notification.objects.get(reason="question", account__email="maryam@example.org")
    html = " ".join(str(message(notification).alternatives[0].content).split())
    return f'<div class="gmail_quote"><blockquote type="cite">{html}{extra}</blockquote></div>'


def test_unwrapped_long_quotes_are_taken(game: Game, client: smtplib.SMTP) -> None:
    raw = reply(f"<div>income</div>{quoted()}")
    assert max(map(len, raw.split(b"\r\n"))) > 5_000
    assert client.sendmail("maryam@example.org", [question_address(game)], raw) == {}
    mail_tasks.read_due(timezone.now())
    assert Move.objects.get(game=game, via="mail").text == "income"


@pytest.mark.parametrize("field", ["<textarea>income</textarea>", "<textarea>income", "<button>income</button>"])
def test_hidden_form_text_in_a_quote_never_moves(game: Game, client: smtplib.SMTP, field: str) -> None:
    client.sendmail("maryam@example.org", [question_address(game)], reply(f"<div>Hello</div>{quoted(field)}"))
    mail_tasks.read_due(timezone.now())
    assert not Move.objects.filter(via="mail").exists()


def test_mail_of_our_own_address_is_not_asked_whether_it_was_them(game: Game, client: smtplib.SMTP) -> None:
    before = Notification.objects.count()
    for sender in (reply_addresses.mailbox(), "feedback@localhost"):
        client.sendmail(sender, [question_address(game)], reply("income", sender))
    mail_tasks.read_due(timezone.now())
    assert not Move.objects.filter(via="mail").exists()
    assert {mail.state for mail in RawMail.objects.all()} == {RawMail.State.READ}
    assert Notification.objects.count() == before


def test_a_refusal_in_the_dialogue_helps_and_tells_of_no_address(
    game: Game, client: smtplib.SMTP, settings: Any
) -> None:
    true = question_address(game)
    other = true[:-10] + ("a" if true[-10] != "a" else "b") + true[-9:]
    client.ehlo_or_helo_if_needed()
    client.mail("kaveh@example.org")
    unknown = ["nobody@localhost", "maryam@localhost", other.partition("@")[0] + "@example.org"]
    codes = {client.rcpt(address) for address in unknown}
    assert codes == {(550, smtp_server.NOBODY.format(mailbox=reply_addresses.mailbox()).removeprefix("550 ").encode())}
    assert client.rcpt(true)[0] == 250

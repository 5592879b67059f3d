"""The ways in for mail: SMTP, LMTP, a pipe and the providers' requests all join the one road."""

import io
import smtplib
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import BaseThreadedController, Controller, UnixSocketController
from aiosmtpd.smtp import SMTP
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.utils import timezone

from bench.ports import free_port
from games.mail import smtp_server
from games.mail import tasks as mail_tasks
from games.mail.smtp_server import Intake
from games.models import Game, Move
from notifications.models import Notification, RawMail
from tests.games.mail.providers import email_of, mailgun, postmark
from tests.games.seated import question_address as to

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("all_providers", "an_hour_later")]


class _Local:
    """The mail server in a thread, speaking LMTP."""

    def factory(self) -> SMTP:
        return smtp_server.conversation(smtp_server.Post(), Intake(), smtp_server.LocalConversation)


class _OnPort(_Local, Controller):
    pass


class _OnSocket(_Local, UnixSocketController):
    pass


@pytest.fixture(params=["port", "socket"])
def local(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[smtplib.LMTP]:
    """A conversation by LMTP, on a port or a socket."""
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    port, path = free_port(), str(tmp_path / "lmtp")
    server: BaseThreadedController = (
        _OnPort(None, hostname="127.0.0.1", port=port) if request.param == "port" else _OnSocket(None, path)
    )
    server.start()
    where = partial(smtplib.LMTP, "127.0.0.1", port) if request.param == "port" else partial(smtplib.LMTP, path)
    with where() as client:
        yield client
    server.stop()


def say(client: smtplib.LMTP, recipients: list[str], content: bytes) -> list[int]:
    """Return the replies to each recipient, and the replies to the email for each accepted recipient."""
    client.ehlo_or_helo_if_needed()
    client.mail("maryam@example.org")
    codes = [client.rcpt(recipient)[0] for recipient in recipients]
    assert client.docmd("data")[0] == 354
    client.send(content + b".\r\n")
    return codes + [client.getreply()[0] for code in codes if code == 250]


def test_by_lmtp_each_recipient_hears_its_own_answer(game: Game, local: smtplib.LMTP) -> None:
    assert say(local, [to(game), "stranger@localhost", to(game)], email_of(game)) == [250, 550, 250, 250, 250]
    assert local.noop()[0] == 250
    assert RawMail.objects.get().recipients == [to(game), to(game)]


def command(sender: str, verdict: str = "pass") -> bytes:
    """A command to the server's own address, with what our mail server says of its sender."""
    header = f"Authentication-Results: mx.darbar.example; dkim={verdict} header.d={sender.partition('@')[2]}\r\n"
    return f"{header}From: {sender}\r\nMessage-ID: <{sender}>\r\n\r\nhelp\r\n".encode()


def test_a_stranger_for_whom_our_mail_server_vouches_hears_that_there_is_no_account(
    game: Game, local: smtplib.LMTP, settings: Any
) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    ours = ["darbar@localhost"]
    assert say(local, ours, command("stranger@example.net")) == [250, 550]
    assert say(local, ours, command("stranger@example.net", "none")) == [250, 250]
    assert say(local, ours, command("maryam@example.org")) == [250, 250]
    mail_tasks.read_due(timezone.now())
    assert [notification.destination() for notification in Notification.objects.filter(reason="command")] == [
        "maryam@example.org"
    ]


def test_by_smtp_a_strangers_mail_is_taken_like_anybodys_and_not_answered(
    game: Game, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    server = _Smtp(smtp_server.Post(), hostname="127.0.0.1", port=free_port())
    server.start()
    with smtplib.SMTP("127.0.0.1", server.port, timeout=20) as client:
        for sender in ("stranger@example.net", "maryam@example.org"):
            client.sendmail(sender, ["darbar@localhost"], command(sender))
        assert client.docmd("mail", "from:<a@example.org>")[0] == 250
        code, reply = client.rcpt("nobody@localhost")
    server.stop()
    assert (code, b"write help to darbar@localhost" in reply) == (550, True)
    assert set(RawMail.objects.values_list("relayed", flat=True)) == {False}
    mail_tasks.read_due(timezone.now())
    assert Notification.objects.filter(reason="command").count() == 1


def test_by_lmtp_a_mail_that_is_too_big_is_refused_to_each_recipient(game: Game, local: smtplib.LMTP) -> None:
    too_big = (b"x" * 900 + b"\r\n") * 2_000
    assert say(local, [to(game), to(game)], too_big) == [250, 250, 552, 552]
    assert local.noop()[0] == 250
    assert say(local, [to(game)], email_of(game)) == [250, 250]


def test_a_mail_that_came_by_five_ways_moves_once(
    game: Game, local: smtplib.LMTP, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = email_of(game)
    server = _Smtp(smtp_server.Post(), hostname="127.0.0.1", port=free_port())
    server.start()
    with smtplib.SMTP("127.0.0.1", server.port, timeout=20) as client:
        client.sendmail("maryam@example.org", [to(game)], raw)
    server.stop()
    assert say(local, [to(game)], raw) == [250, 250]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    call_command("receive_mail", to(game), sender="maryam@example.org")
    assert postmark(Client(), raw, "maryam@example.org", to(game)).status_code == 200
    assert mailgun(Client(), raw, "maryam@example.org", to(game)).status_code == 200
    assert RawMail.objects.count() == 5
    mail_tasks.read_due(timezone.now())
    assert [move.state for move in Move.objects.filter(via="mail")] == ["applied"]
    assert Notification.objects.filter(reason__in=["receipt", "answer"]).count() == 1
    assert RawMail.objects.exclude(identity=None).count() == 1


class _Smtp(Controller):
    def factory(self) -> SMTP:
        return smtp_server.conversation(self.handler, Intake())

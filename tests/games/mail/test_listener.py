"""Tests of the mail server and its workers, in parallel on a real database."""

import smtplib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections

from bench.ports import free_port
from games.mail import smtp_server
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.mail.smtp_server import Intake
from games.models import Game, Move
from notifications.models import Notification, RawMail
from tests.games.seated import NOON
from tests.games.seated import question_address as to
from tests.notifications.mail_server import MailServer

pytestmark = pytest.mark.django_db(transaction=True)

MAIL = b"From: maryam@example.org\r\nMessage-ID: <one@example.org>\r\nSubject: Re: Coup\r\n\r\nincome\r\n"
LATER = NOON + timedelta(hours=1)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[smtplib.SMTP]:
    """A conversation with the mail server."""
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    post, intake = smtp_server.Post(), Intake()
    server = MailServer(post, free_port(), lambda: smtp_server.conversation(post, intake))
    server.start()
    with smtplib.SMTP("127.0.0.1", server.port, timeout=20) as client:
        yield client
    server.stop()


def test_a_mail_is_stored_as_it_is_before_the_server_says_yes(game: Game, client: smtplib.SMTP) -> None:
    client.sendmail("Maryam@example.org", [to(game)], MAIL)
    stored = RawMail.objects.get()
    assert (bytes(stored.raw), stored.sender, stored.recipients) == (MAIL, "maryam@example.org", [to(game)])
    client.sendmail("", [to(game)], MAIL)
    assert RawMail.objects.filter(sender="").count() == 1


def test_without_its_database_the_server_asks_to_try_again(game: Game, client: smtplib.SMTP) -> None:
    table = RawMail._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO elsewhere")
        try:
            with pytest.raises(smtplib.SMTPDataError) as refused:
                client.sendmail("maryam@example.org", [to(game)], MAIL)
        finally:
            cursor.execute(f"ALTER TABLE elsewhere RENAME TO {table}")
    assert refused.value.smtp_code == 451
    client.sendmail("maryam@example.org", [to(game)], MAIL)
    assert RawMail.objects.count() == 1


def test_a_mail_to_many_takes_as_many_as_the_server_likes(game: Game, client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail("maryam@example.org")
    codes = [client.rcpt(to(game))[0] for _ in range(smtp_server.MOST_RECIPIENTS + 1)]
    assert codes == [250] * smtp_server.MOST_RECIPIENTS + [452]


def test_five_copies_read_by_four_workers_at_once_move_once(game: Game) -> None:
    for _ in range(5):
        receive(MAIL, "maryam@example.org", [to(game)], LATER)

    def work(_: int) -> None:
        try:
            mail_tasks.read_due(LATER)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(work, range(4)))
    mail_tasks.read_due(LATER + timedelta(seconds=11))
    assert [move.state for move in Move.objects.filter(via="mail")] == ["applied"]
    assert Notification.objects.filter(reason__in=["receipt", "answer"]).count() == 1
    assert list(RawMail.objects.values_list("state", flat=True)) == ["read"] * 5
    assert RawMail.objects.exclude(identity=None).count() == 1

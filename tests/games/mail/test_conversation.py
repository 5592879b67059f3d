"""The bounds of conversations by SMTP: their number and length, and how large a mail may be."""

import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
from django.db import connection, connections

from accounts.models import Account
from accounts.rate_limits import NetworkLimits
from bench.ports import free_port
from config import environment
from games.mail import intake, smtp_server
from games.mail.smtp_server import Conversation, Intake, LocalConversation
from games.models import Game
from notifications import received_mail, reply_addresses
from notifications.models import RawMail
from tests.games.seated import begin, question_address

pytestmark = pytest.mark.django_db(transaction=True)

MAIL = b"From: maryam@example.org\r\nMessage-ID: <one@example.org>\r\nSubject: Re: Coup\r\n\r\nincome\r\n"
FEEDBACK = "feedback@localhost"


class Served(Controller):
    """The mail server in a thread."""

    def __init__(self, kind: type[Conversation] = Conversation) -> None:
        super().__init__(smtp_server.Post(), hostname="127.0.0.1", port=free_port())
        self.kind = kind
        self.intake = Intake()

    def factory(self) -> SMTP:
        return smtp_server.conversation(self.handler, self.intake, self.kind)

    def connect(self, source: str = "127.0.0.2") -> socket.socket:
        """A connection from this address, whose greeting is not read."""
        return socket.create_connection(("127.0.0.1", self.port), 60, (source, 0))

    def client(self, source: str = "127.0.0.2") -> smtplib.SMTP:
        """A conversation from this address."""
        return smtplib.SMTP("127.0.0.1", self.port, "client.example", 60, source_address=(source, 0))


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every allowance is full, and each thread closes its connection to the database."""
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    yield
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_allowance")


@contextmanager
def serving(kind: type[Conversation] = Conversation) -> Iterator[Served]:
    server = Served(kind)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def server() -> Iterator[Served]:
    with serving() as server:
        yield server


@pytest.fixture
def to(db: None) -> str:
    """An address that answers a question."""
    game: Game = begin([Account.objects.create_user("maryam@example.org", name="Maryam"), None, None])
    return question_address(game)


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def rest_of(connected: socket.socket) -> bytes:
    """All that is still said, until the other side closes."""
    received = b""
    while more := connected.recv(4096):
        received += more
    return received


def test_one_address_has_so_many_connections_and_all_together_have_so_many(server: Served) -> None:
    server.intake.limits = NetworkLimits(total=4, per_address=2)
    with ExitStack() as opened:
        own_connections = [opened.enter_context(server.connect()) for _ in range(2)]
        assert [connection.recv(3) for connection in own_connections] == [b"220", b"220"]
        assert rest_of(opened.enter_context(server.connect())).startswith(b"421 4.3.2")
        for number in (3, 4):
            assert opened.enter_context(server.connect(f"127.0.0.{number}")).recv(3) == b"220"
        assert opened.enter_context(server.connect("127.0.0.5")).recv(3) == b"220"
        assert b"421 4.3.2" in rest_of(own_connections[0]), "the address that has most makes room"
        assert server.intake.limits.count == 4
    wait_until(lambda: server.intake.limits.count == 0)


def test_relays_are_limited_in_all_only(server: Served, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_RELAYS", "192.0.2.0/24, 127.0.0.2")
    settings.MAIL_RELAYS = environment.networks("MAIL_RELAYS")
    with ExitStack() as opened:
        for _ in range(smtp_server.CONNECTIONS_PER_ADDRESS + 1):
            assert opened.enter_context(server.connect()).recv(3) == b"220"


@pytest.mark.parametrize("first_bytes", [b"", b"NOOP\r\n", b"EH"], ids=["nothing", "no name", "half a line"])
def test_who_does_not_greet_is_hung_up_on(monkeypatch: pytest.MonkeyPatch, first_bytes: bytes) -> None:
    monkeypatch.setattr(smtp_server, "GREETING", 0.3)
    with serving() as server, server.connect() as connected:
        connected.sendall(first_bytes)
        assert rest_of(connected).endswith(b"421 4.4.2 This took too long\r\n")


@pytest.mark.parametrize("kind", [Conversation, LocalConversation])
@pytest.mark.parametrize("command", [b"NOOP", b"RSET", b"VRFY x", b"HELP", b"NONSENSE"])
def test_after_too_many_commands_the_server_says_why_it_hangs_up(
    monkeypatch: pytest.MonkeyPatch, kind: type[Conversation], command: bytes
) -> None:
    monkeypatch.setattr(smtp_server, "COMMANDS", 3)
    with serving(kind) as server, server.connect() as connected, connected.makefile("rb") as replies:
        replies.readline()
        codes = []
        for _ in range(10):
            connected.sendall(command + b"\r\n")
            codes.append(replies.readline()[:3])
            if codes[-1] == b"421":
                break
        assert codes[-1] == b"421"
        assert replies.read() == b""


def test_who_says_nothing_after_the_greeting_is_told_why_the_server_hangs_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_server, "TIMEOUT", 0.3)
    with serving() as server, server.connect() as connected:
        connected.sendall(b"EHLO client.example\r\n")
        assert rest_of(connected).endswith(b"421 4.4.2 This took too long\r\n")


def test_who_goes_on_for_ever_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_server, "LONGEST", 0.5)
    with serving() as server, server.client() as client:
        client.ehlo()
        with suppress(smtplib.SMTPServerDisconnected):
            while client.noop()[0] == 250:
                pass
        wait_until(lambda: server.intake.limits.count == 0)


def test_who_reads_no_answer_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_server, "LONGEST", 0.5)
    monkeypatch.setattr(smtp_server, "CLOSING", 0.1)
    with serving() as server, server.connect() as connected:
        connected.sendall(b"EHLO a.example\r\n")
        connected.settimeout(0.2)
        with suppress(OSError):
            while True:
                connected.sendall(b"HELP\r\n" * 1000)
        wait_until(lambda: server.intake.limits.count == 0)


def test_a_mail_that_comes_too_slowly_is_hung_up_on(monkeypatch: pytest.MonkeyPatch, to: str) -> None:
    monkeypatch.setattr(smtp_server, "TIMEOUT", 0.5)
    with serving() as server, server.client() as client:
        begin_mail(client, to)
        assert client.docmd("DATA")[0] == 354
        client.sock.sendall(b"Subject: slow\r\n")
        assert rest_of(client.sock) == b"421 4.4.2 This took too long\r\n"
        wait_until(lambda: server.intake.limits.count == server.intake.bytes == 0)


def begin_mail(client: smtplib.SMTP, to: str) -> None:
    client.ehlo_or_helo_if_needed()
    assert client.mail("maryam@example.org")[0] == 250
    assert client.rcpt(to)[0] == 250


BODIES = {
    "empty": b"",
    "usual": MAIL,
    "full stops": b".\r\n..\r\n...a\r\nb.\r\n.c\r\n",
    "ends bare": b"a\n.\nb\r.\rc\n.\r.\r\n",
    "long line": b"x" * 300_000 + b"\r\n",
    "without an end": b"a\r\nb",
}


@pytest.mark.parametrize("name", BODIES)
def test_a_mail_is_stored_as_it_was_sent(server: Served, to: str, name: str) -> None:
    body = BODIES[name]
    whole = body if not body or body.endswith(b"\r\n") else body + b"\r\n"
    lines = whole.split(b"\r\n")
    stuffed = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines)
    with server.client() as client:
        begin_mail(client, to)
        assert client.docmd("DATA")[0] == 354
        for part in (stuffed + b".\r\nNOOP\r\n",):
            client.sock.sendall(part)
        assert [client.getreply()[0], client.getreply()[0]] == [250, 250]
    assert bytes(RawMail.objects.get().raw) == whole
    assert server.intake.bytes == 0


def test_a_mail_may_come_a_byte_at_a_time(server: Served, to: str) -> None:
    with server.client() as client:
        begin_mail(client, to)
        client.docmd("DATA")
        for byte in b"..a\r\n.\r\n":
            client.sock.sendall(bytes([byte]))
            time.sleep(0.001)
        assert client.getreply()[0] == 250
    assert bytes(RawMail.objects.get().raw) == b".a\r\n"


@pytest.mark.parametrize(("where", "most"), [("to", received_mail.LARGEST), ("feedback", received_mail.LARGEST_REPORT)])
def test_a_mail_that_is_too_large_is_refused_and_the_next_one_taken(
    server: Served, to: str, where: str, most: int
) -> None:
    recipient = {"to": to, "feedback": FEEDBACK}[where]
    with server.client() as client:
        for size, code in ((most + 2, 552), (most, 250)):
            begin_mail(client, recipient)
            assert client.data(b"x" * (size - 2) + b"\r\n")[0] == code
    assert [len(bytes(mail.raw)) for mail in RawMail.objects.all()] == [most]
    assert server.intake.bytes == 0


def test_the_largest_size_is_announced_and_a_larger_one_refused_at_once(server: Served) -> None:
    with server.client() as client:
        client.ehlo()
        assert client.esmtp_features["size"] == str(received_mail.LARGEST)
        assert client.mail("maryam@example.org", [f"SIZE={received_mail.LARGEST + 1}"])[0] == 552


def test_a_report_that_is_announced_as_too_large_is_refused_before_it_comes(server: Served, to: str) -> None:
    report = reply_addresses.address(
        reply_addresses.BOUNCE, reply_addresses.short(Account.objects.get().notifications.first().pk)
    )
    with server.client() as client:
        client.ehlo()
        assert client.mail("maryam@example.org", [f"SIZE={received_mail.LARGEST_REPORT + 1}"])[0] == 250
        assert [client.rcpt(address)[0] for address in (FEEDBACK, report, to)] == [552, 552, 250]


def test_a_mail_without_an_end_is_cut_off_and_keeps_no_memory(
    server: Served, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp_server, "OVERRUN", 1000)
    with server.client() as client:
        begin_mail(client, to)
        client.docmd("DATA")
        client.sock.settimeout(60)
        with suppress(OSError):
            while True:
                client.sock.sendall(b"x" * 65536)
        wait_until(lambda: server.intake.bytes == server.intake.limits.count == 0)


def test_all_mails_that_come_at_once_have_so_much_memory(
    server: Served, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp_server, "MEMORY", 100_000)
    with server.client() as slow, server.client() as other:
        begin_mail(slow, to)
        slow.docmd("DATA")
        slow.sock.sendall(b"x" * 90_000)
        wait_until(lambda: server.intake.bytes > 80_000)
        begin_mail(other, to)
        assert other.data(b"x" * 30_000)[0] == 452
        slow.sock.sendall(b"\r\n.\r\n")
        assert slow.getreply()[0] == 250
        begin_mail(other, to)
        assert other.data(b"x" * 30_000)[0] == 250


def test_who_guesses_recipients_waits_ever_longer_and_is_hung_up_on(
    server: Served, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(smtp_server.asyncio, "sleep", sleep)
    with server.client() as client:
        begin_mail(client, to)
        codes = [client.rcpt(f"q-{number}@localhost")[0] for number in range(smtp_server.MOST_REFUSED)]
        assert codes == [550] * (smtp_server.MOST_REFUSED - 1) + [421]
        with pytest.raises(smtplib.SMTPServerDisconnected):
            client.noop()
    assert pauses == [0.5, 1, 2, 4, 8, 8, 8]


def test_refused_recipients_and_mails_are_counted_for_the_address_by_all_servers(to: str, settings: Any) -> None:
    settings.MAILS_PER_ADDRESS = 4
    with serving() as one, serving() as other:
        with one.client() as client:
            begin_mail(client, to)
            assert [client.rcpt(f"q-{number}@localhost")[0] for number in range(2)] == [550, 550]
        with other.client() as client:
            client.sendmail("maryam@example.org", [to], MAIL)
            assert client.mail("maryam@example.org")[0] == 421
        with other.client("127.0.0.3") as client:
            client.sendmail("maryam@example.org", [to], MAIL)


def test_the_network_around_an_address_has_a_quota_too(server: Served, to: str, settings: Any) -> None:
    settings.MAILS_PER_ADDRESS = 1
    codes = []
    for number in range(2, 2 + intake.NETWORK + 1):
        with server.client(f"127.0.0.{number}") as client:
            client.ehlo()
            codes.append(client.mail("maryam@example.org")[0])
    assert codes == [250] * intake.NETWORK + [421]
    with server.client("127.0.1.2") as client:
        client.ehlo()
        assert client.mail("maryam@example.org")[0] == 250


def test_bytes_are_counted_for_the_address(server: Served, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.MAILS_PER_ADDRESS = 4
    for code in (250, 421):
        with server.client() as client:
            begin_mail(client, FEEDBACK)
            assert client.data(b"x" * 200_000)[0] == code
    assert RawMail.objects.count() == 1
    # Behind a mail server or the port of a container all mail may come from one address.
    assert "mail from 127.0.0.2 is over its quota: name a mail server of yours in MAIL_RELAYS" in caplog.text


@pytest.mark.parametrize("way", ["relay", "LMTP"])
def test_the_operators_own_mail_servers_have_no_quota(
    to: str, settings: Any, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    settings.MAILS_PER_ADDRESS = 1
    if way == "relay":
        monkeypatch.setenv("MAIL_RELAYS", "127.0.0.2/32")
        settings.MAIL_RELAYS = environment.networks("MAIL_RELAYS")
    with serving(LocalConversation if way == "LMTP" else Conversation) as server:
        kind = smtplib.LMTP if way == "LMTP" else smtplib.SMTP
        with kind("127.0.0.1", server.port, source_address=("127.0.0.2", 0)) as client:
            for _ in range(smtp_server.MOST_REFUSED + 5):
                client.ehlo_or_helo_if_needed()
                client.mail("maryam@example.org")
                assert [client.rcpt(address)[0] for address in ("q-1@localhost", to)] == [550, 250]
                client.rset()


@pytest.mark.parametrize("length", [999, 1000, 1001, 1300, 5000, 300_000])
def test_lines_of_any_length_are_taken(server: Served, to: str, length: int) -> None:
    mail = MAIL + b"> " + b"<p>a</p>." * (length // 9) + b"\r\n.\r\n. .\r\n" + b"x" * length + b".\r\n"
    with server.client() as client:
        client.sendmail("maryam@example.org", [to], mail)
        client.sendmail("maryam@example.org", [to], mail)
    assert [bytes(stored.raw) for stored in RawMail.objects.all()] == [mail, mail]

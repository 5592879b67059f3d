"""The mail server for any client: senders of much, of slow or of useless mail cost little and are refused."""

import smtplib
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from notifications.received_mail import LARGEST, LARGEST_REPORT
from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, database, wait_until

MEBIBYTE = 1024 * 1024
FEEDBACK = "feedback@localhost"


@pytest.fixture(scope="module")
def server(prepared: Path) -> Iterator[Darbar]:
    with on_a_copy(prepared, MAILS_PER_ADDRESS="8") as server:
        yield server.start()


def client(server: Darbar, source: str) -> smtplib.SMTP:
    return smtplib.SMTP("127.0.0.1", server.mail_port, "client.example", 60, source_address=(source, 0))


def memory(server: Darbar) -> int:
    """Bytes that the mail server holds in memory."""
    (pid,) = server.pids(b"config.server.mail")
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def stored_count(server: Darbar) -> int:
    """Bytes of mails in the database."""
    with database(server) as connection:
        ((size,),) = connection.execute("SELECT coalesce(sum(length(raw)), 0) FROM notifications_rawmail").fetchall()
    return int(size)


def deliver(post: smtplib.SMTP, content: bytes) -> int:
    """Send a mail to the address for complaints, without a word of its size; the last thing that is said."""
    post.ehlo_or_helo_if_needed()
    if (code := post.mail("maryam@example.org")[0]) != 250:
        return code
    post.rcpt(FEEDBACK)
    return post.data(content)[0]


def test_complaints_are_small_counted_and_forgotten_when_they_are_read(server: Darbar) -> None:
    with client(server, "127.0.3.1") as post:
        assert deliver(post, b"\r\n" * LARGEST_REPORT) == 552
        codes = [deliver(post, b"\r\n" * (LARGEST_REPORT // 2)) for _ in range(3)]
    assert codes == [250, 250, 421]
    with client(server, "127.0.3.1") as post:
        assert deliver(post, b"\r\n") == 421
    wait_until(lambda: stored_count(server) == 0, "what came is read, and forgotten")


def test_forty_slow_senders_cost_little_memory(server: Darbar) -> None:
    before = memory(server)
    with ExitStack() as opened:
        for number in range(40):
            post = client(server, f"127.0.4.{1 + number % 8}")
            opened.callback(post.close)
            post.ehlo()
            post.mail("maryam@example.org")
            post.rcpt(FEEDBACK)
            assert post.docmd("DATA")[0] == 354
            post.sock.sendall(b"\r\n" * (LARGEST // 2))
        assert memory(server) - before < 40 * MEBIBYTE


@pytest.mark.parametrize("network", ["127.0.9.{}", "127.{}.9.1"], ids=["one /24", "many /24s"])
def test_idle_connections_of_twenty_addresses_keep_nobody_out(server: Darbar, network: str) -> None:
    with ExitStack() as opened:
        for number in range(300):
            source = network.format(number % 20 + 10)
            opened.enter_context(socket.create_connection(("127.0.0.1", server.mail_port), 60, (source, 0)))
        for number in range(5):
            post = opened.enter_context(client(server, f"127.{number + 100}.2.1"))
            assert post.ehlo()[0] == 250

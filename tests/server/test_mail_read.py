"""Mail that was accepted with 250 is read, even if its reader or the database fails."""

import signal
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from config.server.postgres import DATABASE, ServerPaths
from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, database, tell, wait_until
from tests.server.player import Player
from tests.server.replies import answered, opened, reply_to_the_mail
from tests.server.upset import beats


@pytest.fixture(scope="module")
def server(prepared: Path) -> Iterator[Darbar]:
    with on_a_copy(prepared) as server:
        server.start()
        wait_until(lambda: beats(server), "the clock ticks")
        yield server


@pytest.fixture(scope="module")
def maryam(server: Darbar) -> Iterator[Player]:
    with Player(server, "Maryam") as maryam:
        yield maryam


@contextmanager
def being_read(server: Darbar, player: Player, number: int) -> Iterator[tuple[str, psycopg.Connection]]:
    """A game, while the reader of a mail to it waits for the lock of its row: it cannot come to an end."""
    game = opened(player)
    reply = reply_to_the_mail(player, game, number)
    with database(server) as connection, connection.transaction():
        connection.execute("SELECT FROM games_game WHERE id = %s FOR UPDATE", [game])
        with smtplib.SMTP("127.0.0.1", server.mail_port, timeout=30) as post:
            post.send_message(reply)
        wait_until(lambda: is_at_work(server), "somebody reads the mail")
        yield game, connection


READERS = """
    FROM pg_locks AS held JOIN pg_locks AS wanted USING (pid)
    WHERE held.relation = 'notifications_rawmail'::regclass AND held.mode = 'RowShareLock' AND NOT wanted.granted
"""
"""The connections that lock a mail and wait for another lock."""


def is_at_work(server: Darbar) -> bool:
    """Return True if a process has begun to read a mail and waits for the lock of the game."""
    with database(server) as connection:
        return connection.execute(f"SELECT 1 {READERS}").fetchone() is not None


def end_waiting(server: Darbar) -> None:
    """End the sessions of readers that were killed: one that waits for a lock does not notice that by itself."""
    with database(server) as connection:
        connection.execute(f"SELECT pg_terminate_backend(held.pid) {READERS}")


def is_resolved(player: Player, game: str) -> bool:
    return answered(player, game) == "mail"


def made_older(server: Darbar, pause: str = "2 hours") -> None:
    """Make the attempts to read mails be long ago, and all pauses be over."""
    with database(server) as connection:
        connection.execute(
            "UPDATE notifications_rawmail SET first_attempt_at = first_attempt_at - %s::interval,"
            " next_attempt_at = now() WHERE state = 'received'",
            [pause],
        )


def test_a_mail_whose_readers_are_killed_again_and_again_is_read_in_the_end(server: Darbar, maryam: Player) -> None:
    with being_read(server, maryam, 1) as (game, _):
        for _ in range(3):
            tell(signal.SIGKILL, *server.workers())
            end_waiting(server)
            wait_until(lambda: not is_at_work(server), "its reader is gone")
            made_older(server)
            wait_until(lambda: is_at_work(server), "another worker reads the mail")
    wait_until(lambda: is_resolved(maryam, game), "the mail is read")


def test_a_mail_is_read_however_long_the_database_was_away_in_the_midst(server: Darbar, maryam: Player) -> None:
    with being_read(server, maryam, 2) as (game, connection), away(server, connection):
        wait_until(lambda: server.get("/healthz").status_code == 503, "the server notices")
    made_older(server)
    wait_until(lambda: is_resolved(maryam, game), "the mail is read")


@contextmanager
def away(server: Darbar, connection: psycopg.Connection) -> Iterator[None]:
    """Close the database to all connections except the one that is given."""
    sockets = str(ServerPaths.in_data_dir(server.data_dir).sockets)
    with psycopg.connect(host=sockets, port=5432, user=DATABASE, dbname="postgres", autocommit=True) as keeper:
        keeper.execute(f"ALTER DATABASE {DATABASE} ALLOW_CONNECTIONS false")
        try:
            keeper.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s",
                [DATABASE, connection.info.backend_pid],
            )
            yield
        finally:
            keeper.execute(f"ALTER DATABASE {DATABASE} ALLOW_CONNECTIONS true")

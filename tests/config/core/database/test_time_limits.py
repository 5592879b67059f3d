"""Time limits for a database that is stopped, locked, cut off or silent: no thread waits for long."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client

from config.core.database import time_limits
from config.core.database.checks import DATABASE_CHECKS, DatabaseChecks
from config.core.database.sql import pipeline
from config.core.database.time_limits import AsyncConnection, Connection, NoAnswer, NotSent, limited
from config.server.stream import connection_parameters
from games.models import Game
from tests.server.darbar import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SHORT = 0.6
LOCK = 290_612


@pytest.fixture
def beside() -> Iterator[Any]:
    """A connection beside the test's own."""
    copy = connection.copy()
    copy.ensure_connection()
    yield copy
    copy.close()


@pytest.fixture
def unanswered() -> Iterator[int]:
    """A port at which a server accepts connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.fixture
def silence() -> Iterator[None]:
    """A database that is known not to answer."""
    time_limits.note_silence(True)
    yield
    time_limits.note_silence(False)


@contextmanager
def stopped(stopped_connection: Any) -> Iterator[None]:
    """Stop the server's process for this connection."""
    pid = stopped_connection.connection.info.backend_pid
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def ask(database: Any, statement: str = "SELECT 'salaam'") -> Any:
    with database.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def waiting_for_lock() -> int:
    statement = f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = {LOCK} AND NOT granted"
    return int(ask(connection, statement))


def test_a_stopped_server_is_given_up_and_asked_again_once_it_goes_on(beside: Any) -> None:
    with stopped(beside), limited(SHORT):
        with pytest.raises(OperationalError) as error:
            ask(beside)
        assert type(error.value.__cause__) is NoAnswer
    beside.close_if_unusable_or_obsolete()
    assert ask(beside) == "salaam"


def test_what_waits_for_a_lock_is_given_up_and_the_server_does_not_wait_on(beside: Any) -> None:
    ask(connection, f"SELECT pg_advisory_lock({LOCK})::text")
    with limited(SHORT), pytest.raises(OperationalError):
        ask(beside, f"SELECT pg_advisory_lock({LOCK})::text")
    wait_until(lambda: waiting_for_lock() == 0, "the statement is cancelled")
    ask(connection, f"SELECT pg_advisory_unlock({LOCK})::text")


def test_all_statements_of_a_request_share_its_time(beside: Any) -> None:
    with limited(SHORT):
        ask(beside, f"SELECT pg_sleep({SHORT / 2})::text")
        with pytest.raises(OperationalError) as error:
            ask(beside, f"SELECT pg_sleep({SHORT})::text")
        assert type(error.value.__cause__) is NoAnswer
        beside.close()
        with pytest.raises(OperationalError) as error:
            ask(beside)
        assert type(error.value.__cause__) is NotSent
    assert ask(beside) == "salaam"


def test_a_transaction_in_whose_midst_the_server_stops_is_rolled_back(beside: Any) -> None:
    created = f"CREATE TABLE half_done_{os.getpid()} (id int)"
    with pytest.raises(OperationalError), stopped_in_transaction(created), limited(SHORT):
        ask(connection)
    connection.close()
    assert ask(beside, f"SELECT to_regclass('half_done_{os.getpid()}') IS NULL") is True


@contextmanager
def stopped_in_transaction(statement: str) -> Iterator[None]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(statement)
        with stopped(connection):
            yield


def test_statements_on_one_journey_are_given_up_too() -> None:
    with pytest.raises(OperationalError):
        ask_on_one_journey()
    assert ask(connection) == "salaam"


def ask_on_one_journey() -> None:
    with transaction.atomic():
        ask(connection)
        with stopped(connection), limited(SHORT), pipeline(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.execute("SELECT 2")
            cursor.fetchone()


def test_a_server_that_accepts_and_says_nothing_is_given_up_at_all_its_addresses(unanswered: int) -> None:
    with limited(SHORT), pytest.raises(psycopg.OperationalError) as error:
        Connection.connect(
            host="127.0.0.1,127.0.0.1", port=f"{unanswered},{unanswered}", dbname="darbar", connect_timeout=10
        )
    assert isinstance(error.value, NotSent)


def test_a_host_that_says_nothing_leaves_time_for_the_next_one(unanswered: int) -> None:
    reached = connection_parameters()
    hosts = {"host": f"127.0.0.1,{reached['host']}", "port": f"{unanswered},{reached.get('port', '')}"}
    with limited(2 * SHORT), Connection.connect(**reached | hosts) as new_connection:
        assert new_connection.execute("SELECT 'salaam'").fetchone() == ("salaam",)


def test_a_server_to_which_nothing_comes_through_is_given_up() -> None:
    # A full queue of connections: the machine drops what more comes, as a firewall does.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        queued = [socket.socket() for _ in range(4)]
        for queued_socket in queued:
            queued_socket.setblocking(False)
            queued_socket.connect_ex(("127.0.0.1", port))
        with limited(SHORT), pytest.raises(NotSent):
            Connection.connect(host="127.0.0.1", port=port, dbname="darbar", connect_timeout=10)
        for queued_socket in queued:
            queued_socket.close()


def test_commands_wait_as_long_as_it_takes_and_threads_of_processes_for_long(
    beside: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_limits._process, "default", None)
    assert ask(beside, f"SELECT 'done' FROM pg_sleep({2 * SHORT})") == "done"
    monkeypatch.setattr(time_limits._process, "default", SHORT)
    with pytest.raises(OperationalError):
        ask(beside, f"SELECT pg_sleep({2 * SHORT})::text")


def test_a_limit_within_another_never_gives_more_time(beside: Any) -> None:
    with limited(SHORT), limited(600), pytest.raises(OperationalError):
        ask(beside, f"SELECT pg_sleep({2 * SHORT})::text")


def test_a_silent_database_is_asked_by_nobody_but_the_thread_that_looks(beside: Any, silence: None) -> None:
    with limited(), pytest.raises(OperationalError) as error:
        ask(beside)
    assert isinstance(error.value.__cause__, NotSent)
    with limited(is_check=True):
        assert ask(beside) == "salaam"
    assert ask(beside) == "salaam", "a worker goes on"


def test_a_look_that_finds_a_mute_database_says_so_once_and_the_next_one_that_it_answers(
    monkeypatch: pytest.MonkeyPatch, unanswered: int, caplog: pytest.LogCaptureFixture
) -> None:
    checks = DatabaseChecks()
    monkeypatch.setattr("config.core.database.checks.PATIENCE", SHORT)
    connection.close()
    with monkeypatch.context() as mute:
        mute.setitem(connection.settings_dict, "HOST", "127.0.0.1")
        mute.setitem(connection.settings_dict, "PORT", unanswered)
        checks._try_to_check()
        assert time_limits._process.is_silent
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    checks._try_to_check()
    assert not time_limits._process.is_silent


def test_one_stopped_backend_is_no_silent_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.core.database.checks.PATIENCE", SHORT)
    ask(connection)
    with stopped(connection):
        DATABASE_CHECKS._try_to_check()
    assert not time_limits._process.is_silent


def test_time_in_which_a_request_waited_for_its_turn_counts() -> None:
    assert time_limits.left_since(None) == time_limits.REQUEST
    assert time_limits.left_since(time.monotonic() - 600) == time_limits.LEAST
    assert time_limits.LEAST < time_limits.left_since(time.monotonic() - 1) < time_limits.REQUEST


@pytest.mark.parametrize(
    ("path", "kind"), [("/healthz", "application/json"), ("/api/v1/accounts/", "application/problem+json")]
)
def test_a_request_that_waits_for_a_locked_table_is_answered_with_503(
    beside: Any, monkeypatch: pytest.MonkeyPatch, path: str, kind: str
) -> None:
    monkeypatch.setattr(time_limits, "REQUEST", SHORT)
    with beside.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(f"LOCK TABLE {Game._meta.db_table}, accounts_allowance, games_heartbeat")
        answer = Client(raise_request_exception=False).get(path)
        cursor.execute("ROLLBACK")
    connection.close()
    assert answer.status_code == 503
    assert answer["Content-Type"] == kind
    assert int(answer["Retry-After"]) > 0
    if path == "/healthz":
        assert answer.json()["red"] == ["database"]


def test_an_event_loop_gives_up_an_answer_and_closes_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "REQUEST", SHORT)

    async def hang() -> bool:
        async_connection = await AsyncConnection.connect(**connection_parameters(), autocommit=True)
        pid = async_connection.info.backend_pid
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(NoAnswer):
                await async_connection.execute("SELECT 1")
        finally:
            os.kill(pid, signal.SIGCONT)
        return async_connection.closed

    assert asyncio.run(hang())

"""Connections that are kept: one that the server has ended is found out, and one that is silent is asked nothing.

The guide says how many there may be.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection

from config.celery import PERIODS
from config.core.database.connections import describe_refusal
from config.server import worker
from games.mail import smtp_server
from tests.server.darbar import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def pooled_connection() -> Iterator[Any]:
    """A connection beside the test's own."""
    copy = connection.copy()
    copy.ensure_connection()
    yield copy
    copy.close()


def last_words(wrapper: Any) -> str:
    """The last statement that the server heard on it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [wrapper.connection.info.backend_pid])
        return str(cursor.fetchone()[0])


def test_a_silent_connection_is_usable_without_being_asked(pooled_connection: Any) -> None:
    with pooled_connection.cursor() as cursor:
        cursor.execute("SELECT 'salaam'")
    assert pooled_connection.is_usable()
    assert "salaam" in last_words(pooled_connection)


def test_a_connection_that_the_server_has_ended_is_not_usable(pooled_connection: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pooled_connection.connection.info.backend_pid])
    wait_until(lambda: not pooled_connection.is_usable(), "it is seen")


def test_a_connection_that_was_told_something_is_asked_and_goes_on(pooled_connection: Any) -> None:
    with pooled_connection.cursor() as cursor:
        cursor.execute("LISTEN dastan")
    with closing(connection.copy()) as other, other.cursor() as cursor:
        cursor.execute("NOTIFY dastan")
    time.sleep(0.5)
    assert pooled_connection.is_usable()
    assert last_words(pooled_connection) == "SELECT 1"


def test_a_connection_that_was_closed_is_not_usable(pooled_connection: Any) -> None:
    pooled_connection.connection.close()
    assert not pooled_connection.is_usable()


def test_whoever_falls_silent_in_a_transaction_loses_what_it_holds(pooled_connection: Any) -> None:
    with pooled_connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("5min",)
        cursor.execute("BEGIN")
        cursor.execute("SELECT pg_advisory_xact_lock(1398)")
        cursor.execute("SET idle_in_transaction_session_timeout = '50ms'")
    wait_until(lambda: not pooled_connection.is_usable(), "the server has ended it")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(1398)")
        assert cursor.fetchone() == (True,)


@pytest.mark.django_db
def test_a_few_rows_of_many_are_looked_up_by_their_keys() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_allowance (key, full_at)"
            " SELECT 'row:' || number, now() FROM generate_series(1, 20000) AS number"
        )
        cursor.execute("ANALYZE accounts_allowance")
        cursor.execute(
            "EXPLAIN UPDATE accounts_allowance AS row SET full_at = now()"
            " FROM json_to_recordset('[]') AS new (key text) WHERE row.key = new.key"
        )
        plan = "\n".join(line for (line,) in cursor)
    assert "Seq Scan" not in plan, plan


def test_an_error_that_the_database_reports_is_no_missing_answer(pooled_connection: Any) -> None:
    with pooled_connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 1")
        with pytest.raises(OperationalError) as refused:
            cursor.execute("SELECT pg_sleep(10)")
    assert describe_refusal(refused.value) == "The database refuses: canceling statement due to statement timeout."
    assert describe_refusal(OperationalError()) == "The database doesn’t answer: OperationalError."


def test_the_guide_says_how_many_connections_a_process_may_open() -> None:
    """A connection for each thread that uses the database, and another one for the checks of the process."""
    web, of_worker, mail = settings.WEB_THREADS, 2 * worker.THREADS + len(PERIODS), smtp_server.THREADS
    guide = " ".join(Path("docs/operating.md").read_text().split())
    assert f"up to {web + 1} for a web server, {of_worker + 1} for a worker, {mail + 1} for a mail server" in guide

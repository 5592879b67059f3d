"""The event stream after a restore: nothing old comes again, nothing new is missed, and clients are told."""

import threading
import time

import psycopg
import pytest
from django.db import connection, transaction

from accounts.models import Account
from notifications.endpoints import Epoch, StreamEvent
from notifications.stream_events import Hub
from tests.notifications.stream_events.reader import Reader
from tests.notifications.stream_events.test_stream import Open, numbers, tell, under_way

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 2**40
"""More transactions than this cluster will ever have."""


def cut() -> None:
    """End every other connection to the database, as a restart does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )


def is_told_to_begin_anew(open_stream: Open, account: Account, last: str) -> Reader:
    """A stream that was resumed with an id of another epoch."""
    stream = open_stream(account, last)
    reset = stream.next()
    assert reset
    assert reset.kind == "reset"
    assert reset.id.partition(".")[0] == Epoch.objects.get().mark != last.partition(".")[0]
    return stream


def open_and_read(open_stream: Open, account: Account, *event_numbers: int) -> Reader:
    stream = open_stream(account)
    stream.next()
    tell(account, *event_numbers)
    assert numbers(stream, len(event_numbers)) == [*event_numbers]
    return stream


@pytest.mark.parametrize("shift", [MANY, -MANY])
def test_rows_of_another_cluster_are_neither_waited_for_nor_told_again(
    open_stream: Open, maryam: Account, shift: int
) -> None:
    before = open_and_read(open_stream, maryam, 1, 2)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE notifications_streamevent SET xid = xid + %s", [shift])
        cursor.execute("UPDATE notifications_epoch SET cluster = 'another'")
    cut()
    assert before.next() is None, "a stream of another epoch ends"
    again = is_told_to_begin_anew(open_stream, maryam, before.last)
    tell(maryam, 3)
    assert numbers(again, 1) == [3]
    assert StreamEvent.objects.count() == 1


def test_rows_from_the_future_begin_a_new_epoch(open_stream: Open, maryam: Account) -> None:
    before = open_and_read(open_stream, maryam, 1)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE notifications_streamevent SET xid = xid + %s", [MANY])
    cut()
    assert before.next() is None
    is_told_to_begin_anew(open_stream, maryam, before.last)


def test_a_database_without_what_was_told_from_it_is_an_earlier_copy(open_stream: Open, maryam: Account) -> None:
    before = open_and_read(open_stream, maryam, 1, 2)
    StreamEvent.objects.order_by("id").last().delete()
    cut()
    assert before.next() is None
    is_told_to_begin_anew(open_stream, maryam, before.last)


def test_an_operator_begins_an_epoch_by_deleting_the_old_one(open_stream: Open, maryam: Account) -> None:
    before = open_and_read(open_stream, maryam, 1)
    Epoch.objects.all().delete()
    cut()
    assert before.next() is None
    is_told_to_begin_anew(open_stream, maryam, before.last)


def test_a_role_without_privileges_can_tell_which_cluster_it_is_in(open_stream: Open, maryam: Account) -> None:
    statement = "SELECT system_identifier, pg_walfile_name(pg_current_wal_lsn()) FROM pg_control_system()"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() == (True,):  # a database of one's own; the embedded one's role has no privileges
            cursor.execute("CREATE ROLE nobody_at_all")
            cursor.execute("SET LOCAL ROLE nobody_at_all")
        cursor.execute(statement)
        assert cursor.fetchone()
        transaction.set_rollback(True)


@pytest.mark.slow  # it counts reads during four seconds
def test_what_a_long_transaction_holds_up_is_looked_for_ever_more_seldom(
    open_stream: Open, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, reading = [], Hub._read

    async def counted(hub: Hub, wire: "psycopg.AsyncConnection[object]") -> tuple[int, bool]:
        reads.append(time.monotonic())
        return await reading(hub, wire)

    monkeypatch.setattr(Hub, "_read", counted)
    stream = open_stream(maryam)
    stream.next()
    with under_way(lambda: Account.objects.filter(pk=maryam.pk).update(time_zone="Asia/Tehran")):
        tell(maryam, 1)
        reads.clear()
        threading.Event().wait(4)
        held_up = len(reads)
    assert numbers(stream, 1) == [1]
    assert held_up <= 10, "0.01 + 0.02 + 0.04 + ... + 2.56 s"

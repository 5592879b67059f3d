"""The event stream: everything that concerns an account, in order, nothing lost, nothing of anybody else's."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts import tokens
from accounts.models import Account, Token
from config.core.clock import write_moment
from config.core.database.sql import silent_transaction
from config.server import event_stream
from notifications import stream_events
from notifications.endpoints import Epoch, Kind, StreamEvent, StreamListener
from notifications.stream_events import KEPT, NewStreamEvent, emit
from tests.long import SCALE
from tests.notifications.stream_events.conftest import StreamServer
from tests.notifications.stream_events.reader import Reader, ask

pytestmark = pytest.mark.django_db(transaction=True)
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
Open = Callable[..., Reader]


def tell(account: Account, *numbers: int) -> None:
    """Something happens, in a transaction of its own."""
    with transaction.atomic():
        emit([NewStreamEvent(account.pk, Kind.EVENT, {"game": "g", "number": number}) for number in numbers], NOON)


def tell_heard(open_stream: Open, account: Account, *happening: int) -> None:
    """Something happens, and has been read by the process that tells it.

    It reads below the oldest transaction that runs in any database of the server, so that can take a while.
    """
    stream = open_stream(account)
    stream.next()
    tell(account, *happening)
    assert numbers(stream, len(happening)) == [*happening]
    stream.close()


def id_of(signal: StreamEvent) -> str:
    """The id under which the stream sends it."""
    return stream_events.id_of(Epoch.objects.get().mark, signal.public_id)


def a_start() -> str:
    """An id that a stream may have been given a moment ago, before anything was told."""
    return f"{Epoch.objects.get().mark}.start-{int(timezone.now().timestamp())}"


def numbers(reader: Reader, many: int) -> list[int]:
    return [event.data["number"] for event in reader.take(many)]


def test_a_stream_says_that_it_is_ready_and_then_what_happens(open_stream: Open, maryam: Account) -> None:
    stream = open_stream(maryam)
    ready = stream.next()
    assert ready is not None
    assert ready.kind == "ready"
    tell(maryam, 7)
    events = stream.next()
    assert events is not None
    assert (events.kind, events.data) == ("event", {"game": "g", "number": 7, "at": write_moment(NOON)})
    epoch, _, signal = events.id.partition(".")
    assert epoch == Epoch.objects.get().mark
    assert UUID(signal).version == 4, "an id that tells nothing of what others do"


def test_nobody_hears_what_concerns_others_or_was_rolled_back(
    open_stream: Open, maryam: Account, sepideh: Account
) -> None:
    stream = open_stream(maryam)
    stream.next()
    tell(sepideh, 1)
    with transaction.atomic():
        emit([NewStreamEvent(maryam.pk, Kind.EVENT, {"number": 2})], NOON)
        transaction.set_rollback(True)
    tell(maryam, 3)
    assert numbers(stream, 1) == [3]


def test_every_stream_of_an_account_hears_it(open_stream: Open, maryam: Account) -> None:
    streams = [open_stream(maryam) for _ in range(3)]
    for stream in streams:
        stream.next()
    tell(maryam, 1, 2)
    assert [numbers(stream, 2) for stream in streams] == [[1, 2]] * 3


def test_a_stream_is_resumed_where_it_was_cut_without_loss_or_repetition(open_stream: Open, maryam: Account) -> None:
    first = open_stream(maryam)
    first.next()
    tell(maryam, 1, 2, 3)
    assert numbers(first, 2) == [1, 2]
    first.close()
    tell(maryam, 4)
    tell(maryam, 5, 6)
    second = open_stream(maryam, first.last)
    tell(maryam, 7)
    assert numbers(second, 5) == [3, 4, 5, 6, 7]


def test_a_stream_that_heard_nothing_yet_can_be_resumed_too(open_stream: Open, maryam: Account) -> None:
    first = open_stream(maryam)
    first.next()
    first.close()
    tell(maryam, 1)
    second = open_stream(maryam, first.last)
    assert numbers(second, 1) == [1]
    second.close()
    third = open_stream(maryam)
    third.next()
    third.close()
    tell(maryam, 2)
    assert numbers(open_stream(maryam, third.last), 1) == [2]


@contextmanager
def under_way(
    work: Callable[[], object], begin: Callable[[], AbstractContextManager[object]] = transaction.atomic
) -> Iterator[None]:
    """A transaction on a connection of its own, in which this has been done and which is over with the block."""
    begun, go = threading.Event(), threading.Event()

    def slowly() -> None:
        with begin():
            work()
            begun.set()
            go.wait(60)
        connection.close()

    late = threading.Thread(target=slowly)
    late.start()
    assert begun.wait(30)
    try:
        yield
    finally:
        go.set()
        late.join(30)


def test_what_commits_late_is_not_skipped(open_stream: Open, maryam: Account) -> None:
    stream = open_stream(maryam)
    stream.next()
    with under_way(lambda: emit([NewStreamEvent(maryam.pk, Kind.EVENT, {"number": 1})], NOON)):
        tell(maryam, 2)
        time.sleep(0.3)
        resumed = open_stream(maryam, stream.last)
    assert numbers(stream, 2) == [1, 2]
    assert numbers(resumed, 2) == [1, 2]


def test_whoever_composes_or_delivers_for_long_delays_nobody(
    open_stream: Open, maryam: Account, sepideh: Account
) -> None:
    stream = open_stream(maryam)
    stream.next()
    with under_way(lambda: Account.objects.filter(pk=maryam.pk).update(time_zone="Asia/Tehran"), silent_transaction):
        tell(maryam, 1)
        assert numbers(stream, 1) == [1]
        assert stream_events.id_before(maryam.pk, NOON + timedelta(seconds=1)) == stream.last, "a page begins behind it"
        assert open_stream(sepideh).next() is not None, "a first stream begins at once"
        with under_way(lambda: emit([NewStreamEvent(maryam.pk, Kind.EVENT, {"number": 2})], NOON)):
            tell(maryam, 3)
            time.sleep(0.1)
        assert numbers(stream, 2) == [2, 3]


def test_a_transaction_that_said_it_tells_nothing_cannot_tell_something(maryam: Account) -> None:
    with pytest.raises(RuntimeError), silent_transaction():
        tell(maryam, 1)
    with pytest.raises(RuntimeError), silent_transaction():
        emit([], NOON)
    with pytest.raises(RuntimeError), silent_transaction():
        stream_events.subscriptions([], [], NOON)
    tell(maryam, 2)


def test_signals_are_kept_from_the_first_stream_on_once_whatever_was_under_way_is_over(
    open_stream: Open, maryam: Account, sepideh: Account
) -> None:
    tell(maryam, 1)
    assert not StreamEvent.objects.exists()

    def without_knowing() -> None:
        Account.objects.filter(pk=sepideh.pk).update(time_zone="Asia/Tehran")
        assert not [*stream_events.subscriptions([maryam.pk], [], NOON)]

    with under_way(without_knowing):
        stream = open_stream(maryam, a_start())
        time.sleep(0.3)
        assert not StreamListener.objects.get().hears_all
    reset = stream.next()
    assert reset is not None
    assert reset.kind == "reset", "what had been told before is not known"
    assert StreamListener.objects.get().hears_all
    tell(maryam, 2)
    assert numbers(stream, 1) == [2]
    again = open_stream(maryam, reset.id)
    assert numbers(again, 1) == [2]


@pytest.mark.parametrize("last", ["nonsense", "00000000-0000-4000-8000-000000000000", "start-1", "start-x"])
def test_who_cannot_be_told_what_they_missed_is_told_so(open_stream: Open, maryam: Account, last: str) -> None:
    tell_heard(open_stream, maryam, 1)
    stream = open_stream(maryam, f"{Epoch.objects.get().mark}.{last}")
    reset = stream.next()
    assert reset is not None
    assert reset.kind == "reset"
    stream.close()
    tell(maryam, 2)
    assert numbers(open_stream(maryam, reset.id), 1) == [2]


def test_a_foreign_id_an_old_one_and_one_that_never_was_are_alike(
    open_stream: Open, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_heard(open_stream, sepideh, 1)
    tell_heard(open_stream, maryam, 1, 2, 3)
    foreign = id_of(StreamEvent.objects.get(account=sepideh))
    first = id_of(StreamEvent.objects.filter(account=maryam).order_by("id")[0])
    monkeypatch.setattr(stream_events, "MOST_MISSED", 1)
    for last in (foreign, first):
        event = open_stream(maryam, last).next()
        assert event is not None
        assert event.kind == "reset"
    stream_events.forget(NOON + KEPT + timedelta(seconds=1))
    assert not StreamEvent.objects.exists()


def test_a_token_that_is_revoked_or_expires_loses_its_stream(
    open_stream: Open, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "TOKEN_CHECK_INTERVAL", 0.2)
    (kept_token, kept_text), (revoked, revoked_text) = (tokens.issue(maryam, "test", ["games:read"]) for _ in range(2))
    own_stream, lost, closed = (
        open_stream(maryam, token=kept_text),
        open_stream(maryam, token=revoked_text),
        open_stream(sepideh),
    )
    for stream in (own_stream, lost, closed):
        stream.next()
    revoked.delete()
    Account.objects.filter(pk=sepideh.pk).update(is_active=False)
    began = time.monotonic()
    assert lost.next() is None
    assert closed.next() is None
    assert time.monotonic() - began < 30
    tell(maryam, 1)
    assert numbers(own_stream, 1) == [1]
    Token.objects.filter(pk=kept_token.pk).update(expiry=timezone.now())
    assert own_stream.next() is None


def test_a_stream_that_is_opened_while_tokens_are_looked_at_stays(
    open_stream: Open, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "TOKEN_CHECK_INTERVAL", 0.0)
    for _ in range(event_stream.MOST_OF_ACCOUNT // 2):
        open_stream(maryam).next()
    last = open_stream(maryam)
    last.next()
    tell(maryam, 1)
    assert numbers(last, 1) == [1]


def test_a_quiet_stream_says_that_it_lives(open_stream: Open, maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.1)
    stream = open_stream(maryam)
    stream.next()
    time.sleep(0.5)
    tell(maryam, 1)
    assert numbers(stream, 1) == [1]
    assert stream.comments >= 2


def test_a_database_that_was_away_ends_no_stream_and_loses_nothing(open_stream: Open, maryam: Account) -> None:
    stream = open_stream(maryam)
    stream.next()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    tell(maryam, 1)
    assert numbers(stream, 1) == [1]


def test_without_a_token_that_may_read_games_there_is_no_stream(port: int, maryam: Account) -> None:
    def refusal(**headers: str) -> tuple[int, str]:
        answer = ask(port, **headers)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        return answer.status_code, answer.json()["code"]

    token_text = tokens.issue(maryam, "test", ["games:play", "account"])[1]
    assert refusal() == (401, "unauthenticated")
    assert refusal(Authorization="Bearer darbar_nobody") == (401, "unauthenticated")
    assert refusal(Authorization="Basic bWFyeWFtOng=") == (401, "unauthenticated")
    assert refusal(Cookie="sessionid=abc") == (401, "unauthenticated")
    assert refusal(Authorization=f"Bearer {token_text}") == (403, "forbidden")


def test_other_paths_and_methods_are_refused_and_a_preflight_is_answered(port: int) -> None:
    at = f"http://127.0.0.1:{port}"
    assert httpx.get(f"{at}/api/v1/me/").status_code == 404
    assert httpx.post(f"{at}{event_stream.PATH}").status_code == 405
    preflight = httpx.options(f"{at}{event_stream.PATH}", headers={"Origin": "https://app.darbar.org"})
    assert preflight.status_code == 204
    assert "authorization" in preflight.headers["Access-Control-Allow-Headers"]


def test_an_account_has_only_so_many_streams_and_gets_room_when_one_ends(
    open_stream: Open, port: int, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "MOST_OF_ACCOUNT", 2)
    streams = [open_stream(maryam) for _ in range(2)]
    for stream in streams:
        stream.next()
    assert open_stream(maryam).status == 429
    streams[0].close()
    deadline = time.monotonic() + 5
    while (again := open_stream(maryam)).status != 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    again.next()


@pytest.mark.long
def test_five_hundred_streams_on_one_process_hear_everything_in_order(open_stream: Open, maryam: Account) -> None:
    """25 in the short run."""
    people = [
        Account.objects.create_user(f"p{number}@example.org", name=f"Player {number}") for number in range(25 * SCALE)
    ]
    streams = [open_stream(person) for person in people]
    assert {stream.status for stream in streams} == {200}
    for stream in streams:
        stream.next()
    with transaction.atomic():
        emit([NewStreamEvent(person.pk, Kind.EVENT, {"number": n}) for n in range(4) for person in people], NOON)
    numbers_by_stream: list[Any] = [numbers(stream, 4) for stream in streams]
    assert numbers_by_stream == [[0, 1, 2, 3]] * len(people)


def test_a_server_that_ends_with_open_streams_logs_no_error(
    open_stream: Open, stream_server: StreamServer, maryam: Account, caplog: pytest.LogCaptureFixture
) -> None:
    stream, new = open_stream(maryam), open_stream(maryam)
    stream.next()
    stream_server.end()
    assert stream.next() is None
    new.close()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []

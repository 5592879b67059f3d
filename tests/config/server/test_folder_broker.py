"""The embedded broker: messages arrive once, whole and in order, with several writers and readers at the same time."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from config.server import folder_broker
from config.server.folder_broker import Channel
from config.server.runner import delete_messages


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with Connection("folder://localhost//", transport_options={"folder": str(tmp_path)}) as connection:
        yield connection


def received(channel: Channel) -> list[object]:
    """All messages that are there."""
    messages = []
    while True:
        try:
            messages.append(channel._get("celery"))
        except Empty:
            return messages


def test_messages_come_in_the_order_in_which_they_were_sent(connection: Connection) -> None:
    queue = connection.SimpleQueue("celery")
    for number in range(20):
        queue.put({"number": number})
    assert [queue.get(timeout=1).payload["number"] for _ in range(20)] == list(range(20))
    queue.close()


def test_queues_do_not_mix_and_can_be_counted_and_emptied(connection: Connection) -> None:
    channel = connection.channel()
    for queue in ("celery", "celery", "other"):
        channel._put(queue, {"to": queue})
    assert (channel._size("celery"), channel._size("other")) == (2, 1)
    assert channel._purge("celery") == 2
    assert channel._get("other") == {"to": "other"}


def test_many_writers_and_readers_lose_double_and_tear_nothing(connection: Connection) -> None:
    received_messages: list[object] = []
    writing = threading.Event()

    def write(writer: int) -> None:
        channel = connection.channel()
        for number in range(200):
            channel._put("celery", [writer, number, "x" * 5000])

    def read() -> None:
        channel = connection.channel()
        while writing.is_set() or channel._size("celery"):
            received_messages.extend(received(channel))

    writing.set()
    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(3)]
    readers = [threading.Thread(target=read) for _ in range(3)]
    for thread in writers + readers:
        thread.start()
    for thread in writers:
        thread.join()
    writing.clear()
    for thread in readers:
        thread.join()
    counted = Counter((writer, number) for writer, number, _ in received_messages)  # type: ignore[misc]
    assert counted == Counter((writer, number) for writer in range(3) for number in range(200))


def test_nothing_of_an_earlier_run_is_left_after_clearing(connection: Connection, tmp_path: Path) -> None:
    connection.channel()._put("celery", {})
    (tmp_path / ".new-1.celery.message").write_text("{")
    (tmp_path / ".taken-1.celery.message").write_text("{}")
    delete_messages(tmp_path)
    assert not list(tmp_path.iterdir())


def test_who_waits_for_a_message_is_woken_by_it(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_broker, "WAIT", 60.0)
    queue = connection.SimpleQueue("celery")
    writing = threading.Timer(0.3, connection.clone().SimpleQueue("celery").put, [{"number": 1}])
    began = time.monotonic()
    writing.start()
    assert queue.get(timeout=60).payload == {"number": 1}
    assert time.monotonic() - began < 30
    writing.join()


def test_who_has_taken_as_many_as_it_may_is_woken_when_it_is_done_with_one(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_broker, "WAIT", 60.0)
    queue, messages = connection.SimpleQueue("celery"), []
    queue.consumer.qos(prefetch_count=1)
    queue.consumer.callbacks[:] = [lambda _, message: messages.append(message)]
    queue.consumer.consume()
    for number in range(2):
        queue.put({"number": number})
    connection.drain_events(timeout=60)
    timer = threading.Timer(0.3, lambda: messages[0].ack())
    timer.start()
    connection.drain_events(timeout=60)
    assert [message.payload["number"] for message in messages] == [0, 1]
    timer.join()


def test_who_waits_for_a_message_looks_up_soon(connection: Connection) -> None:
    connection.SimpleQueue("celery").consumer.consume()
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=60)
    assert time.monotonic() - began < 30

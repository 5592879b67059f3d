"""Notifications handed to a channel, against tasks of Celery that do nothing."""

import time
from collections.abc import Iterator, Sequence
from typing import Final

from celery import current_app, shared_task
from celery.contrib.testing.worker import start_worker
from django.db import connection
from django.utils import timezone

from bench.measure import Row, alternately, at_least
from notifications.channels.base import DirectChannel, Send
from notifications.channels.registry import CHANNELS
from notifications.content.rendered_notification import RenderedNotification, encode
from notifications.delivery import deliver

TASKS: Final = 1000
_ORDER: Final = """
    INSERT INTO notifications_notification (id, key, account_id, address, channel, reason, topic, question,
        rendered, state, attempts, next_attempt_at, created_at, standing_by, held)
    SELECT gen_random_uuid(), gen_random_uuid()::text, (%s::bigint[])[1 + n %% %s], '', 'nowhere', 'question', '', '',
        %s, 'ready', 0, %s, %s, false, false
    FROM generate_series(1, %s) AS n
"""
_done = [0]


class Nowhere(DirectChannel):
    """Takes every notification and counts it."""

    description = "nowhere"

    def __init__(self) -> None:
        self.taken = 0

    def session(self) -> "Nowhere":
        """Itself: there is nothing to open."""
        return self

    def __enter__(self) -> Send:
        return self._take

    def __exit__(self, *_: object) -> None:
        pass

    def _take(self, _: object) -> None:
        self.taken += 1


@shared_task(ignore_result=True, name="bench.nothing")
def nothing(_: int) -> None:
    """A task that does nothing but count itself."""
    _done[0] += 1


def handed_over_a_second(people: Sequence[int], count: int, channel: Nowhere) -> float:
    """Notifications from the outbox to a channel that takes them all."""
    now, before = timezone.now(), channel.taken
    with connection.cursor() as cursor:
        rendered = encode(RenderedNotification("en", "A game", "You are asked."))
        cursor.execute(_ORDER, [list(people), len(people), rendered, now, now, count])
    began = time.perf_counter()
    while deliver.deliver_due(now):
        pass
    if channel.taken - before != count:
        raise SystemExit(f"{channel.taken - before} of {count} notifications were handed over")
    return count / (time.perf_counter() - began)


def tasks_a_second() -> float:
    """Tasks through the same broker, from the first that is sent to the last that is done."""
    began, before = time.perf_counter(), _done[0]
    for number in range(TASKS):
        nothing.delay(number)
    while _done[0] - before < TASKS:
        time.sleep(0.005)
    return TASKS / (time.perf_counter() - began)


def rows(people: Sequence[int], notifications: int) -> Iterator[Row]:
    """Notifications handed over a second against tasks."""
    channel = CHANNELS["nowhere"] = Nowhere()
    try:
        with start_worker(current_app, pool="threads", concurrency=4, perform_ping_check=False):
            tasks_a_second()
            measured = alternately(lambda: handed_over_a_second(people, notifications, channel), tasks_a_second)
    finally:
        del CHANNELS["nowhere"]  # no other part knows it
    yield at_least("notifications handed to a channel a second", "a second", "Celery's no-op tasks", measured, 5, 20)

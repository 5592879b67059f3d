"""Tests of delivery over a real mail server: a notification is sent once in spite of failures."""

import logging
import re
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from bench.ports import free_port
from notifications import deliver, outbox, tasks
from notifications.models import TRIES, Notification, State
from tests.notifications.outbox_rows import ENGLISH, NOON, posted
from tests.notifications.sink import Sink

pytestmark = pytest.mark.django_db


def test_a_ready_notification_arrives_and_is_noted_as_sent(sink: Sink, maryam: Account) -> None:
    notification = posted(maryam)
    assert deliver.deliver_due(NOON) == 1
    assert sink.to == ["maryam@example.org"]
    notification.refresh_from_db()
    assert (notification.state, notification.sent_at, notification.address) == (State.SENT, NOON, "maryam@example.org")


def test_the_same_key_ordered_or_posted_twice_is_one_notification(sink: Sink, maryam: Account) -> None:
    posted(maryam)
    posted(maryam)
    outbox.schedule([outbox.NewNotification(key="question:7:1.1", reason="question", account=maryam.pk)], NOON)
    deliver.deliver_due(NOON)
    assert len(sink.taken) == 1


def test_a_doubled_bell_sends_nothing_twice(sink: Sink, maryam: Account) -> None:
    posted(maryam)
    tasks.deliver_notifications()
    tasks.deliver_notifications()
    assert len(sink.taken) == 1


def test_a_notification_not_yet_written_is_not_sent(sink: Sink, maryam: Account) -> None:
    outbox.schedule([outbox.NewNotification(key="ended:7", reason="ended", account=maryam.pk)], NOON)
    assert deliver.deliver_due(NOON) == 0
    assert sink.tried == []


def test_a_notification_goes_out_though_the_clock_was_set_back_while_it_was_written(
    sink: Sink, maryam: Account
) -> None:
    outbox.schedule([outbox.NewNotification(key="ended:7", reason="ended", account=maryam.pk)], NOON)
    outbox.write(Notification.objects.get(), ENGLISH, now=NOON + timedelta(hours=1))
    assert deliver.deliver_due(NOON) == 1
    assert sink.to == ["maryam@example.org"]


def test_a_temporary_refusal_is_tried_again_later_with_the_same_message_id(sink: Sink, maryam: Account) -> None:
    sink.answers["maryam@example.org"] = ["451 4.7.1 Greylisted, come back later"]
    notification = posted(maryam)
    deliver.deliver_due(NOON)
    notification.refresh_from_db()
    assert (notification.state, notification.attempts, notification.next_attempt_at) == (
        State.READY,
        1,
        NOON + timedelta(seconds=30),
    )
    assert deliver.deliver_due(NOON + timedelta(seconds=29)) == 0
    assert deliver.deliver_due(NOON + timedelta(seconds=30)) == 1
    assert [mail["Message-ID"] for mail in sink.taken] == [f"<{notification.id}@localhost>"]


def test_the_waits_grow_and_end_after_about_two_days(sink: Sink, maryam: Account) -> None:
    sink.answers["maryam@example.org"] = ["450 4.2.1 Busy"] * TRIES
    notification = posted(maryam)
    now, waits = NOON, []
    while notification.state == State.READY:
        deliver.deliver_due(now)
        notification.refresh_from_db()
        waits.append(notification.next_attempt_at - now)
        now = notification.next_attempt_at
    assert notification.state == State.FAILED
    assert waits[:3] == [timedelta(seconds=30), timedelta(seconds=60), timedelta(seconds=120)]
    assert max(waits) == timedelta(hours=4)
    assert timedelta(days=1) < now - NOON < timedelta(days=3)
    assert len(sink.tried) == TRIES


def test_a_permanent_refusal_is_given_up_at_once(sink: Sink, maryam: Account, caplog: pytest.LogCaptureFixture) -> None:
    sink.answers["maryam@example.org"] = ["550 5.1.1 No Maryam here; she holds a duke"]
    notification = posted(maryam)
    with caplog.at_level(logging.WARNING):
        deliver.deliver_due(NOON)
    notification.refresh_from_db()
    assert (notification.state, notification.attempts) == (State.FAILED, 1)
    assert "550 5.1.1" in caplog.text
    assert "duke" not in caplog.text


def test_one_refused_notification_does_not_stop_the_others(sink: Sink, maryam: Account, sepideh: Account) -> None:
    sink.answers["maryam@example.org"] = ["550 No"]
    posted(maryam, "a")
    posted(sepideh, "b")
    deliver.deliver_due(NOON)
    assert sink.to == ["sepideh@example.org"]


def test_a_notification_that_cannot_be_rendered_does_not_stop_the_others(
    sink: Sink, maryam: Account, sepideh: Account, caplog: pytest.LogCaptureFixture
) -> None:
    spoilt = posted(maryam, "a")
    Notification.objects.filter(pk=spoilt.pk).update(rendered=b'{"language":"en","subject":"the duke')
    posted(sepideh, "b")
    with caplog.at_level(logging.WARNING):
        deliver.deliver_due(NOON)
    assert sink.to == ["sepideh@example.org"]
    spoilt.refresh_from_db()
    assert (spoilt.state, spoilt.attempts) == (State.READY, 1)
    assert str(spoilt.id) in caplog.text
    assert "the duke" not in caplog.text


def test_a_server_that_is_down_costs_one_notification_one_try(
    settings: Any, sink: Sink, maryam: Account, sepideh: Account
) -> None:
    settings.EMAIL_PORT = free_port()
    first, second = posted(maryam, "a"), posted(sepideh, "b")
    deliver.deliver_due(NOON)
    first.refresh_from_db()
    second.refresh_from_db()
    assert [first.attempts, second.attempts] == [0, 0]
    assert sorted([first.next_attempt_at, second.next_attempt_at]) == [NOON, NOON + timedelta(minutes=1)]
    settings.EMAIL_PORT = sink.port
    deliver.deliver_due(NOON + timedelta(minutes=1))
    assert sorted(sink.to) == ["maryam@example.org", "sepideh@example.org"]


def test_without_a_mail_server_and_a_mailbox_notifications_wait(settings: Any, sink: Sink, maryam: Account) -> None:
    notification = posted(maryam)
    backend = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND, settings.MAILBOX = "django.core.mail.backends.dummy.EmailBackend", False
    deliver.deliver_due(NOON)
    notification.refresh_from_db()
    assert notification.state == State.READY
    settings.EMAIL_BACKEND = backend
    deliver.deliver_due(NOON + timedelta(minutes=1))
    assert sink.to == ["maryam@example.org"]


def test_a_batch_is_bounded_and_the_next_one_goes_on(sink: Sink, maryam: Account) -> None:
    for number in range(5):
        posted(maryam, f"question:7:1.{number}")
    assert deliver.deliver_due(NOON, batch=3) == 3
    assert deliver.deliver_due(NOON, batch=3) == 2
    assert len(sink.taken) == 5


@pytest.mark.parametrize(("span", "shared"), [(0.0, [1, 1, 1, 1]), (3600.0, [1, 199])])
def test_as_many_share_a_transaction_as_go_out_within_a_span(
    sink: Sink, maryam: Account, monkeypatch: pytest.MonkeyPatch, span: float, shared: list[int]
) -> None:
    monkeypatch.setattr(deliver, "SPAN", span)
    for number in range(3):
        posted(maryam, f"question:7:1.{number}")
    with CaptureQueriesContext(connection) as queries:
        deliver.deliver_due(NOON)
    asked_for = [re.search(r"LIMIT (\d+) FOR UPDATE OF", query["sql"]) for query in queries.captured_queries]
    assert [int(match[1]) for match in asked_for if match] == shared
    assert len(sink.taken) == 3


def test_a_transaction_ends_when_a_mail_server_becomes_slow_in_it(
    sink: Sink, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliver, "SPAN", 3600.0)
    for number in range(4):
        posted(maryam, f"question:7:1.{number}")

    def become_slow() -> None:
        if len(sink.taken) == 2:
            monkeypatch.setattr(deliver, "SPAN", 0.0)

    sink.on_taken = become_slow
    with CaptureQueriesContext(connection) as queries:
        assert deliver.deliver_due(NOON) == 4
    noted = [query["sql"] for query in queries.captured_queries if query["sql"].startswith('UPDATE "notifications_not')]
    assert len(noted) == 4
    assert len(sink.taken) == 4


def test_a_notification_to_a_bare_address_needs_no_account(sink: Sink, db: None) -> None:
    outbox.add_rendered(outbox.NewNotification(key="code:1", reason="code", address="kaveh@example.org"), ENGLISH, NOON)
    deliver.deliver_due(NOON)
    assert sink.to == ["kaveh@example.org"]
    assert "References" not in sink.taken[0]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_deliver_each_notification_once(sink: Sink, maryam: Account) -> None:
    for number in range(20):
        posted(maryam, f"question:7:1.{number}")
    meet = threading.Barrier(2)

    def work() -> None:
        meet.wait()
        deliver.deliver_due(NOON)
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert len(sink.taken) == 20
    assert len({mail["Message-ID"] for mail in sink.taken}) == 20


DELIVERER = """
import datetime, sys
import config, django
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", int(sys.argv[2])
django.setup()
from notifications import deliver
deliver.deliver_due(datetime.datetime.fromisoformat(sys.argv[3]))
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_only_a_kill_between_the_yes_and_the_commit_repeats_a_mail_and_then_with_the_same_id(
    sink: Sink, maryam: Account
) -> None:
    notification = posted(maryam)
    database = connection.settings_dict["NAME"]
    command = [sys.executable, "-c", DELIVERER, database, str(sink.port), NOON.isoformat()]
    with subprocess.Popen(command) as worker:
        sink.on_taken = worker.kill
        worker.wait(120)
    sink.on_taken = lambda: None
    deadline = time.monotonic() + 30
    while not deliver.deliver_due(NOON) and time.monotonic() < deadline:
        time.sleep(0.05)  # until the database has noticed that the killed worker is gone
    assert worker.returncode == -signal.SIGKILL
    assert [mail["Message-ID"] for mail in sink.taken] == [f"<{notification.id}@localhost>"] * 2
    assert deliver.deliver_due(NOON) == 0

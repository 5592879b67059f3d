"""Tests of reports about this server's emails: an address that accepts none is closed, and reports are not answered."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from anymail.signals import AnymailTrackingEvent

from accounts.models import Account
from games.announcements.notify import write_due
from games.mail import provider_webhooks
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game, Heartbeat
from games.text import links
from notifications.content import addresses
from notifications.delivery import deliver
from notifications.mail_parsing import delivery_reports
from notifications.models import Deliverability, Notification, State
from notifications.recipients import deliverability
from tests.games.seated import NOON, begin
from tests.notifications.conftest import sink
from tests.notifications.sink import Sink

__all__ = ["sink"]

pytestmark = pytest.mark.django_db

SAMPLES: Final = Path(__file__).parent / "reports"
LATER: Final = NOON + timedelta(hours=1)
FOR_GOOD: Final = [
    "postfix-unknown", "exim-unknown", "exchange-unknown", "gmail-disabled", "no-such-domain", "utf8-unknown",
    "persian-words",
]  # fmt: skip
MAY_PASS: Final = ["mailbox-full", "expired", "refused-by-policy"]
NOTHING: Final = [
    "postfix-delayed", "delayed-for-good-looking", "relayed", "delivered", "no-status", "read-receipt", "arf-not-spam",
    "person", "plain-text", "broken",
]  # fmt: skip


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    Heartbeat.objects.create(at=NOON)
    return begin([maryam, sepideh, None])


@pytest.fixture
def sent(game: Game, maryam: Account) -> Notification:
    """The notification that asked Maryam for her first move, which left at NOON."""
    write_due(NOON)
    notification = Notification.objects.get(account=maryam, reason="question")
    notification.state, notification.sent_at, notification.address = State.SENT, NOON, maryam.email
    notification.save()
    Notification.objects.exclude(pk=notification.pk).delete()
    return notification


def report(notification: Notification, name: str, to: str = "", at: datetime = LATER, number: int = 0) -> None:
    """Let a report about a notification come in, by default to the notification's own address for them."""
    bounce = addresses.address(addresses.BOUNCE, addresses.short(notification.pk))
    raw = (SAMPLES / f"{name}.eml").read_bytes().replace(b"TO", (to or bounce).encode())
    raw = raw.replace(b"BOUNCE", bounce.encode()).replace(b"Message-ID: <", f"Message-ID: <{number}".encode())
    receive(raw, "" if name != "person" else "maryam@example.org", [to or bounce], at)
    before = Notification.objects.count()
    mail_tasks.read_due(at)
    assert Notification.objects.count() == before, "a report was answered"


def test_every_sample_is_used() -> None:
    assert {path.stem for path in SAMPLES.glob("*.eml")} == {*FOR_GOOD, *MAY_PASS, *NOTHING, "arf-abuse"}


@pytest.mark.parametrize("name", FOR_GOOD)
def test_what_failed_for_good_closes_the_address_at_once(sent: Notification, maryam: Account, name: str) -> None:
    report(sent, name)
    closed = deliverability.of(maryam.email)
    assert closed is not None
    assert (closed.why, closed.since) == (Deliverability.Why.BOUNCED, LATER)


@pytest.mark.parametrize("name", MAY_PASS)
def test_what_may_pass_closes_it_only_when_it_has_happened_several_times(
    sent: Notification, maryam: Account, name: str
) -> None:
    for number in range(deliverability.SEVERAL):
        assert deliverability.of(maryam.email) is None
        report(sent, name, number=number, at=LATER + timedelta(hours=number))
    assert deliverability.of(maryam.email) is not None


def test_failures_long_apart_are_not_several(sent: Notification, maryam: Account) -> None:
    for number in range(3 * deliverability.SEVERAL):
        report(sent, "mailbox-full", number=number, at=LATER + number * (deliverability.A_WHILE / 3))
    assert deliverability.of(maryam.email) is None


@pytest.mark.parametrize("name", NOTHING)
def test_delays_successes_and_whatever_else_comes_there_count_for_nothing(
    sent: Notification, maryam: Account, name: str
) -> None:
    for number in range(2 * deliverability.SEVERAL):
        report(sent, name, number=number)
    assert not Deliverability.objects.exists()


def test_copies_of_a_report_count_once(sent: Notification) -> None:
    for _ in range(2 * deliverability.SEVERAL):
        report(sent, "mailbox-full")
    assert Deliverability.objects.get().failures == 1


def test_a_complaint_closes_the_address(sent: Notification, maryam: Account) -> None:
    report(sent, "arf-abuse")
    closed = deliverability.of(maryam.email)
    assert closed is not None
    assert closed.why == Deliverability.Why.COMPLAINED


def test_mailbox_providers_may_send_complaints_to_one_address_for_all(sent: Notification, maryam: Account) -> None:
    report(sent, "postfix-unknown", to="feedback@localhost")
    assert deliverability.of(maryam.email) is None
    report(sent, "arf-abuse", to="Feedback@localhost")
    assert deliverability.of(maryam.email) is not None


def test_a_report_counts_for_the_address_its_notification_went_to_and_no_other(
    sent: Notification, sepideh: Account
) -> None:
    sent.address = "old@example.org"
    sent.save()
    report(sent, "postfix-unknown")
    assert deliverability.of("old@example.org") is not None
    assert deliverability.of("maryam@example.org") is None
    assert deliverability.of(sepideh.email) is None


def test_a_report_of_a_notification_from_before_the_confirmation_counts_no_more(
    sent: Notification, maryam: Account
) -> None:
    report(sent, "postfix-unknown")
    deliverability.confirm(maryam.email, LATER)
    report(sent, "postfix-unknown", number=1, at=LATER + timedelta(minutes=1))
    assert deliverability.of(maryam.email) is None


def test_a_question_waits_for_the_confirmation_and_goes_out_with_it(
    sent: Notification, game: Game, maryam: Account, sepideh: Account, sink: Sink
) -> None:
    report(sent, "postfix-unknown")
    asking = Notification.objects.create(
        key="again", account=maryam, reason="again", question=sent.question, topic=sent.topic, rendered=sent.rendered,
        state=State.READY, created_at=LATER, next_attempt_at=LATER,
    )  # fmt: skip
    telling = Notification.objects.create(
        key="receipt", account=maryam, reason="receipt", topic=sent.topic, rendered=sent.rendered, state=State.READY,
        created_at=LATER, next_attempt_at=LATER,
    )  # fmt: skip
    deliver.deliver_due(LATER)
    assert sink.tried == []
    asking.refresh_from_db()
    telling.refresh_from_db()
    assert (asking.state, telling.state) == (State.READY, State.DROPPED)
    deliverability.confirm(maryam.email, LATER)
    deliver.deliver_due(LATER)
    assert sink.to == [maryam.email]


def test_whoever_writes_from_a_closed_address_is_asked_once_whether_mails_reach_them(
    sent: Notification, game: Game, maryam: Account, sink: Sink
) -> None:
    report(sent, "postfix-unknown")
    for number in range(3):
        raw = f"From: {maryam.email}\r\nMessage-ID: <{number}@example.org>\r\nSubject: Re\r\n\r\n?\r\n".encode()
        receive(raw, maryam.email, [links.seat_address(game.id, 1)], LATER)
    mail_tasks.read_due(LATER)
    deliver.deliver_due(LATER)
    assert sink.to == [maryam.email]
    assert "/emails/confirm/" in sink.taken[0].get_body(("plain",)).get_content()


EVENTS: Final[list[tuple[dict[str, Any], deliverability.Failure | None]]] = [
    ({"event_type": "bounced", "mta_response": "smtp; 550 5.1.1 unknown"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "bounced", "mta_response": "550 unknown"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "bounced"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "bounced", "mta_response": "452 4.2.2 full"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "description": "[550] 5.7.1 policy"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "esp_event": {"event": "soft_bounce"}}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "esp_event": {"Type": "SoftBounce"}}, deliverability.Failure.MAY_PASS),
    (
        {"event_type": "bounced", "esp_event": {"event": "bounce", "hard_bounce": False}},
        deliverability.Failure.MAY_PASS,
    ),
    ({"event_type": "rejected", "reject_reason": "bounced"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "rejected", "reject_reason": "spam"}, deliverability.Failure.COMPLAINT),
    ({"event_type": "complained"}, deliverability.Failure.COMPLAINT),
    ({"event_type": "rejected", "reject_reason": "unsubscribed"}, None),
    ({"event_type": "deferred", "mta_response": "451 4.7.1 greylisted"}, None),
    *(({"event_type": kind}, None) for kind in ("delivered", "sent", "opened", "autoresponded", "unknown")),
]


@pytest.mark.parametrize(("data", "failure"), EVENTS)
def test_what_a_provider_tells_counts_as_what_its_mail_server_was_told(
    maryam: Account, data: dict[str, Any], failure: deliverability.Failure | None
) -> None:
    event = AnymailTrackingEvent(recipient="Maryam@example.org", timestamp=NOON, **data)
    provider_webhooks.note_delivery_event(sender=None, event=event)
    assert provider_webhooks.received_mail.failure_of_report(delivery_reports.of_event(event)) == failure
    assert Deliverability.objects.count() == (failure is not None)
    assert (deliverability.of(maryam.email) is not None) == (failure not in (None, deliverability.Failure.MAY_PASS))

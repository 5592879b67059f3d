"""Tests of reports about this server's emails: an address that accepts none is closed, and reports are not answered."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from anymail.signals import AnymailTrackingEvent
from anymail.webhooks import mailjet, mandrill, postmark, sparkpost

from accounts.models import Account
from games.announcements.notify import write_due
from games.mail import intake
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game
from notifications import deliver, deliverability, received_mail, reply_addresses
from notifications.mail_parsing import delivery_reports
from notifications.models import Deliverability, Notification, State
from tests.examples import for_each, read_examples
from tests.games.seated import NOON, seat_address
from tests.notifications.conftest import sink
from tests.notifications.sink import Sink

EXAMPLES = read_examples(__file__)

__all__ = ["sink"]

pytestmark = pytest.mark.django_db

SAMPLES: Final = Path(__file__).parent / "reports"
LATER: Final = NOON + timedelta(hours=1)
FOR_GOOD: Final = [
    "postfix-unknown", "exim-unknown", "exchange-unknown", "no-such-domain", "utf8-unknown", "persian-words",
]  # fmt: skip
MAY_PASS: Final = ["mailbox-full", "expired", "refused-by-policy", "gmail-disabled"]
NOTHING: Final = [
    "postfix-delayed", "delayed-for-good-looking", "relayed", "delivered", "no-status", "read-receipt", "arf-not-spam",
    "person", "plain-text", "broken",
]  # fmt: skip


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
    bounce = reply_addresses.address(reply_addresses.BOUNCE, reply_addresses.short(notification.pk))
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
def test_what_may_pass_closes_it_only_when_it_has_happened_on_several_days(
    sent: Notification, maryam: Account, name: str
) -> None:
    for number in range(deliverability.SEVERAL):
        assert deliverability.of(maryam.email) is None
        report(sent, name, number=number, at=LATER + timedelta(days=number))
    assert deliverability.of(maryam.email) is not None


def test_many_failures_of_one_day_count_once(sent: Notification, maryam: Account) -> None:
    for number in range(3 * deliverability.SEVERAL):
        report(sent, "mailbox-full", number=number, at=LATER + timedelta(hours=number))
    assert deliverability.of(maryam.email) is None


def status_report(sent: Notification, status: str, diagnostic: str = "") -> None:
    """Let a report with this status and diagnosis about a notification come in."""
    bounce = reply_addresses.address(reply_addresses.BOUNCE, reply_addresses.short(sent.pk))
    raw = (SAMPLES / "postfix-unknown.eml").read_text().replace("5.1.1", status).replace("TO", bounce)
    head, _, tail = raw.partition("Diagnostic-Code:")
    tail = tail[tail.index("\n\n") :]
    receive(f"{head}Diagnostic-Code: smtp; {diagnostic}{tail}".encode(), "", [bounce], LATER)
    mail_tasks.read_due(LATER)


@pytest.mark.parametrize("status", ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"])
def test_a_status_of_a_mailbox_that_does_not_exist_closes_the_address(
    sent: Notification, maryam: Account, status: str
) -> None:
    status_report(sent, status)
    assert deliverability.of(maryam.email) is not None


LATER_STATUSES: Final = (
    *("5.0.0", "5.1.0", "5.1.4", "5.1.5", "5.1.7", "5.1.8", "5.1.9", "5.2.0", "5.2.1", "5.2.2", "5.2.3", "5.2.4"),
    *("5.3.0", "5.3.1", "5.3.2", "5.3.3", "5.3.4", "5.3.5", "5.4.0", "5.4.1", "5.4.2", "5.4.3", "5.4.4", "5.4.5"),
    *("5.4.6", "5.4.7", "5.4.8", "5.5.0", "5.5.1", "5.5.3", "5.5.4", "5.6.0", "5.6.7", "5.7.0", "5.7.1", "5.7.26"),
    *("4.1.1", "4.2.2", "4.4.7", "4.7.1", "5.99.99"),
)


@for_each("status", LATER_STATUSES, undone=True)
def test_any_other_status_counts_and_closes_nothing_at_once(sent: Notification, maryam: Account, status: str) -> None:
    status_report(sent, status, "550 This may pass")
    assert deliverability.of(maryam.email) is None
    assert len(Deliverability.objects.get().failed_at or []) == 1


@for_each("status, diagnostic, closed", EXAMPLES["vague_statuses"], undone=True)
def test_a_vague_status_is_told_by_its_text(
    sent: Notification, maryam: Account, status: str, diagnostic: str, closed: bool
) -> None:
    status_report(sent, status, diagnostic)
    assert (deliverability.of(maryam.email) is not None) == closed


def test_five_days_with_failures_within_two_weeks_close_the_address_whenever_the_first_failure_was(
    sent: Notification, maryam: Account
) -> None:
    for day in (0, 12, 13, 14, 15, 16):
        assert deliverability.of(maryam.email) is None
        report(sent, "mailbox-full", number=day, at=LATER + timedelta(days=day))
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
    assert len(Deliverability.objects.get().failed_at or []) == 1


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
        receive(raw, maryam.email, [seat_address(game, 1)], LATER)
    mail_tasks.read_due(LATER)
    deliver.deliver_due(LATER)
    assert sink.to == [maryam.email]
    assert "/emails/confirm/" in sink.taken[0].get_body(("plain",)).get_content()


def failure_named(name: str) -> deliverability.Failure | None:
    return None if name == "NONE" else deliverability.Failure[name]


@for_each("data, name", EXAMPLES["events"], undone=True)
def test_what_a_provider_tells_counts_as_what_its_mail_server_was_told(
    maryam: Account, data: dict[str, Any], name: str
) -> None:
    failure = failure_named(name)
    event = AnymailTrackingEvent(recipient="Maryam@example.org", timestamp=NOON, **data)
    intake.note_delivery_event(sender=None, event=event)
    assert intake.received_mail.failure_of_report(delivery_reports.of_event(event)) == failure
    assert Deliverability.objects.count() == (failure is not None)
    assert (deliverability.of(maryam.email) is not None) == (failure not in (None, deliverability.Failure.MAY_PASS))


def sparkpost_event(bounce_class: str, raw_reason: str = "") -> AnymailTrackingEvent:
    event = {"type": "bounce", "bounce_class": bounce_class, "raw_rcpt_to": "maryam@example.org", "timestamp": "1"}
    event["raw_reason"] = raw_reason
    view = sparkpost.SparkPostTrackingWebhookView(webhook_secret="a:b")
    return view.esp_to_anymail_event("message_event", event, {"msys": {"message_event": event}})


@for_each("bounce_class", ["1", "20", "21", "22", "23", "24", "25", "40", "50", "51", "52", "53", "54", "70"])
@for_each("raw_reason", ["", "550 blocked", "550 5.1.1 perhaps"])
def test_each_soft_class_of_sparkpost_may_pass(bounce_class: str, raw_reason: str) -> None:
    report = delivery_reports.of_event(sparkpost_event(bounce_class, raw_reason))
    assert received_mail.failure_of_report(report) == deliverability.Failure.MAY_PASS


def test_a_hard_class_of_sparkpost_closes_and_an_answer_of_a_machine_is_no_bounce() -> None:
    for bounce_class in ("10", "30"):
        report = delivery_reports.of_event(sparkpost_event(bounce_class, "550 unknown"))
        assert received_mail.failure_of_report(report) == deliverability.Failure.FOR_GOOD
    for bounce_class in ("60", "80", "90", "100"):
        assert delivery_reports.of_event(sparkpost_event(bounce_class)) is None


def mandrill_event(fields: dict[str, Any]) -> AnymailTrackingEvent:
    view = mandrill.MandrillCombinedWebhookView(webhook_key="key")
    return view.mandrill_tracking_to_anymail_event({"ts": 1, **fields})


def mailjet_event(fields: dict[str, Any]) -> AnymailTrackingEvent:
    view = mailjet.MailjetTrackingWebhookView(webhook_secret="a:b")
    return view.esp_to_anymail_event({"time": 1, "email": "maryam@example.org", **fields})


def postmark_event(fields: dict[str, Any]) -> AnymailTrackingEvent:
    view = postmark.PostmarkTrackingWebhookView(webhook_secret="a:b")
    event = {"RecordType": "Bounce", "Email": "maryam@example.org", "BouncedAt": "2026-03-22T12:00:00Z", **fields}
    return view.esp_to_anymail_event(event)


EVENT_OF: Final = {"mandrill": mandrill_event, "mailjet": mailjet_event, "postmark": postmark_event}


@for_each("provider, fields, name", EXAMPLES["provider_events"])
def test_a_providers_kinds_of_bounces_are_told_apart(provider: str, fields: dict[str, Any], name: str) -> None:
    report = delivery_reports.of_event(EVENT_OF[provider](fields))
    assert received_mail.failure_of_report(report) == failure_named(name)

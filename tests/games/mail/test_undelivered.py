"""Tests of reports about this server's emails: an address that accepts none is closed, and reports are not answered."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from anymail.signals import AnymailTrackingEvent
from anymail.webhooks import mailjet, mandrill, postmark, sparkpost

from accounts.models import Account
from games.announcements.notify import write_due
from games.mail import provider_webhooks
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game, Heartbeat
from notifications import received_mail
from notifications.content import addresses
from notifications.delivery import deliver
from notifications.mail_parsing import delivery_reports
from notifications.models import Deliverability, Notification, State
from notifications.recipients import deliverability
from tests.examples import for_each
from tests.games.seated import NOON, begin, seat_address
from tests.notifications.conftest import sink
from tests.notifications.sink import Sink

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
    bounce = addresses.address(addresses.BOUNCE, addresses.short(sent.pk))
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


@for_each(
    "status, diagnostic, closed",
    [
        ("5.0.0", "550 5.1.1 Nobody", True),
        ("5.0.0", "550 User unknown", True),
        ("5.0.0", "550 No such user here", True),
        ("5.1.0", "550 <maryam@example.org>: Recipient address rejected: User unknown in virtual table", True),
        ("5.0.0", "550 The recipient maryam@example.org does not exist", True),
        ("5.4.4", "Host or domain name not found. Name service error: Host not found", True),
        ("5.0.0", "550 5.7.1 The account is blocked", False),
        ("5.0.0", "550 5.4.7 Delivery expired", False),
        ("5.4.4", "No route to host", False),
        ("5.0.0", "550 Access denied", False),
        ("5.7.1", "550 User unknown to our filter", False),
        ("5.4.7", "550 No such user here", False),
        ("5.1.0", "550 Sender address rejected: Domain not found", False),
        ("5.0.0", "550 Sender verify failed: no such user here", False),
        ("5.0.0", "550 Helo command rejected: Host not found", False),
        ("5.0.0", "550 Client host rejected: reverse lookup failed, host not found", False),
        ("5.0.0", "554 Your access was denied: unknown host [203.0.113.9]", False),
        ("5.0.0", "553 your envelope sender domain is in my list: invalid domain", False),
        ("5.0.0", "554 message contains link to unknown domain", False),
        ("5.0.0", "550 Greylisting failure: temporary; user unknown yet", False),
        ("5.0.0", "452 too many recipients; mailbox not found in cache", False),
        ("5.0.0", "450 5.1.1 User unknown", False),
        ("5.4.4", "Name service error for name=example.org type=MX: Host not found, try again", False),
    ],
    undone=True,
)
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


EVENTS: Final[list[tuple[dict[str, Any], deliverability.Failure | None]]] = [
    ({"event_type": "bounced", "mta_response": "smtp; 550 5.1.1 unknown"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "bounced", "mta_response": "550 unknown user"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "bounced", "mta_response": "550 go away"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "mta_response": "550 5.4.7 expired"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "mta_response": "452 4.2.2 full"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "description": "[550] 5.7.1 policy"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "esp_event": {"event": "soft_bounce"}}, deliverability.Failure.MAY_PASS),
    ({"event_type": "bounced", "esp_event": {"Type": "SoftBounce"}}, deliverability.Failure.MAY_PASS),
    (
        {"event_type": "bounced", "esp_event": {"event": "bounce", "hard_bounce": False}},
        deliverability.Failure.MAY_PASS,
    ),
    ({"event_type": "rejected", "reject_reason": "bounced"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "rejected", "reject_reason": "invalid"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "bounced", "reject_reason": "spam"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "failed", "mta_response": "550 5.1.1 unknown"}, deliverability.Failure.FOR_GOOD),
    ({"event_type": "failed", "mta_response": "550 5.7.1 policy"}, deliverability.Failure.MAY_PASS),
    ({"event_type": "failed", "description": "The template is broken"}, None),
    ({"event_type": "rejected", "reject_reason": "spam"}, deliverability.Failure.COMPLAINT),
    ({"event_type": "complained"}, deliverability.Failure.COMPLAINT),
    ({"event_type": "rejected", "reject_reason": "unsubscribed"}, None),
    ({"event_type": "deferred", "mta_response": "451 4.7.1 greylisted"}, None),
    *(({"event_type": kind}, None) for kind in ("delivered", "sent", "opened", "autoresponded", "unknown")),
]


@for_each("data, failure", EVENTS, undone=True)
def test_what_a_provider_tells_counts_as_what_its_mail_server_was_told(
    maryam: Account, data: dict[str, Any], failure: deliverability.Failure | None
) -> None:
    event = AnymailTrackingEvent(recipient="Maryam@example.org", timestamp=NOON, **data)
    provider_webhooks.note_delivery_event(sender=None, event=event)
    assert provider_webhooks.received_mail.failure_of_report(delivery_reports.of_event(event)) == failure
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


KINDS_OF_PROVIDERS: Final[list[tuple[Any, dict[str, Any], deliverability.Failure]]] = [
    (mandrill_event, {"event": "hard_bounce", "msg": {"diag": "smtp;550 5.1.1 no"}}, deliverability.Failure.FOR_GOOD),
    (mandrill_event, {"event": "hard_bounce", "msg": {"bounce_description": "bad_mailbox"}},
     deliverability.Failure.FOR_GOOD),
    (mandrill_event, {"event": "hard_bounce", "msg": {"diag": "smtp;550 5.4.7 late"}}, deliverability.Failure.MAY_PASS),
    (mandrill_event, {"event": "soft_bounce", "msg": {"bounce_description": "mailbox_full"}},
     deliverability.Failure.MAY_PASS),
    (mandrill_event, {"event": "soft_bounce", "msg": {"diag": "550 5.1.1 no"}}, deliverability.Failure.MAY_PASS),
    (mailjet_event, {"event": "bounce", "hard_bounce": True, "error": "user unknown"}, deliverability.Failure.FOR_GOOD),
    (mailjet_event, {"event": "bounce", "hard_bounce": True, "error": "quota exceeded"},
     deliverability.Failure.MAY_PASS),
    (mailjet_event, {"event": "bounce", "hard_bounce": True, "error": "mailbox inactive"},
     deliverability.Failure.MAY_PASS),
    (mailjet_event, {"event": "bounce", "hard_bounce": True, "error": "relay/access denied"},
     deliverability.Failure.MAY_PASS),
    *(
        (mailjet_event, {"event": "bounce", "hard_bounce": True, "error": error}, deliverability.Failure.MAY_PASS)
        for error in ("blacklisted", "connection issue", "protocol error", "system issue", "duplicate in campaign",
                      "header issue", "sender blocked", "content blocked", "spam")
    ),
    (mandrill_event, {"event": "hard_bounce", "msg": {"diag": "Blocked by Spamhaus"}},
     deliverability.Failure.MAY_PASS),
    (mandrill_event, {"event": "hard_bounce", "msg": {"diag": "550 5.1.1 no such user in this system"}},
     deliverability.Failure.FOR_GOOD),
    (mailjet_event, {"event": "bounce", "hard_bounce": False, "error": "user unknown"},
     deliverability.Failure.MAY_PASS),
    (mailjet_event, {"event": "blocked", "error": "user unknown"}, deliverability.Failure.FOR_GOOD),
    (mailjet_event, {"event": "blocked", "error": "quota exceeded"}, deliverability.Failure.MAY_PASS),
    (mailjet_event, {"event": "blocked", "error": "spam reporter"}, deliverability.Failure.COMPLAINT),
    (mailjet_event, {"event": "blocked", "error": "typofix"}, deliverability.Failure.FOR_GOOD),
    (postmark_event, {"Type": "HardBounce"}, deliverability.Failure.FOR_GOOD),
    (postmark_event, {"Type": "HardBounce", "Details": "smtp;550 5.4.7 late"}, deliverability.Failure.MAY_PASS),
    (postmark_event, {"Type": "SoftBounce"}, deliverability.Failure.MAY_PASS),
    (postmark_event, {"Type": "VirusNotification"}, deliverability.Failure.MAY_PASS),
    (postmark_event, {"Type": "BadEmailAddress"}, deliverability.Failure.FOR_GOOD),
    (postmark_event, {"Type": "SpamComplaint"}, deliverability.Failure.COMPLAINT),
]  # fmt: skip


@for_each("event_of, fields, failure", KINDS_OF_PROVIDERS)
def test_a_providers_kinds_of_bounces_are_told_apart(
    event_of: Any, fields: dict[str, Any], failure: deliverability.Failure
) -> None:
    assert received_mail.failure_of_report(delivery_reports.of_event(event_of(fields))) == failure

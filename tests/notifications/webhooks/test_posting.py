"""Tests of posting to webhooks: signatures, retries, and disabling."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from standardwebhooks import Webhook as Checker
from standardwebhooks import WebhookVerificationError

from accounts.models import Account
from config.core.clock import write_moment
from config.server.open_games import frame
from notifications.delivery import outbox
from notifications.endpoints import OVERLAP, Delivery, Kind, StreamEvent, Webhook
from notifications.models import Notification, State
from notifications.recipients import preferences
from notifications.stream import stream_events
from notifications.stream.stream_events import NewStreamEvent, emit
from notifications.webhooks import (
    posting,
    tasks,
)
from notifications.webhooks.posting import DEAD, KEPT, LEASE, RETRIES, serve_due
from tests.notifications.outbox_rows import ENGLISH
from tests.notifications.outgoing.receiver import Posted, Receiver
from tests.slow_posting import TOOK, post_slowly

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
GAME = "462dab4c-ae43-4a41-ad54-96cf60080123"
ASKED = {"game": GAME, "question": "1.1", "due_at": "2026-03-24T12:00:00+00:00"}


def hook(account: Account, receiver: Receiver, *kinds: str) -> Webhook:
    return posting.register_webhook(account, receiver.url, kinds or ["question", "event"], NOON)


def tell(account: Account, kind: Kind = Kind.EVENT, at: datetime = NOON, **data: Any) -> Delivery | None:
    emit([NewStreamEvent(account.pk, kind, data or {"game": GAME, "number": 7})], at)
    return Delivery.objects.order_by("id").last()


def checked(posted: Posted, secret: str, now: datetime = NOON) -> Any:
    """Return the content of a message after checking its signature and time."""
    assert posted.headers["webhook-timestamp"] == str(int(now.timestamp()))
    checker = Checker(secret)
    body = posted.body.decode()
    expected = checker.sign(posted.headers["webhook-id"], now, body)
    if expected not in posted.headers["webhook-signature"].split(" "):
        raise WebhookVerificationError
    return json.loads(body)


def test_the_time_of_a_message_has_no_fraction_of_a_second(receiver: Receiver, maryam: Account) -> None:
    webhook, at = hook(maryam, receiver), NOON + timedelta(microseconds=345_678)
    tell(maryam, at=at)
    assert serve_due(at) == 1
    assert checked(receiver.taken[0], posting.secret(webhook))["timestamp"] == write_moment(NOON)
    body = frame("event", "1", {}, at).decode().partition("data: ")[2]
    assert json.loads(body) == {"at": write_moment(NOON)}


def test_what_concerns_its_owner_is_posted_and_signed(receiver: Receiver, maryam: Account, sepideh: Account) -> None:
    webhook = hook(maryam, receiver)
    tell(sepideh)
    tell(maryam, Kind.QUESTION, **ASKED)
    tell(maryam, Kind.CHAT, game=GAME)
    assert serve_due(NOON) == 1
    (posted,) = receiver.taken
    text = checked(posted, posting.secret(webhook))
    assert text == {"type": "question", "timestamp": write_moment(NOON), "data": ASKED}
    assert posted.headers["webhook-id"] == f"msg_{Delivery.objects.get().public_id}"
    assert not StreamEvent.objects.exists(), "who has a webhook alone needs no stream"
    assert posted.headers["content-type"] == "application/json"
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.attempts) == (Delivery.State.DELIVERED, 204, 1)
    assert serve_due(NOON) == 0


def test_the_library_of_standard_webhooks_finds_a_message_of_now_good(receiver: Receiver, maryam: Account) -> None:
    webhook = hook(maryam, receiver)
    now = datetime.now(UTC)
    tell(maryam, at=now)
    serve_due(now)
    (posted,) = receiver.taken
    assert Checker(posting.secret(webhook)).verify(posted.body, posted.headers)["type"] == "event"
    with pytest.raises(WebhookVerificationError):
        Checker(posting.secret(webhook, 2)).verify(posted.body, posted.headers)
    with pytest.raises(WebhookVerificationError):
        Checker(posting.secret(webhook)).verify(posted.body.replace(b"7", b"8"), posted.headers)


def test_after_a_change_of_secret_both_sign_for_a_day(receiver: Receiver, maryam: Account) -> None:
    webhook = hook(maryam, receiver)
    before = posting.secret(webhook)
    after = posting.rotate(webhook, NOON)
    assert after != before
    for now in (NOON + OVERLAP / 2, NOON + OVERLAP * 2):
        tell(maryam, at=now)
        serve_due(now)
    during, later = receiver.taken
    checked(during, before, NOON + OVERLAP / 2)
    checked(during, after, NOON + OVERLAP / 2)
    checked(later, after, NOON + OVERLAP * 2)
    with pytest.raises(WebhookVerificationError):
        checked(later, before, NOON + OVERLAP * 2)


def test_what_is_not_taken_is_tried_again_later_and_later_under_the_same_id(
    receiver: Receiver, maryam: Account
) -> None:
    hook(maryam, receiver)
    tell(maryam)
    receiver.answers = [500, 302, 404]
    now = NOON
    for waited in RETRIES[:3]:
        assert serve_due(now) == 1
        assert serve_due(now + waited - timedelta(seconds=1)) == 0
        now += waited
    assert serve_due(now) == 1
    assert len({message.headers["webhook-id"] for message in receiver.taken}) == 1
    assert len(receiver.taken) == 4
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts) == (Delivery.State.DELIVERED, 4)
    assert Webhook.objects.get().failing_since is None


def test_one_message_that_is_never_taken_does_not_hold_up_the_others(receiver: Receiver, maryam: Account) -> None:
    hook(maryam, receiver)
    poison = tell(maryam)
    tell(maryam, number=8)
    receiver.answers = [500]
    serve_due(NOON)
    assert serve_due(NOON + timedelta(seconds=5)) == 1
    assert Delivery.objects.filter(state=Delivery.State.DELIVERED).count() == 2
    assert poison is not None


def test_a_webhook_that_is_down_is_left_alone_for_a_while_as_a_whole(receiver: Receiver, maryam: Account) -> None:
    hook(maryam, receiver)
    for number in range(30):
        tell(maryam, number=number)
    receiver.answers = [500] * 100
    assert sum(serve_due(NOON + timedelta(seconds=second)) > 0 for second in range(60)) <= 5
    assert len(receiver.taken) <= 5


def test_one_that_takes_nothing_for_days_is_disabled_and_its_owner_told(receiver: Receiver, sepideh: Account) -> None:
    hook(sepideh, receiver)
    receiver.answers = [500] * 100
    now = NOON
    while Webhook.objects.get().disabled_at is None:
        tell(sepideh, at=now)
        serve_due(now)
        now += timedelta(hours=6)
        assert now - NOON < DEAD * 2
    assert now - NOON > DEAD
    assert not Delivery.objects.filter(state=Delivery.State.WAITING).exists()
    tell(sepideh, at=now)
    assert not Delivery.objects.filter(state=Delivery.State.WAITING).exists()
    notification = Notification.objects.get()
    assert (notification.account, notification.channel, notification.content().language) == (sepideh, "mail", "fa")
    assert "localhost" in notification.content().headline
    assert "/hook" not in str(notification.content())


def test_one_that_says_it_is_gone_is_disabled_at_once_and_can_be_switched_on_again(
    receiver: Receiver, maryam: Account
) -> None:
    webhook = hook(maryam, receiver)
    tell(maryam)
    receiver.answers = [410]
    serve_due(NOON)
    assert Webhook.objects.get().disabled_at == NOON
    posting.change_webhook(webhook, {"enabled": True}, NOON)
    tell(maryam)
    assert serve_due(NOON) == 1
    assert Delivery.objects.order_by("id").last().state == Delivery.State.DELIVERED  # type: ignore[union-attr]


def test_an_address_that_leads_home_is_not_called_though_it_is_registered(
    receiver: Receiver, maryam: Account, settings: Any
) -> None:
    hook(maryam, receiver)
    settings.OUTGOING_LOOPBACK = False
    tell(maryam)
    assert serve_due(NOON) == 1
    assert not receiver.taken
    assert Delivery.objects.get().failure == "address-not-public"


def test_who_died_while_posting_leaves_the_webhook_to_the_next_one_after_a_while(
    receiver: Receiver, maryam: Account
) -> None:
    hook(maryam, receiver)
    tell(maryam)
    assert len(posting._take(NOON)) == 1
    assert serve_due(NOON) == 0
    assert serve_due(NOON + LEASE) == 1


def test_what_had_to_wait_for_others_is_taken_and_signed_at_the_time_of_its_own_posting(
    receiver: Receiver, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    post_slowly(monkeypatch, NOON, posting)
    secrets = [posting.secret(hook(account, receiver)) for account in (maryam, sepideh)]
    for account in (maryam, sepideh):
        tell(account)
    Webhook.objects.filter(account=maryam).update(next_attempt_at=NOON - timedelta(seconds=1))  # hers is the first
    tasks.post()
    for number, (posted, secret) in enumerate(zip(receiver.taken, secrets, strict=True)):
        assert checked(posted, secret, NOON + number * TOOK)["type"] == "event"


def test_a_webhook_for_which_another_worker_has_just_posted_everything_is_free_at_once(
    receiver: Receiver, maryam: Account
) -> None:
    hook(maryam, receiver)
    tell(maryam)
    webhooks = posting._take(NOON)
    Delivery.objects.update(state=Delivery.State.DELIVERED)
    posting._serve(webhooks, NOON)
    assert serve_due(NOON) == 0
    tell(maryam, number=8)
    assert serve_due(NOON) == 1
    assert len(receiver.taken) == 1


def test_a_test_says_nothing_and_is_not_repeated(receiver: Receiver, maryam: Account) -> None:
    webhook = hook(maryam, receiver)
    first = posting.test(webhook, NOON)
    assert posting.test(webhook, NOON) == first
    receiver.answers = [500]
    serve_due(NOON)
    first.refresh_from_db()
    assert (first.state, first.status) == (Delivery.State.FAILED, 500)
    assert json.loads(receiver.taken[0].body)["data"] == {}


def test_what_is_old_is_forgotten_but_nothing_that_waits(receiver: Receiver, maryam: Account) -> None:
    hook(maryam, receiver)
    stream_events.start_listening(maryam.pk)
    tell(maryam)
    serve_due(NOON)
    tell(maryam)
    assert StreamEvent.objects.count() == 2
    posting.forget(NOON + KEPT + timedelta(days=1))
    assert [delivery.state for delivery in Delivery.objects.all()] == [Delivery.State.WAITING]
    assert not StreamEvent.objects.exists()


def order_question(account: Account) -> list[Notification]:
    new_notification = outbox.NewNotification(
        key="q", reason="question", account=account.pk, topic=f"game:{GAME}", question="1.1", patient=True
    )
    outbox.schedule([new_notification], NOON)
    return list(Notification.objects.filter(account=account).order_by("channel"))


def test_a_question_that_a_webhook_takes_needs_no_mail(receiver: Receiver, maryam: Account) -> None:
    hook(maryam, receiver)
    preferences.change(maryam, {"channels": {"question": ["webhook"]}}, NOON)
    (mail,) = order_question(maryam)
    assert mail.standing_by
    assert mail.next_attempt_at > NOON
    assert outbox.next_unwritten(NOON, 1) == []
    tell(maryam, Kind.QUESTION, **ASKED)
    serve_due(NOON)
    mail.refresh_from_db()
    assert mail.state == State.DROPPED


@pytest.mark.parametrize("how", ["fails", "disabled", "not told of questions", "none"])
def test_a_question_comes_by_mail_where_the_webhook_does_not_work(
    receiver: Receiver, maryam: Account, how: str
) -> None:
    preferences.change(maryam, {"channels": {"question": ["webhook"]}}, NOON)
    if how != "none":
        webhook = hook(maryam, receiver, "event" if how == "not told of questions" else "question")
        Webhook.objects.filter(pk=webhook.pk).update(disabled_at=NOON if how == "disabled" else None)
    (mail,) = order_question(maryam)
    receiver.answers = [500] * 10
    tell(maryam, Kind.QUESTION, **ASKED)
    serve_due(NOON)
    mail.refresh_from_db()
    assert mail.state == State.SCHEDULED
    waits = timedelta(minutes=10) if how == "fails" else timedelta()
    assert mail.next_attempt_at == NOON + waits
    assert outbox.next_unwritten(NOON + waits, 1) == [mail]


def test_a_mail_that_was_chosen_goes_whatever_the_webhook_takes(receiver: Receiver, maryam: Account) -> None:
    hook(maryam, receiver)
    preferences.change(maryam, {"channels": {"question": ["mail", "webhook"]}}, NOON)
    (mail,) = order_question(maryam)
    tell(maryam, Kind.QUESTION, **ASKED)
    serve_due(NOON)
    mail.refresh_from_db()
    outbox.write(mail, ENGLISH, NOON)
    assert (mail.state, mail.standing_by) == (State.READY, False)
    assert stream_events.KEPT

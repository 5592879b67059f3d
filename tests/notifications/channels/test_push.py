"""Web Push: what a device is sent can be read by it alone, and says nothing that is hidden."""

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings as configured
from py_vapid import Vapid02

from accounts.models import Account
from games.announcements.notify import write_due
from notifications.channels import push as push_channel
from notifications.channels.push import public_key
from notifications.delivery import (
    deliver,
    outbox,
    tasks,
)
from notifications.delivery.deliver import LEASE, deliver_due, dispatch_due
from notifications.endpoints import Device
from notifications.models import BACK_OFF, Notification, State
from notifications.recipients import channel_choice, preferences
from tests.games.seated import begin
from tests.notifications.outbox_rows import ENGLISH
from tests.notifications.outgoing.phone import AUTH, Keys, coded
from tests.notifications.outgoing.receiver import Receiver, receiving
from tests.slow_posting import TOOK, post_slowly

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)


class Phone(Keys):
    """A registered device that decrypts its pushes."""

    def __init__(self, account: Account, receiver: Receiver) -> None:
        super().__init__()
        push_channel.add_device(account, receiver.url, self.p256dh, self.auth, "phone", NOON)


@pytest.fixture
def other(receiver: Receiver) -> Iterator[Receiver]:
    with receiving() as server:
        yield server


def order_question(account: Account, **changes: Any) -> None:
    order = outbox.NewNotification(
        key="question:g:1.1", reason="question", account=account.pk, topic="game:g", question="1.1", patient=True
    )
    outbox.schedule([order], changes.pop("now", NOON))


def put(way: str, now: datetime = NOON) -> Notification:
    """Store a composed notification with a question for this channel."""
    notification = Notification.objects.select_related("account").get(channel=way)
    outbox.write(notification, ENGLISH, now)
    return notification


def test_a_device_reads_whose_move_it_is_and_nothing_that_is_hidden(
    receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    phone = Phone(maryam, receiver)
    begin([maryam, sepideh, None])
    write_due(NOON)
    assert dispatch_due(NOON) == 1
    (posted,) = receiver.taken
    text = phone.read(posted)
    assert text["title"].startswith("Your move in Coup, game ")
    assert set(text) == {"title", "body", "lang", "tag", "url"}
    assert text["url"].startswith(configured.PUBLIC_URL)
    assert not [card for card in ("duke", "captain", "contessa", "ambassador", "assassin") if card in str(text).lower()]
    notification = Notification.objects.get(channel="push", state=State.SENT)
    assert not notification.content().blocks, "not even the stored letter says more"


def test_a_push_is_encrypted_for_one_device_and_signed_for_one_push_service(
    receiver: Receiver, maryam: Account
) -> None:
    Phone(maryam, receiver)
    order_question(maryam)
    put("push")
    dispatch_due(NOON)
    (posted,) = receiver.taken
    assert b"turn" not in posted.body
    assert posted.headers["content-encoding"] == "aes128gcm"
    assert int(posted.headers["ttl"]) > 0
    stranger = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(http_ece.ECEException):
        http_ece.decrypt(posted.body, private_key=stranger, auth_secret=AUTH, version="aes128gcm")
    scheme, _, rest = posted.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert parts["k"] == public_key()
    claim = json.loads(urlsafe_b64decode(parts["t"].split(".")[1] + "=="))
    assert claim["aud"] == f"http://localhost:{receiver.port}"
    assert NOON.timestamp() < claim["exp"] <= (NOON + timedelta(hours=24)).timestamp()
    assert Vapid02.verify(posted.headers["authorization"])


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_no_more_is_forgotten_and_the_question_comes_by_mail(
    receiver: Receiver, maryam: Account, status: int
) -> None:
    preferences.change(maryam, {"channels": {"question": ["push"]}}, NOON)
    Phone(maryam, receiver)
    order_question(maryam)
    put("push")
    mail = Notification.objects.get(channel="mail")
    assert mail.standing_by
    receiver.answers = [status]
    dispatch_due(NOON)
    assert not Device.objects.exists()
    assert Notification.objects.get(channel="push").state == State.FAILED
    assert outbox.next_unwritten(NOON, 1) == [mail]


def test_a_question_that_a_device_has_taken_needs_no_mail_where_none_was_chosen(
    receiver: Receiver, maryam: Account
) -> None:
    preferences.change(maryam, {"channels": {"question": ["push"]}}, NOON)
    Phone(maryam, receiver)
    order_question(maryam)
    put("push")
    dispatch_due(NOON)
    assert Notification.objects.get(channel="mail").state == State.DROPPED


def test_who_said_nothing_is_told_both_ways(receiver: Receiver, maryam: Account) -> None:
    Phone(maryam, receiver)
    order_question(maryam)
    assert {notification.channel: notification.standing_by for notification in Notification.objects.all()} == {
        "mail": False,
        "push": False,
    }
    put("push")
    put("mail")
    dispatch_due(NOON)
    assert Notification.objects.get(channel="mail").state == State.READY


def test_who_wants_no_mails_is_told_on_their_devices_only(receiver: Receiver, maryam: Account) -> None:
    preferences.change(maryam, {"mails": False}, NOON)
    Phone(maryam, receiver)
    order_question(maryam)
    assert [notification.channel for notification in Notification.objects.all()] == ["push"]


def test_a_bot_with_a_device_gets_no_mails_that_it_did_not_ask_for(receiver: Receiver, maryam: Account) -> None:
    Account.objects.filter(pk=maryam.pk).update(is_bot=True)
    Phone(maryam, receiver)
    order_question(maryam)
    assert [notification.channel for notification in Notification.objects.all()] == ["push"]


def test_a_mail_that_stands_by_is_gathered_into_no_digest_before_its_time(receiver: Receiver, maryam: Account) -> None:
    preferences.change(maryam, {"digest": "hours", "channels": {"question": ["push"]}}, NOON)
    Phone(maryam, receiver)
    order_question(maryam)
    mail = Notification.objects.get(channel="mail")
    assert (mail.held, mail.standing_by) == (True, True)
    begun = outbox.NewNotification(key="b", reason="started", account=maryam.pk, topic="game:g", patient=True)
    outbox.schedule([begun], NOON)
    assert [notification.reason for notification in outbox.gather(maryam.pk, NOON)] == ["started"]
    later = NOON + channel_choice.STAND_BY
    assert {notification.reason for notification in outbox.gather(maryam.pk, later)} == {"started", "question"}


def test_a_code_goes_by_mail_whatever_was_chosen(receiver: Receiver, maryam: Account) -> None:
    Phone(maryam, receiver)
    outbox.schedule([outbox.NewNotification(key="c", reason="account", account=maryam.pk, patient=True)], NOON)
    assert [notification.channel for notification in Notification.objects.all()] == ["mail"]


def test_one_of_two_devices_is_enough_and_a_push_service_that_fails_is_asked_again(
    receiver: Receiver, other: Receiver, maryam: Account
) -> None:
    Phone(maryam, receiver)
    Phone(maryam, other)
    order_question(maryam)
    put("push")
    receiver.answers, other.answers = [500] * 5, [503, 201]
    dispatch_due(NOON)
    notification = Notification.objects.get(channel="push")
    assert (notification.state, notification.attempts) == (State.READY, 1)
    dispatch_due(NOON + BACK_OFF)
    notification.refresh_from_db()
    assert notification.state == State.SENT
    assert Device.objects.count() == 2


def test_pushes_are_not_gathered_but_keep_quiet_hours(receiver: Receiver, maryam: Account) -> None:
    quiet = {"digest": "daily", "quiet_from": NOON.time(), "quiet_to": (NOON + timedelta(hours=8)).time()}
    Account.objects.filter(pk=maryam.pk).update(time_zone="UTC")
    preferences.change(Account.objects.get(pk=maryam.pk), quiet, NOON)
    Phone(maryam, receiver)
    order_question(maryam)
    push = Notification.objects.get(channel="push")
    assert not push.held
    assert NOON + timedelta(hours=7, minutes=59) < push.next_attempt_at <= NOON + timedelta(hours=8)


def test_a_question_that_is_closed_is_not_pushed(receiver: Receiver, maryam: Account) -> None:
    Phone(maryam, receiver)
    order_question(maryam)
    put("push")
    outbox.withdraw([("game:g", "1.1")], NOON)
    assert dispatch_due(NOON) == 0
    assert not receiver.taken


def test_mail_and_push_are_delivered_apart(receiver: Receiver, maryam: Account) -> None:
    Phone(maryam, receiver)
    order_question(maryam)
    put("push")
    assert deliver_due(NOON) == 0
    assert dispatch_due(NOON) == 1
    assert dispatch_due(NOON + LEASE) == 0


def test_a_push_that_had_to_wait_for_others_is_taken_at_the_time_of_its_own_posting(
    receiver: Receiver, other: Receiver, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for account, server in ((maryam, receiver), (sepideh, other)):
        Phone(account, server)
        key = f"question:g:{account.pk}"
        order = outbox.NewNotification(
            key=key, reason="question", account=account.pk, topic="game:g", question="1.1", patient=True
        )
        outbox.schedule([order], NOON)
    for notification in Notification.objects.select_related("account").filter(channel="push"):
        outbox.write(notification, ENGLISH, NOON)
    post_slowly(monkeypatch, NOON, deliver)
    tasks.dispatch_notifications()
    sent = Notification.objects.filter(channel="push", state=State.SENT).order_by("sent_at")
    assert [notification.sent_at for notification in sent] == [NOON, NOON + TOOK]


def test_only_so_many_devices_are_kept_and_one_that_is_known_once(
    receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    point = "BA" + "A" * 85
    for number in range(push_channel.MOST_DEVICES + 2):
        at = NOON + timedelta(minutes=number)
        push_channel.add_device(maryam, f"https://push.darbar.org/{number}", point, coded(AUTH), "", at)
    assert Device.objects.count() == push_channel.MOST_DEVICES
    assert not Device.objects.filter(endpoint__endswith="/1").exists()
    push_channel.add_device(sepideh, "https://push.darbar.org/5", point, coded(AUTH), "", NOON)
    assert Device.objects.get(endpoint__endswith="/5").account == sepideh

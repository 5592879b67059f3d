"""Tests of posting to webhooks: signatures, retries, and disabling."""

import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from standardwebhooks import Webhook as Checker
from standardwebhooks import WebhookVerificationError

from accounts.account_data import delete_account
from accounts.models import Account
from config.core.clock import write_moment
from config.server.open_games import frame
from games.operations import retrying
from notifications import deliver, outbox, preferences, stream_events, tasks, webhooks
from notifications.channels.base import ChannelError
from notifications.deliver import LEASE, dispatch_messages_due
from notifications.endpoints import OVERLAP, Kind, StreamEvent, Webhook
from notifications.models import BACK_OFF, TRIES, WHILE_DOWN, Notification, State
from notifications.outbox import KEPT
from notifications.outgoing import Answer
from notifications.set_aside import SetAside
from notifications.stream_events import NewStreamEvent, emit
from notifications.webhooks import DEAD
from tests.notifications.outbox_rows import ENGLISH
from tests.notifications.outgoing.receiver import Posted, Receiver
from tests.slow_posting import TOOK, post_slowly

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
GAME = "462dab4c-ae43-4a41-ad54-96cf60080123"
ASKED = {"game": GAME, "question": "1.1", "due_at": "2026-03-24T12:00:00+00:00"}


def hook(account: Account, receiver: Receiver, *kinds: str) -> Webhook:
    return webhooks.register_webhook(account, receiver.url, kinds or ["question", "event"], NOON)


def tell(account: Account, kind: Kind = Kind.EVENT, at: datetime = NOON, **data: Any) -> Notification | None:
    emit([NewStreamEvent(account.pk, kind, data or {"game": GAME, "number": 7})], at)
    return messages().order_by("place").last()


def messages() -> QuerySet[Notification]:
    """Return the messages to webhooks."""
    return Notification.objects.filter(channel="webhooks")


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
    assert dispatch_messages_due(at) == 1
    assert checked(receiver.taken[0], webhooks.secret(webhook))["timestamp"] == write_moment(NOON)
    body = frame("event", "1", {}, at).decode().partition("data: ")[2]
    assert json.loads(body) == {"at": write_moment(NOON)}


def test_what_concerns_its_owner_is_posted_and_signed(
    receiver: Receiver, maryam: Account, sepideh: Account, webhook: Webhook
) -> None:
    tell(sepideh)
    tell(maryam, Kind.QUESTION, **ASKED)
    tell(maryam, Kind.CHAT, game=GAME)
    assert dispatch_messages_due(NOON) == 1
    (posted,) = receiver.taken
    text = checked(posted, webhooks.secret(webhook))
    assert text == {"type": "question", "timestamp": write_moment(NOON), "data": ASKED}
    assert posted.headers["webhook-id"] == webhooks.message_id(messages().get())
    assert not StreamEvent.objects.exists(), "who has a webhook alone needs no stream"
    assert posted.headers["content-type"] == "application/json"
    delivery = messages().get()
    assert (delivery.state, delivery.status, delivery.attempts) == (State.SENT, 204, 1)
    assert dispatch_messages_due(NOON) == 0


def test_the_library_of_standard_webhooks_finds_a_message_of_now_good(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    now = datetime.now(UTC)
    tell(maryam, at=now)
    dispatch_messages_due(now)
    (posted,) = receiver.taken
    assert Checker(webhooks.secret(webhook)).verify(posted.body, posted.headers)["type"] == "event"
    with pytest.raises(WebhookVerificationError):
        Checker(webhooks.secret(webhook, 2)).verify(posted.body, posted.headers)
    with pytest.raises(WebhookVerificationError):
        Checker(webhooks.secret(webhook)).verify(posted.body.replace(b"7", b"8"), posted.headers)


def test_after_a_change_of_secret_both_sign_for_a_day(receiver: Receiver, maryam: Account, webhook: Webhook) -> None:
    before = webhooks.secret(webhook)
    after = webhooks.rotate(webhook, NOON)
    assert after != before
    for now in (NOON + OVERLAP / 2, NOON + OVERLAP * 2):
        tell(maryam, at=now)
        dispatch_messages_due(now)
    during, later = receiver.taken
    checked(during, before, NOON + OVERLAP / 2)
    checked(during, after, NOON + OVERLAP / 2)
    checked(later, after, NOON + OVERLAP * 2)
    with pytest.raises(WebhookVerificationError):
        checked(later, before, NOON + OVERLAP * 2)


@pytest.fixture
def webhook(maryam: Account, receiver: Receiver) -> Webhook:
    return hook(maryam, receiver)


def test_what_is_not_taken_is_tried_again_later_and_later_under_the_same_id(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    receiver.answers = [500, 302, 404]
    now = NOON
    for pause in (BACK_OFF, BACK_OFF * 2, BACK_OFF * 4):
        assert dispatch_messages_due(now) == 1
        assert dispatch_messages_due(now + pause - timedelta(seconds=1)) == 0
        now += pause
    assert dispatch_messages_due(now) == 1
    assert len({message.headers["webhook-id"] for message in receiver.taken}) == 1
    assert len(receiver.taken) == 4
    delivery = messages().get()
    assert (delivery.state, delivery.attempts) == (State.SENT, 4)
    assert Webhook.objects.get().failing_since is None


def dispatch_all(now: datetime) -> int:
    """Post until nothing is due."""
    return sum(iter(lambda: dispatch_messages_due(now), 0))


def test_one_message_that_is_never_taken_holds_up_its_own_game_only(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    games = [str(uuid4()) for _ in range(10)]
    tell(maryam, game=games[0], number=1)
    for game in games:
        tell(maryam, game=game, number=2)
    receiver.refused = b'"number":1'
    assert dispatch_all(NOON) == 10, "the first message, and those of nine other games"
    assert [row.topic for row in messages().filter(state=State.READY)] == [f"game:{games[0]}"] * 2
    receiver.refused = b""
    assert dispatch_all(NOON + WHILE_DOWN) == 2
    assert not messages().filter(state=State.READY).exists()


def test_messages_about_one_game_arrive_in_their_order_whatever_fails(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    for number in range(6):
        tell(maryam, game=GAME, number=number)
    receiver.answers = [204, 500, 204, 503, 404]
    for minutes in range(60):
        dispatch_all(NOON + timedelta(minutes=minutes))
    numbers = [json.loads(posted.body)["data"]["number"] for posted in receiver.taken]
    assert numbers == [0, 1, 1, 2, 2, 2, 3, 4, 5]


def test_a_message_that_is_given_up_is_set_aside_and_can_be_sent_again(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    tell(maryam, game=GAME, number=8)
    messages().filter(data__number=7).update(attempts=TRIES - 1)
    receiver.answers = [404]
    assert dispatch_all(NOON) == 2, "what waited behind it goes on"
    row = SetAside.objects.get()
    assert (row.kind, row.about) == (SetAside.Kind.NOTIFICATION, f"game:{GAME}")
    assert retrying.retry([row], NOON) == (1, 0)
    assert dispatch_all(NOON) == 1
    assert {message.state for message in messages()} == {State.SENT}


def test_what_its_owner_has_had_sent_again_is_settled_and_not_sent_again_by_the_operator(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    messages().update(attempts=TRIES - 1)
    receiver.answers = [500]
    dispatch_all(NOON)
    webhooks.send_again(messages().get(), NOON)
    dispatch_all(NOON)
    assert messages().get().state == State.SENT
    assert SetAside.objects.get().outcome == SetAside.Outcome.RETRIED
    assert not outbox.retry(messages().get().pk, NOON), "it did not fail"
    SetAside.objects.update(settled_at=None)
    assert retrying.retry(SetAside.objects.all(), NOON) == (0, 1)
    assert len(receiver.taken) == 2


def test_a_message_that_is_sent_again_waits_for_one_about_its_game_that_is_being_posted(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    tell(maryam, game=GAME, number=1)
    dispatch_all(NOON)
    tell(maryam, game=GAME, number=2)
    (being_posted,) = deliver._take_posts(deliver.due_messages(NOON), NOON)
    for message in messages():
        webhooks.send_again(message, NOON)
    assert dispatch_all(NOON) == 0
    deliver._note_result(being_posted, {receiver.url: Answer(204)}, NOON)
    assert dispatch_all(NOON) == 1
    numbers = [json.loads(posted.body)["data"]["number"] for posted in receiver.taken]
    assert numbers == [1, 1], "the second message is posted by the worker that took it"


def test_a_message_that_waits_loses_its_pause_and_keeps_its_attempts_and_its_place(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    for number in (1, 2):
        tell(maryam, game=GAME, number=number)
    receiver.answers = [404, 404]
    dispatch_all(NOON)
    for message in messages().order_by("-place"):
        webhooks.send_again(message, NOON)
    assert dispatch_all(NOON) == 1
    assert messages().get(data__number=1).attempts == 2
    webhooks.send_again(messages().get(data__number=1), NOON)
    assert dispatch_all(NOON) == 2
    numbers = [json.loads(posted.body)["data"]["number"] for posted in receiver.taken]
    assert numbers == [1, 1, 1, 2]


@pytest.mark.django_db(transaction=True)
def test_a_message_that_fails_while_it_is_being_sent_again_is_settled(maryam: Account, webhook: Webhook) -> None:
    tell(maryam)

    def send_again() -> None:
        webhooks.send_again(messages().get(), NOON)
        connection.close()

    owner = threading.Thread(target=send_again)
    with transaction.atomic():
        message = messages().select_for_update().get()
        owner.start()
        deadline = time.monotonic() + 30
        with connection.cursor() as cursor:
            is_waiting = None
            while not is_waiting:
                assert time.monotonic() < deadline
                cursor.execute(
                    "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
                )
                is_waiting = cursor.fetchone()
        message.set_back("the server did not accept it", NOON, permanent=True)
    owner.join(30)
    assert (messages().get().state, messages().get().attempts) == (State.READY, 0)
    assert SetAside.objects.get().outcome == SetAside.Outcome.RETRIED


def test_webhooks_hold_up_no_push(maryam: Account, webhook: Webhook) -> None:
    tell(maryam)
    assert deliver.dispatch_due(NOON) == 0
    assert dispatch_all(NOON) == 1


def test_a_webhook_that_answers_with_an_error_of_its_server_pauses_as_a_whole(
    receiver: Receiver, maryam: Account, monkeypatch: pytest.MonkeyPatch, webhook: Webhook
) -> None:
    for _ in range(3):
        tell(maryam, game=str(uuid4()))
    monkeypatch.setattr("notifications.deliver.SIDE_BY_SIDE", 1)
    receiver.answers = [503]
    assert dispatch_all(NOON) == 1
    assert dispatch_all(NOON + WHILE_DOWN) == 3


def test_a_failure_of_our_own_after_an_error_of_its_server_pauses_one_message_only(
    maryam: Account, webhook: Webhook
) -> None:
    for _ in range(2):
        tell(maryam, game=str(uuid4()))
    first = messages().earliest("place")
    messages().filter(pk=first.pk).update(status=503)
    deliver._note_result(first, ChannelError("a fault of ours"), NOON)
    assert [message.next_attempt_at for message in messages().order_by("place")] == [NOON + BACK_OFF, NOON]


def test_an_error_of_the_database_counts_as_no_failure_and_the_message_is_tried_again_after_a_while(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    with connection.execute_wrapper(without_webhooks):
        assert dispatch_all(NOON) == 1
    assert (messages().get().state, messages().get().attempts, receiver.taken) == (State.READY, 0, [])
    (message,) = deliver._take_posts(deliver.due_messages(NOON + LEASE), NOON + LEASE)
    with connection.execute_wrapper(without_webhooks):
        deliver._note_result(message, {receiver.url: Answer(204)}, NOON + LEASE)
    assert (messages().get().state, messages().get().attempts) == (State.READY, 0)
    assert dispatch_all(NOON + LEASE * 2) == 1
    assert messages().get().state == State.SENT


def without_webhooks(execute: Callable[..., Any], sql: str, *others: Any) -> Any:
    """Fail as a database whose table of webhooks is unavailable."""
    if 'FROM "notifications_webhook"' in sql:
        raise OperationalError
    return execute(sql, *others)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("answer", [410, 503])
def test_a_failing_webhook_does_not_wait_for_a_message_that_another_worker_is_settling(
    receiver: Receiver, maryam: Account, answer: int, webhook: Webhook
) -> None:
    for _ in range(2):
        tell(maryam, game=str(uuid4()))
    first, second = deliver._take_posts(deliver.due_messages(NOON), NOON)
    is_locked, go = threading.Event(), threading.Event()

    def settle() -> None:
        with transaction.atomic():
            messages().select_for_update().get(pk=second.pk)
            is_locked.set()
            go.wait(30)
        connection.close()

    worker = threading.Thread(target=settle)
    worker.start()
    assert is_locked.wait(30)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        later = NOON + LEASE - WHILE_DOWN / 2
        deliver._settle_post(first, {receiver.url: Answer(answer)}, later)
    finally:
        go.set()
        worker.join(30)
    assert messages().get(pk=first.pk).status == answer
    deliver._note_result(second, {receiver.url: Answer(answer)}, later)
    notes = Notification.objects.filter(reason=webhooks.DISABLED)
    assert notes.count() == (answer == 410), "its owner is told once"


def test_a_webhook_that_does_not_answer_pauses_as_a_whole_and_is_left_alone_for_a_while(
    receiver: Receiver, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for account in (maryam, sepideh):
        for _ in range(3):
            hook_of = Webhook.objects.filter(account=account)
            if not hook_of.exists():
                hook(account, receiver)
            tell(account, game=str(uuid4()))
    Webhook.objects.filter(account=maryam).update(url="http://localhost:9/")
    monkeypatch.setattr("notifications.deliver.SIDE_BY_SIDE", 1)
    assert dispatch_all(NOON) == 4, "one of Maryam's, and all of Sepideh's"
    assert dispatch_all(NOON + timedelta(seconds=20)) == 0
    assert len(receiver.taken) == 3


def test_one_that_takes_nothing_for_days_is_disabled_and_its_owner_told(receiver: Receiver, sepideh: Account) -> None:
    hook(sepideh, receiver)
    receiver.answers = [500] * 100
    now = NOON
    while Webhook.objects.get().disabled_at is None:
        tell(sepideh, at=now)
        dispatch_all(now)
        now += timedelta(hours=6)
        assert now - NOON < DEAD * 2
    assert now - NOON > DEAD
    assert not messages().filter(state=State.READY).exists()
    tell(sepideh, at=now)
    assert not messages().filter(state=State.READY).exists()
    notification = Notification.objects.get(account=sepideh)
    assert (notification.account, notification.channel, notification.content().language) == (sepideh, "mail", "fa")
    assert "localhost" in notification.content().headline
    assert "/hook" not in str(notification.content())


def test_one_that_says_it_is_gone_is_disabled_at_once_and_can_be_switched_on_again(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    receiver.answers = [410]
    dispatch_messages_due(NOON)
    assert Webhook.objects.get().disabled_at == NOON
    webhooks.change_webhook(webhook, {"enabled": True})
    tell(maryam)
    assert dispatch_messages_due(NOON) == 1
    assert [message.state for message in messages().order_by("place")] == [State.FAILED, State.SENT]


def test_a_message_that_is_sent_again_to_a_disabled_webhook_stays_failed_and_set_aside(
    receiver: Receiver, maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    receiver.answers = [410]
    dispatch_all(NOON)
    for _ in range(2):
        assert retrying.retry(SetAside.objects.filter(settled_at=None), NOON) == (1, 0)
        dispatch_all(NOON)
        assert messages().get().state == State.FAILED
    webhooks.change_webhook(webhook, {"enabled": True})
    assert retrying.retry(SetAside.objects.filter(settled_at=None), NOON) == (1, 0)
    dispatch_all(NOON)
    assert messages().get().state == State.SENT


def test_an_address_that_leads_home_is_not_called_though_it_is_registered(
    receiver: Receiver, maryam: Account, settings: Any, webhook: Webhook
) -> None:
    settings.OUTGOING_LOOPBACK = False
    tell(maryam)
    assert dispatch_messages_due(NOON) == 1
    assert not receiver.taken
    assert messages().get().failure == "address-not-public"


def test_what_a_dead_worker_was_posting_is_posted_by_another_one_after_a_while(
    maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    assert len(deliver._take_posts(deliver.due_messages(NOON), NOON)) == 1
    assert dispatch_messages_due(NOON) == 0
    assert dispatch_messages_due(NOON + LEASE) == 1


def test_what_had_to_wait_for_others_is_taken_and_signed_at_the_time_of_its_own_posting(
    receiver: Receiver, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = [webhooks.secret(hook(account, receiver)) for account in (maryam, sepideh)]
    for account in (maryam, sepideh):
        tell(account)
    post_slowly(monkeypatch, NOON, deliver)
    tasks.dispatch_messages()
    for number, (posted, secret) in enumerate(zip(receiver.taken, secrets, strict=True)):
        assert checked(posted, secret, NOON + number * TOOK)["type"] == "event"


def test_the_messages_of_a_deleted_webhook_and_of_a_deleted_account_are_deleted(
    receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    first = hook(maryam, receiver)
    hook(sepideh, receiver)
    for account in (maryam, sepideh):
        tell(account)
    webhooks.delete(first)
    assert messages().count() == 1
    delete_account(sepideh, NOON)
    assert not messages().exists()


def test_a_test_says_nothing_and_is_not_repeated(
    receiver: Receiver, caplog: pytest.LogCaptureFixture, webhook: Webhook
) -> None:
    first = webhooks.test(webhook, NOON)
    assert webhooks.test(webhook, NOON) == first
    receiver.answers = [500]
    dispatch_messages_due(NOON)
    first.refresh_from_db()
    assert (first.state, first.status) == (State.FAILED, 500)
    assert not SetAside.objects.exists(), "it concerns nobody but its sender"
    assert [record.levelname for record in caplog.records if "given up" in record.message] == ["WARNING"]
    assert json.loads(receiver.taken[0].body)["data"] == {}


def test_what_is_old_is_forgotten_but_nothing_that_waits(maryam: Account, webhook: Webhook) -> None:
    stream_events.start_listening(maryam.pk)
    tell(maryam)
    dispatch_messages_due(NOON)
    tell(maryam)
    assert StreamEvent.objects.count() == 2
    outbox.forget_messages(NOON + KEPT + timedelta(days=1))
    stream_events.forget(NOON + KEPT + timedelta(days=1))
    assert [message.state for message in messages()] == [State.READY]
    assert not StreamEvent.objects.exists()


def order_question(account: Account) -> list[Notification]:
    new_notification = outbox.NewNotification(
        key="q", reason="question", account=account.pk, topic=f"game:{GAME}", question="1.1", patient=True
    )
    outbox.schedule([new_notification], NOON)
    return list(Notification.objects.filter(account=account).order_by("channel"))


def test_a_question_that_a_webhook_takes_needs_no_mail(maryam: Account, webhook: Webhook) -> None:
    preferences.change(maryam, {"channels": {"question": ["webhook"]}}, NOON)
    (mail,) = order_question(maryam)
    assert mail.standing_by
    assert mail.next_attempt_at > NOON
    assert outbox.next_unwritten(NOON, 1) == []
    tell(maryam, Kind.QUESTION, **ASKED)
    dispatch_messages_due(NOON)
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
    dispatch_messages_due(NOON)
    mail.refresh_from_db()
    assert mail.state == State.SCHEDULED
    waits = timedelta(minutes=10) if how == "fails" else timedelta()
    assert mail.next_attempt_at == NOON + waits
    assert outbox.next_unwritten(NOON + waits, 1) == [mail]


def test_a_mail_that_was_chosen_goes_whatever_the_webhook_takes(maryam: Account, webhook: Webhook) -> None:
    preferences.change(maryam, {"channels": {"question": ["mail", "webhook"]}}, NOON)
    (mail,) = order_question(maryam)
    tell(maryam, Kind.QUESTION, **ASKED)
    dispatch_messages_due(NOON)
    mail.refresh_from_db()
    outbox.write(mail, ENGLISH, NOON)
    assert (mail.state, mail.standing_by) == (State.READY, False)
    assert stream_events.KEPT


def test_a_message_that_found_its_webhook_switched_off_is_tried_again_once_it_is_on(
    maryam: Account, webhook: Webhook
) -> None:
    tell(maryam)
    (message,) = deliver._take_posts(deliver.due_messages(NOON), NOON)
    deliver._note_result(message, {}, NOON)
    assert (messages().get().state, messages().get().attempts) == (State.READY, 1)

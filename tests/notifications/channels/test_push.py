"""Web Push: what a device is sent can be read by it alone, and says nothing that is hidden."""

import json
import threading
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import http_ece
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings as configured
from django.db import connection, transaction
from py_vapid import Vapid02

from accounts.models import Account
from games import links
from games.announcements import notify, table_emails
from games.announcements.notify import write_due
from games.models import OpenQuestion
from games.tables import rematch
from notifications import deliver, outbox, preferences, tasks
from notifications.channels import push as push_channel
from notifications.channels.push import public_key
from notifications.deliver import LEASE, deliver_due, dispatch_due, due_posts
from notifications.endpoints import Device
from notifications.models import BACK_OFF, CLOSED, Notification, State
from notifications.set_aside import SetAside
from tests.games.seated import begin, play
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
    receiver: Receiver, maryam: Account, sepideh: Account, phone: Phone
) -> None:
    begin([maryam, sepideh, None])
    write_due(NOON)
    assert dispatch_due(NOON) == 1
    (posted,) = receiver.taken
    text = phone.read(posted)
    assert text["title"].startswith("Your move in Coup, game ")
    assert set(text) == {"title", "body", "lang", "tag", "url", "question", "closes", "renotify"}
    assert text["url"].startswith(configured.PUBLIC_URL)
    assert not [card for card in ("duke", "captain", "contessa", "ambassador", "assassin") if card in str(text).lower()]
    notification = Notification.objects.get(channel="push", state=State.SENT)
    assert not notification.content().blocks, "not even the stored letter says more"


@pytest.fixture
def phone(maryam: Account, receiver: Receiver) -> Phone:
    return Phone(maryam, receiver)


def test_a_push_is_encrypted_for_one_device_and_signed_for_one_push_service(
    receiver: Receiver, maryam: Account, phone: Phone
) -> None:
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


def test_who_said_nothing_is_told_both_ways(maryam: Account, phone: Phone) -> None:
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
    later = NOON + preferences.STAND_BY
    assert {notification.reason for notification in outbox.gather(maryam.pk, later)} == {"started", "question"}


def test_a_code_goes_by_mail_whatever_was_chosen(maryam: Account, phone: Phone) -> None:
    outbox.schedule([outbox.NewNotification(key="c", reason="account", account=maryam.pk, patient=True)], NOON)
    assert [notification.channel for notification in Notification.objects.all()] == ["mail"]


def test_one_of_two_devices_is_enough_and_a_push_service_that_fails_is_asked_again(
    receiver: Receiver, other: Receiver, maryam: Account, phone: Phone
) -> None:
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


def test_a_question_that_is_closed_is_not_pushed(receiver: Receiver, maryam: Account, phone: Phone) -> None:
    order_question(maryam)
    put("push")
    outbox.withdraw([("game:g", "1.1")], NOON)
    assert dispatch_due(NOON) == 0
    assert not receiver.taken


def test_mail_and_push_are_delivered_apart(maryam: Account, phone: Phone) -> None:
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


def order(account: Account, reason: str, now: datetime = NOON, **fields: Any) -> Notification:
    """Store a composed push for an account about the game ``g``."""
    fields = {"topic": "game:g", "question": "", **fields}
    key = f"{reason}:{fields['question']}:{account.pk}:{now.timestamp()}"
    rendered = msgspec.structs.replace(ENGLISH, deadline=fields.pop("deadline", None))
    outbox.add_rendered(outbox.NewNotification(key, reason, account.pk, **fields), rendered, now, "push")
    return Notification.objects.get(key=key)


def test_a_push_service_is_told_how_urgent_a_push_is_and_how_long_to_keep_it(
    receiver: Receiver, maryam: Account, phone: Phone
) -> None:

    def options(reason: str, hours: int | None = None) -> tuple[str, int]:
        order(maryam, reason, deadline=None if hours is None else NOON + timedelta(hours=hours), question=str(hours))
        dispatch_due(NOON)
        headers = receiver.taken.pop().headers
        return headers["urgency"], int(headers["ttl"])

    assert options("question", 72) == ("high", 72 * 3600)
    assert options("question", 30 * 24) == ("high", 28 * 24 * 3600), "push services keep nothing for longer"
    assert options("reminder", 1) == ("high", 3600)
    assert options("reminder", -1) == ("high", 60)
    assert options("started") == ("low", 24 * 3600)
    assert options("chat") == options("invitation") == ("normal", 24 * 3600)


def test_pushes_about_a_game_replace_each_other_but_chat_and_pauses_replace_no_question(
    receiver: Receiver, maryam: Account, sepideh: Account, phone: Phone
) -> None:
    places = {}
    for reason, fields in (
        ("started", {}),
        ("question", {"question": "1.1"}),
        ("reminder", {"question": "2.1"}),
        ("ended", {}),
        ("chat", {"topic": "chat:g"}),
        ("paused", {}),
    ):
        order(maryam, reason, **fields)
        dispatch_due(NOON)
        posted = receiver.taken.pop()
        text = phone.read(posted)
        assert posted.headers["topic"] == text["tag"]
        assert len(text["tag"]) <= 32, "a longer topic is refused (RFC 8030, 5.4)"
        places[reason] = text["tag"]
        assert text["renotify"] == (reason in ("question", "reminder"))
    assert places["started"] == places["question"] == places["reminder"] == places["ended"]
    assert len({places["question"], places["chat"], places["paused"]}) == 3
    Phone(sepideh, receiver)
    order(sepideh, "question", question="1.1")
    dispatch_due(NOON)
    assert receiver.taken.pop().headers["topic"] not in places.values()


def test_a_reminder_says_how_much_time_is_left_and_opens_the_game(
    receiver: Receiver, maryam: Account, sepideh: Account, phone: Phone
) -> None:
    game = begin([maryam, sepideh, None])
    write_due(NOON)
    dispatch_due(NOON)
    question = OpenQuestion.objects.get(game=game, bot=False)
    later = question.due_at - timedelta(hours=5)
    question.remind_at = later
    with transaction.atomic():
        notify.remind([question], later)
    write_due(later)
    dispatch_due(later)
    question_text, reminder = (phone.read(posted) for posted in receiver.taken)
    assert question_text["title"].startswith("Your move in Coup, game ")
    assert reminder["title"].startswith("5 hours left for your move in Coup, game ")
    assert (question_text["renotify"], reminder["renotify"]) == (True, True)
    assert question_text["tag"] == reminder["tag"]
    assert question_text["url"] == reminder["url"] == links.game_page(game.pk)
    assert int(receiver.taken[1].headers["ttl"]) == 5 * 3600


def close_question(now: datetime = NOON, question: str = "1.1") -> None:
    outbox.withdraw([("game:g", question)], now)


def test_the_push_of_a_question_that_is_closed_is_removed_from_all_devices(
    receiver: Receiver, other: Receiver, maryam: Account, sepideh: Account
) -> None:
    phones = [Phone(maryam, receiver), Phone(maryam, other)]
    order(maryam, "question", question="1.1")
    order(maryam, "reminder", question="1.1")
    dispatch_due(NOON)
    question = phones[0].read(receiver.taken[0])
    assert (question["closes"], question["question"]) == (False, "1.1")
    close_question()
    close_question()
    assert dispatch_due(NOON) == 0, "the next question may replace it"
    assert dispatch_due(NOON + outbox.CLOSING_DELAY) == 1
    for phone, server in zip(phones, (receiver, other), strict=True):
        posted = server.taken[-1]
        text = phone.read(posted)
        assert (text["closes"], text["question"], text["tag"]) == (True, "1.1", question["tag"])
        assert (text["title"], text["renotify"]) == ("This question is closed.", False)
        assert posted.headers["topic"] == question["tag"]
        assert posted.headers["urgency"] == "low"
        assert len(server.taken) == 3
    assert dispatch_due(NOON + timedelta(hours=1)) == 0


def test_the_push_of_an_offered_rematch_is_removed_once_its_reader_has_answered(
    receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    Phone(sepideh, receiver)
    game = begin([maryam, sepideh])
    play(game, "1 resign yes")
    rematch.accept_rematch(game.pk, maryam, {}, "web", NOON)
    write_due(NOON)
    dispatch_due(NOON)
    assert Notification.objects.filter(channel="push", reason="rematch-offered", state=State.SENT).exists()
    rematch.decline_rematch(game.pk, sepideh, "web", NOON)
    closing = Notification.objects.get(reason=CLOSED)
    assert (closing.account, closing.topic) == (sepideh, f"game:{game.pk}")


def test_the_pushes_to_a_player_whose_seat_another_has_taken_are_removed(
    receiver: Receiver, maryam: Account, sepideh: Account, phone: Phone
) -> None:
    game = begin([maryam, sepideh, None])
    write_due(NOON)
    dispatch_due(NOON)
    question = phone.read(receiver.taken[-1])
    table_emails.replaced(game, maryam, 1, NOON)
    dispatch_due(NOON + outbox.CLOSING_DELAY)
    closing = phone.read(receiver.taken[-1])
    assert (closing["closes"], closing["question"]) == (True, question["question"])
    assert closing["tag"] == question["tag"]


def test_a_push_that_was_not_sent_yet_is_dropped_instead_of_removed(maryam: Account, phone: Phone) -> None:
    order(maryam, "question", question="1.1")
    outbox.remove_pushes("game:g", [maryam.pk], ["question"], NOON)
    assert Notification.objects.get(channel="push").state == State.DROPPED
    assert dispatch_due(NOON + timedelta(hours=1)) == 0


def test_nothing_is_removed_where_no_push_was_sent(maryam: Account, phone: Phone) -> None:
    order(maryam, "question", question="1.1")
    close_question()
    order(maryam, "question", question="2.1")
    dispatch_due(NOON)
    close_question(question="3.1")
    assert not Notification.objects.filter(reason=CLOSED).exists()


def test_a_push_that_is_being_posted_while_its_question_closes_is_removed_too(maryam: Account, phone: Phone) -> None:
    order(maryam, "question", question="1.1")
    Notification.objects.update(leased=True, next_attempt_at=NOON + LEASE)
    close_question()
    assert Notification.objects.filter(reason=CLOSED).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_push_that_a_worker_takes_while_its_question_closes_is_removed_too(maryam: Account, phone: Phone) -> None:
    order(maryam, "question", question="1.1")

    def close() -> None:
        with transaction.atomic():
            close_question()
        connection.close()

    with transaction.atomic():
        assert list(due_posts(NOON).select_for_update(of=("self",)))
        thread = threading.Thread(target=close)
        thread.start()
        thread.join(60)
    assert Notification.objects.filter(reason=CLOSED).count() == 1


def test_a_later_push_about_the_game_is_never_removed(receiver: Receiver, maryam: Account, phone: Phone) -> None:
    order(maryam, "question", question="1.1")
    dispatch_due(NOON)
    close_question()
    order(maryam, "question", question="2.1")
    later = NOON + outbox.CLOSING_DELAY
    assert dispatch_due(later) == 1, "while a question waits to be posted, nothing is removed"
    assert phone.read(receiver.taken[-1])["question"] == "2.1"
    dispatch_due(later)
    assert Notification.objects.get(reason=CLOSED).state == State.DROPPED
    assert len(receiver.taken) == 2


def test_a_push_that_removes_a_question_is_not_posted_beside_the_next_question(maryam: Account, phone: Phone) -> None:
    order(maryam, "question", question="1.1")
    dispatch_due(NOON)
    close_question()
    closing = Notification.objects.get(reason=CLOSED)
    later = NOON + outbox.CLOSING_DELAY
    assert len(push_channel.CHANNEL.outgoing_requests(closing, later)) == 1
    order(maryam, "question", question="2.1")  # Composed after a worker has taken the other push.
    assert push_channel.CHANNEL.outgoing_requests(closing, later) == []


def test_the_next_question_is_removed_in_its_turn(receiver: Receiver, maryam: Account, phone: Phone) -> None:
    for number, now in (("1.1", NOON), ("2.1", NOON + outbox.CLOSING_DELAY)):
        order(maryam, "question", question=number, now=now)
        dispatch_due(now)
        close_question(now, number)
        dispatch_due(now + outbox.CLOSING_DELAY)
    texts = [phone.read(posted) for posted in receiver.taken]
    assert [(text["question"], text["closes"]) for text in texts] == [
        ("1.1", False),
        ("1.1", True),
        ("2.1", False),
        ("2.1", True),
    ]


def test_a_question_waits_while_the_push_before_it_is_being_removed(maryam: Account, phone: Phone) -> None:
    order(maryam, "question", question="1.1")
    dispatch_due(NOON)
    close_question()
    Notification.objects.filter(reason=CLOSED).update(leased=True, next_attempt_at=NOON + LEASE)
    order(maryam, "question", question="2.1")
    order(maryam, "question", topic="game:h", question="1.1", now=NOON + timedelta(milliseconds=1))
    assert list(due_posts(NOON + timedelta(seconds=1)).values_list("topic", flat=True)) == ["game:h"]


def test_a_device_that_is_not_there_does_not_keep_a_push_with_a_closed_question_in_the_queue(
    receiver: Receiver, maryam: Account, phone: Phone
) -> None:
    order(maryam, "question", question="1.1")
    dispatch_due(NOON)
    close_question()
    receiver.answers = [500]
    dispatch_due(NOON + outbox.CLOSING_DELAY)
    assert Notification.objects.get(reason=CLOSED).state == State.DROPPED
    assert not SetAside.objects.exists()


def test_an_answer_on_one_device_removes_the_push_from_the_others(
    receiver: Receiver, maryam: Account, sepideh: Account, phone: Phone
) -> None:
    game = begin([maryam, sepideh, None])
    write_due(NOON)
    dispatch_due(NOON)
    play(game, "1 income")
    later = NOON + timedelta(hours=2)
    write_due(later)
    dispatch_due(later)
    assert [phone.read(posted)["closes"] for posted in receiver.taken] == [False, True]

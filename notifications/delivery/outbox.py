"""The outbox: ordering, writing, posting and withdrawing notifications.

A notification is ordered in the transaction of the change it is about, so neither exists without the other. Its text is
composed later, by the app that registered its topic, and delivered after that.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final
from uuid import UUID

import msgspec
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest, Least

from config import traces
from config.database.rows import Shape, find, insert, new, update
from notifications.channels.base import PostingChannel
from notifications.channels.registry import CHANNELS, MAIL
from notifications.content.quiet_hours import release
from notifications.content.rendered_notification import RenderedNotification, encode, headline_of
from notifications.delivery import tasks
from notifications.models import Notification, Preferences, State
from notifications.recipients import channel_choice, preferences

AHEAD: Final = timedelta(milliseconds=1)
"""The time by which a pushed notification is written before its email. The email records its content, so it is last."""


class NewNotification(msgspec.Struct, frozen=True):
    """A notification to be sent, without its content."""

    key: str
    """Unique for ever: a second order with the same key is none."""
    reason: str
    account: int | None = None
    address: str = ""
    """Required without an account, or if the notification must not go to the account's own address."""
    topic: str = ""
    question: str = ""
    patient: bool = False
    """True if it can wait for its reader's hours, and be combined with others."""
    latest: datetime | None = None
    """The last moment to which it may wait; none where it asks nothing."""
    earliest: datetime | None = None
    """The time at which it is written, with everything that was added until then. Empty means now."""


def schedule(new_ones: Iterable[NewNotification], now: datetime, readers: Iterable[Any] = ()) -> None:
    """Note down notifications to be written. Orders whose key is known already change nothing.

    ``readers`` are accounts whose preferences are at hand; those of others are read.
    """
    orders = tuple(new_ones)
    accounts = {order.account for order in orders if order.account is not None and order.patient}
    wanted = preferences.of_all(accounts, readers)
    available = channel_choice.open_to(accounts, wanted)
    notifications = [
        notification
        for order in orders
        for notification in _notifications(order, now, wanted.get(order.account or 0), available)
    ]
    insert(notifications, "DO NOTHING")


def add_rendered(order: NewNotification, rendered: RenderedNotification, now: datetime, channel: str = MAIL) -> None:
    """Put a written notification into the outbox; delivery begins when the transaction is committed."""
    notification = _notification(order, now)
    notification.channel = channel
    notification.rendered = encode(rendered)
    notification.state = State.READY
    Notification.objects.bulk_create([notification], ignore_conflicts=True)
    tasks.enqueue_delivery(channel)


def unwritten(now: datetime) -> Iterable[QuerySet[Notification]]:
    """Return the notifications that must be written, alone or combined with others."""
    return [Notification.objects.filter(state=State.SCHEDULED, next_attempt_at__lte=now).order_by("next_attempt_at")]


def next_unwritten(now: datetime, most: int) -> list[Notification]:
    """Return the next notifications to write, each alone, and lock them.

    No two of them are for one reader about the same game (or about another object whose id ends the topic), because the
    text of the later one depends on the earlier one. Call it in a short transaction. A notification that cannot be
    written is ``set_back``.
    """
    query, *shapes = _next()
    found: dict[tuple[str, int | None, str], Notification] = {}
    for row in find(query, [now, most]):
        notification = _with_reader(row, *shapes)
        about = notification.topic.rpartition(":")[2]
        found.setdefault((about, notification.account_id, notification.address), notification)
    return [*found.values()]


def _with_reader(
    row: Any, notifications: Shape[Notification], people: Shape[Any], wishes: Shape[Preferences]
) -> Notification:
    notification = notifications.instance(row)
    if notification.account_id is not None:
        account = people.instance(row[notifications.width :])
        said = row[notifications.width + people.width :]
        # fills the caches directly: assigning the objects would query the account again
        notification._state.fields_cache["account"] = account
        account._state.fields_cache["preferences"] = None if said[0] is None else wishes.instance(said)
        if said[0] is not None:
            account.preferences._state.fields_cache["account"] = account
    return notification


@cache
def _next() -> tuple[str, Shape[Notification], Shape[Any], Shape[Preferences]]:
    notifications, people, wishes = Shape(Notification), Shape(get_user_model()), Shape(Preferences)
    query = f"""
        SELECT {notifications.columns("notification")}, {people.columns("account")}, {wishes.columns("wishes")}
        FROM notifications_notification AS notification
        LEFT JOIN {get_user_model()._meta.db_table} AS account ON account.id = notification.account_id
        LEFT JOIN notifications_preferences AS wishes ON wishes.account_id = account.id
        WHERE notification.state = 'scheduled' AND NOT notification.held AND notification.next_attempt_at <= %s
        ORDER BY notification.next_attempt_at LIMIT %s FOR UPDATE OF notification SKIP LOCKED
    """
    return query, notifications, people, wishes


def readers(limit: int, now: datetime, but: Collection[int] = ()) -> list[int]:
    """Up to ``limit`` accounts for which notifications that were held are due, without those in ``but``."""
    due = Notification.objects.filter(state=State.SCHEDULED, held=True, next_attempt_at__lte=now).exclude(
        account__in=but
    )
    return list(due.order_by().values_list("account", flat=True).distinct()[:limit])


def gather(account: int, now: datetime) -> list[Notification]:
    """Return all waiting notifications of this reader, if one of them is due, and lock them.

    Call it in a transaction. Empty if none is due, or if another worker is combining them now.
    """
    wanted = (
        Preferences.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("account")
        .filter(account=account)
        .first()
    )
    if wanted is None:
        return []
    notifications = list(
        Notification.objects.select_for_update(of=("self",))
        .filter(Q(standing_by=False) | Q(next_attempt_at__lte=now), account=account, state=State.SCHEDULED, held=True)
        .select_related("account", "account__preferences")
        .order_by("created_at", "key")
    )
    wishes, is_time = wanted.wishes(), False
    for notification in notifications:
        if notification.next_attempt_at <= now:
            notification.next_attempt_at = release(wishes, now, notification.created_at, notification.latest_at)
            is_time = is_time or notification.next_attempt_at <= now
            notification.save(update_fields=["next_attempt_at"])
    return notifications if is_time else []


def write(
    notification: Notification,
    rendered: RenderedNotification,
    now: datetime,
    gathered: Sequence[Notification] = (),
) -> None:
    """Store what a notification says, for those ``gathered`` into it too."""
    write_all([(notification, rendered)], now)
    if gathered:
        rows = Notification.objects.filter(pk__in=[each.pk for each in gathered])
        rows.update(state=State.MERGED, lead=notification, next_attempt_at=now)
    if notification.held:
        Preferences.objects.filter(account=notification.account_id).update(last_at=now)


def write_all(parts: Sequence[tuple[Notification, RenderedNotification | None]], now: datetime) -> None:
    """Store what notifications say that are gathered from none; None drops one: there is nothing to say any more."""
    for notification, rendered in parts:
        if rendered and notification.channel != MAIL:
            rendered = headline_of(rendered)
        notification.rendered = encode(rendered) if rendered else None
        notification.state = State.READY if rendered else State.DROPPED
        notification.attempts = 0
        # ``now`` is when the writer began. If the clock was set back since, it may lie far ahead.
        notification.next_attempt_at = min(notification.next_attempt_at, now)
    update([notification for notification, _ in parts], ("rendered", "state", "attempts", "next_attempt_at", "told"))
    for channel in {notification.channel for notification, rendered in parts if rendered}:
        tasks.enqueue_delivery(channel)


def bring_forward(topic: str, by: timedelta, now: datetime) -> None:
    """Move the latest time of held notifications of a topic, if they contain a question, to an earlier time."""
    latest = F("latest_at") - by
    held = Notification.objects.filter(topic=topic, state=State.SCHEDULED, held=True, latest_at__isnull=False)
    held.update(latest_at=latest, next_attempt_at=Least(F("next_attempt_at"), Greatest(latest, now)))


def withdraw(questions: Iterable[tuple[str, str]], now: datetime) -> None:
    """Withdraw notifications with one of these questions, each identified by (topic, id within the topic).

    Written ones that were not sent are dropped. One that combines several is written again. A notification that is
    being sent at this moment is not stopped.
    """
    asking = _on_their_way(questions)
    if not asking:
        return
    leads = Notification.objects.filter(pk__in=asking, state=State.MERGED).values("lead")
    found = Notification.objects.filter(Q(pk__in=asking) | Q(pk__in=leads), state=State.READY)
    stale = list(found.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))
    if stale:
        gathering = Notification.objects.filter(lead__in=stale, state=State.MERGED)
        again = {*gathering.values_list("lead", flat=True)}
        Notification.objects.filter(pk__in=set(stale) - again).update(state=State.DROPPED)
        _compose_again(Notification.objects.filter(Q(pk__in=again) | Q(pk__in=gathering.values("pk"))), now)


def retry(notification: UUID, now: datetime) -> bool:
    """Send a notification again after it was given up. Return False if there is none with this id.

    A notification with questions is composed again, because they may be closed by now. Others are sent as they were.
    """
    with transaction.atomic():
        found = Notification.objects.select_for_update().filter(pk=notification, state=State.FAILED).first()
        if found is None:
            return False
        gathered = Notification.objects.filter(lead=found, state=State.MERGED)
        if gathered.exists():
            _compose_again(
                Notification.objects.filter(Q(pk=notification) | Q(pk__in=[*gathered.values_list("pk", flat=True)])),
                now,
            )
        else:
            found.state = State.SCHEDULED if found.question or found.rendered is None else State.READY
            found.rendered = None if found.state == State.SCHEDULED else found.rendered
            found.next_attempt_at = now
            found.save(update_fields=["state", "rendered", "next_attempt_at"])
        Notification.objects.filter(pk=notification).update(attempts=0)
    return True


def _compose_again(notifications: QuerySet[Notification], now: datetime) -> None:
    """Compose combined notifications again, together, with the present state."""
    notifications.update(
        state=State.SCHEDULED, held=True, latest_at=now, next_attempt_at=now, rendered=None, lead=None, told=None
    )


_ON_THEIR_WAY: Final = """
    SELECT notification.id FROM json_to_recordset(%s::json) AS put (topic text, question text)
    JOIN notifications_notification AS notification
        ON notification.topic = put.topic AND notification.question = put.question
    WHERE notification.state IN ('ready', 'merged')
"""


def _on_their_way(questions: Iterable[tuple[str, str]]) -> list[UUID]:
    """The notifications that put one of these questions and are written and not sent yet."""
    rows = [{"topic": topic, "question": question} for topic, question in questions]
    if not rows:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_ON_THEIR_WAY, [msgspec.json.encode(rows).decode()])
        return [notification for (notification,) in cursor]


def forget(topics: Collection[str]) -> None:
    """Delete the notifications of these topics that belong to no account, and with them the addresses they went to."""
    Notification.objects.filter(topic__in=topics, account=None).delete()


def drop_contents(before: datetime) -> int:
    """Drop what notifications said that were made before a moment and are done with; return how many there were."""
    done = Notification.objects.filter(created_at__lt=before, rendered__isnull=False)
    return done.exclude(state__in=[State.SCHEDULED, State.READY]).update(rendered=None)


def forget_words(topics: Collection[str], reasons: Collection[str], words: Iterable[str]) -> None:
    """Take what notifications of these topics and reasons said out of those that are done with and hold one of these
    words.
    """
    wanted = [msgspec.json.encode(word)[1:-1] for word in words]
    own = Q(topic__in=topics) | Q(reason__in=reasons)
    gathered = Q(gathered__topic__in=topics) | Q(gathered__reason__in=reasons)
    found = Notification.objects.filter(own | gathered, rendered__isnull=False)
    done = found.exclude(state__in=[State.SCHEDULED, State.READY]).distinct("pk").order_by("pk")
    for notification in done.iterator():
        if notification.rendered and any(word in bytes(notification.rendered) for word in wanted):
            notification.rendered = encode(RenderedNotification(notification.written().language, "", ""))
            notification.save(update_fields=["rendered"])


def _notifications(
    order: NewNotification, now: datetime, wanted: Preferences | None, available: Mapping[int, channel_choice.Open]
) -> Iterator[Notification]:
    """An order as notifications: one for each way that it takes."""
    if order.account is None or order.account not in available:
        yield _notification(order, now, wanted)
        return
    choice = channel_choice.choose(order.reason, wanted, available[order.account])
    for name in choice.channels:
        if isinstance(CHANNELS[name], PostingChannel):
            yield _posted_notification(name, order, now, wanted)
    if MAIL in choice.channels:
        notification = _notification(order, now, wanted)
        if choice.standing_by:
            notification.standing_by = True
            notification.next_attempt_at = max(notification.next_attempt_at, _stood_by(order, now))
        yield notification


def _stood_by(order: NewNotification, now: datetime) -> datetime:
    until = now + channel_choice.STAND_BY
    return until if order.latest is None else max(now, min(until, order.latest))


def _posted_notification(
    channel: str, order: NewNotification, now: datetime, wanted: Preferences | None
) -> Notification:
    """A notification for a channel that posts: it is gathered into no digest, but keeps quiet hours."""
    notification = _notification(order, now)
    notification.key, notification.channel = f"{order.key}|{channel}", channel
    if wanted is not None:
        wishes = dataclasses.replace(wanted.wishes(), digest=Preferences.Digest.AT_ONCE)
        notification.next_attempt_at = release(wishes, now, now, order.latest)
    notification.next_attempt_at -= AHEAD
    return notification


def _notification(order: NewNotification, now: datetime, wanted: Preferences | None = None) -> Notification:
    notification = new(
        Notification,
        key=order.key,
        account_id=order.account,
        address=order.address,
        reason=order.reason,
        topic=order.topic,
        question=order.question,
        created_at=now,
        next_attempt_at=order.earliest or now,
        latest_at=order.latest,
        trace=traces.carrier() or "",
    )
    if order.patient and wanted is not None and (wishes := wanted.wishes()).may_hold:
        start = order.earliest or now
        at = release(wishes, start, now, order.latest)
        # The first one waits too, for others that can be sent with it.
        notification.held = at > start or wishes.digest != Preferences.Digest.AT_ONCE
        notification.next_attempt_at = max(at, notification.next_attempt_at)
    return notification

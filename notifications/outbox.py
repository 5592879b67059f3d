"""The outbox: ordering, composing, delivering and withdrawing notifications.

A notification is ordered in the transaction of the change it is about, so neither exists without the other. Its text is
composed later, by the app that ordered it, and delivered after that.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
from django.db import transaction
from django.db.models import F, Func, Q, QuerySet, Value
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.core import traces
from config.core.database.rows import insert, update
from config.core.database.sql import find
from config.core.tasks import enqueue
from notifications import preferences, queries, set_aside
from notifications.channels.base import PostingChannel
from notifications.channels.registry import CHANNELS, MAIL, endpoints, posting
from notifications.content import RenderedNotification, encode, headline_of
from notifications.kinds import release
from notifications.models import CLOSED, PUSH, Notification, Preferences, State
from notifications.set_aside import SetAside

KEPT: Final = timedelta(days=30)
"""The time for which messages to endpoints can be looked up."""
PLACES: Final = "notifications_places"
"""The sequence that numbers messages to endpoints."""
CLOSING_DELAY: Final = timedelta(seconds=5)
"""The time until a push with a closed question is removed. Often the next push about the game replaces it before."""
AHEAD: Final = timedelta(milliseconds=1)
"""The time by which a pushed notification is composed before its email. The email records its chat messages, so it is
last.
"""


class NewNotification(msgspec.Struct, frozen=True):
    """An order of a notification, without its content."""

    key: str
    """Unique forever. A second order with the same key is ignored."""
    reason: str
    account: int | None = None
    address: str = ""
    """Required without an account, or if the notification must not be sent to the account's own address."""
    topic: str = ""
    question: str = ""
    patient: bool = False
    """True if it can wait for its reader's hours and be combined with others."""
    latest: datetime | None = None
    """The last moment until which it may wait. None without a question."""
    earliest: datetime | None = None
    """The time at which it is composed, with all changes until then. None means now."""


def enqueue_delivery(channel: str = MAIL) -> None:
    """Enqueue the delivery of notifications on commit. A broker that is down does no harm."""
    if channel in posting():
        enqueue("notifications.tasks.dispatch_notifications")
    elif channel in endpoints():
        enqueue("notifications.tasks.dispatch_messages")
    else:
        enqueue("notifications.tasks.deliver_notifications")


def schedule(new_notifications: Iterable[NewNotification], now: datetime, readers: Iterable[Any] = ()) -> None:
    """Order notifications. Orders with a known key change nothing.

    ``readers`` are accounts whose preferences are loaded. Those of other accounts are read.
    """
    orders = tuple(new_notifications)
    accounts = {order.account for order in orders if order.account is not None and order.patient}
    stored = preferences.of_all(accounts, readers)
    available = preferences.working_channels(accounts, stored)
    notifications = [
        notification
        for order in orders
        for notification in _notifications(order, now, stored.get(order.account or 0), available)
    ]
    insert(notifications, ignore_conflicts=True)


def add_rendered(order: NewNotification, rendered: RenderedNotification, now: datetime, channel: str = MAIL) -> None:
    """Add a composed notification to the outbox. Delivery begins when the transaction is committed."""
    notification = _notification(order, now)
    notification.channel = channel
    notification.rendered = encode(rendered)
    notification.state = State.READY
    Notification.objects.bulk_create([notification], ignore_conflicts=True)
    enqueue_delivery(channel)


def add_message(
    channel: str,
    endpoint: UUID,
    reason: str,
    now: datetime,
    topic: str = "",
    data: dict[str, Any] | None = None,
) -> Notification:
    """Add a message to an endpoint, after its earlier messages of the same topic. It is composed when it is sent."""
    message = Notification.objects.create(
        key=f"{uuid4()}:{endpoint}",
        channel=channel,
        endpoint=endpoint,
        place=Func(Value(PLACES), function="nextval"),
        reason=reason,
        topic=topic,
        data=data or {},
        state=State.READY,
        created_at=now,
        next_attempt_at=now,
        trace=traces.carrier() or "",
    )
    enqueue_delivery(channel)
    return message


def forget_messages(now: datetime) -> None:
    """Delete old messages to endpoints that are not waiting."""
    old = Notification.objects.filter(endpoint__isnull=False, created_at__lt=now - KEPT)
    old.exclude(state=State.READY).delete()


def unwritten(now: datetime) -> Iterable[QuerySet[Notification]]:
    """Return the notifications that must be composed, alone or combined with others."""
    return [Notification.objects.filter(state=State.SCHEDULED, next_attempt_at__lte=now).order_by("next_attempt_at")]


def next_unwritten(now: datetime, limit: int) -> list[Notification]:
    """Return the next notifications to compose, each alone, and lock them.

    At most one is for a reader about the same game (or about another object whose id ends the topic), because the text
    of the later one depends on the earlier one. Must run in a short transaction. A notification that cannot be composed
    is ``set_back``.
    """
    due = Notification.objects.filter(state=State.SCHEDULED, held=False, next_attempt_at__lte=now)
    rows = due.select_related("account__preferences").select_for_update(skip_locked=True, of=("self",))
    notifications: dict[tuple[str, int | None, str], Notification] = {}
    for notification in rows.order_by("next_attempt_at")[:limit]:
        subject = notification.topic.rpartition(":")[2]
        notifications.setdefault((subject, notification.account_id, notification.address), notification)
    return [*notifications.values()]


def accounts_with_due_digests(limit: int, now: datetime, exclude: Collection[int] = ()) -> list[int]:
    """Return up to ``limit`` accounts whose held notifications are due."""
    due = Notification.objects.filter(state=State.SCHEDULED, held=True, next_attempt_at__lte=now).exclude(
        account__in=exclude
    )
    return list(due.order_by().values_list("account", flat=True).distinct()[:limit])


def gather(account: int, now: datetime) -> list[Notification]:
    """Return all waiting notifications of an account if at least one is due, and lock them.

    Must run in a transaction. Returns nothing if no notification is due or another worker is combining them.
    """
    account_preferences = (
        Preferences.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("account")
        .filter(account=account)
        .first()
    )
    if account_preferences is None:
        return []
    notifications = list(
        Notification.objects.select_for_update(of=("self",))
        .filter(Q(standing_by=False) | Q(next_attempt_at__lte=now), account=account, state=State.SCHEDULED, held=True)
        .select_related("account", "account__preferences")
        .order_by("created_at", "key")
    )
    wishes, is_time = account_preferences.wishes(), False
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
    """Store the content of a notification. The content includes that of the notifications in ``gathered``."""
    write_all([(notification, rendered)], now)
    if gathered:
        rows = Notification.objects.filter(pk__in=[row.pk for row in gathered])
        rows.update(state=State.MERGED, lead=notification, next_attempt_at=now)
    if notification.held:
        Preferences.objects.filter(account=notification.account_id).update(last_at=now)


def write_all(parts: Sequence[tuple[Notification, RenderedNotification | None]], now: datetime) -> None:
    """Store the content of single notifications. Those without content are dropped, because they are out of date."""
    for notification, rendered in parts:
        if rendered and notification.channel != MAIL:
            rendered = headline_of(rendered)
        notification.rendered = encode(rendered) if rendered else None
        notification.state = State.READY if rendered else State.DROPPED
        notification.attempts = 0
        # ``now`` is when the run began. If the clock was set back since then, it may be far in the future.
        notification.next_attempt_at = min(notification.next_attempt_at, now)
    update(
        [notification for notification, _rendered in parts],
        ("rendered", "state", "attempts", "next_attempt_at", "told"),
    )
    for channel in {notification.channel for notification, rendered in parts if rendered}:
        enqueue_delivery(channel)


def bring_forward(topic: str, by: timedelta, now: datetime) -> None:
    """Set the latest time of held notifications of a topic with a question to an earlier time."""
    latest = F("latest_at") - by
    rows = Notification.objects.filter(topic=topic, state=State.SCHEDULED, held=True, latest_at__isnull=False)
    rows.update(latest_at=latest, next_attempt_at=Least(F("next_attempt_at"), Greatest(latest, now)))


def withdraw(questions: Iterable[tuple[str, str]], now: datetime) -> None:
    """Withdraw notifications with one of these questions, each given as (topic, id within the topic).

    Composed ones that were not sent are dropped. A digest with such a question is composed again. A notification that
    is just being sent is not stopped. Pushes with such a question are removed from the devices.
    """
    keys = [{"topic": topic, "question": question} for topic, question in questions]
    rows = [*find(queries.COMPOSED_WITH_QUESTION, [msgspec.json.encode(keys).decode()])] if keys else []
    unsent = [id for id, _is_push, is_sent in rows if not is_sent]
    leads = Notification.objects.filter(pk__in=unsent, state=State.MERGED).values("lead")
    ready = Notification.objects.filter(Q(pk__in=unsent) | Q(pk__in=leads), state=State.READY)
    is_leased = dict(ready.select_for_update(skip_locked=True, of=("self",)).values_list("pk", "leased"))
    if is_leased:
        gathering = Notification.objects.filter(lead__in=is_leased, state=State.MERGED)
        digests = {*gathering.values_list("lead", flat=True)}
        Notification.objects.filter(pk__in=is_leased.keys() - digests).update(state=State.DROPPED)
        _compose_again(Notification.objects.filter(Q(pk__in=digests) | Q(pk__in=gathering.values("pk"))), now)
    # A push that is not among the locked ones was sent, or another worker is about to send it.
    _close_pushes([id for id, is_push, _is_sent in rows if is_push and is_leased.get(id, True)], now)


def remove_pushes(topic: str, accounts: Collection[int], reasons: Collection[str], now: datetime) -> None:
    """Remove the pushes about a topic with one of these reasons from the devices of accounts that need not answer them
    any more. Pushes that were not sent yet are dropped.
    """
    about = {"channel": PUSH, "topic": topic, "account__in": accounts, "reason__in": reasons}
    Notification.objects.filter(**about, state=State.READY, leased=False).update(state=State.DROPPED)
    pushes = Notification.objects.filter(**about, state__in=(State.READY, State.SENT))
    _close_pushes(list(pushes.values_list("pk", flat=True)), now)


def retry(notification: UUID, now: datetime) -> bool:
    """Send a failed notification again. Return False if there is none with this id.

    A notification with questions is composed again, because they may be closed by now. Others are sent unchanged.
    """
    with transaction.atomic():
        row = Notification.objects.select_for_update().filter(pk=notification, state=State.FAILED).first()
        if row is not None:
            _restart(row, now)
    return row is not None


def send_again(notification: UUID, now: datetime) -> bool:
    """Send a failed notification or any message to an endpoint again. Return False if there is none with this id.

    A message that waits loses its pause, but not its place: it waits for earlier ones about the same topic.
    """
    with transaction.atomic():
        rows = Notification.objects.filter(Q(state=State.FAILED) | Q(endpoint__isnull=False), pk=notification)
        row = rows.select_for_update().first()
        if row is None:
            return False
        # Only now, because a worker that had the lock may have set it aside.
        set_aside.settle(
            set_aside.unsettled(SetAside.Kind.NOTIFICATION).filter(subject=notification), SetAside.Outcome.RETRIED, now
        )
        if row.state != State.READY:
            _restart(row, now)
        elif not row.leased:
            Notification.objects.filter(pk=notification).update(next_attempt_at=now)
            enqueue_delivery(row.channel)
    return True


def _restart(notification: Notification, now: datetime) -> None:
    """Begin again with the first attempt of a notification that is locked."""
    gathered = Notification.objects.filter(lead=notification, state=State.MERGED)
    if gathered.exists():
        parts = [notification.pk, *gathered.values_list("pk", flat=True)]
        _compose_again(Notification.objects.filter(pk__in=parts), now)
        Notification.objects.filter(pk=notification.pk).update(attempts=0)
    else:
        is_composed = notification.rendered is not None and not notification.question
        is_ready = is_composed or notification.endpoint is not None
        notification.state = State.READY if is_ready else State.SCHEDULED
        notification.rendered = notification.rendered if is_ready else None
        notification.next_attempt_at, notification.attempts, notification.leased = now, 0, False
        notification.save(update_fields=["state", "rendered", "next_attempt_at", "attempts", "leased"])
        if is_ready:
            enqueue_delivery(notification.channel)


def _compose_again(notifications: QuerySet[Notification], now: datetime) -> None:
    """Compose combined notifications again, together, from the present state."""
    notifications.update(
        state=State.SCHEDULED, held=True, latest_at=now, next_attempt_at=now, rendered=None, lead=None, told=None
    )


def _close_pushes(pushes: Collection[UUID], now: datetime) -> None:
    """Order pushes that remove these pushes from the devices of their accounts: one for each account and question."""
    rows = Notification.objects.filter(pk__in=pushes).select_related("account") if pushes else ()
    insert([_closing_push(row, now) for row in rows], ignore_conflicts=True)


def _closing_push(push: Notification, now: datetime) -> Notification:
    assert push.account is not None
    with override(push.account.language):
        headline = _("This question is closed.")
    return Notification(
        key=f"{CLOSED}:{push.topic}:{push.question}:{push.account_id}",
        account_id=push.account_id,
        channel=PUSH,
        reason=CLOSED,
        topic=push.topic,
        question=push.question,
        rendered=encode(RenderedNotification(push.account.language, "", headline)),
        state=State.READY,
        created_at=now,
        next_attempt_at=now + CLOSING_DELAY,
        trace=traces.carrier() or "",
    )


def forget(topics: Collection[str]) -> None:
    """Delete the notifications of these topics that belong to no account, and so the addresses they were sent to."""
    Notification.objects.filter(topic__in=topics, account=None).delete()


def forget_strangers(reason: str, before: datetime) -> None:
    """Delete old notifications of a reason that belong to no account, and so the addresses they were sent to."""
    Notification.objects.filter(reason=reason, account=None, created_at__lt=before).delete()


def drop_contents(before: datetime) -> int:
    """Delete the content of old notifications that are sent, dropped or failed. Return how many there were."""
    old = Notification.objects.filter(created_at__lt=before, rendered__isnull=False)
    return old.exclude(state__in=[State.SCHEDULED, State.READY]).update(rendered=None)


def forget_words(topics: Collection[str], reasons: Collection[str], words: Iterable[str]) -> None:
    """Delete the content of notifications of these topics or reasons that contain one of these words.

    Notifications that are not sent yet keep their content.
    """
    encoded = [msgspec.json.encode(word)[1:-1] for word in words]
    is_about = Q(topic__in=topics) | Q(reason__in=reasons)
    has_part = Q(gathered__topic__in=topics) | Q(gathered__reason__in=reasons)
    rows = Notification.objects.filter(is_about | has_part, rendered__isnull=False)
    rows = rows.exclude(state__in=[State.SCHEDULED, State.READY]).distinct("pk").order_by("pk")
    for notification in rows.iterator():
        if notification.rendered and any(word in bytes(notification.rendered) for word in encoded):
            notification.rendered = encode(RenderedNotification(notification.content().language, "", ""))
            notification.save(update_fields=["rendered"])


def _notifications(
    order: NewNotification, now: datetime, stored: Preferences | None, available: Mapping[int, preferences.Open]
) -> Iterator[Notification]:
    """Yield the notifications of an order, one for each channel."""
    if order.account is None or order.account not in available:
        yield _notification(order, now, stored)
        return
    choice = preferences.choose_channels(order.reason, stored, available[order.account])
    for name in choice.channels:
        if isinstance(CHANNELS[name], PostingChannel):
            yield _posted_notification(name, order, now, stored)
    if MAIL in choice.channels:
        notification = _notification(order, now, stored)
        if choice.standing_by:
            notification.standing_by = True
            notification.next_attempt_at = max(notification.next_attempt_at, _end_of_standby(order, now))
        yield notification


def _end_of_standby(order: NewNotification, now: datetime) -> datetime:
    until = now + preferences.STAND_BY
    return until if order.latest is None else max(now, min(until, order.latest))


def _posted_notification(
    channel: str, order: NewNotification, now: datetime, stored: Preferences | None
) -> Notification:
    """Return a notification for a channel that posts. It is not combined with others, but keeps quiet hours."""
    notification = _notification(order, now)
    notification.key, notification.channel = f"{order.key}|{channel}", channel
    if stored is not None:
        wishes = dataclasses.replace(stored.wishes(), digest=Preferences.Digest.AT_ONCE)
        notification.next_attempt_at = release(wishes, now, now, order.latest)
    notification.next_attempt_at -= AHEAD
    return notification


def _notification(order: NewNotification, now: datetime, stored: Preferences | None = None) -> Notification:
    notification = Notification(
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
    if order.patient and stored is not None and (wishes := stored.wishes()).may_hold:
        start = order.earliest or now
        release_at = release(wishes, start, now, order.latest)
        # With digests, the first one waits too, so that others can be sent with it.
        notification.held = release_at > start or wishes.digest != Preferences.Digest.AT_ONCE
        notification.next_attempt_at = max(release_at, notification.next_attempt_at)
    return notification

"""The one way in: ordering, writing, posting and withdrawing letters.

An order is written in the transaction of what it tells about, so that neither is without the other;
what it says is composed later by whoever knows the topic, and delivered after that.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest, Least

from config.database.rows import insert, new
from notifications.channels import POSTED
from notifications.content.notice import Notice, encode, headline_of
from notifications.content.quiet_hours import release
from notifications.delivery import tasks
from notifications.models import Letter, Preferences, State
from notifications.recipients import channel_choice, preferences

AHEAD: Final = timedelta(milliseconds=1)
"""So much sooner than its mail a push is written: the mail notes what it tells, and is the last to tell it."""


class Order(msgspec.Struct, frozen=True):
    """A letter to be sent, without its content."""

    key: str
    """Unique for ever: a second order with the same key is none."""
    reason: str
    account: int | None = None
    address: str = ""
    """Needed where there is no account, or where it should not go to the account's own address."""
    topic: str = ""
    question: str = ""
    patient: bool = False
    """It may wait for its reader's hours, and be gathered with others into one."""
    latest: datetime | None = None
    """The last moment to which it may wait; none where it asks nothing."""
    earliest: datetime | None = None
    """It is written then, with what has been added by then; none is at once."""


def order(orders: Iterable[Order], now: datetime, readers: Iterable[Any] = ()) -> None:
    """Note down letters to be written. Orders whose key is known already change nothing.

    ``readers`` are accounts whose preferences are at hand; those of others are read.
    """
    orders = tuple(orders)
    accounts = {each.account for each in orders if each.account is not None and each.patient}
    wanted = preferences.of_all(accounts, readers)
    available = channel_choice.open_to(accounts, wanted)
    letters = [letter for each in orders for letter in _letters(each, now, wanted.get(each.account or 0), available)]
    insert(letters, "DO NOTHING")


def post(order: Order, notice: Notice, now: datetime) -> None:
    """Put a written letter into the outbox; delivery begins when the transaction is committed."""
    letter = _letter(order, now)
    letter.notice = encode(notice)
    letter.state = State.READY
    Letter.objects.bulk_create([letter], ignore_conflicts=True)
    tasks.ring()


def unwritten(now: datetime) -> Iterable[QuerySet[Letter]]:
    """The letters that are to be written, by themselves or with others."""
    return [Letter.objects.filter(state=State.ORDERED, next_attempt_at__lte=now).order_by("next_attempt_at")]


def next_unwritten(now: datetime) -> Letter | None:
    """The next letter that is to be written by itself, locked against every other writer; None where none is due.

    Only inside a transaction, which is to be short. One that cannot be written is ``set_back``.
    """
    return (
        Letter.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(state=State.ORDERED, held=False, next_attempt_at__lte=now)
        .select_related("account", "account__preferences")
        .order_by("next_attempt_at")
        .first()
    )


def readers(limit: int, now: datetime, but: Collection[int] = ()) -> list[int]:
    """Up to ``limit`` accounts for which letters that were held are due, without those in ``but``."""
    due = Letter.objects.filter(state=State.ORDERED, held=True, next_attempt_at__lte=now).exclude(account__in=but)
    return list(due.order_by().values_list("account", flat=True).distinct()[:limit])


def gather(account: int, now: datetime) -> list[Letter]:
    """All letters that wait for this reader, if it is time for one of them, locked against every other writer.

    Only inside a transaction. None where it is not time yet, or somebody else gathers them just now.
    """
    wanted = (
        Preferences.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("account")
        .filter(account=account)
        .first()
    )
    if wanted is None:
        return []
    letters = list(
        Letter.objects.select_for_update(of=("self",))
        .filter(Q(standing_by=False) | Q(next_attempt_at__lte=now), account=account, state=State.ORDERED, held=True)
        .select_related("account", "account__preferences")
        .order_by("created_at", "key")
    )
    wishes, is_time = wanted.wishes(), False
    for letter in letters:
        if letter.next_attempt_at <= now:
            letter.next_attempt_at = release(wishes, now, letter.created_at, letter.latest_at)
            is_time = is_time or letter.next_attempt_at <= now
            letter.save(update_fields=["next_attempt_at"])
    return letters if is_time else []


def write(letter: Letter, notice: Notice | None, now: datetime, gathered: Sequence[Letter] = ()) -> None:
    """Store what a letter says, for those ``gathered`` into it too; None drops it: there is nothing to say any more."""
    if notice and letter.channel in POSTED:
        notice = headline_of(notice)
    letter.notice = encode(notice) if notice else None
    letter.state = State.READY if notice else State.DROPPED
    letter.attempts = 0
    letter.next_attempt_at = now
    letter.save(update_fields=["notice", "state", "attempts", "next_attempt_at"])
    if gathered:
        rows = Letter.objects.filter(pk__in=[each.pk for each in gathered])
        rows.update(state=State.MERGED, lead=letter, next_attempt_at=now)
    if notice:
        if letter.held:
            Preferences.objects.filter(account=letter.account_id).update(last_at=now)
        tasks.ring(letter.channel)


def bring_forward(topic: str, by: timedelta, now: datetime) -> None:
    """Send letters of a topic that are held, and ask something, earlier by so much at the latest."""
    latest = F("latest_at") - by
    held = Letter.objects.filter(topic=topic, state=State.ORDERED, held=True, latest_at__isnull=False)
    held.update(latest_at=latest, next_attempt_at=Least(F("next_attempt_at"), Greatest(latest, now)))


def withdraw(questions: Iterable[tuple[str, str]], now: datetime) -> None:
    """Withdraw letters that still put one of these questions, each given as (topic, its id within that).

    What is written and not sent is dropped; one that gathers several is written anew. A letter that is being
    handed over at this moment is not held up.
    """
    asking = _on_their_way(questions)
    if not asking:
        return
    leads = Letter.objects.filter(pk__in=asking, state=State.MERGED).values("lead")
    found = Letter.objects.filter(Q(pk__in=asking) | Q(pk__in=leads), state=State.READY)
    stale = list(found.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))
    if stale:
        gathering = Letter.objects.filter(lead__in=stale, state=State.MERGED)
        again = {*gathering.values_list("lead", flat=True)}
        Letter.objects.filter(pk__in=set(stale) - again).update(state=State.DROPPED)
        _compose_again(Letter.objects.filter(Q(pk__in=again) | Q(pk__in=gathering.values("pk"))), now)


def retry(letter: UUID, now: datetime) -> bool:
    """Send a letter again that was given up; return False where there is none of this id.

    One that puts questions is composed anew, since they may be closed by now; any other is sent as it was written.
    """
    with transaction.atomic():
        found = Letter.objects.select_for_update().filter(pk=letter, state=State.FAILED).first()
        if found is None:
            return False
        gathered = Letter.objects.filter(lead=found, state=State.MERGED)
        if gathered.exists():
            _compose_again(
                Letter.objects.filter(Q(pk=letter) | Q(pk__in=[*gathered.values_list("pk", flat=True)])), now
            )
        else:
            found.state = State.ORDERED if found.question or found.notice is None else State.READY
            found.notice = None if found.state == State.ORDERED else found.notice
            found.next_attempt_at = now
            found.save(update_fields=["state", "notice", "next_attempt_at"])
        Letter.objects.filter(pk=letter).update(attempts=0)
    return True


def _compose_again(letters: QuerySet[Letter], now: datetime) -> None:
    """Compose letters anew that were gathered into one, together, as things stand now."""
    letters.update(
        state=State.ORDERED, held=True, latest_at=now, next_attempt_at=now, notice=None, lead=None, told=None
    )


_ON_THEIR_WAY: Final = """
    SELECT letter.id FROM json_to_recordset(%s::json) AS put (topic text, question text)
    JOIN notifications_letter AS letter ON letter.topic = put.topic AND letter.question = put.question
    WHERE letter.state IN ('ready', 'merged')
"""


def _on_their_way(questions: Iterable[tuple[str, str]]) -> list[UUID]:
    """The letters that put one of these questions and are written and not sent yet."""
    rows = [{"topic": topic, "question": question} for topic, question in questions]
    if not rows:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_ON_THEIR_WAY, [msgspec.json.encode(rows).decode()])
        return [letter for (letter,) in cursor]


def forget(topics: Collection[str]) -> None:
    """Delete the letters of these topics that belong to no account, and with them the addresses they went to."""
    Letter.objects.filter(topic__in=topics, account=None).delete()


def forget_words(topics: Collection[str], words: Iterable[str]) -> None:
    """Take what letters of these topics said out of those that are done with and hold one of these words."""
    wanted = [msgspec.json.encode(word)[1:-1] for word in words]
    of_topics = Letter.objects.filter(Q(topic__in=topics) | Q(gathered__topic__in=topics), notice__isnull=False)
    done = of_topics.exclude(state__in=[State.ORDERED, State.READY]).distinct("pk").order_by("pk")
    for letter in done.iterator():
        if letter.notice and any(word in bytes(letter.notice) for word in wanted):
            letter.notice = encode(Notice(letter.written().language, "", ""))
            letter.save(update_fields=["notice"])


def _letters(
    order: Order, now: datetime, wanted: Preferences | None, available: Mapping[int, channel_choice.Open]
) -> Iterator[Letter]:
    """An order as letters: one for each way that it takes."""
    if order.account is None or order.account not in available:
        yield _letter(order, now, wanted)
        return
    chosen = channel_choice.choose(order.reason, wanted, available[order.account])
    if chosen.push:
        yield _push(order, now, wanted)
    if chosen.mail:
        letter = _letter(order, now, wanted)
        if chosen.standing_by:
            letter.standing_by = True
            letter.next_attempt_at = max(letter.next_attempt_at, _stood_by(order, now))
        yield letter


def _stood_by(order: Order, now: datetime) -> datetime:
    until = now + channel_choice.STAND_BY
    return until if order.latest is None else max(now, min(until, order.latest))


def _push(order: Order, now: datetime, wanted: Preferences | None) -> Letter:
    """A letter to somebody's devices: it is gathered into no digest, but keeps quiet hours."""
    letter = _letter(order, now)
    letter.key, letter.channel = f"{order.key}|{channel_choice.PUSH}", channel_choice.PUSH
    if wanted is not None:
        wishes = dataclasses.replace(wanted.wishes(), digest=Preferences.Digest.AT_ONCE)
        letter.next_attempt_at = release(wishes, now, now, order.latest)
    letter.next_attempt_at -= AHEAD
    return letter


def _letter(order: Order, now: datetime, wanted: Preferences | None = None) -> Letter:
    letter = new(
        Letter,
        key=order.key,
        account_id=order.account,
        address=order.address,
        reason=order.reason,
        topic=order.topic,
        question=order.question,
        created_at=now,
        next_attempt_at=order.earliest or now,
        latest_at=order.latest,
    )
    if order.patient and wanted is not None and (wishes := wanted.wishes()).may_hold:
        at = release(wishes, now, now, order.latest)
        # Of those that come once in so many hours, the first one waits too: for what comes with it.
        letter.held = at > now or wishes.digest != Preferences.Digest.AT_ONCE
        letter.next_attempt_at = max(at, letter.next_attempt_at)
    return letter

"""The one way in: ordering, writing and posting letters.

An order is written in the transaction of what it tells about, so that neither is without the other;
what it says is composed later by whoever knows the topic, and delivered after that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from notifications import tasks
from notifications.models import Letter, State
from notifications.notice import Notice, encode


@dataclass(frozen=True)
class Order:
    """What is to be told, without what it will say."""

    key: str
    """Unique for ever: a second order with the same key is none."""
    reason: str
    account: int | None = None
    address: str = ""
    """Needed where there is no account, or where it should not go to the account's own address."""
    topic: str = ""
    question: str = ""


def order(orders: Iterable[Order], now: datetime) -> None:
    """Note down letters to be written. Orders whose key is known already change nothing."""
    Letter.objects.bulk_create((_letter(each, now) for each in orders), ignore_conflicts=True)


def post(order: Order, notice: Notice, now: datetime) -> None:
    """Put a written letter into the outbox; delivery begins when the transaction is committed."""
    letter = _letter(order, now)
    letter.notice = encode(notice)
    letter.state = State.READY
    Letter.objects.bulk_create([letter], ignore_conflicts=True)
    tasks.ring()


def unwritten(limit: int, now: datetime) -> list[Letter]:
    """Up to ``limit`` letters that are to be written, locked against every other writer.

    Only inside a transaction, which is to be short. One that cannot be written is ``set_back``.
    """
    return list(
        Letter.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(state=State.ORDERED, next_attempt_at__lte=now)
        .select_related("account")
        .order_by("next_attempt_at")[:limit]
    )


def write(letter: Letter, notice: Notice | None, now: datetime) -> None:
    """Store what a letter says; None drops it, there is nothing to say any more."""
    letter.notice = encode(notice) if notice else None
    letter.state = State.READY if notice else State.DROPPED
    letter.attempts = 0
    letter.next_attempt_at = now
    letter.save(update_fields=["notice", "state", "attempts", "next_attempt_at"])
    if notice:
        tasks.ring()


def _letter(order: Order, now: datetime) -> Letter:
    return Letter(
        key=order.key,
        account_id=order.account,
        address=order.address,
        reason=order.reason,
        topic=order.topic,
        question=order.question,
        created_at=now,
        next_attempt_at=now,
    )

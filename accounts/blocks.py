"""Blocks, mutes and follows.

The other account is not notified, and nothing may reveal the block to it: its messages are accepted as usual, and not
delivered.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final, TypeVar

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Account, Block, Follow, Mute

# The number of people that an account may block, mute, or follow.
MOST: Final = 1000

_Kept = TypeVar("_Kept", Block, Mute, Follow)


class TooManyPeople(Exception):
    """The account has reached the limit of a list."""


def is_blocked_between(one: int, other: int) -> bool:
    """Return True if one of these two accounts (primary keys) has blocked the other.

    If so, invitations and notifications of one do not reach the other, and they share no public game. Callers must not
    reveal it to the blocked account: an invitation, for example, is accepted and not sent.
    """
    return is_any_blocked_between(one, [other])


def is_any_blocked_between(one: int, others: Collection[int]) -> bool:
    """Return True if this account has blocked one of the others, or one of them has blocked it."""
    return Block.objects.filter(Q(owner=one, other__in=others) | Q(owner__in=others, other=one)).exists()


def pairs_among(accounts: Iterable[int]) -> frozenset[frozenset[int]]:
    """Return the pairs of these accounts in which one has blocked the other."""
    among = tuple(accounts)
    pairs = Block.objects.filter(owner__in=among, other__in=among).values_list("owner", "other")
    return frozenset(frozenset(pair) for pair in pairs)


def has_blocked(owner: int, other: int) -> bool:
    """Return True if ``owner`` has blocked ``other``. Only ``owner`` may know it."""
    return Block.objects.filter(owner=owner, other=other).exists()


def blocked_among(owner: int, others: Collection[int]) -> frozenset[int]:
    """Return the accounts of ``others`` that ``owner`` has blocked. Only ``owner`` may know it."""
    return frozenset(Block.objects.filter(owner=owner, other__in=others).values_list("other", flat=True))


def has_muted(owner: int, other: int) -> bool:
    """Return True if ``owner`` has muted ``other``. Only ``owner`` may know it."""
    return Mute.objects.filter(owner=owner, other=other).exists()


def follows(owner: int, other: int) -> bool:
    """Return True if ``owner`` follows ``other``. Only ``owner`` may know it."""
    return Follow.objects.filter(owner=owner, other=other).exists()


def followed_by(owner: int) -> QuerySet[Follow]:
    """Return the rows of the accounts that this account follows."""
    return Follow.objects.filter(owner=owner)


def hidden_authors(reader: int) -> frozenset[int]:
    """Return the accounts that this account has blocked or muted."""
    blocked = Block.objects.filter(owner=reader).values_list("other", flat=True)
    return frozenset(blocked.union(Mute.objects.filter(owner=reader).values_list("other", flat=True)))


def readers_hiding(author: int, readers: Iterable[int]) -> frozenset[int]:
    """Return the accounts of ``readers`` that have blocked or muted ``author``."""
    among = Q(other=author, owner__in=tuple(readers))
    blocks = Block.objects.filter(among).values_list("owner", flat=True)
    return frozenset(blocks.union(Mute.objects.filter(among).values_list("owner", flat=True)))


def lift_suspensions(now: datetime) -> int:
    """Reactivate the accounts whose suspension is over. Return their number."""
    return Account.objects.filter(is_active=False, suspended_until__lte=now).update(
        is_active=True, suspended_until=None
    )


def block(owner: Account, other: Account, now: datetime) -> Block:
    """Block ``other`` for ``owner``, and stop following them. Repeating it has no effect. Raises TooManyPeople."""
    blocked = _add(Block.objects.all(), owner, other, now)
    Follow.objects.filter(owner=owner, other=other).delete()
    return blocked


def mute(owner: Account, other: Account, now: datetime) -> Mute:
    """Mute ``other`` for ``owner``. Repeating it has no effect. Raises TooManyPeople."""
    return _add(Mute.objects.all(), owner, other, now)


def follow(owner: Account, other: Account, now: datetime) -> Follow:
    """Let ``owner`` follow ``other``. Repeating it has no effect. Raises TooManyPeople."""
    return _add(Follow.objects.all(), owner, other, now)


def _add(rows: QuerySet[_Kept], owner: Account, other: Account, now: datetime) -> _Kept:
    with transaction.atomic():
        Account.objects.select_for_update(no_key=True).only("pk").get(pk=owner.pk)
        own_rows = rows.filter(owner=owner)
        if (row := own_rows.filter(other=other).first()) is not None:
            return row
        if own_rows.count() >= MOST:
            raise TooManyPeople
        return rows.create(owner=owner, other=other, since=now)

"""Rate limits: a number of requests in a burst, and the same number again in each window of time.

All processes use the same row, so they share the limit. A request takes one statement on an unlogged table, which never
waits for a disk. After a crash all limits start afresh.

``config/server/rate_limits.py`` counts every request before its view runs: for the account, together for all its
tokens, apps and sessions, or without an account for the address (IPv6: its /64) and the network around it. Requests of
an app are counted for its grant too. docs/limits.md lists all limits.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection

# A row that was not used for this time is a full allowance, just like no row.
KEPT: Final = timedelta(hours=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
# The window of all limits on requests.
MINUTE: Final = timedelta(minutes=1)

# Takes units from a limit. Returns no row for a key without enough units. A key cannot owe more than a window: if it
# seems to, its row was written by a clock that has been set back.
_TAKE: Final = """
    INSERT INTO accounts_allowance AS mine (key, full_at) VALUES (%(key)s, %(now)s + %(each)s)
    ON CONFLICT (key) DO UPDATE
    SET full_at = excluded.full_at
        + CASE WHEN mine.full_at BETWEEN %(now)s AND %(full)s THEN mine.full_at - %(now)s ELSE interval '0' END
    WHERE mine.full_at + (excluded.full_at - %(now)s) <= %(full)s OR mine.full_at > %(full)s
    RETURNING full_at
"""
# The prefix of the key of an account's limit; the account's primary key follows.
OF_ACCOUNT: Final = "account:"
_GIVE_BACK: Final = "UPDATE accounts_allowance SET full_at = full_at - %s WHERE key = %s"
_FORGET: Final = """
    DELETE FROM accounts_allowance
    WHERE key IN (SELECT key FROM accounts_allowance WHERE full_at < %s FOR UPDATE SKIP LOCKED)
"""


@dataclass(frozen=True)
class Policy:
    """A limit of ``quota`` requests in each ``window``. ``name`` is its name in the header RateLimit-Policy."""

    name: str
    quota: int
    window: timedelta

    @property
    def header(self) -> str:
        """Return the value of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers)."""
        return f'"{self.name}";q={self.quota};w={int(self.window.total_seconds())}'


@dataclass(frozen=True)
class Balance:
    """The state of a limit after a request."""

    policy: Policy
    granted: bool
    left: int
    # The number of seconds until the limit is full again.
    full_in: int
    # The number of seconds to wait before the next request, or 0.
    wait: int

    @property
    def header(self) -> str:
        """Return the value of the header RateLimit."""
        return f'"{self.policy.name}";r={self.left};t={self.full_in}'


def account_policy() -> Policy:
    """Return the limit of an account, which all its tokens, apps and sessions share."""
    return Policy("account", settings.REQUESTS_PER_ACCOUNT, MINUTE)


# The number of times that an account may export its data.
EXPORTS: Final = Policy("exports", 10, HOUR)
WEBHOOK_TESTS: Final = Policy("webhook-tests", 60, HOUR)
# The number of messages that an account may send to test its channels.
CHANNEL_TESTS: Final = Policy("channel-tests", 20, HOUR)


class RateLimitExceeded(Exception):
    """An account has reached a limit. It may repeat the action after ``wait`` seconds."""

    def __init__(self, policy: Policy, wait: int) -> None:
        super().__init__(policy, wait)
        self.policy, self.wait = policy, wait


def enforce(account: int, policy: Policy, now: datetime) -> None:
    """Count an action of an account (its primary key). Raises RateLimitExceeded if a limit is reached."""
    balance = take(f"{policy.name}:{account}", policy, now)
    if not balance.granted:
        raise RateLimitExceeded(policy, balance.wait)


def take(key: str, policy: Policy, now: datetime, amount: int = 1) -> Balance:
    """Count ``amount`` units for ``key``. If there are not enough, count nothing and grant nothing."""
    with connection.cursor() as cursor:
        # A request cannot take more than the whole limit.
        cost = min(policy.window * amount / policy.quota, policy.window)
        values: Any = {"key": key, "now": now, "each": cost, "full": now + policy.window}
        cursor.execute(_TAKE, values)
        row = cursor.fetchone()
        granted = row is not None
        if row is None:
            cursor.execute("SELECT full_at FROM accounts_allowance WHERE key = %s", [key])
            row = cursor.fetchone() or (now + policy.window,)
    return _balance(policy, row[0], now, granted=granted)


def take_each(draws: Sequence[tuple[str, Policy]], now: datetime) -> Balance:
    """Count one request on each limit in turn until one is exhausted. Return the scarcest.

    Narrower limits come first, so a request that they refuse is not counted on wider ones.
    """
    balances = []
    for key, policy in draws:
        balances.append(take(key, policy, now))
        if not balances[-1].granted:
            return balances[-1]
    return min(balances, key=lambda balance: balance.left)


def give_back(draws: Iterable[tuple[str, Policy]]) -> None:
    """Take back one unit from each limit."""
    with connection.cursor() as cursor:
        for key, policy in draws:
            cost = policy.window / policy.quota
            cursor.execute(_GIVE_BACK, [cost, key])  # type: ignore[list-item]  # psycopg takes a timedelta


def _balance(policy: Policy, full_at: datetime, now: datetime, *, granted: bool = True) -> Balance:
    """Return the remaining units of a limit that is full again at this time."""
    cost, owed = policy.window / policy.quota, max(full_at - now, timedelta(0))
    left = max(math.floor((policy.window - owed) / cost), 0)
    wait = 0 if granted else max(math.ceil((owed + cost - policy.window).total_seconds()), 1)
    return Balance(policy, granted, left, math.ceil(owed.total_seconds()), wait)


def delete_idle(now: datetime) -> int:
    """Delete the rows that have been full for long. Return their number."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [now - KEPT])
        return int(cursor.rowcount)

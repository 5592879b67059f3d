"""How much somebody may ask of the server: so many requests at once, and as many again in each window of time.

Every process draws on the same row, so that the limit is one limit however many processes there are. It is one
statement on an unlogged table: nothing waits for a disk, and a crash gives everybody a full allowance.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection

KEPT: Final = timedelta(hours=1)
"""After so long untouched a row is a full allowance, as if there were none."""

_TAKE: Final = """
    INSERT INTO accounts_allowance AS mine (key, full_at) VALUES (%(key)s, %(now)s + %(each)s)
    ON CONFLICT (key) DO UPDATE
    SET full_at = %(each)s + CASE WHEN mine.full_at BETWEEN %(now)s AND %(full)s THEN mine.full_at ELSE %(now)s END
    WHERE mine.full_at + %(each)s <= %(full)s OR mine.full_at > %(full)s
    RETURNING full_at
"""
"""Nobody can owe more than a window: who seems to was counted by a clock that has been set back since."""


@dataclass(frozen=True)
class Policy:
    """``quota`` requests in each ``window``, as RateLimit-Policy tells it under this ``name``."""

    name: str
    quota: int
    window: timedelta

    @property
    def header(self) -> str:
        """What RateLimit-Policy says (draft-ietf-httpapi-ratelimit-headers)."""
        return f'"{self.name}";q={self.quota};w={int(self.window.total_seconds())}'


@dataclass(frozen=True)
class Balance:
    """What is left after a request."""

    policy: Policy
    granted: bool
    left: int
    full_in: int
    """In how many seconds all of it is there again."""
    wait: int
    """How many seconds to wait for the next request; 0 where there is something left."""

    @property
    def header(self) -> str:
        """What RateLimit says."""
        return f'"{self.policy.name}";r={self.left};t={self.full_in}'


def take(key: str, policy: Policy, now: datetime) -> Balance:
    """Count one request of whoever ``key`` names, unless nothing is left: then it is not granted, and costs nothing."""
    each = policy.window / policy.quota
    named = {"key": key, "now": now, "each": each, "full": now + policy.window}
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, named)
        row = cursor.fetchone()
        granted = row is not None
        if row is None:
            cursor.execute("SELECT full_at FROM accounts_allowance WHERE key = %s", [key])
            row = cursor.fetchone() or (now + policy.window,)
    owed = max(row[0] - now, timedelta(0))
    left = max(math.floor((policy.window - owed) / each), 0)
    wait = 0 if granted else max(math.ceil((owed + each - policy.window).total_seconds()), 1)
    return Balance(policy, granted, left, math.ceil(owed.total_seconds()), wait)


def forget(now: datetime) -> int:
    """Delete the rows of those who have asked for nothing for long; how many."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_allowance WHERE full_at < %s", [now - KEPT])
        return int(cursor.rowcount)

"""Followers: accounts that get events about another account's object while a page of theirs shows it.

The caller must check that the account may know the topic, both for following and for each event.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from config.database.rows import find
from notifications.endpoints import StreamFollower

KEPT: Final = timedelta(minutes=10)
"""The time for which an account follows after its page was rendered. An open page is rendered more often."""
_RENEWED: Final = KEPT / 2
"""A page that is rendered this much later renews it."""
MOST: Final = 100
"""The most followers of one topic, and topics of one account: each costs a row when something happens."""

_FOLLOW: Final = """
    INSERT INTO notifications_streamfollower AS follower (account_id, topic, until)
    SELECT %(account)s, %(topic)s, %(until)s
    WHERE (
        SELECT count(*) FROM notifications_streamfollower WHERE topic = %(topic)s AND account_id <> %(account)s
    ) < %(most)s AND (
        SELECT count(*) FROM notifications_streamfollower WHERE account_id = %(account)s AND topic <> %(topic)s
    ) < %(most)s
    ON CONFLICT (topic, account_id) DO UPDATE SET until = EXCLUDED.until
    RETURNING 1
"""


def follow(account: int, topic: UUID, now: datetime) -> bool:
    """Let an account hear of a topic for a while; False where too many follow it already."""
    known = StreamFollower.objects.filter(account=account, topic=topic, until__gt=now + _RENEWED)
    if known.exists():
        return True
    values = {"account": account, "topic": topic, "until": now + KEPT, "most": MOST}
    return any(find(_FOLLOW, values))


def forget(now: datetime) -> None:
    """Delete the followers whose time is over."""
    StreamFollower.objects.filter(until__lt=now).delete()

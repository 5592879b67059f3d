"""Followers: accounts that get events about an object of others while their page shows it.

The caller must check that the account may know the topic, both for following and for each event.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from config.core.database.rows import find
from notifications.endpoints import StreamFollower

KEPT: Final = timedelta(minutes=10)
"""How long an account follows after its page was rendered. An open page is rendered more often."""
_RENEWED: Final = KEPT / 2
"""The age from which rendering the page again extends the time."""
MOST: Final = 100
"""The most followers of one topic, and topics of one account. Each costs a row for each event."""

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
    """Subscribe an account to a topic for a while. Return False if there are too many subscriptions."""
    followers = StreamFollower.objects.filter(account=account, topic=topic, until__gt=now + _RENEWED)
    if followers.exists():
        return True
    values = {"account": account, "topic": topic, "until": now + KEPT, "most": MOST}
    return any(find(_FOLLOW, values))


def forget(now: datetime) -> None:
    """Delete expired followers."""
    StreamFollower.objects.filter(until__lt=now).delete()

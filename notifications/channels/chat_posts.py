"""Posting to chats in parallel, and repeated attempts. Channels of games and posts about tournaments use it."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from notifications.channels.base import GONE, REFUSED
from notifications.outgoing.http_client import Answer, Outcome, OutgoingRequest, post_all

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=2)
"""How long a row belongs to the worker that posts it. Posting never takes that long."""
TRIES: Final = 8
"""The number of failures in a row after which a message is given up."""
BACK_OFF: Final = timedelta(minutes=1)
"""The pause after the first failure. Each further failure doubles it."""


def post_each(requests: Sequence[OutgoingRequest | None]) -> list[Outcome | None]:
    """Post requests in parallel. Return the result of each, or None if there was nothing to post."""
    outcomes = post_all([[request] if request else [] for request in requests])
    return [row[0] if row else None for row in outcomes]


def next_attempt(name: str, tries: int, outcome: Outcome, now: datetime) -> datetime | None:
    """Return the time of the next attempt after this number of failures, or None to give up.

    The failure is logged with ``name``, which must not contain the text of the message.
    """
    status = outcome.status if isinstance(outcome, Answer) else None
    is_over = tries >= TRIES or status in (*GONE, *REFUSED)
    level, result = (logging.ERROR, "given up") if is_over else (logging.WARNING, "tried again later")
    logger.log(level, "%s, try %d, %s: %s", name, tries, result, status or outcome)
    return None if is_over else now + BACK_OFF * 2 ** (tries - 1)

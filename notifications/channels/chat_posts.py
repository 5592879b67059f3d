"""Posting to chats side by side, and trying again: shared by channels of games and posts about tournaments."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from notifications.channels.base import GONE, REFUSED
from notifications.outgoing.http_client import Answer, Outcome, OutgoingRequest, post_all

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=2)
"""For how long whoever posts has a row alone; longer than posting can take."""
TRIES: Final = 8
"""The number of failures in a row after which nothing is tried again."""
BACK_OFF: Final = timedelta(minutes=1)
"""The pause after the first failure; each further one doubles it."""


def post_each(requests: Sequence[OutgoingRequest | None]) -> list[Outcome | None]:
    """Post side by side; return what came of each, None where there was nothing to post."""
    outcomes = post_all([[request] if request else [] for request in requests])
    return [row[0] if row else None for row in outcomes]


def next_attempt(what: str, tries: int, outcome: Outcome, now: datetime) -> datetime | None:
    """Return when to try again after so many failures, the last with this outcome; None where it is given up.

    It is logged, so ``what`` names what was posted and holds nothing of what it says.
    """
    status = outcome.status if isinstance(outcome, Answer) else None
    is_over = tries >= TRIES or status in (*GONE, *REFUSED)
    level, came = (logging.ERROR, "given up") if is_over else (logging.WARNING, "tried again later")
    logger.log(level, "%s, try %d, %s: %s", what, tries, came, status or outcome)
    return None if is_over else now + BACK_OFF * 2 ** (tries - 1)

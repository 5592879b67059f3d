"""Due work that is done in parts, each with the time at which it begins."""

from collections.abc import Callable
from datetime import datetime

from config.database import database_clock


def do_due(*kinds: Callable[[datetime], int]) -> None:
    """Do a part of each kind of work in turn until nothing of any is due.

    Each kind does some of what is due at the time that it is given, and returns how much that was. A part may wait
    long for others, so the next one reads the clock again: a lease counted from an earlier time might be over already.
    """
    while sum(work(database_clock.now()) for work in kinds):
        pass

"""Letters that were given up after many tries: looked at, tried again and acknowledged by the operator."""

from datetime import datetime

from django.db.models import QuerySet

from notifications import tasks
from notifications.models import Letter, State


def given_up() -> QuerySet[Letter]:
    """The letters that were given up, and that nobody has acknowledged."""
    return Letter.objects.filter(state=State.FAILED, acknowledged_at=None)


def try_again(letters: QuerySet[Letter], now: datetime) -> int:
    """Have those of these letters that were given up go out after all; gives how many.

    One that asks something is written anew, and dropped if its question is closed by now.
    """
    failed = letters.filter(state=State.FAILED)
    afresh = {"attempts": 0, "next_attempt_at": now, "acknowledged_at": None}
    unwritten = failed.exclude(question="", notice__isnull=False).update(
        state=State.ORDERED, notice=None, told=None, held=False, **afresh
    )
    written = failed.update(state=State.READY, **afresh)
    tasks.ring()
    return unwritten + written


def acknowledge(letters: QuerySet[Letter], now: datetime) -> int:
    """Note that the operator knows that these letters were given up; gives of how many they had not known."""
    return letters.filter(state=State.FAILED, acknowledged_at=None).update(acknowledged_at=now)

"""The post's bells. The work and its truth are in the database."""

from typing import Final

from celery import shared_task

from games.play import invitations
from games.post import road
from notifications import database_clock, inbound, set_aside
from notifications.turns import FewAtATime

_READING: Final = FewAtATime(lambda: road.read_due(database_clock.now()))


@shared_task(ignore_result=True)
def read_mail() -> None:
    """Read the mail that came in. Rung after each commit that stored one, and every few seconds."""
    _READING()


@shared_task(ignore_result=True)
def forget_mail() -> None:
    """Delete mail that was read, and notes of what was set aside and settled, long ago. Rung every hour."""
    inbound.forget(database_clock.now())
    set_aside.forget(database_clock.now())


@shared_task(ignore_result=True)
def forget_addresses() -> None:
    """Forget to whom invitations went that nobody answers any more. Rung every hour."""
    invitations.forget(database_clock.now())

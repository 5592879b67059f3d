"""Bells: each says to which function, and brings the time. The work and its truth are in the database."""

import logging
from typing import Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from accounts import people
from games.bells import ring
from games.play import announce, clock, delegates, house, ratings, resolve
from games.play.leaps import Watch
from notifications import deliver, dispatch, inbound, signalling
from notifications.failures import describe
from notifications.turns import FewAtATime
from notifications.webhooks import posting

logger = logging.getLogger(__name__)

WATCH: Final = Watch()
"""This process's own."""
PATIENCE: Final = 5.0
"""Seconds after which a bell that nobody has heard is not heard any more: the next tick rings it again."""
_JUDGING: Final = FewAtATime(lambda: resolve.resolve_waiting(timezone.now()))
_WRITING: Final = FewAtATime(lambda: announce.write_due(timezone.now()))


@shared_task(ignore_result=True)
def resolve_moves() -> None:
    """Judge the moves that wait. Rung after each commit that stored one."""
    _JUDGING()


@shared_task(ignore_result=True)
def play_house(game: str) -> None:
    """Play for the house players of a game. Rung after each commit that asked one."""
    house.called(UUID(game), timezone.now())


@shared_task(ignore_result=True, name="games.tasks.house")
def sweep_house() -> None:
    """Play for house players whose bell was lost. Rung every few seconds."""
    house.sweep(timezone.now())


@shared_task(ignore_result=True)
def sweep() -> None:
    """Do what is due. Rung every few seconds."""
    now = timezone.now()
    clock.sweep(now, WATCH.leap(now))


@shared_task(ignore_result=True)
def heartbeat() -> None:
    """Say that the clock is alive. Rung every half minute."""
    now = timezone.now()
    clock.beat(now, WATCH.leap(now))


@shared_task(ignore_result=True)
def write_letters() -> None:
    """Write the letters that were ordered. Rung after each commit that ordered one, and every few seconds."""
    _WRITING()


@shared_task(ignore_result=True)
def lift_suspensions() -> None:
    """Open accounts again whose suspension is over. Rung every hour."""
    people.lift_suspensions(timezone.now())


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Delete idempotency keys that need not be kept any longer. Rung every hour."""
    clock.forget_keys(timezone.now())


@shared_task(ignore_result=True)
def count_games() -> None:
    """Count the games that are over into the record of play. Rung every few seconds."""
    ratings.count_all(timezone.now())


@shared_task(ignore_result=True)
def end_delegations() -> None:
    """End what somebody answers for another where its time is over. Rung every few seconds."""
    delegates.sweep(timezone.now())


@shared_task(ignore_result=True)
def ring_for_others() -> None:
    """Ring for what may take its time, where any of it waits: mail that came in, and what goes out."""
    now = timezone.now()
    waiting = {
        "games.post.tasks.read_mail": inbound.is_any_unread,
        "notifications.tasks.deliver_letters": lambda: deliver.is_any_due(now),
        "notifications.tasks.dispatch_letters": lambda: dispatch.is_any_due(now),
        signalling.POSTING: lambda: posting.is_any_due(now),
    }
    for bell, is_any in waiting.items():
        if is_any():
            ring(bell, expires=PATIENCE)


_OF_TICK: Final = (sweep, sweep_house, write_letters, end_delegations, count_games, ring_for_others)


@shared_task(ignore_result=True)
def tick() -> None:
    """Do, one after another, what is done every few seconds: one bell costs less than six. None stops another."""
    for bell in _OF_TICK:
        try:
            bell()
        except Exception as error:
            logger.error("%s has failed: %s", bell.name, describe(error))

"""Bells: each says to which function, and brings the time. The work and its truth are in the database."""

import logging
from typing import Final
from uuid import UUID

from celery import Task, shared_task

from accounts import people
from games.bells import ring
from games.play import announce, clock, delegates, house, ratings, resolve
from games.play.leaps import Watch
from notifications import database_clock, deliver, dispatch, inbound, outbox, signalling
from notifications.failures import describe
from notifications.lookout import Lookout
from notifications.turns import FewAtATime
from notifications.webhooks import posting

logger = logging.getLogger(__name__)

WATCH: Final = Watch()
"""This process's own."""
PATIENCE: Final = 5.0
"""Seconds after which a bell that nobody has heard is not heard any more: the next tick rings it again."""
_JUDGING: Final = FewAtATime(lambda: resolve.resolve_waiting(database_clock.now()))
_WRITING: Final = FewAtATime(lambda: announce.write_due(database_clock.now()))


@shared_task(ignore_result=True)
def resolve_moves() -> None:
    """Judge the moves that wait. Rung after each commit that stored one."""
    _JUDGING()


@shared_task(ignore_result=True)
def play_house(game: str) -> None:
    """Play for the house players of a game. Rung after each commit that asked one."""
    house.called(UUID(game), database_clock.now())


@shared_task(ignore_result=True, name="games.tasks.house")
def sweep_house() -> None:
    """Play for house players whose bell was lost. Rung every few seconds."""
    house.sweep(database_clock.now())


@shared_task(ignore_result=True)
def sweep() -> None:
    """Do what is due. Rung every few seconds."""
    now = database_clock.now()
    clock.sweep(now, WATCH.leap(now))


@shared_task(ignore_result=True)
def heartbeat() -> None:
    """Say that the clock is alive. Rung every half minute."""
    now = database_clock.now()
    clock.beat(now, WATCH.leap(now))


@shared_task(ignore_result=True)
def write_letters() -> None:
    """Write the letters that were ordered. Rung after each commit that ordered one, and every few seconds."""
    _WRITING()


@shared_task(ignore_result=True)
def lift_suspensions() -> None:
    """Open accounts again whose suspension is over. Rung every hour."""
    people.lift_suspensions(database_clock.now())


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Delete idempotency keys that need not be kept any longer. Rung every hour."""
    clock.forget_keys(database_clock.now())


@shared_task(ignore_result=True)
def forget_rejected_moves() -> None:
    """Delete rejected moves beyond those that are kept of each seat. Rung every hour."""
    clock.forget_rejected_moves()


@shared_task(ignore_result=True)
def count_games() -> None:
    """Count the games that are over into the record of play. Rung every few seconds."""
    ratings.count_all(database_clock.now())


@shared_task(ignore_result=True)
def end_delegations() -> None:
    """End what somebody answers for another where its time is over. Rung every few seconds."""
    delegates.sweep(database_clock.now())


_OF_TICK: Final = {
    sweep: clock.waiting,
    sweep_house: house.waiting,
    write_letters: outbox.unwritten,
    end_delegations: delegates.waiting,
    count_games: ratings.waiting,
}
"""What a tick does itself, in this order, and what waits for that."""
_FOR_OTHERS: Final = {
    "games.post.tasks.read_mail": inbound.waiting,
    "notifications.tasks.deliver_letters": deliver.waiting,
    "notifications.tasks.dispatch_letters": dispatch.waiting,
    signalling.POSTING: posting.waiting,
}
"""For what it rings, as that may take its time: mail that came in, and what goes out."""
_HEART: Final = "heart"
_LOOKOUT: Final = Lookout(
    {_HEART: clock.beating, **{bell.name: waiting for bell, waiting in _OF_TICK.items()}, **_FOR_OTHERS}
)


@shared_task(ignore_result=True)
def tick() -> None:
    """Do, one after another, what waits of all that is done every few seconds. Nothing that fails stops another."""
    now = database_clock.now()
    found = _LOOKOUT(now)
    if _HEART not in found or WATCH.leap(now):
        found.add(sweep.name)
    for bell in _OF_TICK:
        if bell.name in found:
            _try(bell)
    for name in _FOR_OTHERS:
        if name in found:
            ring(name, expires=PATIENCE)


def _try(bell: Task) -> None:
    try:
        bell()
    except Exception as error:
        logger.error("%s has failed: %s", bell.name, describe(error))

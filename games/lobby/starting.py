"""From the last seat to the deal: players reveal the seeds they committed to, and a public beacon is waited for.

The order matters. Seeds are revealed first, and only then is the beacon's round fixed, as the first that is published
afterwards. So whoever holds back a seed does so before they can know what it would change.
"""

import uuid
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import Account
from games.announcements import starting_emails
from games.engine import Phrase, beacon, chain, gettext_noop
from games.event_log.table_events import (
    BeaconAwaited,
    BeaconPublished,
    GameCancelled,
    SeedRevealed,
    SeedsAwaited,
)
from games.lobby.beacon_client import beacon_key, fetch_signature
from games.lobby.new_game import check_seed, check_seed_commitment
from games.lobby.seating import bot_names, deal, held_game, seat_bot, seat_of_player
from games.models import Game
from games.play import plans
from games.play.each_game import BATCH, each_game, playable
from games.play.locked_game import SERVER, LockedGame, lock_game
from games.refusals import Refusal

PATIENCE: Final = timedelta(days=1)
"""For so long seeds are waited for, and then the beacon."""
RETRY: Final = timedelta(seconds=30)
"""The time after which a beacon that did not answer is asked again."""
ON_ITS_WAY: Final = timedelta(seconds=1)
"""The time after a round's publication at which it is asked for."""


def start_if_full(locked: LockedGame) -> None:
    """Close a table at which every seat is taken."""
    if len(locked.seats) + locked.game.bot_count == locked.game.seat_count:
        close_table(locked)


def close_table(locked: LockedGame) -> None:
    """Seat the bots; nobody joins any more."""
    names = bot_names(locked.names().values(), locked.game.bot_count)
    for name, bot in zip(names, locked.game.bots, strict=True):
        seat_bot(locked, name, bot, SERVER)
    deal_protected(locked)


def deal_protected(locked: LockedGame) -> None:
    """Deal to those who sit here, or wait first for what the deal is protected by."""
    if any(seat.seed_commitment for seat in locked.seats.values()):
        _wait(locked, locked.now + PATIENCE)
        locked.tell(SeedsAwaited(until=locked.now + PATIENCE))
        starting_emails.reveal(locked.game, locked.seats.values(), locked.position.version, locked.now)
    else:
        _await_beacon(locked)


def reveal_seed(
    game: uuid.UUID, account: Account, seed: str, via: str, now: datetime, next_commitment: str = ""
) -> Game:
    """Reveal the seed that this player committed to when they joined; the same seed once more changes nothing.

    With ``next_commitment`` they commit to their seed of a rematch, as nobody joins that one.

    Refusal ``malformed``: it is not that seed; ``conflict``: there is none to reveal, or it is not the time.
    """
    check_seed(seed)
    check_seed_commitment(next_commitment, "next_seed_commitment")
    with held_game(game, now) as locked:
        seat = seat_of_player(locked, account)
        seat_row = locked.seats[seat]
        if not seat_row.seed_commitment:
            raise Refusal("conflict", Phrase(gettext_noop("You have not committed to a seed in this game.")))
        if chain.seed_commitment(seed) != seat_row.seed_commitment:
            sentence = gettext_noop("This is not the seed that you committed to when you joined.")
            raise Refusal("malformed", Phrase(sentence), "seed")
        if seat_row.seed == seed:
            return locked.game
        if locked.game.state != Game.State.STARTING or locked.game.beacon_round is not None:
            raise Refusal("conflict", Phrase(gettext_noop("This game does not wait for seeds.")))
        seat_row.seed, seat_row.next_seed_commitment = seed, next_commitment
        seat_row.save(update_fields=["seed", "next_seed_commitment"])
        locked.tell(SeedRevealed(seat=seat, seed=seed), via, seat)
        if not _unrevealed(locked):
            _await_beacon(locked)
    return locked.game


def waiting(now: datetime) -> Iterable[QuerySet[Game]]:
    """The games that may go on."""
    return [_due(now)]


def sweep(now: datetime) -> None:
    """Go on with the games whose seeds are late, or whose round is published."""

    def find(passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
        return list(_due(now).exclude(pk__in=passed).values_list("pk", flat=True)[:BATCH])

    each_game(find, lambda game: _go_on(game, now))


def _due(now: datetime) -> QuerySet[Game]:
    starting = Game.objects.filter(playable(""), state=Game.State.STARTING, start_check_at__lte=now)
    return starting.order_by("start_check_at", "id")


def _go_on(game: uuid.UUID, now: datetime) -> bool:
    """False where somebody else holds the game."""
    round = Game.objects.values_list("beacon_round", flat=True).get(pk=game)
    signature = None if round is None else fetch_signature(round)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None:
            return False
        if locked.game.state != Game.State.STARTING or locked.game.beacon_round != round:
            return True
        if round is None:
            _go_on_without_seeds(locked)
        elif signature is not None:
            locked.tell(BeaconPublished(round=round, signature=signature))
            _begin(locked)
        elif _is_late(locked):
            _go_on_unprotected(locked)
        else:
            # no event tells of it, so the row is not stored with a log
            Game.objects.filter(pk=game).update(start_check_at=now + RETRY)
    return True


def _is_late(locked: LockedGame) -> bool:
    assert locked.game.beacon_round is not None
    return locked.now >= published_at(locked.game.beacon_round) + PATIENCE


def _go_on_without_seeds(locked: LockedGame) -> None:
    """The time to reveal is over: as the host chose."""
    if locked.game.terms.unprotected == "cancel":
        _cancel(locked)
    else:
        _await_beacon(locked)


def _go_on_unprotected(locked: LockedGame) -> None:
    """No source had the round: as the host chose."""
    locked.game.beacon_round = None
    if locked.game.terms.unprotected == "cancel":
        _cancel(locked)
    else:
        _begin(locked)


def published_at(round: int) -> datetime:
    """The time at which a round of the beacon is published."""
    return datetime.fromtimestamp(beacon.published_at(round), UTC)


def _await_beacon(locked: LockedGame) -> None:
    """Fix the round, or deal at once: without a beacon, and where one person plays with bots only."""
    people = [seat for seat in locked.seats.values() if seat.account_id]
    if not settings.BEACON_URL or len(people) < 2:
        _begin(locked)
        return
    round = beacon.round_after(locked.now.timestamp())
    locked.game.beacon_round = round
    _wait(locked, published_at(round) + ON_ITS_WAY)
    locked.tell(BeaconAwaited(round=round, key=beacon_key()))


def _wait(locked: LockedGame, until: datetime) -> None:
    locked.game.state = Game.State.STARTING
    locked.game.start_check_at = until


def _unrevealed(locked: LockedGame) -> bool:
    return any(seat.account_id and seat.seed_commitment and not seat.seed for seat in locked.seats.values())


def _begin(locked: LockedGame) -> None:
    locked.game.start_check_at = None
    deal(locked)
    plans.give_usual(locked, locked.seats)


def _cancel(locked: LockedGame) -> None:
    locked.game.state = Game.State.CANCELLED
    locked.game.start_check_at = None
    locked.game.ended_at = locked.now
    locked.tell(GameCancelled())
    starting_emails.cancelled(locked.game, locked.seats.values(), locked.position.version, locked.now)

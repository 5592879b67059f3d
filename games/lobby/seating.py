"""Seats of a game before its start, the names of bots, and the deal."""

import hashlib
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from accounts import email_addresses
from accounts.models import Account
from games.engine import Phrase, RuleViolation, SeatNumber, gettext_noop
from games.engine.reading import fold
from games.event_log.table_events import Joined, Started
from games.models import Bot, Game, Seat, new_seed, player_id
from games.play.locked_game import LockedGame, lock_game
from games.refusals import Refusal, not_found

BOT_NAMES: Final = (
    "Jazari",
    "Heron",
    "Ktesibios",
    "Vaucanson",
    "Maillardet",
    "Kempelen",
    "Pygmalion",
    "Talos",
    "Galatea",
    "Olimpia",
    "Coppelia",
    "Tik-Tok",
)
"""The names of bots: makers of automata, and automata."""


@dataclass(frozen=True)
class Seeding:
    """A player's own part of the game's seed."""

    seed: str = ""
    """In hexadecimal. If it is blank, the server creates one, unless there is a commitment."""
    commitment: str = ""
    """The digest of a seed that they reveal once all seats are taken."""


NOT_SEEDED: Final = Seeding()


def seeding_of(words: str) -> Seeding:
    """Return the seed from lucky words. Their digest is mixed in, but does not protect the deal."""
    return Seeding(seed=hashlib.sha256(words.encode()).hexdigest()) if words else NOT_SEEDED


@contextmanager
def held_game(game: uuid.UUID, now: datetime) -> Iterator[LockedGame]:
    with lock_game(game, now) as locked:
        if locked is None:
            raise not_found()
        yield locked


def check_open(locked: LockedGame) -> None:
    if locked.game.state != Game.State.OPEN:
        raise Refusal("conflict", Phrase(gettext_noop("This game is no longer open.")))


def take_seat(locked: LockedGame, account: Account, via: str, seeding: Seeding = NOT_SEEDED) -> None:
    """Put a person on the next seat."""
    seat = SeatNumber(len(locked.seats) + 1)
    committed = seeding.commitment
    seed = "" if committed else seeding.seed or new_seed().hex()
    seat_row = Seat(game=locked.game, number=seat, account=account, seed=seed, seed_commitment=committed)
    seat_row.save(force_insert=True)
    locked.seats[seat] = seat_row
    player = player_id(locked.game.pk, account.pk)
    locked.add_table_event(Joined(seat=seat, seed=seed, seed_commitment=committed, player=player), via, seat)


def seat_bot(locked: LockedGame, name: str, bot: Bot, via: str) -> None:
    """Put a bot of this name on the next seat."""
    seat = SeatNumber(len(locked.seats) + 1)
    seat_row = Seat(game=locked.game, number=seat, bot=True, name=name, level=bot.level, style=bot.style)
    seat_row.save(force_insert=True)
    locked.seats[seat] = seat_row
    locked.add_table_event(Joined(seat=seat, bot=True, level=bot.level, style=bot.style), via, seat)


def deal(locked: LockedGame) -> None:
    """Start a game with the players on its seats."""
    game = locked.game
    game.seat_count = len(locked.seats)
    people = [seat.account_id for seat in locked.seats.values() if seat.account_id]
    game.has_guests = len(people) > 1 and Account.objects.filter(pk__in=people, is_guest=True).exists()
    game.guest_token = ""
    game.state = Game.State.RUNNING
    game.started_at = locked.now
    locked.add_table_event(Started(seat_count=game.seat_count))
    chance = locked.chance()
    try:
        options = msgspec.convert(game.options, locked.rules.option_type)
        events = locked.rules.setup(options, game.seat_count, chance)
    except RuleViolation as violation:
        raise Refusal("conflict", violation.phrase) from violation
    locked.apply_events(events, chance)


def bot_names(used: Iterable[str], count: int) -> list[str]:
    """Return ``count`` names for bots, none of them similar to the names in ``used``."""
    folded = {fold(name) for name in used}
    return [name for name in BOT_NAMES if fold(name) not in folded][:count]


def check_address(account: Account) -> None:
    """Refuse a game with other people to a guest, and to an account without a confirmed address.

    The address of an account that the operator created counts as confirmed. Raises Refusal(forbidden).
    """
    if account.is_guest:
        sentence = gettext_noop("Make an account first, with your email address: games with other people are rated.")
        raise Refusal("forbidden", Phrase(sentence))
    if not email_addresses.confirmed_addresses(account):
        sentence = gettext_noop(
            "Confirm your email address first: games with other people are rated. Log out and log in again, and we "
            "send you a code."
        )
        raise Refusal("forbidden", Phrase(sentence))

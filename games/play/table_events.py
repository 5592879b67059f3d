"""What happens at a table besides the game itself, and the fold of it.

Table events stand in the same log and the same numbering as the game's own. They hold seats, never names,
addresses or reasons, and everybody who may see the table may see them. Pure: no database, no clock.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from games.engine import Event, Phrase, Seat, SeatName, gettext_noop


class TableEvent(Event, frozen=True):
    """Something that the table folds and the game does not know of."""


class Opened(TableEvent, frozen=True, tag="table.opened"):
    """A table was opened; its host sits on seat 1. The commitment binds the server to the game's seed."""

    rules: str
    version: int
    seats: int
    house: int
    turn: int
    """The time for a turn, in seconds."""
    window: int
    """The time for any other answer, in seconds."""
    commitment: str


class Joined(TableEvent, frozen=True, tag="table.joined"):
    """A player took the next seat, and added a seed of their own to the game's chance."""

    seat: Seat
    house: bool = False
    seed: str = ""
    """In hexadecimal; blank for a house player."""


class Left(TableEvent, frozen=True, tag="table.left"):
    """A player left before the game began; those after them moved up one seat."""

    seat: Seat


class Started(TableEvent, frozen=True, tag="table.started"):
    """The game began with so many seats; the game's own set-up follows."""

    seats: int


class Abandoned(TableEvent, frozen=True, tag="table.abandoned"):
    """The table was given up before a game began."""


class DeadlinesMoved(TableEvent, frozen=True, tag="table.deadlines-moved"):
    """Every open deadline was moved back by so many seconds, for time that the server was down."""

    seconds: int


class GaveUp(TableEvent, frozen=True, tag="table.gave-up"):
    """A player resigned; what the rules make of it follows."""

    seat: Seat


class HandedOver(TableEvent, frozen=True, tag="table.handed-over"):
    """A house player has taken the seat of a player who left the server."""

    seat: Seat


class Ended(TableEvent, frozen=True, tag="table.ended"):
    """The game is over, and open to everyone who may see the table."""

    winners: tuple[Seat, ...]


AnyTableEvent = Opened | Joined | Left | Started | Abandoned | DeadlinesMoved | GaveUp | HandedOver | Ended

Phase = Literal["open", "running", "over", "abandoned"]


class Table(msgspec.Struct, frozen=True):
    """A table as its events leave it."""

    seats: int
    """How many may sit; from the start on, how many do."""
    house: int
    taken: int = 0
    """Seats 1 to this number are taken."""
    house_seats: tuple[Seat, ...] = ()
    seeds: tuple[str, ...] = ()
    """The players' own seeds in seat order, blank for house players."""
    phase: Phase = "open"
    given_up: tuple[Seat, ...] = ()
    given_back: int = 0
    """How many seconds deadlines were moved in all."""
    winners: tuple[Seat, ...] = ()


_BLANK: Final = Table(seats=0, house=0)


def fold(table: Table | None, event: Event) -> Table:
    """The table after ``event``. Total: what it does not know leaves the table as it was."""
    table = table or _BLANK
    change = msgspec.structs.replace
    match event:
        case Opened(seats=seats, house=house):
            return Table(seats=seats, house=house)
        case Joined(seat=seat, house=house, seed=seed):
            house_seats = (*table.house_seats, seat) if house else table.house_seats
            return change(table, taken=seat, house_seats=house_seats, seeds=(*table.seeds, seed))
        case Left(seat=seat):
            return change(table, taken=table.taken - 1, seeds=table.seeds[: seat - 1] + table.seeds[seat:])
        case Started(seats=seats):
            return change(table, seats=seats, phase="running")
        case Abandoned():
            return change(table, phase="abandoned")
        case DeadlinesMoved(seconds=seconds):
            return change(table, given_back=table.given_back + seconds)
        case GaveUp(seat=seat):
            return change(table, given_up=(*table.given_up, seat))
        case HandedOver(seat=seat):
            return change(table, house_seats=tuple(sorted((*table.house_seats, seat))))
        case Ended(winners=winners):
            return change(table, phase="over", winners=winners)
    return table


def players(seeds: Iterable[str]) -> tuple[bytes, ...]:
    """The seeds of the people among the players, as the game's chance takes them."""
    return tuple(bytes.fromhex(seed) for seed in seeds if seed)


def story(event: TableEvent) -> Phrase | None:
    """A table event as a sentence; None where the game's own events tell it."""
    match event:
        case Opened():
            return Phrase(gettext_noop("The table is open."))
        case Joined(seat=seat):
            return Phrase(gettext_noop("%(player)s sits down."), {"player": SeatName(seat)})
        case Left():
            return Phrase(gettext_noop("A player has left."))
        case Abandoned():
            return Phrase(gettext_noop("The table was given up."))
        case HandedOver(seat=seat):
            sentence = gettext_noop("A player has left the server; %(player)s, a house player, takes the seat.")
            return Phrase(sentence, {"player": SeatName(seat)})
        case DeadlinesMoved(seconds=seconds):
            sentence = gettext_noop("The server was down: every deadline is %(minutes)s minutes later.")
            return Phrase(sentence, {"minutes": seconds // 60})
    return None

"""Bluff counts: what a finished game says about who bluffed, and who doubted whom."""

import msgspec

from games.engine.types import SeatNumber


class Claims(msgspec.Struct, frozen=True):
    """The number of times that a player claimed one thing, and what was behind it."""

    seat: SeatNumber
    claim: str
    """What was claimed, in the words of the notation: a character."""
    denies: bool
    """True where the claim was *not* to have it."""
    made: int = 0
    lies: int = 0
    """How many of them were not true when they were made."""
    challenged: int = 0
    proved: int = 0
    """How many of those challenged were proved."""
    fallen: int = 0
    """How many of those challenged were not."""


class Challenges(msgspec.Struct, frozen=True):
    """The number of times that a player challenged, and who was right."""

    seat: SeatNumber
    made: int = 0
    right: int = 0
    """The claim was not proved."""
    wrong: int = 0
    """The claim was proved."""


class Statistics(msgspec.Struct, frozen=True):
    """The bluffs of a game. Only made of whole logs: nothing in it is for anybody before the end."""

    claims: tuple[Claims, ...] = ()
    """Ordered by seat and claim."""
    challenges: tuple[Challenges, ...] = ()
    """Ordered by seat; a challenge whose maker left before the proof is neither right nor wrong."""

"""The characters and how many of each are in the pack."""

from typing import Annotated, Final, NewType

from games.engine import code

Character = NewType(
    "Character",
    Annotated[str, code("Character", ("ambassador", "assassin", "captain", "contessa", "duke", "inquisitor"))],
)
"""A character card's name, as the notation writes it."""

DUKE: Final = Character("duke")
ASSASSIN: Final = Character("assassin")
CAPTAIN: Final = Character("captain")
AMBASSADOR: Final = Character("ambassador")
CONTESSA: Final = Character("contessa")
INQUISITOR: Final = Character("inquisitor")

CLASSIC: Final = (AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE)
"""The five characters of the classic game."""


def copies(seats: int) -> int:
    """Return how many cards of each character are in the pack: 3 up to 6 players, 4 up to 8, 5 up to 10."""
    return 3 if seats <= 6 else 4 if seats <= 8 else 5


def pack(characters: tuple[Character, ...], seats: int) -> tuple[Character, ...]:
    """Return all cards of the pack, in alphabetical order."""
    return tuple(sorted(characters * copies(seats)))

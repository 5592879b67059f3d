"""Sentences that a game says without knowing the reader's language or the players' names."""

import msgspec

from games.engine.types import SeatNumber


class Notation(msgspec.Struct, frozen=True, tag="notation"):
    """A piece of move notation inside a phrase; shown as it is, from left to right."""

    text: str


class SeatName(msgspec.Struct, frozen=True, tag="seat"):
    """The name of the player on a seat, inside a phrase."""

    seat: SeatNumber


class Phrase(msgspec.Struct, frozen=True, tag="phrase"):
    """A sentence to be translated: a gettext msgid with ``%(name)s`` places, and what stands in them.

    Whoever speaks the phrase translates ``text`` and each phrase among the values, puts names for
    seats, writes numbers in the reader's digits and joins a tuple as a list.
    """

    text: str
    values: "dict[str, Value]" = {}

    def __str__(self) -> str:
        """The phrase in English, with seats as numbers: for logs, golden games and errors in tests."""
        return self.text % {name: plain(value) for name, value in self.values.items()}


Value = int | str | Notation | SeatName | Phrase | tuple[Notation | Phrase | SeatName, ...]
"""What may stand in a phrase. A bare ``str`` is a msgid without values."""


def plain(value: Value) -> str:
    """One value of a phrase in English, seats as ``seat 2``."""
    match value:
        case SeatName(seat):
            return f"seat {seat}"
        case Notation(text):
            return text
        case tuple():
            return ", ".join(plain(item) for item in value)
        case _:
            return str(value)


def gettext_noop(text: str) -> str:
    """Mark a msgid for the message catalogues and give it back as it is."""
    return text

"""Sentences that a game says without knowing the reader's language or the players' names."""

from typing import NamedTuple

import msgspec

_Seat = int
"""A ``games.engine.types.SeatNumber``: this module imports nothing, so that the chain of imports stays short."""


class Notation(msgspec.Struct, frozen=True, tag="notation"):
    """A piece of move notation inside a phrase; shown as it is, from left to right."""

    text: str


class MoveText(Notation, frozen=True, tag="move-text"):
    """The canonical notation of a move or plan, or a word of it; shown with the words of the reader's language."""


class SeatName(msgspec.Struct, frozen=True, tag="seat"):
    """The name of the player on a seat, inside a phrase."""

    seat: _Seat


class Phrase(msgspec.Struct, frozen=True, tag="phrase", omit_defaults=True):
    """A sentence to be translated: a gettext msgid with ``%(name)s`` places, and what stands in them.

    Whoever speaks the phrase translates ``text`` and each phrase among the values, puts names for
    seats, writes numbers in the reader's digits and joins a tuple as a list.
    """

    text: str
    values: "dict[str, Value]" = {}
    ruling: str = ""
    """The ruling that a refusal follows from, such as ``C19``, or the section of the rules; blank elsewhere."""

    def __str__(self) -> str:
        """The phrase in English, with seats as numbers: for logs, golden games and errors in tests."""
        return self.text % {name: plain(value) for name, value in self.values.items()}


def as_written(move: str) -> Phrase:
    """The canonical notation of a move, as an item of a list."""
    return Phrase("%(move)s", {"move": MoveText(move)})


def because(ruling: str, sentence: str, **values: "Value") -> Phrase:
    """The reason of a refusal, with the ruling that it follows from."""
    return Phrase(sentence, values, ruling)


Value = int | str | Notation | MoveText | SeatName | Phrase | tuple[Notation | MoveText | Phrase | SeatName, ...]
"""The types that may be used as a phrase. A bare ``str`` is a msgid without values."""


class Told(NamedTuple):
    """Something that a player does, as three kinds of readers are told it: a msgid for each.

    ``%(player)s`` is who does it, ``%(target)s`` whom it is done to. In Persian, as in English, the verb depends on
    the reader, so each form is a sentence of its own.
    """

    others: str
    you: str
    """For the player who does it."""
    to_you: str = ""
    """For the player it is done to; the form for others where there is none."""

    def phrase(self, reader: _Seat | None, seat: _Seat, target: _Seat | None = None, **values: "Value") -> Phrase:
        """The sentence for whoever sits on the seat ``reader``; None for somebody who does not play."""
        values["player"] = SeatName(seat)
        if target:
            values["target"] = SeatName(target)
        if reader == seat:
            return Phrase(self.you, values)
        return Phrase(self.to_you if self.to_you and reader == target else self.others, values)


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

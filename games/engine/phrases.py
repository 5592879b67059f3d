"""Sentences that can be translated, and that contain seats instead of player names."""

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

_Seat = int
"""A ``games.engine.types.SeatNumber``. That module imports this one, so this one cannot import it."""


class Notation(msgspec.Struct, frozen=True, tag="notation"):
    """A piece of move notation inside a phrase. It is shown unchanged, from left to right."""

    text: str


class MoveText(Notation, frozen=True, tag="move-text"):
    """The canonical notation of a move or plan, or a word of it. It is shown in the reader's language."""


class SeatName(msgspec.Struct, frozen=True, tag="seat"):
    """The name of the player on a seat, inside a phrase."""

    seat: _Seat


class Phrase(msgspec.Struct, frozen=True, tag="phrase", omit_defaults=True):
    """A gettext msgid with ``%(name)s`` placeholders, and their values.

    To show a phrase, translate ``text`` and each phrase among the values, replace seats by player names, write numbers
    in the reader's digits and join a tuple as a list.
    """

    text: str
    values: "dict[str, Value]" = {}
    ruling: str = ""
    """The ruling behind a refusal, such as ``C19``, or the section of the rules. Blank for other phrases."""

    def __str__(self) -> str:
        """Return the phrase in English with seats as numbers, for logs, golden games and test failures."""
        return self.text % {name: plain(value) for name, value in self.values.items()}


def as_written(move: str) -> Phrase:
    """Return the canonical notation of a move as a phrase."""
    return Phrase("%(move)s", {"move": MoveText(move)})


def because(ruling: str, sentence: str, **values: "Value") -> Phrase:
    """Return the reason for a refusal, with its ruling."""
    return Phrase(sentence, values, ruling)


Value = int | str | Notation | MoveText | SeatName | Phrase | tuple[Notation | MoveText | Phrase | SeatName, ...]
"""The values of a placeholder. A bare ``str`` is a msgid without values."""


class Sentence(NamedTuple):
    """Three forms of a sentence about an action of a player, as msgids.

    ``%(player)s`` is the player who acts, ``%(target)s`` the one who is affected. In Persian, as in English, the verb
    depends on the reader, so each form is a sentence of its own.
    """

    others: str
    you: str
    """The form for the player who acts."""
    to_you: str = ""
    """The form for the target. If it is blank, the target reads the form for others."""

    def phrase(self, reader: _Seat | None, seat: _Seat, target: _Seat | None = None, **values: "Value") -> Phrase:
        """Return the form for the player on the seat ``reader``, or for a spectator if that is None."""
        values["player"] = SeatName(seat)
        if target:
            values["target"] = SeatName(target)
        if reader == seat:
            return Phrase(self.you, values)
        return Phrase(self.to_you if self.to_you and reader == target else self.others, values)


def plain(value: Value) -> str:
    """Return a value of a phrase in English, with seats as ``seat 2``."""
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
    """Mark a msgid for the message catalogues and return it unchanged."""
    return text


_UNSEEN: Final = re.compile("[\u200b-\u200f\u061c\u2066-\u2069\u202a-\u202c\ufeff\u00ad\u0640\u064b-\u065f\u0670]")
_LETTERS: Final = str.maketrans("كيىأإٱآة", "کییااااه")
_DIGITS: Final = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")


_SHORT: Final = 60
"""The most letters of a text whose form is cached, so that long emails do not fill a worker's memory."""


def fold_letters(text: str) -> str:
    """Return a text with one case, one form of each letter and digit, single blanks and no full stop at the end."""
    # Labels of moves and words of the notation are folded again and again.
    return _fold_short(text) if len(text) <= _SHORT else _fold(text)


def _fold(text: str) -> str:
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    text = " ".join(text.translate(_LETTERS).translate(_DIGITS).casefold().split())
    return text.rstrip(" .۔")


_fold_short: Final = lru_cache(maxsize=4096)(_fold)

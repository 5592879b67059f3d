"""The words every game shares: seats, viewers, events, moves and questions."""

from functools import lru_cache
from typing import ClassVar, Final, Literal, NewType

import msgspec

SeatNumber = NewType("SeatNumber", int)
"""A place at the table, counted clockwise from 1."""

Number = NewType("Number", int)
"""The place of an event in its game's log, counted from 1."""

Viewer = SeatNumber
"""Who looks: a seat, or one of the two below."""

SPECTATOR: Final = Viewer(SeatNumber(0))
"""A viewer who sits nowhere: knows what is public and nothing more."""

EVERYONE: Final = Viewer(SeatNumber(-1))
"""The viewer of a finished game, to whom everything is open. Only once there is an outcome."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type", kw_only=True):
    """Something that happened in a game, as the log keeps it.

    A game subclasses it once for every kind of fact. Every fact that may be hidden from a viewer has
    a type with ``| None``: ``show`` writes None there, and ``evolve`` folds both forms.
    """

    schema: int = 1
    """The version of this kind of event's shape."""

    in_open_window: ClassVar[bool] = False
    """True for an answer whose time and way others may not learn before its window has closed."""

    closes_window: ClassVar[bool] = False
    """True for the event that closes the window of the answers before it."""

    begins_line: ClassVar[bool] = False
    """True where a new line of the story begins: with a turn, and with the end of the game."""


class Move(
    msgspec.Struct,
    frozen=True,
    gc=False,
    tag_field="type",
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """An answer to a question. The tag is the verb of the move notation."""

    question: str = ""
    """The id of the question that this move answers; left out of the move's JSON form."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """Something the game waits for from one seat."""

    id: str
    """``<seat>.<how many this seat has been asked>``; never used twice in a game."""
    seat: SeatNumber
    kind: str
    """What is asked, as the notation's table names it: ``turn``, ``challenge``, ``block`` and so on."""
    reason: str
    """Why it is asked: a short code of the game."""


@lru_cache(maxsize=4096)
def question_to(seat: SeatNumber, number: int, kind: str, reason: str) -> Question:
    """A seat's question of this number. The same ones are asked in every game, and looked at again and again."""
    return Question(f"{seat}.{number}", seat, kind, reason)


Pace = Literal["turn", "reaction", "choice"]
"""How long a question lets one think, of the lengths that every table has: that of a turn; of a window, in which
several are asked at once or others wait to hear whether somebody speaks up; or of a small choice."""


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: who won, and by what."""

    winners: tuple[SeatNumber, ...]
    """The seats that won, in ascending order; empty where nobody did."""

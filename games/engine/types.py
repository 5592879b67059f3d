"""The words every game shares: seats, viewers, events, moves and questions."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar, Final, Generic, Literal, NewType, TypeVar

import msgspec

SeatNumber = NewType("SeatNumber", int)
"""A place at the table, counted clockwise from 1."""

Number = NewType("Number", int)
"""The place of an event in its game's log, counted from 1."""

_View = TypeVar("_View", bound=msgspec.Struct)
_E = TypeVar("_E", bound="Event")

Viewer = SeatNumber
"""The viewer: a seat, or one of the two below."""

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

    only_for: ClassVar[str] = ""
    """The field that names the one seat that is told of the event before the end; blank where others are told too."""

    closes_window: ClassVar[bool] = False
    """True for the event that closes the window of the answers before it."""

    begins_line: ClassVar[bool] = False
    """True where a new line of the story begins: with a turn, and with the end of the game."""

    tells_winners: ClassVar[bool] = False
    """True for an event that says who won and nothing more: where a headline says so, the story leaves it out."""

    def after(self, state: Any) -> Any:
        """The state after this event; ``state`` is None before the first. Shown events take it too."""
        raise NotImplementedError


def evolve(state: Any, event: Event) -> Any:
    """The fold of a game whose events say by themselves what they change."""
    return event.after(state)


class SeatEvent(Event, frozen=True, gc=False):
    """Something that a player did, or that happened to them."""

    seat: SeatNumber


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

    def __str__(self) -> str:
        """The move in notation: its tag, and its fields in their order. What is None is left out."""
        return (_WRITERS.get(type(self)) or _learn(type(self)))(self)


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {}
"""For each kind of move what writes it. Bots and programs read and write moves again and again."""


def _learn(kind: type[Move]) -> Callable[[Any], str]:
    """Find out how a kind of move is written."""
    verb = str(kind.__struct_config__.tag)
    fields = [field for field in kind.__struct_fields__ if field != "question"]
    _WRITERS[kind] = writer = _writer(verb, fields)
    return writer


def _writer(verb: str, fields: Sequence[str]) -> Callable[[Any], str]:
    """Return what writes a move with these fields; the plain cases are the most frequent, and fast."""
    if not fields:
        return lambda move: verb
    read = attrgetter(*fields)

    def one(move: Any) -> str:
        value = read(move)
        if type(value) is tuple:
            return " ".join([verb, *map(str, value)])
        return verb if value is None else f"{verb} {value}"

    def several(move: Any) -> str:
        words = [verb]
        for value in read(move):
            if type(value) is str:
                words.append(value)
            elif type(value) is tuple:
                words.extend(map(str, value))
            elif value is not None:
                words.append(str(value))
        return " ".join(words)

    return one if len(fields) == 1 else several


class Question(msgspec.Struct, frozen=True, gc=False):
    """Something the game waits for from one seat."""

    id: str
    """``<seat>.<how many this seat has been asked>``; never used twice in a game."""
    seat: SeatNumber
    kind: str
    """The kind of question, as the notation's table names it: ``turn``, ``challenge``, ``block`` and so on."""
    reason: str
    """The reason for the question: a short code of the game."""


@lru_cache(maxsize=4096)
def question_to(seat: SeatNumber, number: int, kind: str, reason: str) -> Question:
    """A seat's question of this number. The same ones are asked in every game, and looked at again and again."""
    return Question(f"{seat}.{number}", seat, kind, reason)


def code(name: str, values: Sequence[str]) -> msgspec.Meta:
    """A mark on a type of strings: its values today. The API describes them under this name, and more may come."""
    return msgspec.Meta(title=name, extra_json_schema={"enum": [*values]})


Pace = Literal["turn", "reaction", "choice"]
"""The length of a question, of the three that every table has: that of a turn; of a window, in which
several are asked at once or others wait to hear whether somebody speaks up; or of a small choice."""


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: who won, and how the others came out."""

    winners: tuple[SeatNumber, ...]
    """The seats that won, in ascending order; empty where nobody did."""
    places: tuple[int, ...] = ()
    """The place of each seat, from seat 1; winners have place 1. Empty where the others come out alike."""
    scores: tuple[int, ...] = ()
    """The points of each seat, from seat 1; empty in a game that counts none."""
    teams: tuple[tuple[SeatNumber, ...], ...] = ()
    """The seats of each team, all of which come out alike; empty where everybody plays for themselves."""

    def place(self, seat: SeatNumber) -> int:
        """The place of a seat, from 1."""
        if self.places:
            return self.places[seat - 1]
        return 1 if seat in self.winners else 2

    def score(self, seat: SeatNumber) -> int | None:
        """The points of a seat; None in a game that counts none."""
        return self.scores[seat - 1] if self.scores else None

    def team(self, seat: SeatNumber) -> int | None:
        """The number of a seat's team, from 1; None where everybody plays for themselves."""
        return next((number for number, seats in enumerate(self.teams, 1) if seat in seats), None)


def places_by(worths: Sequence[Any]) -> tuple[int, ...]:
    """The place of each seat by what it is worth, from seat 1: who is worth most is first, and equals share a place."""
    return tuple(1 + sum(other > worth for other in worths) for worth in worths)


class Knowledge(msgspec.Struct, Generic[_View, _E], frozen=True):
    """All that a bot knows: what its seat can see now, and what its seat has been shown so far."""

    view: _View
    events: Callable[[], Sequence[_E]]
    """``events()``: the game's events as they were shown to the seat, from the first one. The log is only read for a
    bot that calls it."""

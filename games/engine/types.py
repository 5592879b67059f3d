"""Types that all games share: seats, viewers, events, moves, questions and outcomes."""

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
"""A seat, or one of the two values below."""

SPECTATOR: Final = Viewer(SeatNumber(0))
"""A viewer without a seat, who may know public facts only."""

EVERYONE: Final = Viewer(SeatNumber(-1))
"""The viewer of a finished game, who may know everything. Use it only if the game has an outcome."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type", kw_only=True):
    """An event of a game.

    A game has a subclass for each kind of event. The log stores it. A field that may be hidden from a viewer has a type
    with ``| None``: ``show`` puts None there, and ``evolve`` accepts both forms.
    """

    schema: int = 1
    """The version of the fields of this kind of event."""

    in_open_window: ClassVar[bool] = False
    """True for an answer whose time and channel stay hidden from the others until its reaction has closed."""

    only_for: ClassVar[str] = ""
    """The field that names the only seat that sees the event before the end. Blank if other seats see it too."""

    closes_window: ClassVar[bool] = False
    """True for the event that closes the reaction to which the answers before it belong."""

    begins_line: ClassVar[bool] = False
    """True if the event begins a new line of the story: a turn, or the end of the game."""

    tells_winners: ClassVar[bool] = False
    """True for an event that only says who won. The story leaves it out below a headline that says the same."""

    puts_out: ClassVar[bool] = False
    """True for an event after which its seat is out of the game."""

    @property
    def shown_cards(self) -> tuple[str, ...]:
        """The figures of the rules (``Rules.figures``) for the cards that the event turns up before everyone."""
        return ()

    def after(self, state: Any) -> Any:
        """Return the state after this event. ``state`` is None before the first event. Hidden fields may be None."""
        raise NotImplementedError


def evolve(state: Any, event: Event) -> Any:
    return event.after(state)


class SeatEvent(Event, frozen=True, gc=False):
    """An event that concerns one player."""

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
    """The id of the question that this move answers. It is left out of the move's JSON form."""

    def __str__(self) -> str:
        """Return the notation: the tag and the fields in their order. Fields that are None are left out."""
        return (_WRITERS.get(type(self)) or _add_writer(type(self)))(self)


# Bots write the same kinds of moves millions of times, so each kind gets a function of its own.
_WRITERS: Final[dict[type, Callable[[Any], str]]] = {}


def _add_writer(kind: type[Move]) -> Callable[[Any], str]:
    verb = str(kind.__struct_config__.tag)
    fields = [field for field in kind.__struct_fields__ if field != "question"]
    _WRITERS[kind] = writer = _writer(verb, fields)
    return writer


def _writer(verb: str, fields: Sequence[str]) -> Callable[[Any], str]:
    """Return a function that writes a move with these fields. Moves with none or one are frequent and fast."""
    if not fields:
        return lambda move: verb
    read_fields = attrgetter(*fields)

    def one(move: Any) -> str:
        value = read_fields(move)
        if type(value) is tuple:
            return " ".join([verb, *map(str, value)])
        return verb if value is None else f"{verb} {value}"

    def several(move: Any) -> str:
        words = [verb]
        for value in read_fields(move):
            if type(value) is str:
                words.append(value)
            elif type(value) is tuple:
                words.extend(map(str, value))
            elif value is not None:
                words.append(str(value))
        return " ".join(words)

    return one if len(fields) == 1 else several


class Question(msgspec.Struct, frozen=True, gc=False):
    """A decision that the game needs from a seat."""

    id: str
    """``<seat>.<number>``, where the number counts the questions to this seat. Unique in a game."""
    seat: SeatNumber
    kind: str
    """The kind of question in the table of the notation: ``turn``, ``challenge``, ``block`` and so on."""
    reason: str
    """A short code of the game that says why the question is asked."""


@lru_cache(maxsize=4096)
def question_to(seat: SeatNumber, number: int, kind: str, reason: str) -> Question:
    """Return a question with its id. The cache saves simulations from building the same questions again."""
    return Question(f"{seat}.{number}", seat, kind, reason)


def code(name: str, values: Sequence[str]) -> msgspec.Meta:
    """Return a mark for a string type, with its present values, which the API describes under this name.

    The list may grow: clients must accept other values.
    """
    return msgspec.Meta(title=name, extra_json_schema={"enum": [*values]})


Pace = Literal["turn", "reaction", "choice"]
"""The kind of time limit of a question: that of a turn, that of a reaction (a question to several seats, or one for
whose answer others wait), or that of a small choice."""


class Outcome(msgspec.Struct, frozen=True):
    """The result of a finished game."""

    winners: tuple[SeatNumber, ...]
    """The seats that won, in ascending order. Empty if no seat won."""
    places: tuple[int, ...] = ()
    """The place of each seat, from seat 1. Winners have place 1. Empty if all other seats share place 2."""
    scores: tuple[int, ...] = ()
    """The points of each seat, from seat 1. Empty in a game without points."""
    teams: tuple[tuple[SeatNumber, ...], ...] = ()
    """The seats of each team; the members of a team share their result. Empty in a game without teams."""

    def place(self, seat: SeatNumber) -> int:
        """Return the place of a seat, from 1."""
        if self.places:
            return self.places[seat - 1]
        return 1 if seat in self.winners else 2

    def score(self, seat: SeatNumber) -> int | None:
        """Return the points of a seat, or None in a game without points."""
        return self.scores[seat - 1] if self.scores else None

    def team(self, seat: SeatNumber) -> int | None:
        """Return the number of a seat's team, from 1, or None in a game without teams."""
        return next((number for number, seats in enumerate(self.teams, 1) if seat in seats), None)


def places_by(worths: Sequence[Any]) -> tuple[int, ...]:
    """Return the place of each seat, from seat 1. The highest worth has place 1, and equal seats share a place."""
    return tuple(1 + sum(other > worth for other in worths) for worth in worths)


class Knowledge(msgspec.Struct, Generic[_View, _E], frozen=True):
    """The information of a bot: the present view of its seat, and the events that its seat was shown."""

    view: _View
    events: Callable[[], Sequence[_E]]
    """``events()`` returns the events that the seat was shown, from the first one. Reading the log takes time, so it is
    read only if the bot calls this function."""


NORMAL: Final = "normal"
BALANCED: Final = "balanced"

LEVEL_NAMES: Final = ("easy", NORMAL, "strong", "master")
"""All levels, the weakest first."""

SEARCHING: Final = ("strong", "master")
"""The levels of bots that think ahead, which may take seconds."""

STYLES: Final = (BALANCED, "bold", "patient", "vengeful", "scholar")
"""All styles. A game defines the preferences of each (``Search.fondness``)."""

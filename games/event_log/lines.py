"""Lines of the log of a game."""

import uuid
from collections.abc import Iterable
from datetime import datetime

import msgspec

from games.engine.types import EVERYONE, Event, SeatNumber, Viewer
from games.event_log.table_events import TableEvent


class ChainedLine(msgspec.Struct, frozen=True):
    """A line of a game's log as its chain and its record hold it: an event and its envelope."""

    number: int
    event: Event
    at: datetime
    via: str
    seat: SeatNumber | None = None
    """The seat whose move led to it."""
    move: uuid.UUID | None = None
    draws: tuple[tuple[int, int], ...] = ()
    """On the first line of a decision: its draws of chance, each (of how many, which)."""


class Line(ChainedLine, frozen=True):
    """A line of a game's log, with values that are derived from the lines before it."""

    shown: tuple[int, ...] = ()
    """The number of lines up to this one that a spectator and each seat are shown; empty while nothing was hidden."""

    def number_for(self, viewer: Viewer) -> int:
        """Return the number of this line among those that a viewer is shown, or of the last one before it."""
        return self.shown[viewer] if self.shown and viewer != EVERYONE else self.number

    def chained(self) -> ChainedLine:
        """Return the line without its counts."""
        *chained, _ = msgspec.structs.astuple(self)
        return ChainedLine(*chained)


def events_of(lines: Iterable[ChainedLine]) -> list[Event]:
    """Return the events of the game itself, without those of its table."""
    return [line.event for line in lines if not isinstance(line.event, TableEvent)]

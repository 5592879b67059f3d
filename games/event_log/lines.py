"""Lines of the log of a game."""

import uuid
from datetime import datetime

import msgspec

from games.engine.types import Event, SeatNumber


class Line(msgspec.Struct, frozen=True):
    """One line of a game's log: an event and its envelope."""

    number: int
    event: Event
    at: datetime
    via: str
    seat: SeatNumber | None = None
    """Whose move led to it."""
    move: uuid.UUID | None = None
    draws: tuple[tuple[int, int], ...] = ()
    """On the first line of a decision: its draws of chance, each (of how many, which)."""

"""Shown events: what a viewer may know of the log. Events pass the game's gate, and their envelopes this one.

Others learn of an answer in an open window neither when nor how it came; once the window has closed it bears the
closing time. The numbers count what this viewer is shown, without gaps. Pure.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from games.engine import EVERYONE, AnyRules, Event, SeatNumber, Viewer
from games.event_log.lines import Line
from games.event_log.table_events import PlayerTakeover, TableEvent

_TIMEOUT: Final = "timeout"


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the log as one viewer may know it."""

    number: int
    """The number of the line among those shown to this viewer."""
    event: Event
    at: datetime | None
    """The time at which it happened; null for another's answer in a window that is still open."""
    via: str | None
    """The channel of the viewer's own move, or ``timeout`` for a default move. Null if it is hidden from the viewer."""
    seat: SeatNumber | None
    """The viewer's seat, if their own move led to the event. After the game, the seat whose move led to it."""
    move: UUID | None
    """The id of one's own move that led to it."""


def shown(rules: AnyRules, lines: Iterable[Line], viewer: Viewer) -> list[Shown]:
    """The log as ``viewer`` may know it. It must be given to its end, and begin where a decision begins."""
    lines = list(lines)
    secret = {line.move for line in lines if line.event.in_open_window}
    return [
        _enveloped(line, event, viewer, closed, _said(line, secret))
        for line, closed in _with_closing(lines)
        if (event := _event(rules, line.event, viewer)) is not None
    ]


def takeovers(lines: Iterable[Shown]) -> dict[SeatNumber, int]:
    """For each seat that players took over, the number of the line that tells of the last one."""
    return {line.event.seat: line.number for line in lines if isinstance(line.event, PlayerTakeover)}


def is_of_former_player(line: Shown, taken_over: Mapping[SeatNumber, int]) -> bool:
    """Return whether a line tells of a seat whose player is another one now (``takeovers``)."""
    return line.number < taken_over.get(getattr(line.event, "seat", SeatNumber(0)), 0)


def _event(rules: AnyRules, event: Event, viewer: Viewer) -> Event | None:
    if viewer == EVERYONE or isinstance(event, TableEvent):
        return event
    return rules.show(event, viewer)


def _with_closing(lines: list[Line]) -> Iterator[tuple[Line, datetime | None]]:
    """Yield each line with the time when its reaction was closed, or None while that is open."""
    closing: datetime | None = None
    backwards = []
    for line in reversed(lines):
        if line.event.closes_window:
            closing = line.at
        backwards.append((line, closing))
    return reversed(backwards)


def _said(line: Line, secret: Container[UUID | None]) -> str | None:
    """Return the channel of a line if it is public. A timeout is public, but never for an answer in a reaction."""
    return _TIMEOUT if line.via == _TIMEOUT and line.move not in secret else None


def _enveloped(line: Line, event: Event, viewer: Viewer, closed: datetime | None, said: str | None) -> Shown:
    number = line.number_for(viewer)
    if viewer in (EVERYONE, line.seat):
        return Shown(number=number, event=event, at=line.at, via=line.via, seat=line.seat, move=line.move)
    at = closed if line.event.in_open_window else line.at
    return Shown(number=number, event=event, at=at, via=said, seat=None, move=None)

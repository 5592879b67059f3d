"""Shown events: the log as a viewer may see it. The rules hide events or parts of them, and this module their
envelopes.

Other players do not learn when or how an answer in an open reaction was sent. Once the reaction is closed, such an
answer has the time of the closing. The numbers of the lines have no gaps for the viewer. All functions are pure.
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


class ShownEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the log as one viewer may see it."""

    number: int
    """The number of the line for this viewer."""
    event: Event
    at: datetime | None
    """The time of the event, or None for another player's answer in a reaction that is still open."""
    via: str | None
    """The channel of the viewer's own move, or ``timeout`` for a default move. Null if it is hidden from the viewer."""
    seat: SeatNumber | None
    """The viewer's seat, if their own move led to the event. After the game, the seat whose move led to it."""
    move: UUID | None
    """The id of the viewer's own move that led to the event."""


def show_log(rules: AnyRules, lines: Iterable[Line], viewer: Viewer) -> list[ShownEvent]:
    """Return the log as ``viewer`` may see it. ``lines`` must begin where a decision begins, and go to the end of the
    log.
    """
    lines = list(lines)
    secret = {line.move for line in lines if line.event.in_open_window}
    return [
        _enveloped(line, event, viewer, closed, _public_channel(line, secret))
        for line, closed in _with_closing(lines)
        if (event := _event(rules, line.event, viewer)) is not None
    ]


def takeovers(lines: Iterable[ShownEvent]) -> dict[SeatNumber, int]:
    """Return the number of the line with the last takeover for each seat that other players have taken over."""
    return {line.event.seat: line.number for line in lines if isinstance(line.event, PlayerTakeover)}


def is_of_former_player(line: ShownEvent, taken_over: Mapping[SeatNumber, int]) -> bool:
    """Return whether a line is about the former player of a seat that was taken over (``takeovers``)."""
    return line.number < taken_over.get(getattr(line.event, "seat", SeatNumber(0)), 0)


def _event(rules: AnyRules, event: Event, viewer: Viewer) -> Event | None:
    if viewer == EVERYONE or isinstance(event, TableEvent):
        return event
    return rules.show(event, viewer)


def _with_closing(lines: list[Line]) -> Iterator[tuple[Line, datetime | None]]:
    """Yield each line with the time when its reaction was closed, or None for an open one."""
    closing: datetime | None = None
    backwards = []
    for line in reversed(lines):
        if line.event.closes_window:
            closing = line.at
        backwards.append((line, closing))
    return reversed(backwards)


def _public_channel(line: Line, secret: Container[UUID | None]) -> str | None:
    """Return the channel of a line if it is public. A timeout is public, but never for an answer in a reaction."""
    return _TIMEOUT if line.via == _TIMEOUT and line.move not in secret else None


def _enveloped(line: Line, event: Event, viewer: Viewer, closed: datetime | None, channel: str | None) -> ShownEvent:
    number = line.number_for(viewer)
    if viewer in (EVERYONE, line.seat):
        return ShownEvent(number=number, event=event, at=line.at, via=line.via, seat=line.seat, move=line.move)
    at = closed if line.event.in_open_window else line.at
    return ShownEvent(number=number, event=event, at=at, via=channel, seat=None, move=None)

"""What the programs of those at a table are told of what has just happened: ids, kinds and their own numbers.

Of another's answer in an open window nobody is told. Once it has closed, the number they are told counts it, if
they are shown it at all.
"""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games import log_store
from games.engine import AnyRules, Event, Seat
from games.log_store import Line
from games.models import Game, OpenQuestion
from games.play.table_events import TableEvent
from notifications.endpoints import Kind
from notifications.signalling import News


@dataclass(frozen=True)
class Change:
    """What has just been written to one game."""

    game: uuid.UUID
    seated: Mapping[Seat, int]
    """Who sits there, with their accounts."""
    numbers: Mapping[Seat, int]
    """For each seat that is told of it the number of the last line it is shown."""
    asked: Sequence[OpenQuestion] = ()
    closed: Collection[str] = ()
    delegates: Mapping[Seat, int] = field(default_factory=dict)
    """Who may answer for somebody there, and is told what they are."""
    state: str = ""
    """What the game has become; blank where it is what it was."""


def count(rules: AnyRules, game: Game, before: int, lines: Sequence[Line], seats: int) -> list[int]:
    """How many lines each seat is shown, once ``lines`` are added to a log of ``before`` lines."""
    known = game.shown
    if known[:1] != [before] or len(known) != seats + 1:
        old = log_store.read(game)[:before]
        known = [before, *(sum(_is_shown(rules, line.event, Seat(seat + 1)) for line in old) for seat in range(seats))]
    return [
        shown + sum(_is_shown(rules, line.event, Seat(seat)) for line in lines)
        for seat, shown in enumerate(known[1:], start=1)
    ]


def numbers(rules: AnyRules, game: Game, lines: Sequence[Line], shown: Sequence[int]) -> dict[Seat, int]:
    """The number of the last line, for each seat that may be told that something has happened just now."""
    if game.state == Game.State.OVER:
        return {Seat(seat): game.version for seat in range(1, len(shown) + 1)}
    return {
        Seat(seat): number
        for seat, number in enumerate(shown, start=1)
        if any(_is_told(rules, line, Seat(seat)) for line in lines)
    }


def _is_shown(rules: AnyRules, event: Event, seat: Seat) -> bool:
    return isinstance(event, TableEvent) or rules.show(event, seat) is not None


def _is_told(rules: AnyRules, line: Line, seat: Seat) -> bool:
    return (line.seat == seat or not line.event.in_open_window) and _is_shown(rules, line.event, seat)


def news(change: Change) -> Iterator[News]:
    """What each account at the table is told, in the order in which it is to hear it."""
    game = str(change.game)
    for seat, account in (*change.seated.items(), *change.delegates.items()):
        for kind, data in _to_seat(change, seat):
            yield News(account, kind, {"game": game, **data})


def _to_seat(change: Change, seat: Seat) -> Iterator[tuple[Kind, dict[str, Any]]]:
    if change.state == Game.State.RUNNING:
        yield Kind.GAME, {"state": change.state}
    if seat in change.numbers:
        yield Kind.EVENT, {"number": change.numbers[seat]}
    for question in sorted(change.closed):
        if question.partition(".")[0] == str(seat):
            yield Kind.CLOSED, {"question": question}
    for row in change.asked:
        if row.seat == seat:
            yield Kind.QUESTION, {"question": row.question, "due_at": row.due_at.isoformat()}
    if change.state in (Game.State.OVER, Game.State.ABANDONED):
        yield Kind.GAME, {"state": change.state}

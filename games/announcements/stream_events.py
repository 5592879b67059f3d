"""Stream events for the programs of those at a table: ids, kinds and their own numbers.

Of another's answer in an open window hidden. Once it has closed, the number they are told counts it, if
they are shown it at all.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from config.moments import write_moment
from games.engine import AnyRules, Event, SeatNumber, Viewer
from games.event_log.lines import Line
from games.event_log.table_events import BeaconAwaited, Ended, GameCancelled, SeedsAwaited, Started, TableEvent
from games.models import Game, OpenQuestion
from notifications.endpoints import Kind
from notifications.stream.stream_events import NewStreamEvent, emit, hearing

_BECAME: Final = {
    SeedsAwaited: Game.State.STARTING,
    BeaconAwaited: Game.State.STARTING,
    Started: Game.State.RUNNING,
    Ended: Game.State.OVER,
    GameCancelled: Game.State.CANCELLED,
}
"""What a game has become by these events."""


@dataclass(frozen=True)
class Change:
    """A change that was just written to one game."""

    rules: AnyRules
    game: Game
    """As it stands now."""
    lines: Sequence[Line]
    """What was added to its log."""
    seated: Mapping[SeatNumber, int]
    """Who sits there, with their accounts."""
    asked: Sequence[OpenQuestion] = ()
    closed: Collection[str] = ()
    stand_ins: Mapping[SeatNumber, int] = field(default_factory=dict)
    """Who may answer for somebody there, and is told what they are."""

    def audience(self) -> list[tuple[SeatNumber, int]]:
        """The accounts that may be told, each with the seat whose they are."""
        return [*self.seated.items(), *self.stand_ins.items()]

    def became(self) -> str:
        """Return what the game has become; blank where it is what it was."""
        return next((_BECAME[type(line.event)] for line in self.lines if type(line.event) in _BECAME), "")

    def number(self, seat: SeatNumber) -> int | None:
        """The number of the last line that a seat is shown, where it may be told that something has happened."""
        if self.game.state == Game.State.OVER:
            return self.game.version
        is_told = any(_is_told(self.rules, line, seat) for line in self.lines)
        return self.lines[-1].number_for(seat) if is_told else None


def _is_shown(rules: AnyRules, event: Event, viewer: Viewer) -> bool:
    return isinstance(event, TableEvent) or rules.show(event, viewer) is not None


def _is_told(rules: AnyRules, line: Line, seat: SeatNumber) -> bool:
    return (line.seat == seat or not line.event.in_open_window) and _is_shown(rules, line.event, seat)


def listeners(changes: Sequence[Change]) -> Iterator[int]:
    """Those at these tables whose programs are told anything; most have none. Asked now, and waited for by ``tell``."""
    return hearing({account for change in changes for _, account in change.audience()})


def tell(changes: Sequence[Change], listeners: Iterable[int], now: datetime) -> None:
    """Tell these listeners' programs, in the transaction of what has been written."""
    told = frozenset(listeners)
    emit([each for change in changes for each in _news(change, told)], now)


def _news(change: Change, listeners: Collection[int]) -> Iterator[NewStreamEvent]:
    """Yield what each account at the table among ``listeners`` is told, in the order in which it is to hear it."""
    game = str(change.game.id)
    for seat, account in change.audience():
        if account in listeners:
            for kind, data in _to_seat(change, seat):
                yield NewStreamEvent(account, kind, {"game": game, **data})


def _to_seat(change: Change, seat: SeatNumber) -> Iterator[tuple[Kind, dict[str, Any]]]:
    state, number = change.became(), change.number(seat)
    if state in (Game.State.STARTING, Game.State.RUNNING):
        yield Kind.GAME, {"state": state}
    if number is not None:
        yield Kind.EVENT, {"number": number}
    for question in sorted(change.closed):
        if question.partition(".")[0] == str(seat):
            yield Kind.CLOSED, {"question": question}
    for row in change.asked:
        if row.seat == seat:
            yield Kind.QUESTION, {"question": row.question, "due_at": write_moment(row.due_at)}
    if state in (Game.State.OVER, Game.State.CANCELLED):
        yield Kind.GAME, {"state": state}

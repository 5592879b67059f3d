"""Stream events about a game for the programs of its players and for the pages of spectators: ids, kinds and numbers.

Another player's answer to an open reaction causes no event. After the reaction has closed, the event number includes it
if the reader is shown it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.models import Account
from config.core.clock import write_moment
from games.engine import SPECTATOR, AnyRules, Event, SeatNumber, Viewer
from games.event_log.log_store import Line
from games.event_log.table_events import DealListed, Ended, GameCancelled, Started, TableEvent
from games.models import Game, OpenQuestion
from games.visibility import table
from notifications import stream_events
from notifications.endpoints import Kind
from notifications.stream_events import NewStreamEvent, Subscription, emit, subscriptions

_NEW_STATES: Final = {
    DealListed: Game.State.STARTING,
    Started: Game.State.RUNNING,
    Ended: Game.State.OVER,
    GameCancelled: Game.State.CANCELLED,
}
"""The state of a game after each of these events."""


@dataclass(frozen=True)
class Change:
    """A change that was just written to a game."""

    rules: AnyRules
    game: Game
    """The game after the change."""
    lines: Sequence[Line]
    """The lines that were added to its log."""
    seated: Mapping[SeatNumber, int]
    """The accounts of the players by seat."""
    questions: Sequence[OpenQuestion] = ()
    """New questions to players."""
    stand_in_questions: Sequence[OpenQuestion] = ()
    """New questions to stand-ins."""
    closed: Collection[str] = ()
    stand_ins: Mapping[SeatNumber, int] = field(default_factory=dict)
    """The accounts of the stand-ins by the seat of their player."""

    @property
    def is_public(self) -> bool:
        """True if spectators may watch the game as it happens."""
        return is_watched(self.game)

    def audience(self) -> set[int]:
        """Return the accounts of players and stand-ins."""
        return {*self.seated.values(), *self.stand_ins.values()}

    def new_state(self) -> str:
        """Return the game's new state, or a blank text if the state did not change."""
        return next((_NEW_STATES[type(line.event)] for line in self.lines if type(line.event) in _NEW_STATES), "")

    def number(self, seat: Viewer) -> int | None:
        """Return the number of the last event that a viewer is shown, or None if the viewer must not notice a
        change.
        """
        if self.game.state == Game.State.OVER:
            return self.game.version
        is_notified = any(_is_notified(self.rules, line, seat) for line in self.lines)
        return self.lines[-1].number_for(seat) if is_notified else None


def _is_shown(rules: AnyRules, event: Event, viewer: Viewer) -> bool:
    return isinstance(event, TableEvent) or rules.show(event, viewer) is not None


def _is_notified(rules: AnyRules, line: Line, seat: Viewer) -> bool:
    return (line.seat == seat or not line.event.in_open_window) and _is_shown(rules, line.event, seat)


def listeners(changes: Sequence[Change], now: datetime) -> Iterator[Subscription]:
    """Return the accounts of these games that get events, and the spectators of the public games.

    The query is sent now, and ``emit_changes`` waits for its result.
    """
    accounts = {account for change in changes for account in change.audience()}
    return subscriptions(accounts, [change.game.id for change in changes if change.is_public], now)


def emit_changes(changes: Sequence[Change], listeners: Iterable[Subscription], now: datetime) -> None:
    """Send the events of these changes to the listeners, in the transaction of the changes."""
    listening_accounts: set[int] = set()
    spectators: dict[UUID, list[int]] = defaultdict(list)
    for account, topic in listeners:
        if topic is None:
            listening_accounts.add(account)
        else:
            spectators[topic].append(account)
    emit(
        [
            event
            for change in changes
            for event in _events(change, listening_accounts, spectators.get(change.game.id, ()))
        ],
        now,
    )


def _events(change: Change, listeners: Collection[int], spectators: Iterable[int]) -> Iterator[NewStreamEvent]:
    """Yield the events for the listening accounts at the table and for the spectators, in order."""
    game = str(change.game.id)
    for accounts, questions in ((change.seated, change.questions), (change.stand_ins, change.stand_in_questions)):
        for seat, account in accounts.items():
            if account in listeners:
                for kind, data in _events_of_seat(change, seat, questions):
                    yield NewStreamEvent(account, kind, {"game": game, **data})
    for account in sorted(set(spectators) - change.audience()):
        for kind, data in _events_of_seat(change, SPECTATOR, ()):
            yield NewStreamEvent(account, kind, {"game": game, **data}, follows=True)


def _events_of_seat(
    change: Change, seat: Viewer, questions: Iterable[OpenQuestion]
) -> Iterator[tuple[Kind, dict[str, Any]]]:
    state, number = change.new_state(), change.number(seat)
    if state in (Game.State.STARTING, Game.State.RUNNING):
        yield Kind.GAME, {"state": state}
    if number is not None:
        yield Kind.EVENT, {"number": number}
    for question in sorted(change.closed):
        if question.partition(".")[0] == str(seat):
            yield Kind.CLOSED, {"question": question}
    for row in questions:
        if row.seat == seat:
            yield Kind.QUESTION, {"question": row.question, "due_at": write_moment(row.due_at)}
    if state in (Game.State.OVER, Game.State.CANCELLED):
        yield Kind.GAME, {"state": state}


def is_watched(game: Game) -> bool:
    """Return whether spectators may watch a game as it happens: all accounts, or the members of its club."""
    return (not game.private or game.club_id is not None) and game.spectator_delay is None


def follow(game: Game, account: int, now: datetime) -> bool:
    """Subscribe a spectator to a game. Return False if there are too many spectators or none are allowed."""
    return is_watched(game) and stream_events.follow(account, game.id, now)


def arrive(game: Game, account: Account, now: datetime) -> bool:
    """Note that an account has the game open, if it has agreed to show this. Return whether all players are
    here now.
    """
    earlier = table.all_here(game, account, now)
    table.note_presence(game, account, now)
    live_players = table.all_here(game, account, now)
    if live_players is not None and earlier is None:
        with transaction.atomic():
            emit(
                [
                    NewStreamEvent(account, Kind.PRESENCE, {"game": str(game.pk)})
                    for account in sorted(live_players.accounts)
                ],
                now,
            )
    return live_players is not None

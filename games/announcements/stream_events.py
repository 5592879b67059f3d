"""Stream events for the programs of those at a table, and for the pages of those who look on: ids, kinds, numbers.

Of another's answer in an open window hidden. Once it has closed, the number they are told counts it, if
they are shown it at all.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.models import Account
from config.moments import write_moment
from games.engine import SPECTATOR, AnyRules, Event, SeatNumber, Viewer
from games.event_log.lines import Line
from games.event_log.table_events import DealListed, Ended, GameCancelled, Started, TableEvent
from games.models import Game, OpenQuestion
from games.visibility import presence
from notifications.endpoints import Kind
from notifications.stream import followers
from notifications.stream.stream_events import Hearing, NewStreamEvent, emit, hearing

_BECAME: Final = {
    DealListed: Game.State.STARTING,
    Started: Game.State.RUNNING,
    Ended: Game.State.OVER,
    GameCancelled: Game.State.CANCELLED,
}
"""The change of a game's stage that each of these events makes."""


@dataclass(frozen=True)
class Change:
    """A change that was just written to one game."""

    rules: AnyRules
    game: Game
    """As it stands now."""
    lines: Sequence[Line]
    """The lines that were added to its log."""
    seated: Mapping[SeatNumber, int]
    """The seats, with their accounts."""
    asked: Sequence[OpenQuestion] = ()
    """The questions to the players now."""
    put_to_stand_ins: Sequence[OpenQuestion] = ()
    """The questions that their stand-ins are asked now."""
    closed: Collection[str] = ()
    stand_ins: Mapping[SeatNumber, int] = field(default_factory=dict)
    """The stand-ins, who are told what they have become."""

    @property
    def is_public(self) -> bool:
        """Return whether people who do not play may look on."""
        return is_watched(self.game)

    def audience(self) -> set[int]:
        """The accounts at the table that may be told."""
        return {*self.seated.values(), *self.stand_ins.values()}

    def became(self) -> str:
        """Return what the game has become; blank where it is what it was."""
        return next((_BECAME[type(line.event)] for line in self.lines if type(line.event) in _BECAME), "")

    def number(self, seat: Viewer) -> int | None:
        """The number of the last line that a viewer is shown, where they may be told that something has happened."""
        if self.game.state == Game.State.OVER:
            return self.game.version
        is_told = any(_is_told(self.rules, line, seat) for line in self.lines)
        return self.lines[-1].number_for(seat) if is_told else None


def _is_shown(rules: AnyRules, event: Event, viewer: Viewer) -> bool:
    return isinstance(event, TableEvent) or rules.show(event, viewer) is not None


def _is_told(rules: AnyRules, line: Line, seat: Viewer) -> bool:
    return (line.seat == seat or not line.event.in_open_window) and _is_shown(rules, line.event, seat)


def listeners(changes: Sequence[Change], now: datetime) -> Iterator[Hearing]:
    """Those at these games whose programs are told anything, most have none, and those who look on at public ones.

    Asked now, and waited for by ``tell``.
    """
    accounts = {account for change in changes for account in change.audience()}
    return hearing(accounts, [change.game.id for change in changes if change.is_public], now)


def tell(changes: Sequence[Change], listeners: Iterable[Hearing], now: datetime) -> None:
    """Tell these listeners' programs, in the transaction of what has been written."""
    own: set[int] = set()
    looking_on: dict[UUID, list[int]] = defaultdict(list)
    for account, topic in listeners:
        if topic is None:
            own.add(account)
        else:
            looking_on[topic].append(account)
    emit([each for change in changes for each in _news(change, own, looking_on.get(change.game.id, ()))], now)


def _news(change: Change, listeners: Collection[int], looking_on: Iterable[int]) -> Iterator[NewStreamEvent]:
    """Yield what each account at the table among ``listeners`` and each who looks on is told, in order."""
    game = str(change.game.id)
    for accounts, asked in ((change.seated, change.asked), (change.stand_ins, change.put_to_stand_ins)):
        for seat, account in accounts.items():
            if account in listeners:
                for kind, data in _to_seat(change, seat, asked):
                    yield NewStreamEvent(account, kind, {"game": game, **data})
    for account in sorted(set(looking_on) - change.audience()):
        for kind, data in _to_seat(change, SPECTATOR, ()):
            yield NewStreamEvent(account, kind, {"game": game, **data}, follows=True)


def _to_seat(change: Change, seat: Viewer, asked: Iterable[OpenQuestion]) -> Iterator[tuple[Kind, dict[str, Any]]]:
    state, number = change.became(), change.number(seat)
    if state in (Game.State.STARTING, Game.State.RUNNING):
        yield Kind.GAME, {"state": state}
    if number is not None:
        yield Kind.EVENT, {"number": number}
    for question in sorted(change.closed):
        if question.partition(".")[0] == str(seat):
            yield Kind.CLOSED, {"question": question}
    for row in asked:
        if row.seat == seat:
            yield Kind.QUESTION, {"question": row.question, "due_at": write_moment(row.due_at)}
    if state in (Game.State.OVER, Game.State.CANCELLED):
        yield Kind.GAME, {"state": state}


def is_watched(game: Game) -> bool:
    """Return whether people who do not play may look on as it happens: everybody, or the members of its club."""
    return (not game.private or game.club_id is not None) and game.spectator_delay is None


def follow(game: Game, account: int, now: datetime) -> bool:
    """Let somebody who looks on hear of a game that they may see; False where too many do, or nobody may look on."""
    return is_watched(game) and followers.follow(account, game.id, now)


def arrive(game: Game, account: Account, now: datetime) -> bool:
    """Note that somebody has a game open, if they agreed to show it; return whether all who play are here now."""
    before = presence.all_here(game, account, now)
    presence.note(game, account, now)
    found = presence.all_here(game, account, now)
    if found is not None and before is None:
        with transaction.atomic():
            emit(
                [NewStreamEvent(account, Kind.PRESENCE, {"game": str(game.pk)}) for account in sorted(found.accounts)],
                now,
            )
    return found is not None

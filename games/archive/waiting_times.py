"""Waiting times: what the games of this server wait for, and for how long. For the operator, and without names.

A wait is the time from a question, or a window of them, to its last answer. It is worked out when a game is over and
counted, from its log, so no move is slower for it. Its causes are those of ``bench.pace``, of whoever answered last:

- asleep: the hours of sleep that they have named, their quiet hours, or the night of a usual person;
- not seen: until they first opened a page with the question, as far as the server knows, or answered by email;
- seen and not answered: after that;
- planned: a plan waited, so that nobody could tell it from an answer by hand.

Sums of a month are kept for each title, number of people and kind of question, and of no single game. A game belongs to
the month in which it is counted, so the sums of a month that is over change no more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.db.models import F, QuerySet, Sum

from accounts.models import Account
from games.deadlines.answer_times import Span, waking_spans
from games.event_log import log_store
from games.event_log.lines import Line
from games.event_log.log_store import Position
from games.event_log.table_events import TableEvent
from games.models import Game, Move, WaitingTime

KEPT: Final = timedelta(days=730)
"""For so long the sums of a month are kept."""
FEWEST: Final = 10
"""The number of games from which sums are shown: of fewer they would tell of single people."""
SETTLING: Final = timedelta(days=1)
"""A month is over so much after its end: whoever counted a game at its end is done then."""
CAUSES: Final = ("asleep", "not_seen", "seen", "planned")
_COUNTS: Final = ("games", "waits", "timed_out")


@dataclass(frozen=True)
class Wait:
    """A question that a game has waited for, with whoever answered it last."""

    kind: str
    asked_at: datetime
    answered_at: datetime
    seat: int
    move: UUID | None


@dataclass
class Sums:
    """The sums of what games have waited for."""

    games: int = 0
    waits: int = 0
    timed_out: int = 0
    """The number of waits that the clock has ended."""
    spent: dict[str, timedelta] = field(default_factory=lambda: dict.fromkeys(CAUSES, timedelta()))
    """The time, by its causes."""

    @property
    def time(self) -> timedelta:
        """The time in all."""
        return sum(self.spent.values(), timedelta())


def count(game: Game, now: datetime) -> None:
    """Add a game that is over to the sums of this month, and forget when its players saw their questions."""
    people = game.seat_count - game.bot_count
    of_game: dict[str, Any] = {"month": now.date().replace(day=1), "rules": game.rules, "people": people}
    for kind, sums in sums_of(game).items() if people > 1 and not game.arena else ():
        row, _ = WaitingTime.objects.get_or_create(**of_game, kind=kind)
        added: dict[str, Any] = {"games": 1, "waits": sums.waits, "timed_out": sums.timed_out, **sums.spent}
        WaitingTime.objects.filter(pk=row.pk).update(**{name: F(name) + value for name, value in added.items()})
    game.moves.filter(seen_at__isnull=False).update(seen_at=None)
    WaitingTime.objects.filter(month__lt=now.date() - KEPT).delete()


def sums_of(game: Game) -> dict[str, Sums]:
    """Return what people were waited for in a game, by the kind of question; bots are not waited for."""
    moves = {
        move.pk: move for move in game.moves.filter(state=Move.State.APPLIED).select_related("account__preferences")
    }
    seated = {seat.number: seat for seat in game.seats.select_related("account__preferences")}
    sums_of_kind: dict[str, Sums] = {}
    for wait in waits(log_store.rules_of(game), log_store.read(game)):
        move = moves.get(wait.move) if wait.move else None
        if move is None or move.via == Move.Via.BOT or seated[wait.seat].bot:
            continue
        sums = sums_of_kind.setdefault(wait.kind, Sums())
        sums.waits += 1
        sums.timed_out += move.via == Move.Via.TIMEOUT
        for cause, length in spent(wait, move, move.account or seated[wait.seat].account).items():
            sums.spent[cause] += length
    return sums_of_kind


def waits(rules: Any, lines: Sequence[Line]) -> Iterator[Wait]:
    """Yield what a game has waited for, from its log."""
    position, open_since = Position(), dict[str, tuple[str, datetime]]()
    for _, group in groupby(lines, key=lambda line: (line.move, isinstance(line.event, TableEvent))):
        decision = list(group)
        for line in decision:
            position = log_store.fold(rules, position, line.event)
        last = decision[-1]
        open_now = (
            {} if position.state is None else {question.id: question for question in rules.questions(position.state)}
        )
        closed = {id: open_since.pop(id) for id in [*open_since] if id not in open_now}
        answered = next((window for id, window in closed.items() if last.seat and id.startswith(f"{last.seat}.")), None)
        if answered is not None and last.seat and answered not in open_since.values():
            yield Wait(*answered, last.at, last.seat, last.move)
        for each in open_now.values():
            open_since.setdefault(each.id, (each.kind, last.at))


def spent(wait: Wait, move: Move, account: Account | None) -> dict[str, timedelta]:
    """Return which parts a wait was made of."""
    if move.plan is not None:
        return {"planned": wait.answered_at - wait.asked_at}
    seen_at = min(move.seen_at or wait.answered_at, wait.answered_at)
    before, after = _awake(account, wait.asked_at, seen_at), _awake(account, seen_at, wait.answered_at)
    return {"asleep": wait.answered_at - wait.asked_at - before - after, "not_seen": before, "seen": after}


def _awake(account: Account | None, begin: datetime, end: datetime) -> timedelta:
    """Return for how long somebody was awake within a span; somebody whose account is gone always was."""
    if account is None or begin >= end:
        return max(end - begin, timedelta())
    spans = waking_spans(account, Span(begin, end))
    return sum((span.end - span.begin for span in spans), timedelta())


def sums_by_table(since: date) -> Mapping[tuple[str, int], dict[str, Sums]]:
    """Return the sums since a day: by title and number of people, for each kind of question, the longest first.

    Tables of which too few games were played are left out, and kinds for which too few have waited.
    """
    tables: dict[tuple[str, int], dict[str, Sums]] = {}
    for (rules, people, kind), sums in _sums(WaitingTime.objects.filter(month__gte=since), "rules", "people", "kind"):
        tables.setdefault((rules, people), {})[kind] = sums
    return {
        table: dict(sorted(((kind, sums) for kind, sums in kinds.items() if sums.games >= FEWEST), key=_longest))
        for table, kinds in tables.items()
        if games_of(kinds.values()) >= FEWEST
    }


def _longest(kind_and_sums: tuple[str, Sums]) -> timedelta:
    return -kind_and_sums[1].time


def sums_of_last_month(now: datetime) -> Mapping[tuple[str, str], Sums]:
    """Return the sums of the last month that is over, by title and kind of question.

    Kinds are left out for which too few games have waited. Nothing of it changes when a game ends, so that nobody can
    take the sums before from those after.
    """
    last = (now - SETTLING).date().replace(day=1) - timedelta(days=1)
    rows = _sums(WaitingTime.objects.filter(month=last.replace(day=1)), "rules", "kind")
    return {kind: sums for kind, sums in rows if sums.games >= FEWEST}


def _sums(rows: QuerySet[WaitingTime], *by: str) -> Iterator[tuple[Any, Sums]]:
    added = {f"all_{name}": Sum(name) for name in (*_COUNTS, *CAUSES)}
    for row in rows.values(*by).annotate(**added).order_by(*by):
        spent = {cause: row[f"all_{cause}"] for cause in CAUSES}
        yield tuple(row[name] for name in by), Sums(**{name: row[f"all_{name}"] for name in _COUNTS}, spent=spent)


def games_of(kinds: Iterable[Sums]) -> int:
    """Return how many games these sums of one kind of table are of: there is a question that all games ask."""
    return max((sums.games for sums in kinds), default=0)

"""Waiting times: the causes of waiting in this server's games. For the operator, and without names.

A wait is the time from a question, or from several questions in one reaction, to its last answer. It is computed from
the log when a game is over and counted, so moves are not slowed down. Its causes are the following parts of the time,
for the player who answered last:

- asleep: the hours of sleep that they have set, their quiet hours, or the night of a typical person;

- not seen: until they first opened a page with the question, as far as the server knows, or answered by email;

- seen and not answered: after that;

- planned: a plan waited, so that it could not be told from an answer by hand.

Sums for a month are stored for each title, number of people and kind of question, but not for single games. A game
belongs to the month in which it is counted, so the sums of past months do not change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.db.models import F, QuerySet, Sum

from accounts.models import Account
from games.deadlines.reminder_schedule import Span, waking_spans
from games.event_log import log_store
from games.event_log.log_store import Line, Position
from games.event_log.table_events import TableEvent
from games.models import Game, Move, WaitingTime

KEPT: Final = timedelta(days=730)
"""The time for which the sums of a month are stored."""
FEWEST: Final = 10
"""The number of games below which sums are not shown, because they would reveal the behaviour of single people."""
SETTLING: Final = timedelta(days=1)
"""The time after the end of a month until its sums are final, because some games are counted later than they end."""
CAUSES: Final = ("asleep", "not_seen", "seen", "planned")
_COUNTS: Final = ("games", "waits", "timed_out")


@dataclass(frozen=True)
class Wait:
    """A question that a game has waited for, with the player who answered it last."""

    kind: str
    asked_at: datetime
    answered_at: datetime
    seat: int
    move: UUID | None


@dataclass
class Sums:
    """Sums of waiting times."""

    games: int = 0
    waits: int = 0
    timed_out: int = 0
    """The number of waits that ended with a timeout."""
    spent: dict[str, timedelta] = field(default_factory=lambda: dict.fromkeys(CAUSES, timedelta()))
    """The time by cause."""

    @property
    def time(self) -> timedelta:
        """Return the total time."""
        return sum(self.spent.values(), timedelta())


def count(game: Game, now: datetime) -> None:
    """Add a finished game to the sums of this month, and delete the times at which its players saw questions."""
    people = game.seat_count - game.bot_count
    of_game: dict[str, Any] = {"month": now.date().replace(day=1), "rules": game.rules, "people": people}
    for kind, sums in sums_of(game).items() if people > 1 and not game.arena else ():
        row, _ = WaitingTime.objects.get_or_create(**of_game, kind=kind)
        added: dict[str, Any] = {"games": 1, "waits": sums.waits, "timed_out": sums.timed_out, **sums.spent}
        WaitingTime.objects.filter(pk=row.pk).update(**{name: F(name) + value for name, value in added.items()})
    game.moves.filter(seen_at__isnull=False).update(seen_at=None)
    WaitingTime.objects.filter(month__lt=now.date() - KEPT).delete()


def sums_of(game: Game) -> dict[str, Sums]:
    """Return the sums of one game by kind of question. Waits for bots are left out."""
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
    """Yield the waits of a game, from its log."""
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
        for row in open_now.values():
            open_since.setdefault(row.id, (row.kind, last.at))


def spent(wait: Wait, move: Move, account: Account | None) -> dict[str, timedelta]:
    """Return the parts of a wait by cause."""
    if move.plan is not None:
        return {"planned": wait.answered_at - wait.asked_at}
    seen_at = min(move.seen_at or wait.answered_at, wait.answered_at)
    before, after = _awake(account, wait.asked_at, seen_at), _awake(account, seen_at, wait.answered_at)
    return {"asleep": wait.answered_at - wait.asked_at - before - after, "not_seen": before, "seen": after}


def _awake(account: Account | None, begin: datetime, end: datetime) -> timedelta:
    """Return how long a person was awake within a span. For a deleted account the whole span counts."""
    if account is None or begin >= end:
        return max(end - begin, timedelta())
    spans = waking_spans(account, Span(begin, end))
    return sum((span.end - span.begin for span in spans), timedelta())


def sums_by_table(since: date) -> Mapping[tuple[str, int], dict[str, Sums]]:
    """Return the sums since a day: by title and number of people, for each kind of question, the longest first.

    Tables and kinds with too few games are left out.
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
    """Return the sums of the last complete month, by title and kind of question.

    Kinds with too few games are left out. The sums do not change when a game ends, so the waits of one game cannot be
    computed as a difference.
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
    """Return the number of games behind these sums: the highest number of any question, because every game asks some of
    them.
    """
    return max((sums.games for sums in kinds), default=0)

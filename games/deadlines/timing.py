"""The deadlines of questions in rows: applying ``games.deadlines.calculation`` to the player of a seat.

They depend on public facts and on the calendar of the player, never on a hand or on the time of an answer in a
reaction.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db.models import Q

from accounts.models import Account
from games.deadlines import calculation
from games.deadlines.calculation import Calendar, Reason
from games.engine import AnyRules, SeatNumber
from games.engine.types import Pace
from games.event_log import log_store
from games.models import Game, OpenQuestion, Seat
from games.rules.registry import find_rules
from games.terms import LONGEST, GameTerms, Schedule, TimeBank

_USUAL: Final = Schedule()
_WINDOW: Final[Pace] = "reaction"


def calendar_of(account: Account | None) -> Calendar | None:
    """Return the calendar of an account, or None without one and for a bot."""
    if account is None or not (account.sleep_from or account.vacations):
        return None
    away = (
        (date.fromisoformat(vacation["first"]), date.fromisoformat(vacation["last"])) for vacation in account.vacations
    )
    sleep = (account.sleep_from, account.sleep_to) if account.sleep_from and account.sleep_to else None
    return Calendar(account.time_zone, sleep, tuple(away))


def pace_of(rules: AnyRules, kind: str) -> Pace:
    """Return the pace of a kind of question: turn, reaction or choice."""
    return rules.paces.get(kind, _WINDOW)


def set_due(row: OpenQuestion, game: Game, seat: Seat, pace: Pace, since: datetime) -> None:
    """Set the deadline of a question whose time runs from ``since`` on, and note why."""
    schedule, calendar = game.terms.schedule, _calendar(seat)
    time_bank = schedule.time_bank if pace != _WINDOW else None
    length = game_length(game, pace, row.aimed) if time_bank is None else _left(seat, time_bank)
    if schedule != _USUAL or calendar:
        first = calculation.first_step(pace if time_bank is None else "time-bank", since, length)
        due = calculation.due(since, first, schedule, calendar)
        row.due_at = due.at
        row.why = msgspec.to_builtins(due.reasons) if time_bank or len(due.reasons) > 1 else []
    else:
        row.due_at, row.why = since + length, []


def game_length(game: Game, pace: Pace, aimed: bool) -> timedelta:
    """Return the time limit of a game for questions of this pace, without a time bank."""
    terms: GameTerms = game.terms
    reaction = terms.reaction_limit if aimed else terms.open_limit
    return {"turn": terms.turn_limit, "reaction": reaction, "choice": terms.choice_limit}[pace]


def why(row: OpenQuestion, game: Game, pace: Pace) -> tuple[Reason, ...]:
    """Return the reasons of a deadline. The last one is the present deadline."""
    reasons = msgspec.convert(row.why, tuple[Reason, ...])
    reasons = reasons or (calculation.first_step(pace, row.asked_at, game_length(game, pace, row.aimed)),)
    moved = (Reason("moved", row.due_at),) if row.due_at != reasons[-1].until else ()
    return (*reasons, *moved)


def postpone(row: OpenQuestion, game: Game, seat: Seat, by: timedelta) -> None:
    """Move a deadline with its reminder and planned answer, and further to the end of its player's sleep."""
    before, row.due_at = row.due_at, calculation.settled(row.due_at + by, game.terms.schedule, _calendar(seat))
    row.remind_at = row.remind_at and row.remind_at + (row.due_at - before)
    row.planned_at = row.planned_at and row.planned_at + (row.due_at - before)


def settle(games: Sequence[Game]) -> None:
    """Move deadlines that were moved together out of sleep and days off. The games are locked."""
    scheduled = ~Q(game__terms__schedule=msgspec.to_builtins(_USUAL))
    minded = Q(account__sleep_from__isnull=False) | ~Q(account__vacations=[]) | scheduled
    seats = Seat.objects.filter(minded, game__in=games, bot=False).select_related("account", "game")
    by_game: dict[Game, dict[int, Seat]] = {}
    for seat in seats:
        by_game.setdefault(seat.game, {})[seat.number] = seat
    questions: dict[UUID, list[OpenQuestion]] = {}
    for row in OpenQuestion.objects.filter(game__in=list(by_game), bot=False):
        questions.setdefault(row.game_id, []).append(row)
    moved = []
    for game, seated in by_game.items():
        rows = questions.get(game.pk, ())
        for row in rows:
            of_row, before = seated.get(row.seat), row.due_at
            if of_row is not None:
                postpone(row, game, of_row, timedelta())
                moved += [row] if row.due_at != before else []
        public_deadline = latest(rows, [public_window_deadline(game, rows, seated.values())])
        if public_deadline and game.due_at and public_deadline > game.due_at:
            Game.objects.filter(pk=game.pk).update(due_at=public_deadline)
    OpenQuestion.objects.bulk_update(moved, ["due_at", "remind_at", "planned_at"])


def public_window_deadline(game: Game, rows: Iterable[OpenQuestion], seats: Iterable[Seat]) -> datetime | None:
    """Return the latest deadline of an open reaction that was moved, as the other players see it, or None.

    It is computed as if no player had answered yet. Otherwise a deadline that moves in an open reaction, by a pause, an
    outage or a vacation, would reveal the players who have answered.
    """
    rules, at = find_rules(game.rules, game.rules_version), game.due_at
    if rules is None or at is None or all(pace_of(rules, row.kind) != _WINDOW for row in rows):
        return None
    return max((calculation.settled(at, game.terms.schedule, _calendar(seat)) for seat in seats), default=at)


def reconsider(row: OpenQuestion, game: Game, seat: Seat, pace: Pace) -> bool:
    """Compute the deadline of a question again by its player's calendar, and set it if it is later. Return whether
    it was.
    """
    due, at = _due_by_now(row, game, seat, pace)
    if at <= row.due_at:
        return False
    row.due_at, row.why = at, msgspec.to_builtins(due.reasons)
    return True


def had_it_not_answered(rows: Iterable[OpenQuestion], game: Game, seat: Seat) -> datetime | None:
    """Return the present deadline of a player who has already answered in the open reaction, as if they had not,
    because the others must not learn that they have. None for a player who has not answered.
    """
    people = [row for row in rows if not row.bot]
    if not people or seat.by_bot or SeatNumber(seat.number) not in log_store.answered(log_store.read(game)):
        return None
    return min(_due_by_now(row, game, seat, _WINDOW)[1] for row in people)


def _due_by_now(row: OpenQuestion, game: Game, seat: Seat, pace: Pace) -> tuple[calculation.Due, datetime]:
    """Return the deadline of a row for the present player of its seat, including later shifts."""
    schedule, calendar = game.terms.schedule, _calendar(seat)
    first = why(row, game, pace)[0]
    computed = msgspec.convert(row.why, tuple[Reason, ...])[-1:] or (first,)
    due = calculation.due(first.until - (first.length or timedelta()), first, schedule, calendar)
    return due, calculation.settled(due.at + max(row.due_at - computed[0].until, timedelta()), schedule, calendar)


def charge(row: OpenQuestion, game: Game, seat: Seat, answered_at: datetime) -> timedelta | None:
    """Subtract the time of a closed question from the seat's time bank, add the increment, and return the new value.

    None without a time bank. ``answered_at`` is the end of a present pause, because the deadline was moved to it. The
    row of the seat is stored together with the events (``games.play.locked_game``).
    """
    if not row.why or row.why[0]["code"] != "time-bank" or row.bot:
        return None
    schedule, calendar = game.terms.schedule, _calendar(seat)
    first, *_, last = msgspec.convert([*row.why, row.why[-1]], tuple[Reason, ...])
    stops = (calculation.days_off(schedule), calculation.vacation(schedule, calendar))
    spent = calculation.passed(first.until - (first.length or timedelta()), answered_at, stops)
    spent -= max(row.due_at - last.until, timedelta())
    if schedule.time_bank is not None:
        rest = max(_left(seat, schedule.time_bank) - max(spent, timedelta()), timedelta())
        seat.time_bank = min(_whole_seconds(rest) + schedule.time_bank.increment, LONGEST)
    return seat.time_bank


def _whole_seconds(length: timedelta) -> timedelta:
    """Round a length up to whole seconds, because the log has no fractions."""
    return timedelta(seconds=math.ceil(length.total_seconds()))


def time_bank_of(game: Game, seat: Seat) -> timedelta | None:
    """Return a player's time bank while they have no question, or None without one."""
    time_bank = game.terms.schedule.time_bank
    return None if time_bank is None or seat.bot else _left(seat, time_bank)


def latest(rows: Iterable[OpenQuestion], before: Iterable[datetime | None] = ()) -> datetime | None:
    """Return the latest deadline of all people who are asked, and of the deadlines in ``before``."""
    people = [row.due_at for row in rows if not row.bot]
    return max([*people, *(deadline for deadline in before if deadline)], default=None)


def _left(seat: Seat, time_bank: TimeBank) -> timedelta:
    return time_bank.time if seat.time_bank is None else seat.time_bank


def _calendar(seat: Seat) -> Any:
    return None if seat.by_bot else calendar_of(seat.account)

"""The reminder schedule, and the times that players usually take to answer.

A schedule has the steps at which a player is reminded of a question. A step is a part of the time to answer (``80%``)
or a duration before its end (``PT1H``). The step ``alone`` is an early one, for questions that no other player had at
the same time.

A planned answer is played at a time that other players cannot tell from that of an answer by hand. The time is drawn
from the owner's earlier answers by hand: how long they took, and at which hours they came. Only the owner could compute
it, because the draw uses the game's seed and the id of the plan, which other players do not know.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.dateparse import parse_duration

from accounts.models import Account
from games.engine import Chance
from games.models import Game, Move, OpenQuestion
from notifications.kinds import Wishes, after_quiet
from notifications.models import ALONE, Preferences

WHERE_ALONE: Final = "25%"
"""The time of the step ``alone``."""
_USUAL: Final = tuple(Preferences().reminders)


PART: Final = timedelta(hours=2)
"""The length of the parts of a day that are told apart; each begins at an even hour."""
BEFORE: Final = timedelta(minutes=30)
"""The time between a reminder and the usual part of the day after it."""
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class UsualHours:
    """The starting hours of the parts of the day in which an account usually answers, in its own time zone."""

    hours: Sequence[int]
    wishes: Wishes

    def moved(self, at: datetime, asked_at: datetime, due_at: datetime) -> datetime:
        """Return the time to which a reminder moves: shortly before the nearest of these hours.

        It moves by at most half of the time since the question and half of the time until the deadline, so that a late
        reminder stays late. It does not move if no such time is outside the quiet hours.
        """
        room = min(at - asked_at, due_at - at) / 2
        near = (moment for moment in self._moments(at) if abs(moment - at) <= room)
        return min(near, key=lambda moment: abs(moment - at), default=at)

    def _moments(self, around: datetime) -> Iterator[datetime]:
        """Yield the times shortly before these hours, from the day before to the day after."""
        today = around.astimezone(self.wishes.zone).date()
        for day in (today - _DAY, today, today + _DAY):
            for hour in self.hours:
                begins = datetime.combine(day, time(hour), self.wishes.zone).astimezone(UTC)
                moment = after_quiet(self.wishes, begins - BEFORE)
                if moment < begins + PART:
                    yield moment


def usual_hours_of(preferences: Preferences | None) -> UsualHours | None:
    """Return the usual hours in these preferences. None if they are unknown, or if the account has turned them off."""
    if preferences is None or not preferences.usual_hours:
        return None
    return UsualHours(tuple(preferences.usual_hours), preferences.wishes())


def steps_of(preferences: Preferences | None, *, alone: bool) -> Sequence[str]:
    """Return the steps for a question by these preferences, or by the defaults without any. ``alone`` depends on the
    question.
    """
    steps = _USUAL if preferences is None else preferences.reminders
    early = [WHERE_ALONE] if alone and ALONE in steps else []
    return [*early, *(step for step in steps if step != ALONE)]


def set_next(
    row: OpenQuestion, preferences: Preferences | None, asked_at: datetime, after: datetime, *, shared: bool
) -> None:
    """Set the next reminder of a question by these preferences: the next step that was not taken yet.

    A step is taken once, until the player's calendar moves the deadline. If the question is ``shared`` with a stand-in,
    who must not learn when the player usually answers, no step moves, and those that were taken early are repeated at
    their own time (``is_repeated``).
    """
    past_steps = row.reminders[:-1] if row.remind_at else row.reminders
    steps = [step for step in steps_of(preferences, alone=row.alone) if shared or step not in past_steps]
    reminder = next_step(steps, asked_at, row.due_at, after, None if shared else usual_hours_of(preferences))
    row.remind_at, row.reminders = (None, past_steps) if reminder is None else (reminder[0], [*past_steps, reminder[1]])


def is_repeated(row: OpenQuestion) -> bool:
    """Return whether the player was already reminded by the present step of a question."""
    return bool(row.reminders) and row.reminders[-1] in row.reminders[:-1]


def next_step(
    steps: Iterable[str], asked_at: datetime, due_at: datetime, after: datetime, usual: UsualHours | None = None
) -> tuple[datetime, str] | None:
    """Return the time of the next reminder after ``after``, and its step, or None if there is none.

    Steps that are parts of the time move to the hours at which the reader usually answers, if these are known. A step
    that has passed, moved or not, is skipped: a pause moves ``due_at`` and so the target of the moves.
    """
    moments = ((asked_at + length, step) for length, step in _lengths(tuple(steps), due_at - asked_at))
    left = [(at, step) for at, step in moments if at > after]
    if usual is not None:
        moved = ((usual.moved(at, asked_at, due_at) if step.endswith("%") else at, step) for at, step in left)
        left = [(at, step) for at, step in moved if at > after]
    return min(left, default=None)


@lru_cache(1000)
def _lengths(steps: tuple[str, ...], whole: timedelta) -> Sequence[tuple[timedelta, str]]:
    """Return the time from the question to each of these steps. ``whole`` is the time to answer."""
    lengths = (whole * int(step[:-1]) / 100 if step.endswith("%") else whole - _before(step) for step in steps)
    return tuple((length, step) for length, step in zip(lengths, steps, strict=True) if timedelta() < length < whole)


@cache
def _before(step: str) -> timedelta:
    return parse_duration(step) or timedelta()


LATEST: Final = 200
"""The number of an account's latest answers by hand that are used."""
NEAREST: Final = 16
"""The example is drawn from this number of answers, those to questions at the most similar hours of the day."""
FEWEST: Final = 8
"""With fewer earlier answers, the time of an average player is used."""
SHORT: Final = timedelta(hours=1)
"""An example that took less time is followed by its duration. Others are followed by their hour, as people sleep."""
SPREAD: Final = timedelta(minutes=10)
"""The drawn time differs from the example by up to a tenth of its duration, and by at most this much."""
USUAL_WAIT: Final = timedelta(hours=6)
"""The average waking time until an average player answers. It is at most a quarter of the time limit."""
NIGHT: Final = (time(23), time(7))
"""The assumed hours of sleep of a player who has not set any."""
AHEAD: Final = timedelta(seconds=6)
"""A worker sets a timer for answers that are due within this time, which is a little longer than a tick."""
SECOND: Final = timedelta(seconds=1)
_FINENESS: Final = 1 << 32


class Answered(NamedTuple):
    """An earlier answer by hand."""

    asked_at: datetime
    answered_at: datetime


class Span(NamedTuple):
    """A span of time in which an answer may come."""

    begin: datetime
    end: datetime


def earlier_answers(account: int, game: Game) -> list[Answered]:
    """Return the latest answers by hand of an account in games of the same speed, including this game."""
    rows = Move.objects.filter(account=account, state=Move.State.APPLIED, asked_at__isnull=False, plan=None)
    latest = rows.order_by("-received_at").values_list("asked_at", "received_at", "game__terms")[:LATEST]
    return [
        Answered(asked_at, answered_at)
        for asked_at, answered_at, terms in latest
        if terms.turn_limit == game.terms.turn_limit and asked_at is not None
    ]


def draw_moment(
    earlier: Sequence[Answered], owner: Account, asked_at: datetime, span: Span, chance: Chance
) -> datetime:
    """Return the time at which the planned answer to a question is played. The question can be answered in ``span``."""
    nearest = sorted(earlier, key=lambda answer: abs(_hour_apart(answer.asked_at, asked_at)))[:NEAREST]
    examples = [at for at in (_followed(answer, asked_at) for answer in nearest) if span.begin < at + SECOND < span.end]
    if len(nearest) < FEWEST or not examples:
        return _usual_moment(owner, asked_at, span, chance)
    example = chance.choose(examples)
    spread = min((example - asked_at) / 10, SPREAD)
    varied = example + spread * (2 * _fraction(chance) - 1)
    first = varied if span.begin < varied + SECOND < span.end else example
    # The times of answers are stored in whole seconds, so every moment of the second is equally likely.
    earliest = max(first, span.begin)
    return earliest + (first + SECOND - earliest) * _fraction(chance)


def _followed(example: Answered, asked_at: datetime) -> datetime:
    """Return the time of an answer to this question that is as late as the example, or at the same hour of the day."""
    took = example.answered_at - example.asked_at
    as_late = asked_at + took + _hour_apart(example.asked_at, asked_at)
    return as_late if took >= SHORT and as_late > asked_at else asked_at + took


def _hour_apart(one: datetime, other: datetime) -> timedelta:
    """Return the difference between the times of day of two moments, at most half a day."""
    return (one - other + _DAY / 2) % _DAY - _DAY / 2


def _fraction(chance: Chance) -> float:
    return chance.choose(range(_FINENESS)) / _FINENESS


def _usual_moment(owner: Account, asked_at: datetime, span: Span, chance: Chance) -> datetime:
    """Return the time of an answer of an average player: rarely late, and not at night if the time limit is long."""
    awake = list(waking_spans(owner, span)) if span.end - asked_at > _DAY / 2 else []
    awake = awake or [span]
    time_awake = sum((part.end - part.begin for part in awake), timedelta())
    mean = min(USUAL_WAIT, (span.end - asked_at) / 4)
    before_end = 1 - math.exp(-(time_awake / mean))
    return _after(awake, -mean * math.log(1 - _fraction(chance) * before_end))


def _after(spans: Iterable[Span], wait: timedelta) -> datetime:
    """Return the moment at which ``wait`` has passed, counting only the time in these spans."""
    end = None
    for begin, end in spans:
        if wait < end - begin:
            return begin + wait
        wait -= end - begin
    assert end is not None
    return end - timedelta(microseconds=1)


def waking_spans(owner: Account, span: Span) -> Iterator[Span]:
    """Yield the parts of a span in which the owner of a plan is awake, by their hours of sleep or the assumed ones."""
    asleep, wakes = (owner.sleep_from, owner.sleep_to) if owner.sleep_from and owner.sleep_to else NIGHT
    zone = ZoneInfo(owner.time_zone)
    day = span.begin.astimezone(zone).date() - _DAY
    while (begin := datetime.combine(day, wakes, zone)) < span.end:
        end = datetime.combine(day if asleep > wakes else day + _DAY, asleep, zone)
        awake = Span(max(begin, span.begin), min(end, span.end))
        if awake.begin < awake.end:
            yield awake
        day += _DAY

"""The time at which a planned answer is played, so that other players cannot tell it from an answer by hand.

The time is drawn from the owner's earlier answers by hand: how long they took, and at which hours they came. Only the
owner could compute it, because the draw uses the game's seed and the id of the plan, which other players do not know.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from accounts.models import Account
from games.engine import Chance
from games.models import Game, Move

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
_DAY: Final = timedelta(days=1)
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
    # The times of answers are stored without fractions, so any moment of the second is as likely.
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

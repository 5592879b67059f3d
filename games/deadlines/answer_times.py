"""The moment at which an answer by plan counts, where nobody may tell it from an answer by hand.

It is drawn from how long the owner of the plan took for earlier answers by hand, and at which hours they gave them.
Nobody else can compute it: the draw follows from the game's seed and from the id of the plan, which only its owner
knows.
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
"""The number of somebody's latest answers by hand that are looked at."""
NEAREST: Final = 16
"""One of so many is taken as an example: those whose questions came at about the same hour of the day."""
FEWEST: Final = 8
"""With fewer earlier answers than this, the time is that of a usual person."""
SHORT: Final = timedelta(hours=1)
"""A shorter answer is taken for its length; a longer one for the hour at which it came: people sleep."""
SPREAD: Final = timedelta(minutes=10)
"""An example is followed up to a tenth of its length, but by no more than this: nothing comes twice alike."""
USUAL_WAIT: Final = timedelta(hours=6)
"""The average time of a usual person who is awake; a quarter of the time there is, where that is less."""
NIGHT: Final = (time(23), time(7))
"""The hours of sleep of a usual person who has named none."""
AHEAD: Final = timedelta(seconds=6)
"""A little longer than the time between two ticks: so far ahead a worker sets a timer."""
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
    """Return the latest answers that somebody gave by hand in games of the same speed, this one among them."""
    rows = Move.objects.filter(account=account, state=Move.State.APPLIED, asked_at__isnull=False, plan=None)
    found = rows.order_by("-received_at").values_list("asked_at", "received_at", "game__terms")[:LATEST]
    alike = ((asked, received) for asked, received, terms in found if terms.turn_limit == game.terms.turn_limit)
    return [Answered(asked, received) for asked, received in alike if asked is not None]


def draw_moment(
    earlier: Sequence[Answered], owner: Account, asked_at: datetime, span: Span, chance: Chance
) -> datetime:
    """Return when an answer to a question counts that was asked then, and can be answered within ``span``."""
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
    """Return when this question is answered if it goes as with an earlier one."""
    took = example.answered_at - example.asked_at
    as_late = asked_at + took + _hour_apart(example.asked_at, asked_at)
    return as_late if took >= SHORT and as_late > asked_at else asked_at + took


def _hour_apart(one: datetime, other: datetime) -> timedelta:
    """Return by how much the hour of one moment is later in its day than that of another: at most half a day."""
    return (one - other + _DAY / 2) % _DAY - _DAY / 2


def _fraction(chance: Chance) -> float:
    return chance.choose(range(_FINENESS)) / _FINENESS


def _usual_moment(owner: Account, asked_at: datetime, span: Span, chance: Chance) -> datetime:
    """Return when somebody answers of whom too little is known: seldom late, and not at night if there is a day."""
    awake = list(waking_spans(owner, span)) if span.end - asked_at > _DAY / 2 else []
    awake = awake or [span]
    there_is = sum((each.end - each.begin for each in awake), timedelta())
    mean = min(USUAL_WAIT, (span.end - asked_at) / 4)
    before_end = 1 - math.exp(-(there_is / mean))
    return _after(awake, -mean * math.log(1 - _fraction(chance) * before_end))


def _after(spans: Iterable[Span], wait: timedelta) -> datetime:
    """Return the moment at which so much of these spans is over."""
    end = None
    for begin, end in spans:
        if wait < end - begin:
            return begin + wait
        wait -= end - begin
    assert end is not None
    return end - timedelta(microseconds=1)


def waking_spans(owner: Account, span: Span) -> Iterator[Span]:
    """Yield the parts of a span in which the owner of a plan is awake, by the hours they have named or usual ones."""
    asleep, wakes = (owner.sleep_from, owner.sleep_to) if owner.sleep_from and owner.sleep_to else NIGHT
    zone = ZoneInfo(owner.time_zone)
    day = span.begin.astimezone(zone).date() - _DAY
    while (begin := datetime.combine(day, wakes, zone)) < span.end:
        end = datetime.combine(day if asleep > wakes else day + _DAY, asleep, zone)
        awake = Span(max(begin, span.begin), min(end, span.end))
        if awake.begin < awake.end:
            yield awake
        day += _DAY

"""The moments of answers by plan: nothing that is published tells them from those at which their owner answers by hand.

The hands are the people of ``make pace``: they sleep, look at their mail a few times a day, put off and forget.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import NormalDist
from zoneinfo import ZoneInfo

import pytest

from accounts.models import Account
from bench.pace.people import Habits, Person, company
from games.deadlines.reminder_schedule import FEWEST, Answered, Span, draw_moment
from games.engine.chance import SeededChance, plan_chance

BEGIN = datetime(2026, 3, 2, tzinfo=UTC)
DAY = timedelta(days=1)
LIMIT = DAY
PEOPLE = 5
EARLIER = 60
ANSWERS = 40
"""The number of answers of a person by hand, and of answers by plan. All persons together give 200."""
TRIALS = 8
OFTEN = (2, 3, 4, 5)
"""The numbers of looks at the mail on a day. A person with a single look answers at any time of the day."""


def rank_test(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how likely such ranks are if both come from one source (Mann and Whitney, two-sided, without ties)."""
    ranks = {value: rank for rank, value in enumerate(sorted({*one, *other}), start=1)}
    larger = sum(ranks[value] for value in one) - len(one) * (len(one) + 1) / 2
    mean = len(one) * len(other) / 2
    spread = math.sqrt(mean * (len(one) + len(other) + 1) / 6)
    return 2 * (1 - NormalDist().cdf(abs(larger - mean) / spread))


def by_hand(person: Person, question: str, asked_at: datetime) -> datetime | None:
    """Return the time of a person's answer, or None if they do not answer in time."""
    person.receive_notification(question)
    look = person.next_look(asked_at)
    while look < asked_at + LIMIT:
        if person.attends_to(question, look):
            return look
        look = person.next_look(look)
    return None


def question_times(luck: Random) -> Iterator[datetime]:
    """Yield the times of a person's questions, which follow answers of others by mail."""
    others = list(company(4, Habits(), luck, OFTEN))
    at = BEGIN
    while True:
        at = luck.choice(others).next_look(at + timedelta(minutes=luck.randrange(24 * 60)))
        yield at


def answers(luck: Random) -> tuple[list[Answered], list[Answered]]:
    """Return the answers of a person by hand and the answers of their plans, which alternate."""
    (person,) = company(1, Habits(), luck, OFTEN)
    owner = Account(time_zone=person.zone.key)
    hand, plan = list[Answered](), list[Answered]()
    for number, at in enumerate(question_times(luck)):
        if len(plan) == ANSWERS:
            return hand[EARLIER:], plan
        if len(hand) >= EARLIER + len(plan) + 1:
            chance = plan_chance(bytes(32), "game", f"3.{number}", "a plan")
            plan.append(Answered(at, draw_moment(hand[::-1], owner, at, Span(at, at + LIMIT), chance)))
        elif (answered := by_hand(person, f"3.{number}", at)) is not None:
            hand.append(Answered(at, answered))
    raise AssertionError("people are asked for ever")


def lengths(answers: Sequence[Answered]) -> list[float]:
    """Return how long each answer took."""
    return [(answer.answered_at - answer.asked_at) / DAY for answer in answers]


def hours(answers: Sequence[Answered]) -> list[float]:
    """Return at which part of the day each answer came."""
    return [(answer.answered_at - BEGIN) / DAY % 1 for answer in answers]


def trial(number: int) -> tuple[list[Answered], list[Answered]]:
    """Return 200 answers by hand and 200 by plan, of five people."""
    hand, plan = list[Answered](), list[Answered]()
    for person in range(PEOPLE):
        of_hand, of_plan = answers(Random(f"{number}/{person}"))
        hand += of_hand
        plan += of_plan
    assert len(hand) == len(plan) == PEOPLE * ANSWERS == 200
    return hand, plan


def test_two_hundred_answers_by_plan_are_not_told_from_two_hundred_by_hand() -> None:
    trials = [trial(number) for number in range(TRIALS)]
    for published in (lengths, hours):
        probabilities = [rank_test(published(hand), published(plan)) for hand, plan in trials]
        assert sum(probability < 0.05 for probability in probabilities) <= 1, "one of twenty does by chance"
        assert min(probabilities) > 0.005


def test_the_answers_of_one_person_are_not_told_apart() -> None:
    hand, plan = trial(0)
    for person in range(PEOPLE):
        part = slice(person * ANSWERS, (person + 1) * ANSWERS)
        assert rank_test(lengths(hand[part]), lengths(plan[part])) > 0.01
        assert rank_test(hours(hand[part]), hours(plan[part])) > 0.01


def test_the_same_test_tells_answers_that_come_at_once_or_at_any_time() -> None:
    (hand, _), luck = trial(0), Random(9)
    at_once = [luck.random() / 1e6 for _ in hand]
    at_any_time = [luck.random() for _ in hand]
    assert rank_test(lengths(hand), at_once) < 1e-9
    assert rank_test(lengths(hand), at_any_time) < 1e-3


def test_of_whom_nothing_is_known_a_plan_answers_by_day_and_in_time() -> None:
    owner = Account(time_zone="Asia/Tehran")
    for number in range(200):
        at = BEGIN + number * timedelta(hours=1)
        moment = draw_moment([], owner, at, Span(at, at + LIMIT), plan_chance(bytes(32), "game", f"{number}", ""))
        assert at < moment < at + LIMIT
        assert 7 <= moment.astimezone(ZoneInfo(owner.time_zone)).hour < 23


@pytest.mark.parametrize("limit", [timedelta(minutes=2), timedelta(hours=3), DAY, 30 * DAY])
def test_an_answer_by_plan_is_always_in_time(limit: timedelta) -> None:
    owner, late = Account(time_zone="UTC"), [Answered(BEGIN, BEGIN + number * limit / 5) for number in range(1, 20)]
    for earlier in ([], late, late[: FEWEST - 1]):
        for number in range(50):
            span = Span(BEGIN + number * limit / 51, BEGIN + limit)
            moment = draw_moment(earlier, owner, BEGIN, span, SeededChance(bytes([number]) * 32))
            assert span.begin <= moment < span.end


def test_the_seed_alone_does_not_tell_when_a_plan_would_have_answered() -> None:
    owner, span = Account(time_zone="UTC"), Span(BEGIN, BEGIN + LIMIT)
    moments = {draw_moment([], owner, BEGIN, span, plan_chance(bytes(32), "g", "1.1", plan)) for plan in ("one", "two")}
    assert len(moments) == 2, "a plan has an id that its owner alone knows"

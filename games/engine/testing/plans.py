"""Checks of plans: their notation is read as the same plan, and they do not depend on hidden facts."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import msgspec

from games.engine.answers.plans import PlanRules
from games.engine.errors import MALFORMED, RuleViolation
from games.engine.reading import names_to_read
from games.engine.testing.playing import Decision, RandomGame
from games.engine.testing.words import Spoken
from games.engine.testing.worlds import other_world
from games.engine.types import SPECTATOR, SeatNumber

MOST: Final = 12
"""The number of plans of each form that are tried at one point of a game."""


def plans(game: RandomGame, decision: Decision, spoken: Spoken) -> Iterator[str]:
    """Yield the faults in the plans that are possible for a seat now."""
    plans = game.rules.plans
    if plans is None or game.rules.outcome(decision.after) is not None:
        return
    seat = game.luck.choose(game.rules.questions(decision.after)).seat
    view = game.rules.view(decision.after, seat)
    examples = plans.examples(view, seat)
    for plan in examples:
        if why := plans.wrong(view, seat, plan):
            yield f"The plan “{plans.text(plan)}” is given as an example and is wrong: {why}"
    plans_to_try = [*examples]
    for text in _of_forms(plans, view, seat):
        try:
            plans_to_try.append(plans.parse(view, seat, text, {}))
        except RuleViolation as violation:
            yield from _refused(text, violation)
    for plan in plans_to_try:
        yield from _one(plans, view, seat, plan)
        yield from spoken.wrong_with(plans.describe(plan))
    yield from _answers(game, decision.after, plans_to_try)
    try:
        plans.parse(view, seat, "xyzzy plugh", {})
        yield "“xyzzy plugh” is read as a plan."
    except RuleViolation as violation:
        yield from _refused("xyzzy plugh", violation)


def _refused(text: str, violation: RuleViolation) -> Iterator[str]:
    if violation.code != MALFORMED:
        yield f"A plan that cannot be read is refused as `{violation.code}`, and should be as `{MALFORMED}`."
    if not str(violation.phrase):
        yield f"The plan “{text}” is refused without a sentence."


def _of_forms(plans: PlanRules[Any, Any, Any], view: Any, seat: SeatNumber) -> Iterator[str]:
    """Yield plans as the forms compose them, in notation. An impossible combination must be refused."""
    for form in plans.forms(view, seat):
        combinations = [*product(*([word for word, _ in slot.choices] for slot in form.slots))]
        for words in combinations[:: max(1, len(combinations) // MOST)]:
            yield " ".join(filter(None, (form.begins, *words)))


def _one(plans: PlanRules[Any, Any, Any], view: Any, seat: SeatNumber, plan: Any) -> Iterator[str]:
    text = plans.text(plan)
    words = [word for word in dict.fromkeys(text.split()) if not word.isdigit()]
    awkward = names_to_read({SeatNumber(number): word for number, word in enumerate(words, 1)})
    try:
        for names in ({}, awkward):
            if (reading := plans.parse(view, seat, text, names)) != plan:
                yield f"The plan “{text}” means {plan!r}, but is read with players called {[*names]} as {reading!r}."
    except RuleViolation as violation:
        yield f"The plan “{text}” cannot be read: {violation}"
    if msgspec.json.decode(msgspec.json.encode(plan), type=plans.plan_type) != plan:
        yield f"The plan {plan!r} does not come back from JSON as it was."


def _answers(game: RandomGame, state: Any, plans_to_try: Sequence[Any]) -> Iterator[str]:
    """Check that an answer is legal, and that its existence does not depend on hidden facts."""
    rules, plans = game.rules, game.rules.plans
    assert plans is not None
    other = other_world(game, SPECTATOR)
    for question in rules.questions(state):
        view, moves = rules.view(state, question.seat), rules.legal_moves(state, question)
        for plan in plans_to_try:
            answer = plans.answer(view, question, moves, plan)
            if answer is not None and answer not in moves:
                yield f"The plan “{plans.text(plan)}” answers {question.id} with {answer!r}, which is not legal."
            if other is not None and question in rules.questions(other):
                there = rules.view(other, question.seat), question, rules.legal_moves(other, question), plan
                if (answer is None) != (plans.answer(*there) is None):
                    yield (
                        f"Whether the plan “{plans.text(plan)}” answers {question.id} (`{question.kind}`) depends on "
                        "what only its owner knows: the others would learn it from when the answer comes."
                    )

"""Plans of Coup: their notation, and that they do not depend on secrets.

In random games every seat has random plans. Their answers are always legal, and the games end. Apart from proofs,
concessions and losses, plans answer the same questions in the same way in all worlds that look alike.
"""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import SPECTATOR, RuleViolation, SeatNumber, SeededChance, replay
from games.engine.plans import first_answer
from games.rules.coup import RULES
from games.rules.coup import plans as o
from games.rules.coup.text.plan_words import PERSIAN_PLANS, examples
from games.rules.coup.text.words import PERSIAN
from tests.games.rules.coup.random_play import LONGEST, option_sets
from tests.games.rules.coup.table import Table
from tests.long import SCALE

pytestmark = pytest.mark.long

LAW = RULES.plans
SETS = option_sets()


def every_plan(view, seat: int) -> list:
    """Every plan that a seat can put together on its page."""
    plans = []
    for form in LAW.forms(view, SeatNumber(seat)):
        texts = [form.begins]
        for slot in form.slots:
            texts = [f"{text} {word}".strip() for text in texts for word, _ in slot.choices]
        for text in texts:
            try:
                plans.append(LAW.parse(view, SeatNumber(seat), text, {}))
            except RuleViolation:
                assert text == "allow" or text.startswith("next-turn"), text
    return plans


class Ordered:
    """A random game in which plans answer if they can."""

    def __init__(self, number: int) -> None:
        self.luck = random.Random(number)
        self.seats, options = SETS[number % len(SETS)]
        self.chance = SeededChance(number.to_bytes(32), "ordered")
        self.state = replay(RULES, RULES.setup(RULES.options(**options), self.seats, self.chance))
        self.plans: dict[int, list] = {}
        self.answered = 0
        self.records: list = []
        """The questions for the plans: state, question, plans and answer."""

    def give(self) -> None:
        """Store some plans of each seat that are possible now."""
        for seat in o.others(RULES.view(self.state, SPECTATOR), SeatNumber(0)):
            view = RULES.view(self.state, seat)
            plans = [self._random_plan(view, seat) for _ in range(self.luck.randrange(6))]
            several = {LAW.subject(plan): plan for plan in plans if plan is not None}
            self.plans[seat] = sorted(several.values(), key=LAW.rank)

    def _random_plan(self, view, seat: int):
        """A plan put together of words as on a page; None where they make none."""
        form = self.luck.choice(LAW.forms(view, seat))
        words = (self.luck.choice(slot.choices)[0] for slot in form.slots)
        try:
            return LAW.parse(view, seat, " ".join(filter(None, (form.begins, *words))), {})
        except RuleViolation:
            return None

    def answer_questions(self) -> None:
        """Plans answer until none of them answers an open question."""
        for _ in range(100):
            if not any(self._obeyed(question) for question in RULES.questions(self.state)):
                return
        raise AssertionError("the plans do not come to an end")

    def _obeyed(self, question) -> bool:
        plans = self.plans.get(question.seat, [])
        answer, which, spent = first_answer(RULES, self.state, question, plans)
        self.records.append((self.state, question, tuple(plans), answer))
        once = which is not None and LAW.is_once(plans[which])
        spent_plans = {*spent, which} if once else set(spent)
        self.plans[question.seat] = [plan for index, plan in enumerate(plans) if index not in spent_plans]
        if answer is not None:
            assert answer in RULES.legal_moves(self.state, question)
            self._play(question, answer)
            self.answered += 1
        return answer is not None

    def _play(self, question, move) -> None:
        for event in RULES.decide(self.state, question.seat, move, self.chance):
            self.state = RULES.evolve(self.state, event)

    def run(self, most: int = LONGEST) -> "Ordered":
        """Continue the game, for at most ``most`` questions that no plan answers."""
        for turn in range(most):
            if turn % 12 == 0:
                self.give()
            self.answer_questions()
            if RULES.outcome(self.state) is not None:
                return self
            question = self.luck.choice(RULES.questions(self.state))
            self._play(question, self.luck.choice(RULES.legal_moves(self.state, question)))
        return self


@settings(max_examples=40 * SCALE)
@given(st.integers(0, 100 * len(SETS)))
def test_random_plans_answer_legally_and_every_game_ends(number):
    assert RULES.outcome(Ordered(number).run().state) is not None


def test_plans_answer_often_in_these_games():
    games = [Ordered(number).run() for number in range(0, 12 * 41, 41)]
    kinds = {question.kind for game in games for _, question, _, answer in game.records if answer is not None}
    assert kinds == {"turn", "challenge", "block", "challenge-block", "proof", "loss"}
    assert sum(game.answered for game in games) > 200


@settings(max_examples=40 * SCALE)
@given(st.integers(0, 100 * len(SETS)), st.integers(1, 40), st.integers(0, 1000))
def test_no_plan_acts_on_a_hidden_fact(number, length, luck):
    game = Ordered(number).run(length)
    for state, question, plans, answer in game.records[-20:]:
        others = [SPECTATOR, *(seat for seat in range(1, game.seats + 1) if seat != question.seat)]
        for viewer in random.Random(luck).sample(others, 2):
            world = RULES.worlds(state, viewer, SeededChance(luck.to_bytes(32)))
            same = next((open_question for open_question in RULES.questions(world) if open_question == question), None)
            if same is None:
                continue
            there = first_answer(RULES, world, same, plans).answer
            if question.kind in ("proof", "loss") or any(getattr(plan, "else_allow", False) for plan in plans):
                assert (answer is None) == (there is None), "whether it answers tells nothing"
            else:
                assert answer == there


@pytest.mark.parametrize("number", range(0, len(SETS), 97))
def test_a_plan_has_one_text_and_is_read_back_from_it(number):
    game = Ordered(number)
    for seat in range(1, game.seats + 1):
        view = RULES.view(game.state, seat)
        for plan in (*every_plan(view, seat), *examples(view, SeatNumber(seat))):
            if isinstance(plan, o.NextTurn) and view.turn == seat:
                continue
            text = LAW.text(plan)
            assert LAW.parse(view, SeatNumber(seat), text, {}) == plan
            assert LAW.parse(view, SeatNumber(seat), in_persian(text), {}) == plan
            assert LAW.wrong(view, SeatNumber(seat), plan) is None
            assert msgspec.convert(msgspec.to_builtins(plan), o.AnyPlan) == plan


def in_persian(text: str) -> str:
    """Return the Persian translation, with Persian digits."""
    words = {**PERSIAN, **PERSIAN_PLANS}
    return " ".join(words.get(word, word.translate(str.maketrans("123456789", "۱۲۳۴۵۶۷۸۹"))) for word in text.split())


def test_what_is_aimed_at_oneself_is_not_allowed_unasked():
    table = Table(seats=3, reformation=False, anarchist=True, deal=["contessa duke captain contessa assassin duke"])
    table.play("1 steal 2")
    assert answers(table, 2, o.AllowOthers()) is None
    assert answers(table, 3, o.AllowOthers()) == "allow"
    table.play("3 allow", "2 block captain")
    assert answers(table, 1, o.AllowOthers()) is None, "whose action is blocked is concerned"
    assert answers(table, 3, o.AllowOthers()) == "allow"


def test_c6_a_plan_to_allow_neither_challenges_nor_blocks():
    table = Table(seats=3, deal=["contessa duke captain contessa assassin duke"]).play("1 steal 2")
    assert "block captain" in table.offered(2)
    assert answers(table, 2, o.Allow(player=SeatNumber(1))) == "allow"
    table.play("2 allow", "3 allow")
    assert table.question_kinds() == {2: "turn"}, "nobody is asked twice"


@pytest.mark.parametrize(("seat", "answer"), [(2, "block captain"), (3, "allow")])
def test_a_plan_blocks_if_its_owner_holds_the_card_and_else_allows(seat, answer):
    table = Table(seats=3, deal=["contessa duke captain contessa assassin duke"]).play(f"1 steal {seat}")
    assert answers(table, seat, o.Block("steal", "captain")) == "block captain", "also as a bluff"
    assert answers(table, seat, o.Block("steal", "captain", else_allow=True)) == answer


def test_two_plans_to_block_one_action_are_about_the_same():
    captain, ambassador = (o.Block("steal", card, else_allow=True) for card in ("captain", "ambassador"))
    table = Table(seats=3, deal=["contessa duke captain contessa ambassador duke"]).play("1 steal 3")
    assert answers(table, 3, ambassador) == "block ambassador"
    assert answers(table, 3, captain) == "allow", "so the other one would never be asked"
    assert LAW.subject(captain) == LAW.subject(ambassador) != LAW.subject(o.Block("foreign-aid", "duke"))


def test_an_action_that_is_allowed_is_not_the_block_of_it():
    table = Table(seats=3, deal=["contessa duke captain contessa assassin duke"]).play("1 foreign-aid")
    assert answers(table, 3, o.Allow(action="foreign-aid")) == "allow"
    table.play("2 block duke")
    assert answers(table, 3, o.Allow(action="foreign-aid")) is None
    assert answers(table, 3, o.Allow(player=SeatNumber(2))) == "allow"


def test_the_claim_to_hold_no_duke_is_no_claim_to_the_duke():
    table = Table(seats=3, reformation=True, deal=["contessa captain captain contessa assassin duke"])
    table.play("1 empire", "1 convert", "2 income", "3 income", "1 embezzle")
    assert table.question_kinds() == {2: "challenge", 3: "challenge"}
    assert answers(table, 2, o.Challenge("duke")) is None


def answers(table: Table, seat: int, plan) -> str | None:
    """Return a plan's answer to the open question of a seat."""
    question = table.question(seat)
    answer = first_answer(RULES, table.state, question, [plan]).answer
    return None if answer is None else RULES.text(answer)

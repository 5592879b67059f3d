"""Games whose state has ``open``: the engine counts the questions, and refuses answers that were not offered."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from games.engine import (
    SPECTATOR,
    Chance,
    Event,
    Move,
    OpenQuestions,
    Phrase,
    Question,
    Rules,
    RuleViolation,
    SeatEvent,
    SeatNumber,
    SeededChance,
    Words,
    in_steps,
    next_seat,
    no_questions,
)
from games.engine import replay as replay_events
from games.engine.rules import derived
from games.engine.validation import NoOptions, check_in_game, check_seat_count
from games.kit.checking import check
from tests.examples import for_each

LUCK = SeededChance(bytes(32))
ONE, TWO, THREE = map(SeatNumber, (1, 2, 3))


class State(Struct, frozen=True):
    open: OpenQuestions
    total: int = 0
    winners: tuple[SeatNumber, ...] | None = None


class Add(Move, frozen=True, tag="add"):
    number: int


class Begun(Event, frozen=True, tag="begun"):
    seats: int

    def after(self, state: State | None) -> State:
        return State(no_questions(self.seats).ask(ONE))


class Added(SeatEvent, frozen=True, tag="added"):
    number: int

    def after(self, state: State) -> State:
        following = next_seat(self.seat, range(1, len(state.open.counts) + 1), len(state.open.counts))
        return replace(state, total=state.total + self.number, open=state.open.ask(following))


class Won(Event, frozen=True, tag="won"):
    winners: tuple[SeatNumber, ...]

    def after(self, state: State) -> State:
        return replace(state, winners=self.winners, open=state.open.ask())


def setup(options: NoOptions, seats: int, chance: Chance) -> tuple[Event, ...]:
    check_seat_count(range(2, 4), seats)
    return (Begun(seats=seats),)


@in_steps
def decide(state: State, seat: SeatNumber, move: Add, chance: Chance) -> Iterator[Any]:
    state = yield Added(seat=seat, number=move.number)
    if state.total >= 10:
        yield Won(winners=(seat,))


def resign(state: State, seat: SeatNumber, chance: Chance) -> tuple[Event, ...]:
    seats = range(1, len(state.open.counts) + 1)
    check_in_game(state.winners is None and seat in seats)
    return (Won(winners=tuple(SeatNumber(other) for other in seats if other != seat)),)


RULES: Any = Rules(
    name="ten",
    version=1,
    players=range(2, 4),
    state_type=State,
    event_type=Begun | Added | Won,
    move_type=Add,
    setup=setup,
    legal_moves=lambda state, question: tuple(Add(number, question=question.id) for number in (1, 2, 3)),
    decide=decide,
    resign=resign,
)


def begun(seats: int = 2) -> State:
    state: State = replay_events(RULES, RULES.setup(RULES.options(), seats, LUCK))
    return state


def test_a_game_of_sixty_lines_without_words_keeps_the_contract() -> None:
    check(RULES, 6)


def test_questions_are_counted_for_each_seat() -> None:
    questions = no_questions(3).ask(TWO).ask(ONE, THREE, kind="guess").without(ONE).ask(THREE)
    assert questions == OpenQuestions((1, 1, 2), (THREE,), "turn", "turn")
    assert RULES.questions(State(questions)) == (Question("3.2", THREE, "turn", "turn"),)
    assert RULES.questions(State(questions.ask())) == ()


@for_each(
    "seat, number, question, code",
    [
        (ONE, 4, "1.1", "illegal"),
        (TWO, 1, "1.1", "question-closed"),
        (ONE, 1, "1.2", "question-closed"),
        (ONE, 1, "", "question-closed"),
    ],
)
def test_an_answer_that_was_not_offered_is_refused(seat: SeatNumber, number: int, question: str, code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        RULES.decide(begun(), seat, Add(number, question=question), LUCK)
    assert refused.value.code == code


def test_an_answer_to_a_closed_question_is_refused() -> None:
    after = replay_events(RULES, RULES.decide(begun(), ONE, Add(1, question="1.1"), LUCK), begun())
    with pytest.raises(RuleViolation) as refused:
        RULES.decide(after, ONE, Add(1, question="1.1"), LUCK)
    assert refused.value.code == "question-closed"


def test_a_decision_in_steps_knows_the_state_after_each_event() -> None:
    nearly = replace(begun(), total=8)
    assert RULES.decide(nearly, ONE, Add(1, question="1.1"), LUCK) == (Added(seat=ONE, number=1),)
    events = RULES.decide(nearly, ONE, Add(2, question="1.1"), LUCK)
    assert events == (Added(seat=ONE, number=2), Won(winners=(ONE,)))


def test_rules_made_of_others_offer_and_refuse_their_own_moves() -> None:
    other = replace(RULES, legal_moves=lambda state, question: (Add(7, question=question.id),))
    assert other.decide(begun(), ONE, Add(7, question="1.1"), LUCK) == (Added(seat=ONE, number=7),)
    with pytest.raises(RuleViolation):
        RULES.decide(begun(), ONE, Add(7, question="1.1"), LUCK)
    with pytest.raises(RuleViolation):
        other.decide(begun(), ONE, Add(1, question="1.1"), LUCK)


def test_a_game_without_words_tells_its_events_by_their_names() -> None:
    events = [Begun(seats=2), Added(seat=ONE, number=3)]
    assert [str(phrase) for _, phrase in RULES.words.story(events, None)] == [
        "begun, seats 2.",
        "seat 1: added, number 3.",
    ]
    assert str(RULES.words.title) == "Ten"
    assert str(replace(RULES, words=Words(title=Phrase("Ten or more"))).words.title) == "Ten or more"


@pytest.mark.parametrize(
    ("seat", "seats", "next_one"), [(1, (1, 2, 3), 2), (3, (1, 2, 3), 1), (2, (2,), 2), (1, (3,), 3)]
)
def test_the_next_seat_is_found_clockwise(seat: int, seats: tuple[int, ...], next_one: int) -> None:
    assert next_seat(seat, seats, 3) == next_one


def test_a_view_without_cards_has_questions_too() -> None:
    view = RULES.view(begun(), SPECTATOR)
    assert RULES.questions(view) == RULES.questions(begun())


class Show(Move, frozen=True, tag="show"):
    card: str
    player: SeatNumber | None = None


def test_the_words_of_offered_answers_are_read_before_a_notation_is_written() -> None:
    moves = (Show("priest"), Show("priest", TWO), Show("guard", TWO))
    showing = replace(RULES, move_type=Show, legal_moves=lambda state, question: moves, parse=derived)
    (question,) = showing.questions(begun())
    names = {"kaveh": TWO}
    assert showing.parse(begun(), question, "Show priest Kaveh.", names) == Show("priest", TWO)
    assert showing.parse(begun(), question, "show guard 2", names) == Show("guard", TWO)
    with pytest.raises(RuleViolation, match="We can’t read"):
        showing.parse(begun(), question, "show baron kaveh", names)

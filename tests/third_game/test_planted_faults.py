"""Faults planted in the third game: ``check`` finds each of them, and describes it in a sentence.

The third game has no plans, so faults in plans are planted in ours.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final, Union, get_args

import pytest
from msgspec.structs import asdict, replace

from games.engine import (
    EVERYONE,
    SPECTATOR,
    AnswerForm,
    Event,
    Move,
    NumberSlot,
    Outcome,
    Phrase,
    Question,
    RuleViolation,
    SeatName,
    SeatNumber,
    SeededChance,
    one_by_one,
)
from games.engine import replay as fold
from games.engine.drawing import named_place, sheet
from games.engine.forms import Slot, forms_of
from games.engine.reading import fold as folded
from games.engine.rules import AnyRules, derived
from games.engine.validation import check_seat_count, find_question
from games.engine.visibility import EACH_OWN
from games.kit.checking import ContractBroken, NotExamined, check, examine, find_faults
from games.rules.coup import RULES as COUP
from games.rules.sedlec import RULES as SEDLEC
from tests.third_game import fist

RULES: Final[AnyRules] = fist.RULES
PERSIAN: Final = Path(__file__).parents[2] / "games" / "locale" / "fa" / "LC_MESSAGES" / "django.mo"


@dataclass(frozen=True)
class Planted:
    """A fault, and a part of the sentence that describes it."""

    change: Callable[[], dict[str, Any]]
    sentence_part: str


class ClaimWritten(Event, frozen=True, tag="claimed"):
    """A claim with its number as text."""

    seat: SeatNumber
    number: str


class Bare(fist.Dealt, frozen=True, tag="dealt"):
    """A deal whose type does not allow hidden values."""

    numbers: Annotated[tuple[int, ...], EACH_OWN]


class Ajar(fist.Stood, frozen=True, tag="stood"):
    """The end of a window that does not say so."""

    closes_window = False


def told_by(mistaken: type[Event], parts: tuple[str, ...]) -> dict[str, Any]:
    """Rules in which events of this kind take the place of those with its tag; these ``parts`` make them."""
    right = mistaken.__mro__[1]

    def exchanged(part: Callable[..., Any]) -> Callable[..., Any]:
        def events(*arguments: Any) -> Any:
            created_events = part(*arguments)
            return tuple(mistaken(**asdict(event)) if type(event) is right else event for event in created_events)

        return events

    kinds = [mistaken if kind is right else kind for kind in get_args(RULES.event_type)]
    replaced_parts = {part: exchanged(getattr(fist, part)) for part in parts}
    return {"event_type": Union[tuple(kinds)], "show": derived, "play": None, **replaced_parts}  # noqa: UP007


def asked_otherwise(change: Callable[[fist.State, Question], dict[str, Any]]) -> dict[str, Any]:
    """Questions in which something else stands."""

    def questions(state: fist.State) -> tuple[Question, ...]:
        return tuple(replace(question, **change(state, question)) for question in fist.questions(state))

    return {"questions": questions} | following(questions)


def following(questions: Callable[[fist.State], tuple[Question, ...]]) -> dict[str, Any]:
    """Decisions that go by these questions."""

    def decide(state: Any, seat: Any, move: Any, chance: Any) -> Any:
        original_ids = {new.id: old.id for new, old in zip(questions(state), fist.questions(state), strict=True)}
        return fist.decide(state, seat, replace(move, question=original_ids.get(move.question, move.question)), chance)

    return {"decide": decide}


def number_of(state: fist.State, seat: int) -> Any:
    return state.numbers[seat - 1]


def first_name(state: Any, question: Any, text: str, names: Any) -> Any:
    """A parser that puts seats for names before it reads anything."""
    for name, seat in names.items():
        text = folded(text).replace(name, str(seat))
    return fist.RULES.parse(state, question, text, {})


def remembered() -> dict[str, Any]:
    """A fold that depends on earlier calls."""
    counted = count()

    def evolve(state: Any, event: Any) -> Any:
        state = fist.evolve(state, event)
        return replace(state, claims=(*state.claims[:-1], next(counted))) if state.claims else state

    return {"evolve": evolve}


def lucky() -> dict[str, Any]:
    """Decisions with luck of their own."""
    luck = count()

    def decide(state: Any, seat: Any, move: Any, chance: Any) -> Any:
        events = fist.decide(state, seat, move, chance)
        return (replace(events[0], schema=next(luck)), *events[1:])

    return {"decide": decide}


def endless(state: Any, seat: Any, move: Any, chance: Any) -> Any:
    """Decisions after which the turn comes back to seat 1."""
    events = fist.decide(state, seat, move, chance)
    if any(isinstance(event, fist.Won) for event in events):
        return (*events[:1], fist.Stood(next=SeatNumber(1)))
    return events


def careless(state: Any, seat: Any, move: Any, chance: Any) -> Any:
    """Decisions that accept answers from any asked seat."""
    question = next((question for question in fist.questions(state) if question.id == move.question), None)
    return fist.decide(state, question.seat if question else seat, move, chance)


def played_otherwise(state: Any, seat: Any, move: Any, chance: Any) -> Any:
    events = fist.decide(state, seat, move, chance)
    return events, replace(fold(RULES, events, state), highest=7)


def half_told(event: Any, reader: Any) -> Phrase | None:
    return Phrase("Seat %(seat)s claims.") if isinstance(event, fist.Claimed) else None


def drawn_twice(view: Any, reader: Any) -> str:
    return sheet(10, 10, "", "", [named_place("seat-1", []), named_place("seat-1", [])], "paper", "Fist")


def drawn_without_symbols(view: Any, reader: Any) -> str:
    return sheet(10, 10, "", "", [], "paper", "Fist")


def drawn_bare(view: Any, reader: Any) -> str:
    return sheet(
        10,
        10,
        "",
        "",
        [f"<text>{reader.say(Phrase('%(player)s', {'player': SeatName(view.turn)}))}</text>"],
        "paper",
        "Fist",
    )


def closed_view(state: Any, viewer: Any) -> Any:
    return fist.view(state, max(viewer, SPECTATOR))


def open_view(state: Any, viewer: Any) -> Any:
    return replace(fist.view(state, viewer), numbers=state.numbers)


def staying(state: Any, seat: Any, chance: Any) -> Any:
    """A resignation after which nothing happens."""
    fist.resign(state, seat, chance)
    return (fist.Allowed(seat=seat),)


def shrinking(state: Any, question: Any) -> Any:
    """Answers that become fewer as others answer."""
    return fist.legal_moves(state, question)[: len(state.asked) or None]


def turned_round(state: Any, question: Any) -> Any:
    """Answers whose order depends on the numbers of others."""
    moves = fist.legal_moves(state, question)
    return moves[::-1] if question.kind == "doubt" and None not in state.numbers and sum(state.numbers) % 2 else moves


def read_by_hand(state: Any, question: Any, text: str, names: Any) -> Any:
    """A parser that knows the number of seat 1."""
    return RULES.parse(state, question, "1" if text == "xyzzy" and number_of(state, 1) == 3 else text, names)


def told_otherwise(event: Any, viewer: Any) -> Any:
    show = RULES.show(event, viewer)
    return replace(show, number=9) if isinstance(show, fist.Claimed) and viewer != EVERYONE else show


def dealt_to_anybody(options: Any, seats: int, chance: Any) -> Any:
    return (fist.Dealt(options=options, numbers=chance.take(range(1, 10), seats)),)


def wavering() -> dict[str, Any]:
    """A bot that answers otherwise each time."""
    questions = count()
    return {"bot_move": lambda knowledge, question, moves, chance: moves[next(questions) % len(moves)]}


class Marked(fist.Allow, frozen=True, tag="allow"):
    """An answer that contains all hidden values in a form for programs."""

    total: int = 0


def total_of(state: fist.State) -> int:
    return sum(number or 0 for number in state.numbers)


def telling(state: Any, question: Any, words: Any) -> Phrase:
    """A reason that names the number of seat 1."""
    return Phrase("Seat 1 holds %(number)s.", {"number": state.numbers[0]})


def refused_aloud(state: Any, seat: Any, move: Any, chance: Any) -> Any:
    """Decisions that refuse with the total of all numbers."""
    try:
        return fist.decide(state, seat, move, chance)
    except RuleViolation as violation:
        raise RuleViolation(violation.code, Phrase("No: %(total)s.", {"total": total_of(state)})) from violation


def resigned_aloud(state: Any, seat: Any, chance: Any) -> Any:
    """Resignations that are refused or not by what others hold."""
    if None not in state.numbers and total_of(state) % 2:
        raise RuleViolation("illegal", Phrase("Not now."))
    return fist.resign(state, seat, chance)


def marked() -> dict[str, Any]:
    """Offers that are written alike, and hold a secret."""

    def legal_moves(state: Any, question: Any) -> Any:
        moves = fist.legal_moves(state, question)
        return tuple(
            Marked(question=move.question, total=total_of(state)) if type(move) is fist.Allow else move
            for move in moves
        )

    def decide(state: Any, seat: Any, move: Any, chance: Any) -> Any:
        plain = fist.Allow(question=move.question) if isinstance(move, Marked) else move
        return fist.decide(state, seat, plain, chance)

    return {
        "move_type": fist.Claim | Marked | fist.Doubt,
        "legal_moves": legal_moves,
        "decide": decide,
        "text": lambda move: "allow" if isinstance(move, Marked) else str(move),
        "default_move": derived,
        "parse": derived,
    }


def dealt_of_many(options: Any, seats: int, chance: Any) -> Any:
    """A deal that never gives a player the same number in another game."""
    check_seat_count(fist.PLAYERS, seats)
    return (fist.Dealt(options=options, numbers=chance.take(range(1, 100_000), seats)),)


def dealt_by_one_draw(options: Any, seats: int, chance: Any) -> Any:
    """A deal in which all numbers follow from a single draw."""
    check_seat_count(fist.PLAYERS, seats)
    first = chance.choose(range(1, 100_000))
    return (fist.Dealt(options=options, numbers=tuple(first + seat for seat in range(seats))),)


def dealt_by_one_draw_to_few(options: Any, seats: int, chance: Any) -> Any:
    return (dealt_by_one_draw if seats < 4 else dealt_of_many)(options, seats, chance)


def slots_of(*slots: Slot | NumberSlot) -> dict[str, Any]:
    """Rules whose turns also offer a form with these slots."""
    form = AnswerForm(fist.Claim, Phrase("Fill in"), slots)
    return {"forms": lambda view, question: (form,) if question.kind == "turn" else (), "parse": derived}


def filled_in(decide: Callable[..., Any]) -> dict[str, Any]:
    """Rules that offer a form with the numbers up to the player's own, instead of a list."""

    def legal_moves(state: Any, question: Question) -> tuple[Move, ...]:
        return fist.legal_moves(state, question) if question.kind == "doubt" else ()

    def forms(view: Any, question: Question) -> tuple[AnswerForm, ...]:
        return () if question.kind == "doubt" else (form_of(fist.Claim, 1, view.number),)

    parts = ("default_move", "bot_move", "parse")
    return {"legal_moves": legal_moves, "forms": forms, "decide": decide, **dict.fromkeys(parts, derived)}


def too_high_aloud(state: Any, seat: SeatNumber, move: Any, chance: Any) -> Any:
    """Refuse a claim above the player's own number, in words that depend on the number of another player."""
    find_question(fist.questions(state), seat, move.question)
    if isinstance(move, fist.Claim) and move.number > state.numbers[seat - 1]:
        raise RuleViolation("illegal", Phrase("Too high." if state.numbers[seat % 2] == 1 else "No."))
    return fist.decide(state, seat, move, chance)


def form_of(move: type[Move], lowest: int, highest: int) -> AnswerForm:
    return AnswerForm(move, Phrase("Fill in"), (NumberSlot(Phrase("Number"), lowest, highest),))


def seats_of(state: fist.State) -> tuple[SeatNumber, ...]:
    return tuple(SeatNumber(seat) for seat in range(1, len(state.numbers) + 1))


FAULTS: Final[dict[str, Planted]] = {
    "a spectator is shown every number": Planted(
        lambda: {"show": lambda event, viewer: event if viewer == SPECTATOR else RULES.show(event, viewer)},
        "A spectator is shown more of `dealt` than seat 1",
    ),
    "numbers stay hidden after the end": Planted(
        lambda: {"show": lambda event, viewer: RULES.show(event, max(viewer, SPECTATOR))}, "from EVERYONE"
    ),
    "a claim is told otherwise": Planted(lambda: {"show": told_otherwise}, "what has not happened"),
    "answers are ordered by the numbers of others": Planted(
        lambda: {"legal_moves": turned_round, "parse": derived}, "What is offered to"
    ),
    "reading depends on a hand": Planted(lambda: {"parse": read_by_hand}, "is read or refused tells seat"),
    "a reason for a refusal tells a hand": Planted(
        lambda: {"why_illegal": telling, "parse": derived}, "The reason that `why_illegal` gives for"
    ),
    "a refused move tells a hand": Planted(lambda: {"decide": refused_aloud}, "The refusal of “"),
    "a refused answer to a form tells a hand": Planted(lambda: filled_in(too_high_aloud), "The refusal of “"),
    "whether somebody may resign depends on a hand": Planted(
        lambda: {"resign": resigned_aloud}, "A resignation tells seat"
    ),
    "an offered move holds what is hidden": Planted(marked, "holds what is hidden from them"),
    "answers are ordered by the numbers of others, of which there are many": Planted(
        lambda: {"legal_moves": turned_round, "setup": dealt_of_many, "default_move": derived, "parse": derived},
        "What is offered to seat",
    ),
    "no state looks the same to any seat": Planted(
        lambda: {"setup": dealt_by_one_draw, "default_move": derived}, "looks the same to a seat: give `worlds`"
    ),
    "a slot has no choices": Planted(
        lambda: slots_of(Slot(Phrase("Number"), ())), "The slot `number` of the form `claim` has no choices"
    ),
    "a slot takes no number": Planted(
        lambda: slots_of(NumberSlot(Phrase("Number"), 2, 1)), "takes a number from 2 to 1, and there is none"
    ),
    "a slot takes more choices than there are": Planted(
        lambda: slots_of(Slot(Phrase("Number"), (("1", Phrase("One")),), 2, 2)), "takes 2 to 2 of 1 choices"
    ),
    "a choice of a slot is no word": Planted(
        lambda: slots_of(Slot(Phrase("Number"), (("", Phrase("None")),))), "has the choice ''"
    ),
    "a game that is over asks on": Planted(
        lambda: {"questions": lambda state: fist.questions(replace(state, winners=None))}, "is over and still asks"
    ),
    "any number of seats is dealt to": Planted(lambda: {"setup": dealt_to_anybody}, "which it is not played by"),
    "the bot wavers": Planted(wavering, "otherwise when it is asked again"),
    "a text ends in a blank": Planted(lambda: {"text": lambda move: f"{move} "}, "one line of words"),
    "a replay jumps to what is not told": Planted(
        lambda: {"highlights": (fist.Doubted,)}, "the story does not tell it"
    ),
    "a sentence holds a fraction": Planted(
        lambda: {"words": replace(RULES.words, asks=lambda view, question: Phrase("%(half)s?", {"half": 0.5}))},
        "which no reader can be told",
    ),
    "a reason that is not named": Planted(lambda: {"reasons": ("luck",)}, "is not one of its `reasons`"),
    "a pace that there is not": Planted(lambda: {"paces": {"turn": "slow"}}, "The pace 'slow'"),
    "everybody is shown every number": Planted(
        lambda: {"show": lambda event, viewer: event}, "is shown more than their view holds: `numbers["
    ),
    "everybody is shown every number of a game that never opens its view": Planted(
        lambda: {"show": lambda event, viewer: event, "view": closed_view}, "or add `Dealt` to `momentary`"
    ),
    "everybody is shown who has answered in an open window": Planted(
        lambda: {"show": lambda event, viewer: event if isinstance(event, fist.Allowed) else RULES.show(event, viewer)},
        "and their view stays as it was. Hide it in `show`, keep it in `view`, or add `Allowed` to `momentary`",
    ),
    "the view tells every number": Planted(
        lambda: {"view": open_view}, "is not what follows from the events they are shown"
    ),
    "an id is used twice": Planted(
        lambda: asked_otherwise(lambda state, question: {"id": f"{question.seat}.1"}), "is used twice"
    ),
    "an id depends on a hand": Planted(
        lambda: asked_otherwise(lambda state, question: {"id": f"{question.id}{number_of(state, question.seat)}"}),
        "they must not depend on what is hidden",
    ),
    "a hand in a reason": Planted(
        lambda: asked_otherwise(lambda state, question: {"reason": f"holds-{number_of(state, question.seat)}"}),
        "they must not depend on what is hidden",
    ),
    "reading depends on a name": Planted(lambda: {"parse": first_name}, "players who are called"),
    "an event does not come back from JSON": Planted(
        lambda: {"event_type": fist.Dealt | ClaimWritten | fist.Allowed | fist.Stood | fist.Doubted | fist.Won},
        "does not come back from JSON",
    ),
    "the fold remembers": Planted(remembered, "is not what follows from the events they are shown"),
    "decisions have luck of their own": Planted(lucky, "luck comes from the chance alone"),
    "a game that never ends": Planted(lambda: {"decide": endless}, "has not ended after"),
    "answers are taken from anybody": Planted(lambda: {"decide": careless}, "is accepted"),
    "playing is not deciding": Planted(lambda: {"play": played_otherwise}, "`play` leads to another state"),
    "the clock plays what is not offered": Planted(
        lambda: {"default_move": lambda state, question, chance: fist.Claim(number=0, question=question.id)},
        "The default move",
    ),
    "the bot answers what is not offered": Planted(
        lambda: {"bot_move": lambda knowledge, question, moves, chance: fist.Claim(number=0)}, "The bot answers"
    ),
    "who has resigned is still asked": Planted(lambda: {"resign": staying}, "has resigned and"),
    "the answers of an open question change": Planted(
        lambda: {"legal_moves": shrinking}, "The answers to the open question"
    ),
    "the others learn from the deadline who thinks": Planted(
        lambda: {"paces": {"doubt": "choice"}}, "so its pace has to be `reaction`"
    ),
    "a form that is filled in makes what is refused": Planted(
        lambda: {"forms": lambda view, question: (form_of(fist.Claim, 7, 9),), "parse": derived},
        "is offered for 1.1, and `decide` refuses it",
    ),
    "a form has more slots than its move has fields": Planted(
        lambda: {"forms": lambda view, question: (form_of(fist.Doubt, 1, 2),), "parse": derived}, "longer than"
    ),
    "winners are not in the first place": Planted(
        lambda: {"outcome": lambda state: state.winners and Outcome(state.winners, (2,) * len(state.numbers))},
        "1 for the winners",
    ),
    "a team does not come out alike": Planted(
        lambda: {"outcome": lambda state: state.winners and Outcome(state.winners, teams=(seats_of(state),))},
        "have to share a place",
    ),
    "a sentence lacks a value": Planted(
        lambda: {"words": replace(RULES.words, story=one_by_one(half_told))}, "is not whole"
    ),
    "a place stands in the picture twice": Planted(lambda: {"picture": drawn_twice}, "two places"),
    "a picture lacks the symbols of all pictures": Planted(
        lambda: {"picture": drawn_without_symbols, "picture_symbols": '<symbol id="fist"/>'},
        "are not its `picture_symbols`",
    ),
    "the symbols of all pictures have a class": Planted(
        lambda: {"picture": drawn_without_symbols, "picture_symbols": '<symbol id="fist" class="fist"/>'},
        "have a `class`",
    ),
    "a name is drawn as it is": Planted(lambda: {"picture": drawn_bare}, "The picture"),
    "a hidden field has to hold something": Planted(
        lambda: told_by(Bare, ("setup",)), "a field that is hidden from somebody has to be `| None`"
    ),
    "no event closes the window": Planted(lambda: told_by(Ajar, ("decide",)), "no event after it sets `closes_window`"),
    "an option that there is not has a label": Planted(
        lambda: {"words": replace(RULES.words, options={"lowest": Phrase("Lowest")})},
        "`words.options` names `lowest`, and there is no such option",
    ),
    "a value that there is not has a label": Planted(
        lambda: {"words": replace(RULES.words, options={"highest.most": Phrase("Most")})},
        "`words.options` names `highest.most`, and there is no such option",
    ),
    "options of any name are taken": Planted(
        lambda: {"options": lambda **choice: fist.Options()}, "The option no-such-option is accepted"
    ),
}


FIRST: Final = (
    "everybody is shown every number",
    "everybody is shown who has answered in an open window",
    "the view tells every number",
    "answers are taken from anybody",
)
"""Faults that give away a secret or let others move. ``make test`` plants them."""


@pytest.mark.sampled(15)
@pytest.mark.parametrize("fault", [*FIRST, *(fault for fault in FAULTS if fault not in FIRST)])
def test_a_planted_fault_is_found_and_named(fault: str) -> None:
    planted = FAULTS[fault]
    faults = find_faults(replace(RULES, **planted.change()), games=12)
    assert [sentence for sentence in faults if planted.sentence_part in sentence], faults


def unlike(plan: Any) -> Any:
    return replace(plan, question="9.9") if plan else None


def mute_plan(view: Any, seat: Any, text: str, names: Any) -> Any:
    """A parser of plans that refuses without a word."""
    try:
        return SEDLEC.plans.parse(view, seat, text, names)
    except RuleViolation as violation:
        raise RuleViolation(violation.code, Phrase("")) from violation


def with_duke(view: Any, question: Any, moves: Any, plan: Any) -> Any:
    """Answers of plans that wait for a card."""
    hand = view.seats[question.seat - 1].hand
    return COUP.plans.answer(view, question, moves, plan) if "duke" in hand else None


def duke_or_not(view: Any, question: Any, moves: Any, plan: Any) -> Any:
    """Answers of plans that play something if their owner holds a card, and something else if not."""
    answer = COUP.plans.answer(view, question, moves, plan)
    return answer if answer is None or "duke" in view.seats[question.seat - 1].hand else moves[0]


PLAN_FAULTS: Final[dict[str, tuple[AnyRules, dict[str, Any], str]]] = {
    "an example is wrong": (SEDLEC, {"wrong": lambda view, seat, plan: Phrase("No.")}, "as an example and is wrong"),
    "a plan answers what is not offered": (
        SEDLEC,
        {"answer": lambda *arguments: unlike(SEDLEC.plans.answer(*arguments))},
        "which is not legal",
    ),
    "everything is a plan": (
        SEDLEC,
        {"parse": lambda view, seat, text, names: SEDLEC.plans.examples(view, seat)[0]},
        "is read as a plan",
    ),
    "a plan is refused without a sentence": (SEDLEC, {"parse": mute_plan}, "without a sentence"),
    "a plan waits for a card": (COUP, {"answer": with_duke}, "what only its owner knows"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fault", [*reversed(PLAN_FAULTS)])
def test_a_fault_in_plans_is_found_and_named(fault: str) -> None:
    rules, changed, named_fault = PLAN_FAULTS[fault]
    faults = find_faults(replace(rules, plans=replace(rules.plans, **changed)), games=6)
    assert [sentence for sentence in faults if named_fault in sentence], faults


def test_a_plan_may_play_what_its_owner_holds_if_it_answers_in_any_case() -> None:
    assert find_faults(replace(COUP, plans=replace(COUP.plans, answer=duke_or_not)), games=6) == ()


def test_the_third_game_itself_keeps_the_contract() -> None:
    check(RULES)


def test_what_was_not_examined_is_said() -> None:
    few = replace(RULES, setup=dealt_by_one_draw_to_few, default_move=derived)
    faults, not_examined = examine(few, 12)
    assert faults == ()
    assert [sentence for sentence in not_examined if sentence.startswith("not examined: in ")]
    with pytest.warns(NotExamined, match="fist: not examined: .* Give `worlds`"):
        check(few, 12)


def test_a_form_into_which_nothing_fits_is_not_offered() -> None:
    rules = replace(RULES, **slots_of(NumberSlot(Phrase("Number"), 2, 1)))
    state = fold(rules, fist.setup(fist.Options(), 2, SeededChance(bytes(32))))
    (question,) = rules.questions(state)
    assert forms_of(rules, state, question) == ()
    with pytest.raises(RuleViolation, match="claim 1"):
        rules.parse(state, question, "claim", {})


def test_the_sentences_are_what_a_failing_check_says() -> None:
    with pytest.raises(ContractBroken, match="The rules of “fist” do not keep the contract of a game:\n- ") as caught:
        check(replace(RULES, version=0), games=1)
    assert caught.value.faults == ("The version counts from 1.",)


def test_a_text_without_a_translation_is_named() -> None:
    faults = find_faults(RULES, games=6, catalogues=[PERSIAN])
    assert any(sentence.startswith("“Seat %(seat)s claims %(number)s.” is not translated") for sentence in faults)


def test_rules_that_raise_are_told_of_and_do_not_end_the_check() -> None:
    def broken(state: Any) -> Any:
        raise KeyError("turn")

    faults = find_faults(replace(RULES, outcome=broken), games=1)
    assert any("KeyError('turn')" in sentence for sentence in faults)


def test_a_game_that_refuses_without_a_sentence_is_told_of() -> None:
    def mute(state: Any, question: Any, text: str, names: Any) -> Any:
        try:
            return RULES.parse(state, question, text, names)
        except RuleViolation as violation:
            raise RuleViolation(violation.code, Phrase("")) from violation

    assert any("without a sentence" in sentence for sentence in find_faults(replace(RULES, parse=mute), games=1))

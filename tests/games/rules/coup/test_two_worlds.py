"""Two states that look alike to a viewer still look alike after any move.

``tests/games/rules/test_contract.py`` checks that they look alike before the move. ``RULES.worlds`` yields states with
other hidden cards and answers. A visible event may differ only if the rules themselves reveal a hidden fact: ``masked``
lists these cases.
"""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import SPECTATOR, RuleViolation, SeededChance
from games.rules.coup import RULES
from tests.games.rules.coup.random_play import RandomGame, option_sets
from tests.long import SCALE

pytestmark = pytest.mark.long

EXAMPLES = 250 * SCALE
SETS = option_sets()
REVEALED_AT_THE_END = ("hands", "court", "aside")

KINDS = {
    "draft": lambda seats, options: seats == 2 and options["two_player_setup"] == "draft",
    "party": lambda seats, options: options["reformation"],
    "show": lambda seats, options: options["inquisitor"],
    "examine": lambda seats, options: options["inquisitor"],
    "bomb": lambda seats, options: options["anarchist"],
} | dict.fromkeys(
    ("turn", "challenge", "block", "challenge-block", "proof", "loss", "exchange"), lambda seats, options: True
)
"""Every kind of question, and the tables at which it is asked."""

prefixes = st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 100 * len(SETS)), st.integers(0, 30))
patiently = settings(max_examples=EXAMPLES)


def reached(prefix: tuple[str, int, int]) -> RandomGame:
    """Return a random game at a question of this kind after a number of decisions, or just before its end."""
    kind, number, moves = prefix
    sets = [(seats, options) for seats, options in SETS if KINDS[kind](seats, options)]
    seats, options = sets[number % len(sets)]
    game = RandomGame(number, seats, options)
    last = None
    for batch_number, _ in enumerate(game.batches()):
        if RULES.outcome(game.state) is not None:
            game.state = last
            break
        last = game.state
        if RULES.questions(last)[0].kind == kind and (batch_number >= moves or kind in ("draft", "party")):
            break
    return game


def viewers(game: RandomGame, luck: int) -> list[int]:
    """A player, and the spectator."""
    return [1 + luck % game.seats, SPECTATOR]


def offered(state, seat: int) -> list[str]:
    """A seat's offered answers."""
    return [
        RULES.text(move)
        for question in RULES.questions(state)
        if question.seat == seat
        for move in RULES.legal_moves(state, question)
    ]


def masked(event, viewer: int, mover: int, text: str) -> dict:
    """A shown event without what the rules let this viewer learn by it (rules, section 9)."""
    to_builtins = msgspec.to_builtins(event)
    match to_builtins["type"]:
        case "lost" if to_builtins["seat"] != mover or " " not in text:
            to_builtins["card"] = "the last card, or one of both"
        case "proved" if len(text.split()) == 1:
            to_builtins["cards"] = "an embezzler shows what they hold"
        case "replaced" | "drew" | "dealt" if to_builtins["seat"] == viewer:
            to_builtins["cards"] = "one's own luck"
        case "swapped" if viewer in (to_builtins["seat"], to_builtins["to"]):
            to_builtins["drawn"] = "one's own luck"
        case "shown" if not text.startswith("show"):
            to_builtins["card"] = "the only card, to the inquisitor"
        case "resigned":
            to_builtins |= {"cards": "face up", "still_waiting": "the number says whether the leaver had answered"}
        case "game-ended":
            to_builtins |= dict.fromkeys(REVEALED_AT_THE_END, "open")
    return to_builtins


def visible_events(events, viewer: int, mover: int, text: str) -> list[bytes]:
    """Return the events of a batch that a viewer sees, as bytes."""
    shown_events = [RULES.show(event, viewer) for event in events]
    return [msgspec.json.encode(masked(event, viewer, mover, text)) for event in shown_events if event is not None]


def came_of_the_window(events) -> list[tuple]:
    """Return whether a window closed, and whose challenge or block counted: what the rules say to all."""
    kinds = ("window-closed", "challenged", "blocked", "put-out")
    builtins = [msgspec.to_builtins(event) for event in events]
    return [(event["type"], event.get("seat"), event.get("character")) for event in builtins if event["type"] in kinds]


def decided(state, seat: int, text: str, luck: int):
    """Return the events of a move in a world, or None if the move is not possible there."""
    question = next((question for question in RULES.questions(state) if question.seat == seat), None)
    if question is None:
        return None
    try:
        move = RULES.parse(state, question, text, {})
    except RuleViolation:
        return None
    return RULES.decide(state, seat, move, SeededChance(luck.to_bytes(32)))


@patiently
@given(prefixes, st.integers(0, 10_000))
def test_whatever_is_played_next_looks_alike_in_both_worlds(prefix, luck):
    game = reached(prefix)
    pick = random.Random(luck)
    for viewer in viewers(game, luck):
        other = RULES.worlds(game.state, viewer, SeededChance(luck.to_bytes(32)))
        for question in RULES.questions(game.state):
            text = pick.choice(offered(game.state, question.seat))
            for next_luck in (luck, luck + 1):
                here = decided(game.state, question.seat, text, luck)
                there = decided(other, question.seat, text, next_luck)
                if there is None or came_of_the_window(here) != came_of_the_window(there):
                    continue
                assert visible_events(here, viewer, question.seat, text) == visible_events(
                    there, viewer, question.seat, text
                )


@patiently
@given(prefixes, st.integers(0, 10_000))
def test_c23_who_is_asked_what_next_is_the_same_in_both_worlds(prefix, luck):
    game = reached(prefix)
    for viewer in viewers(game, luck):
        other = RULES.worlds(game.state, viewer, SeededChance(luck.to_bytes(32)))
        for question in RULES.questions(game.state):
            text = random.Random(luck).choice(offered(game.state, question.seat))
            here = decided(game.state, question.seat, text, luck)
            there = decided(other, question.seat, text, luck)
            if there is not None and came_of_the_window(here) == came_of_the_window(there):
                assert asked_after(game.state, here) == asked_after(other, there)


def asked_after(state, events) -> set[tuple[int, str]] | str:
    """Return the questions after these events, with their seats unless answers are hidden."""
    for event in events:
        state = RULES.evolve(state, event)
    questions = {(question.seat, question.kind) for question in RULES.questions(state)}
    hidden = {kind for _, kind in questions} & {"draft", "challenge", "block", "challenge-block"}
    return hidden.pop() if hidden else questions


@patiently
@given(prefixes, st.integers(0, 10_000))
def test_a_resignation_looks_alike_in_both_worlds_but_for_the_cards_turned_up(prefix, luck):
    game = reached(prefix)
    living = [seat.seat for seat in RULES.view(game.state, SPECTATOR).seats if seat.alive]
    leaver = living[luck % len(living)]
    for viewer in viewers(game, luck):
        other = RULES.worlds(game.state, viewer, SeededChance(luck.to_bytes(32)))
        here = RULES.resign(game.state, leaver, SeededChance(b"1" * 32))
        there = RULES.resign(other, leaver, SeededChance(b"1" * 32))
        if came_of_the_window(here) == came_of_the_window(there):
            assert visible_events(here, viewer, leaver, "resign") == visible_events(there, viewer, leaver, "resign")

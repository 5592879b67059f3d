"""Plans of people: they look at the game as their seat sees it, think a little further, and play as ever."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from games.engine import AnyRules, Chance, Event, Question, SeatNumber, know
from games.rules.coup import moves as m
from games.rules.coup.game import law_of
from games.rules.coup.plans import Allow, Block, Challenge
from games.rules.coup.state import Character, State, others

GAINS: Final = {"income": 1, "foreign-aid": 2, "tax": 3, "steal": 2, "assassinate": -3, "coup": -7}
"""The coins that people expect an action to bring when they think of the turn after it."""
WORTH: Final = ("ambassador", "assassin", "captain", "contessa", "duke")
"""The characters, those that are given up first at the front."""
Aimed = type[m.Steal] | type[m.Assassinate]
Answer = Allow | Block | Challenge
Log = Callable[[], Sequence[Event]]
AIMED: Final[tuple[Aimed, ...]] = (m.Steal, m.Assassinate)
"""The actions against people for which they have an answer ready, if they have one."""
_ENOUGH: Final = 3
"""Coins with which somebody can do each of these to another, and need not launch a coup."""
_TURN: Final = "turn"


def standing_plans(hand: Sequence[str]) -> list[dict[str, Any]]:
    """Return what stands for a whole game once somebody has said it; of their cards they give up the one they like
    least.
    """
    return [
        {"type": "allow-others"},
        {"type": "if-challenged", "lose": min(hand, key=WORTH.index)},
        {"type": "if-losing", "lose": min(hand, key=WORTH.index)},
        {"type": "if-blocked", "challenge": False},
    ]


def next_turn(
    rules: AnyRules, state: State, seat: SeatNumber, planned: Sequence[str], chance: Chance, log: Log
) -> dict[str, Any]:
    """The action of the turn after those that are planned, with the coins that they will have by then, as a plan."""
    law = law_of(state.options, len(state.hands))
    coins = list(state.coins)
    coins[seat - 1] = max(0, coins[seat - 1] + sum(GAINS.get(item, 0) for item in planned))
    then = msgspec.structs.replace(state, coins=tuple(coins))
    question = Question(f"{seat}.{state.counts[seat - 1] + 1}", seat, _TURN, _TURN)
    moves = law.questions[_TURN].moves(law, then, seat, "")
    move = rules.bot_move(know(rules, then, seat, log), question, moves, chance)
    return {"type": "next-turn", "move": msgspec.to_builtins(move)}


def answer_to(rules: AnyRules, state: State, seat: SeatNumber, make: Aimed, chance: Chance, log: Log) -> Answer:
    """Return what they would answer if somebody did this to them now, as a plan; a challenge goes to the next such
    claim.
    """
    other = chance.choose(others(state, seat))
    coins = list(state.coins)
    coins[other - 1] = _ENOUGH
    coins[seat - 1] = max(1, coins[seat - 1])
    turn = msgspec.structs.replace(
        state, coins=tuple(coins), turn=other, asking=_TURN, asked=(other,), answers=(), waiting=1, then="",
        action=None, claim=None, block=None, blockers=(), challenger=None, drawn=(), shown=None,
    )  # fmt: skip
    assert rules.play is not None
    (questions,) = rules.questions(turn)
    then = rules.play(turn, other, make(target=seat, question=questions.id), chance)[1]
    question = next(question for question in rules.questions(then) if question.seat == seat)
    match rules.bot_move(know(rules, then, seat, log), question, rules.legal_moves(then, question), chance):
        case m.Allow():
            return Allow(action=m.VERBS[make])
        case m.Block(character=card):
            return Block(m.VERBS[make], card)
    return Challenge(_claimed(state, make))


def is_about(plan: Any, state: State, make: Aimed) -> bool:
    """Return whether a plan answers to this: it was said as one, or takes its place."""
    if isinstance(plan, Challenge):
        return plan.character == _claimed(state, make)
    return isinstance(plan, Allow | Block) and plan.action == m.VERBS[make]


def _claimed(state: State, make: Aimed) -> Character:
    claimed = law_of(state.options, len(state.hands)).actions[m.VERBS[make]].claims
    assert claimed is not None
    return claimed

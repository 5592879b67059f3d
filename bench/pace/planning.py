"""Plans of players. Based on the view of their seat, they plan the moves that a bot would choose."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from games.engine import AnyRules, Chance, Event, Question, SeatNumber, know
from games.rules.coup import moves as m
from games.rules.coup.game import law_of
from games.rules.coup.plans import Allow, Block, Challenge
from games.rules.coup.state import Character, State, others

GAINS: Final = {"income": 1, "foreign-aid": 2, "tax": 3, "steal": 2, "assassinate": -3, "coup": -7}
"""The change of coins that players expect from an action when they plan the turn after it."""
WORTH: Final = ("ambassador", "assassin", "captain", "contessa", "duke")
"""The characters, from the least to the most valuable."""
Aimed = type[m.Steal] | type[m.Assassinate]
Answer = Allow | Block | Challenge
Log = Callable[[], Sequence[Event]]
AIMED: Final[tuple[Aimed, ...]] = (m.Steal, m.Assassinate)
"""The actions against a player for which answers are planned."""
_ENOUGH: Final = 3
"""A number of coins that is enough for each of these actions, and does not force a coup."""
_TURN: Final = "turn"


def standing_plans(hand: Sequence[str]) -> list[dict[str, Any]]:
    """Return the plans for a whole game. The least valuable card is given up first."""
    return [
        {"type": "allow-others"},
        {"type": "if-challenged", "lose": min(hand, key=WORTH.index)},
        {"type": "if-losing", "lose": min(hand, key=WORTH.index)},
        {"type": "if-blocked", "challenge": False},
    ]


def next_turn(
    rules: AnyRules, state: State, seat: SeatNumber, planned: Sequence[str], chance: Chance, log: Log
) -> dict[str, Any]:
    """Return a plan for the turn after the planned ones, with the coins expected by then."""
    law = law_of(state.options, len(state.hands))
    coins = list(state.coins)
    coins[seat - 1] = max(0, coins[seat - 1] + sum(GAINS.get(action, 0) for action in planned))
    later = msgspec.structs.replace(state, coins=tuple(coins))
    question = Question(f"{seat}.{state.counts[seat - 1] + 1}", seat, _TURN, _TURN)
    moves = law.questions[_TURN].moves(law, later, seat, "")
    move = rules.bot_move(know(rules, later, seat, log), question, moves, chance)
    return {"type": "next-turn", "move": msgspec.to_builtins(move)}


def answer_to(rules: AnyRules, state: State, seat: SeatNumber, action: Aimed, chance: Chance, log: Log) -> Answer:
    """Return the planned answer to an action against a seat. A challenge refers to the next claim of the character."""
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
    later = rules.play(turn, other, action(target=seat, question=questions.id), chance)[1]
    question = next(question for question in rules.questions(later) if question.seat == seat)
    match rules.bot_move(know(rules, later, seat, log), question, rules.legal_moves(later, question), chance):
        case m.Allow():
            return Allow(action=m.VERBS[action])
        case m.Block(character=card):
            return Block(m.VERBS[action], card)
    return Challenge(_claimed_character(state, action))


def is_about(plan: Any, state: State, action: Aimed) -> bool:
    """Return whether a plan is an answer to this action."""
    if isinstance(plan, Challenge):
        return plan.character == _claimed_character(state, action)
    return isinstance(plan, Allow | Block) and plan.action == m.VERBS[action]


def _claimed_character(state: State, action: Aimed) -> Character:
    character = law_of(state.options, len(state.hands)).actions[m.VERBS[action]].claims
    assert character is not None
    return character

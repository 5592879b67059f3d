"""Archetypes of players of Coup: simple habits that a bot has to beat. They know their own hand and the table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine import Chance, Event, Question, know
from games.rules.coup import RULES
from games.rules.coup import moves as m
from games.rules.coup.bot.beliefs import WANTED
from games.rules.coup.game import law_of
from games.rules.coup.state import State

Player = Callable[[State, Question, Sequence[Any], Chance, Sequence[Event]], Any]
"""A function ``player(state, question, moves, chance, log)`` that returns one of the moves."""


@dataclass(frozen=True)
class Habits:
    """The habits of an archetype. All other decisions are those of a bot of level ``normal``."""

    weights: Mapping[str, float]
    """The relative weight of each action. 0: never."""
    lies: float = 0.0
    """A factor for the weight of an action with an untrue claim."""
    doubts: float = 0.0
    """The share of claims that it challenges."""
    lies_to_block: float = 0.0
    """The share of possible blocks that it makes with a card that it does not hold."""


def player_of(habits: Habits) -> Player:
    """Return a player with these habits."""

    def play(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
        if question.kind == "turn":
            return turn(habits, state, question, moves, chance)
        if isinstance(moves[0], m.Allow):
            return window(habits, state, question, moves, chance)
        return usual(state, question, moves, chance, log)

    return play


def usual(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
    """Return the move of a bot of level ``normal``."""
    return RULES.bot_move(know(RULES, state, question.seat, lambda: log), question, moves, chance)


def anything(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
    """Return a random legal move."""
    return chance.choose(moves)


def turn(habits: Habits, state: State, question: Question, moves: Sequence[Any], chance: Chance) -> Any:
    """Return a random action by the weights of the habits. Its target is the richest possible player."""
    law, hand = law_of(state.options, len(state.hands)), state.hands[question.seat - 1]
    best: dict[str, Any] = {}
    for move in moves:
        verb, target = m.VERBS[type(move)], getattr(move, "target", None)
        old = getattr(best.get(verb), "target", None)
        if verb not in best or (target and old and state.coins[target - 1] > state.coins[old - 1]):
            best[verb] = move
    weights = {}
    for verb in best:
        action = law.actions[verb]
        honest = action.claims is None or (action.claims in hand) != action.denies
        weights[verb] = habits.weights.get(verb, 0.0) * (1 if honest else habits.lies)
    if not any(weights.values()):
        return best.get("coup") or moves[0]
    spot = chance.choose(range(1000)) / 1000 * sum(weights.values())
    for verb, weight in weights.items():
        spot -= weight
        if spot < 0:
            return best[verb]
    return moves[0]


def window(habits: Habits, state: State, question: Question, moves: Sequence[Any], chance: Chance) -> Any:
    """Block with a held card if possible. Otherwise challenge, block with a lie or allow, at random by the habits."""
    hand, lot = state.hands[question.seat - 1], chance.choose(range(1000)) / 1000
    blocks = [move for move in moves if isinstance(move, m.Block)]
    honest_blocks = [move for move in blocks if move.character in hand]
    if honest_blocks:
        return honest_blocks[0]
    doubt = next((move for move in moves if isinstance(move, m.Challenge)), None)
    if doubt is not None and lot < habits.doubts:
        return doubt
    if blocks and lot >= 1 - habits.lies_to_block:
        return blocks[0]
    return moves[0]


def usual_weights(**changes: float) -> dict[str, float]:
    """Return the usual weights of actions with some changes."""
    return {**WANTED, **{verb.replace("_", "-"): weight for verb, weight in changes.items()}}


BLUNT: Final = {"income": 1.0, "coup": 50.0}

ARCHETYPES: Final[Mapping[str, Player]] = {
    "random": anything,
    "normal bot": usual,
    "honest": player_of(Habits(WANTED)),
    "honest doubter": player_of(Habits(WANTED, doubts=0.15)),
    "always duke": player_of(Habits({"tax": 1.0}, lies=1.0)),
    "always captain": player_of(Habits(usual_weights(steal=100.0, coup=1e4), lies=1.0)),
    "assassin": player_of(Habits(usual_weights(assassinate=100.0, tax=20.0), lies=0.7)),
    "bold liar": player_of(Habits(WANTED, lies=1.0, lies_to_block=0.5)),
    "believer": player_of(Habits(WANTED, lies=0.2, lies_to_block=0.2)),
    "doubter": player_of(Habits(WANTED, lies=0.2, doubts=0.4)),
    "saver": player_of(Habits(BLUNT)),
    "blocker": player_of(Habits(usual_weights(foreign_aid=4.0), lies=0.1, doubts=0.05, lies_to_block=0.9)),
}
"""All archetypes by name."""

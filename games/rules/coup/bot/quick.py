"""Quick players for roll-outs with four or more players. They choose by lot, from their own hand and the open cards."""

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from games.engine import Chance, Move, SeatNumber
from games.rules.coup import moves as m
from games.rules.coup.bot.beliefs import BLOCKS, WANTED
from games.rules.coup.game import law_of
from games.rules.coup.law import Law
from games.rules.coup.state import Answer, Card, Claim, State

FINE: Final = 1000
"""The number of lots. A probability is a part of it."""

LOTS: Final = range(FINE)

LIES: Final = 0.1
"""The factor by which a false claim makes an action less wanted."""

LIES_TO_BLOCK: Final = {"target": 0.12, "opponents": 0.03}
"""The probability of a block without the card, by which players may block the action."""

LAST_STAND: Final = 0.6
"""The probability of such a block by a player who would be out of the game by the action."""

NOTHING_TO_LOSE: Final = 0.9
"""The probability that such a player challenges the claim instead."""

SEEN: Final = 0.05
"""The factor by which each visible copy makes a challenge more likely."""

CARD: Final = 20
"""The number of coins that attract attacks as much as one card does."""


def turn(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Choose a random action by preference, and the strongest player as its target."""
    kinds = tuple(dict.fromkeys(map(type, moves)))
    law = law_of(state.options, len(state.hands))
    kind = kinds[_lot(_wishes(law, state.hands[seat - 1], kinds), chance)]
    aimed: list[Any] = [move for move in moves if type(move) is kind]
    return max(aimed, key=lambda move: _strength(state, move.target)) if len(aimed) > 1 else aimed[0]


@lru_cache(maxsize=8192)
def _wishes(law: Law, hand: tuple[Card, ...], kinds: tuple[type[Move], ...]) -> tuple[float, ...]:
    """Return how much a player with this hand wants each of these actions, as cumulative weights."""
    weights = []
    for kind in kinds:
        verb = m.VERBS[kind]
        claims = law.actions[verb].claims
        lies = claims is not None and (claims in hand) == law.actions[verb].denies
        weights.append(WANTED[verb] * (LIES if lies else 1.0))
    return tuple(accumulate(weights))


def _strength(state: State, seat: SeatNumber | None) -> int:
    """Return how attractive a seat is as a target, or 0 without a target."""
    return 0 if seat is None else CARD * len(state.hands[seat - 1]) + state.coins[seat - 1]


def _lot(bounds: Sequence[float], chance: Chance) -> int:
    """Return a random index, weighted. ``bounds`` are the sums of the weights."""
    return bisect(bounds, chance.choose(LOTS) / FINE * bounds[-1])


def react(law: Law, state: State, seat: SeatNumber, chance: Chance, readiness: float) -> Answer | None:
    """Return a block, mostly with a card in hand, or a challenge, mostly of an unlikely claim. Return None to allow."""
    hand, action, claim = state.hands[seat - 1], state.action, state.claim
    lot, desperate = chance.choose(LOTS), False
    if action is not None and seat in state.blockers:
        line = law.actions[action.verb]
        desperate = line.costs_influence and len(hand) == 1
        blockers = [character for character in line.blocked_by if character in hand]
        if blockers:
            return Answer(seat, "block", blockers[0]) if lot < FINE * BLOCKS[line.blockers] else None
        if lot < FINE * (LAST_STAND if desperate else LIES_TO_BLOCK[line.blockers]):
            return Answer(seat, "block", line.blocked_by[lot % len(line.blocked_by)])
    if claim is None:
        return None
    doubts = NOTHING_TO_LOSE if desperate else doubt(state, hand, claim, readiness)
    return Answer(seat, "challenge", None) if lot >= FINE * (1 - doubts) else None


def doubt(state: State, hand: Sequence[Card], claim: Claim, readiness: float) -> float:
    """Return the probability that a player with this hand challenges a claim. Visible copies of the card raise it."""
    if claim.denies:
        return readiness
    visible = hand.count(claim.character) + sum([lost.count(claim.character) for lost in state.lost])
    return 1.0 if visible >= state.pack.count(claim.character) else readiness + SEEN * visible

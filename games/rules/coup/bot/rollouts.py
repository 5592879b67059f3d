"""The players of roll-outs, and the habits and styles that they use.

They play like the simple bot, but faster, from their own hand and the open cards. Habits are observed in a game: how
readily each player challenges. A style is how much a bot likes lying, doubting, saving and revenge.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games.engine import Chance, Event, Knowledge, Move, SeatNumber
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.asking import turn_moves
from games.rules.coup.bot import beliefs
from games.rules.coup.bot.beliefs import BLOCKS, WANTED
from games.rules.coup.bot.estimates import CARDS, COINS, COINS_IN_A_DUEL, COUP, DUEL, SHELTER
from games.rules.coup.expansions.reformation import opposed
from games.rules.coup.flow import WINDOWS, close_window, declare
from games.rules.coup.game import AnyEvent, law_of
from games.rules.coup.law import Law, Play
from games.rules.coup.state import CONTESSA, Answer, Card, Claim, State, open_seats
from games.rules.coup.views import View

FINE: Final = 1000

LOTS: Final = range(FINE)

LIES: Final = 0.1
"""The readiness to take an action that claims a card not held."""

LIES_TO_BLOCK: Final = {"target": 0.12, "opponents": 0.03}

LAST_STAND: Final = 0.6

NOTHING_TO_LOSE: Final = 0.9
"""The probability of that lie for a player who would be out of the game by the action."""

SEEN: Final = 0.05
"""The factor by which each visible copy makes a challenge more likely."""

CARD: Final = 20
"""The number of coins that attract attacks as much as one card does."""

PREFERENCE: Final = 4
"""The preference for strong targets in ``fickle_step``: a player twice as strong is attacked 16 times as often."""

HAND: Final = 0.1
"""The factor by which better cards raise the value of a hand."""

Doubts = Mapping[SeatNumber, float]
"""The likelihood that each seat challenges a claim. Seats that showed no habit are left out."""


def step(rules: object, state: State, chance: Chance, habits: Doubts) -> State:
    """Return the state at the beginning of the next turn, or at the end of the game. The strongest players are
    attacked.
    """
    return _play_on(state, chance, habits, turn)


def fickle_step(rules: object, state: State, chance: Chance, habits: Doubts) -> State:
    """Play one step of a roll-out with players who also attack others than the strongest."""
    return _play_on(state, chance, habits, fickle_turn)


def _play_on(state: State, chance: Chance, habits: Doubts, act: "Answers") -> State:
    play = Play(law_of(state.options, len(state.hands)), state, chance)
    while True:
        if play.state.asking in WINDOWS:
            _answer_window(play, habits)
        else:
            _answer(play, act)
        if play.state.asking == "turn" or play.state.winner is not None:
            return play.state


def _answer_window(play: Play, habits: Doubts) -> None:
    """Close a reaction with all its answers in one step. Players who allow are left out."""
    law, state, chance = play.law, play.state, play.chance
    visible = in_sight(state)
    answers = []
    for seat in open_seats(state):
        answer = react(law, state, seat, chance, visible, habits.get(seat, DOUBTS))
        if answer is not None:
            answers.append(answer)
    if answers:
        play.state = replace(state, answers=(*state.answers, *answers))
    close_window(play)


def _answer(play: Play, act: "Answers") -> None:
    law, state, chance = play.law, play.state, play.chance
    seat = open_seats(state)[0]
    if state.asking == "turn":
        move = act(state, seat, turn_moves(law, state, seat, ""), chance)
    else:
        moves = law.questions[state.asking].moves(law, state, seat, "")
        choose = ANSWERS.get(state.asking)
        move = moves[0] if len(moves) == 1 else choose(state, seat, moves, chance) if choose else chance.choose(moves)
    law.answers.get(type(move), declare)(play, seat, move)


def turn(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Choose a random action by preference, and the strongest player as its target."""
    aimed = _action(state, seat, moves, chance)
    return max(aimed, key=lambda move: _strength(state, move.target)) if len(aimed) > 1 else aimed[0]


def fickle_turn(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Choose an action and a random target. Stronger players are more likely targets."""
    aimed = _action(state, seat, moves, chance)
    weights = [max(CARD, _strength(state, move.target)) ** PREFERENCE for move in aimed] if len(aimed) > 1 else [1]
    return aimed[_lot([*accumulate(weights)], chance)]


def _action(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Sequence[Any]:
    """Return the moves of one action, chosen by lot."""
    kinds = tuple(dict.fromkeys(map(type, moves)))
    law = law_of(state.options, len(state.hands))
    kind = kinds[_lot(_wishes(law, state.hands[seat - 1], kinds), chance)]
    return [move for move in moves if type(move) is kind]


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


def in_sight(state: State) -> int:
    """Return how many face-up cards are like the claimed one."""
    claim = state.claim
    return 0 if claim is None else sum([lost.count(claim.character) for lost in state.lost])


def react(law: Law, state: State, seat: SeatNumber, chance: Chance, visible: int, readiness: float) -> Answer | None:
    """Return a block with a card in hand, a challenge of an unlikely claim, rarely another answer, or None to allow."""
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
    doubts = NOTHING_TO_LOSE if desperate else doubt(state, hand, claim, visible, readiness)
    return Answer(seat, "challenge", None) if lot >= FINE * (1 - doubts) else None


def doubt(state: State, hand: Sequence[Card], claim: Claim, visible: int, readiness: float) -> float:
    """Return the probability that a player with this hand challenges a claim when ``seen`` copies are face up."""
    if claim.denies:
        return readiness
    visible += hand.count(claim.character)
    return 1.0 if visible >= state.pack.count(claim.character) else readiness + SEEN * visible


def proof(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Prove if possible."""
    return moves[0] if isinstance(moves[0], m.Prove) else give(state, seat, moves, chance)


def give(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Lose the least useful card."""
    hand = state.hands[seat - 1]

    def left(move: Any) -> float:
        rest = [*hand]
        if getattr(move, "character", None) in rest:
            rest.remove(move.character)
        return beliefs.value(tuple(rest))

    return max(moves, key=left)


def exchange(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Keep the best hand."""
    return max(moves, key=lambda move: beliefs.value(move.characters))


def bomb(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Claim the contessa if it is held, or if there is nothing to lose; else let the bomb explode."""
    claims = [move for move in moves if not isinstance(move, m.Explode)]
    bold = len(state.hands[seat - 1]) == 1 and chance.choose(LOTS) < FINE * LAST_STAND
    if claims and (CONTESSA in state.hands[seat - 1] or bold):
        return chance.choose(claims)
    return give(state, seat, [move for move in moves if isinstance(move, m.Explode)], chance)


Answers = Callable[[State, SeatNumber, Any, Chance], Move]
"""``answers(state, seat, moves, chance)`` returns one of the moves. The answers of a turn are listed by verb."""

ANSWERS: Final[Mapping[str, Answers]] = {
    "proof": proof,
    "loss": give,
    "exchange": exchange,
    "show": give,
    "bomb": bomb,
}


def share(state: State, seat: SeatNumber) -> float:
    """Return a seat's share of the game: its cards, coins and hand compared with those of all seats."""
    if state.winner is not None:
        return float(state.winner == seat)
    living = sum(map(bool, state.hands))
    purse = COINS_IN_A_DUEL if living == 2 else COINS
    strengths = []
    for hand, coins in zip(state.hands, state.coins, strict=True):
        fine = 1 + HAND * (beliefs.value(hand) - 0.8 * len(hand)) if hand else 1.0
        strengths.append(CARDS[min(2, len(hand))] * purse[max(0, min(coins, 10))] * fine)
    if state.parties and living > 2:
        strengths = _exposed(state, strengths)
    own_strength, total = strengths[seat - 1], sum(strengths)
    if living == 2:
        return float(own_strength**DUEL / (own_strength**DUEL + (total - own_strength) ** DUEL))
    return own_strength / total


def _exposed(state: State, strengths: Sequence[float]) -> list[float]:
    """Return the strengths less the expected damage by the other party: each of its players who can pay for a coup
    attacks the strong.
    """
    living = tuple(SeatNumber(seat) for seat, hand in enumerate(state.hands, 1) if hand)
    safe = [1.0] * len(strengths)
    for striker in living:
        if state.coins[striker - 1] >= COUP:
            targets = opposed(state, striker, tuple(seat for seat in living if seat != striker))
            total = sum(strengths[target - 1] for target in targets)
            for target in targets:
                safe[target - 1] *= 1 - strengths[target - 1] / total
    return [strength * (1 - SHELTER * (1 - free)) for strength, free in zip(strengths, safe, strict=True)]


DOUBTS: Final = 0.03
"""The probability that an unknown player challenges a claim, before visible cards raise it."""

PRIOR_WINDOWS: Final = 6
"""The number of reactions after which a player's own record has the same weight as that prior."""


def doubts(events: Sequence[Event], me: SeatNumber) -> Doubts:
    """Return how readily each other seat challenges, from the claims that it let pass and those that it challenged."""
    windows: Counter[SeatNumber] = Counter()
    doubted: Counter[SeatNumber] = Counter()
    seats: tuple[SeatNumber, ...] = ()
    for event in events:
        if isinstance(event, e.WindowOpened):
            seats = event.asked if event.claim else ()
        elif isinstance(event, e.WindowClosed):
            windows.update(seats)
        elif isinstance(event, e.Challenged):
            # The first challenge ended the window. What the others would have done is not known.
            windows.subtract(seats)
            windows[event.seat] += 1
            doubted[event.seat] += 1
    return {
        seat: (PRIOR_WINDOWS * DOUBTS + doubted[seat]) / (PRIOR_WINDOWS + windows[seat])
        for seat in windows
        if seat != me
    }


class Style(msgspec.Struct, frozen=True):
    """The share of the game by which a bot of this style overrates each kind of move."""

    lying: float = 0.0
    """Claims that are not true."""
    doubting: float = 0.0
    """Challenges."""
    saving: float = 0.0
    """Taking coins without a claim that can be challenged, or with a true one."""
    revenge: float = 0.0
    """Moves against the last player who cost it a card or coins."""


STYLES: Final[Mapping[str, Style]] = {
    "balanced": Style(),
    "bold": Style(lying=0.02, doubting=0.01),
    "patient": Style(lying=-0.02, doubting=-0.02, saving=0.015),
    "vengeful": Style(revenge=0.04),
    "scholar": Style(lying=-0.03, doubting=0.015),
}
"""The styles by name, as ``games.engine.search`` lists them."""


AT_A_TABLE: Final = 4
"""The number of players for which the randomness of the levels was tuned."""


def heat(view: View) -> float:
    """Return the part of its level's heat with which a bot draws: less if more than four players are in the game."""
    return min(1.0, (AT_A_TABLE / sum(seat.alive for seat in view.seats)) ** 2)


def fondness(style: str, knowledge: Knowledge[View, AnyEvent], move: Move) -> float:
    """Return how much a bot of this style overrates a move, as a share of the game."""
    likes, view = STYLES[style], knowledge.view
    if isinstance(move, m.Challenge):
        return likes.doubting
    value = likes.lying if is_lie(view, move) else likes.saving * is_saving(move)
    if likes.revenge and getattr(move, "target", None) == last_attacker(knowledge.events(), view.viewer):
        value += likes.revenge
    return value


def is_saving(move: Move) -> bool:
    """Return whether a move only takes coins from the treasury."""
    return isinstance(move, m.Income | m.ForeignAid | m.Tax)


def is_lie(view: View, move: Move) -> bool:
    """Return whether a move claims a card that its player does not hold."""
    hand = view.seats[view.viewer - 1].hand or ()
    if isinstance(move, m.Block):
        return move.character not in hand
    action = law_of(view.options, len(view.seats)).actions.get(m.VERBS[type(move)])
    return action is not None and action.claims is not None and (action.claims in hand) == action.denies


def last_attacker(events: Sequence[Any], me: SeatNumber) -> SeatNumber | None:
    """Return the seat that last aimed an action at this seat or challenged it."""
    for event in reversed(events):
        if isinstance(event, e.Declared) and event.target == me:
            return event.seat
        if isinstance(event, e.Challenged) and event.against == me:
            return event.seat
    return None

"""The bot of Sedlec, and each player's share of the game in a position.

The bot weighs its points and its expected points, and knows only its seat's view. The shares are for bots that think
ahead and for analyses.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import exp
from typing import Final

from games.engine import Chance, Knowledge, Question, SeatNumber
from games.rules.sedlec.events import SedlecEvent
from games.rules.sedlec.game import Collect, Dig, Lay, SedlecMove, Take
from games.rules.sedlec.pyramid import (
    Card,
    Kind,
    Pyramid,
    Spot,
    lay,
    lovers,
    neighbours,
    peasants,
    places,
    priests,
    skulls,
)
from games.rules.sedlec.state import State
from games.rules.sedlec.views import View

# Found by letting bots with other weights play against each other.
RANK_BELOW: Final = 0.42
"""The points a royal hopes for from each free place on a lower level."""
ROYAL_ABOVE: Final = 0.25
"""The points a royal or peasant hopes for from each free place on a higher level."""
LONELY_LOVER: Final = 2.0
"""The value of a lover that can still be paired on a free place."""
LOST_SINNER: Final = 0.9
"""The value of a sinner that can still get a priest on a free place."""
WAITING: Final = 2.0
"""The cost of laying a card while another one might be taken: the others choose first."""

NEARLY: Final = 1e-9
"""The difference below which two moves count as equally good."""


def bot_move(
    knowledge: Knowledge[View, SedlecEvent], question: Question, moves: Sequence[SedlecMove], chance: Chance
) -> SedlecMove:
    """Return the most promising move, or a random one of several that are equally good."""
    if len(moves) == 1:
        return moves[0]
    advice = Advice(knowledge.view, question.seat)
    worth = [advice.worth(move) for move in moves]
    least = max(worth) - NEARLY
    return chance.choose([move for move, value in zip(moves, worth, strict=True) if value >= least])


class Advice:
    """A player's estimates of the cards within reach."""

    def __init__(self, view: View, seat: SeatNumber) -> None:
        self.view = view
        self.width = view.width
        self.pyramid = view.players[seat - 1].pyramid
        self.hand = view.players[seat - 1].hand
        self._gains: dict[Card, float] = {}

    def worth(self, move: SedlecMove) -> float:
        """Return the value of a move, for comparison with other moves."""
        match move:
            case Lay(card=card, place=place):
                return self.laying(card, lay(self.pyramid, card, place))
            case Collect(pile=pile) | Take(pile=pile):
                face_up = self.view.piles[pile - 1].face_up
                return 0 if face_up is None else self.gain(face_up)
            case Dig():
                return self.digging

    def laying(self, card: Card, after: Pyramid) -> float:
        """Return the pyramid after laying a card. With a second card in hand, its later gain counts as well."""
        worth = promise(after, self.width)
        if len(self.hand) > 1:
            other = self.hand[1] if card == self.hand[0] else self.hand[0]
            return promise(best(after, other, self.width), self.width)
        return worth - promise(self.planned, self.width) + self.digging - WAITING

    @cached_property
    def planned(self) -> Pyramid:
        """Return the pyramid after the only card in hand is laid on its best place."""
        return best(self.pyramid, self.hand[0], self.width) if self.hand else self.pyramid

    @cached_property
    def digging(self) -> float:
        """Return the average value of the better of two unseen cards, or the worst value if none is left."""
        gains = sorted(self.gain(card) for card in unseen(self.view))
        if len(gains) < 2:
            return gains[0] if gains else -WAITING
        pairs = len(gains) * (len(gains) - 1) / 2
        return sum(worse * gain for worse, gain in enumerate(gains)) / pairs

    def gain(self, card: Card) -> float:
        """Return the value that a card adds on its best place."""
        if card not in self._gains:
            grown = best(self.planned, card, self.width)
            self._gains[card] = promise(grown, self.width) - promise(self.planned, self.width)
        return self._gains[card]


def best(pyramid: Pyramid, card: Card, width: int) -> Pyramid:
    """Return the pyramid with ``card`` on its best place, or unchanged if it is full."""
    grown = [lay(pyramid, card, place) for place in places(pyramid, width)]
    return max(grown, key=lambda after: promise(after, width), default=pyramid)


def unseen(view: View) -> list[Card]:
    """Return the cards of the deck that lie face down."""
    left = Counter(view.deck)
    left.subtract(pile.face_up for pile in view.piles if pile.face_up is not None)
    for player in view.players:
        left.subtract(player.hand)
        left.subtract(card for row in player.pyramid for card in row if card is not None)
    return list(left.elements())


@lru_cache(maxsize=1 << 13)
def promise(pyramid: Pyramid, width: int) -> float:
    """Return the points of a pyramid, and the expected points of its skulls on the free places."""
    bones = skulls(pyramid)
    points = peasants(bones) + priests(bones) + rank(bones, width)
    pairs = lovers(bones)
    points += pairs
    for spot, kind in bones.items():
        if kind == "lover" or kind == "sinner":
            near = neighbours(spot)
            mates = {bones.get(beside) for beside in near}
            if kind == "sinner" and "priest" in mates:
                points += 2
            elif kind == "sinner" or "lover" not in mates:
                hope = LONELY_LOVER if kind == "lover" else LOST_SINNER
                points += hope * any(beside not in bones and is_free(beside, pyramid, width) for beside in near)
    return points


def rank(bones: dict[Spot, Kind], width: int) -> float:
    """Return the value of royals with the lower ranks below them, present and possible, and of lower ranks with royals
    that may still come.
    """
    ranks, royals, free = [0] * 6, [0] * 6, [width - level // 2 for level in range(6)]
    for (level, _), kind in bones.items():
        free[level - 1] -= 1
        royals[level - 1] += kind == "royal"
        ranks[level - 1] += kind == "royal" or kind == "peasant"
    points, below = 0.0, 0.0
    above = sum(free)
    for level in range(6):
        above -= free[level]
        points += royals[level] * below + ranks[level] * above * ROYAL_ABOVE
        below += ranks[level] + free[level] * RANK_BELOW
    return points


def is_free(spot: Spot, pyramid: Pyramid, width: int) -> bool:
    """Return whether an empty spot can still get a skull. The bottom row may grow on either side."""
    level, at = spot
    row = (level - 1) // 2
    long = len(pyramid[0])
    return 1 <= level <= 6 and 2 * (long - width) <= at - row < 2 * (width - row)


# Fitted to games of bots: how often a lead of some points, with some cards left to take, led to a win.
SETTLED: Final = 1.5
"""The lead in points by which the odds grow e-fold when no card is left to take."""
TO_COME: Final = 0.4
"""The growth of that lead for each card that can still be taken."""

# The average over 500 games of bots.
NEXT_CARDS: Final = (0.0, 0.0, 2.0, 5.0, 9.0, 13.5, 18.5, 24.5, 30.5, 37.0)
"""The points that a player still gets with none, one, two ... cards to take. Without them the player who took the last
card would seem ahead."""


def share(state: State, seat: SeatNumber) -> float:
    """Return a seat's share of the game: the expected points of its pyramid compared with the others'."""
    if state.winners is not None:
        return (seat in state.winners) / max(1, len(state.winners))
    if seat in state.forfeited:
        return 0.0
    cards = sum(state.laid) + sum(map(len, state.hands))
    scale = SETTLED + TO_COME * (state.size * len(state.hands) - cards)
    own_hope = hope(state, seat)
    rivals = [SeatNumber(number) for number in range(1, len(state.hands) + 1) if number not in state.forfeited]
    return 1 / sum(exp((hope(state, rival) - own_hope) / scale) for rival in rivals)


def hope(state: State, seat: SeatNumber) -> float:
    """Return the expected points of a seat: of its pyramid with the cards in hand on their best places, in the better
    order, and of the cards that it has yet to take.
    """
    hand = state.hands[seat - 1]
    promised = max(_promise(state.pyramids[seat - 1], order, state.width) for order in {hand, hand[::-1]})
    return promised + NEXT_CARDS[state.size - state.laid[seat - 1] - len(hand)]


def _promise(pyramid: Pyramid, cards: Sequence[Card], width: int) -> float:
    """Return the expected points of a pyramid after these cards are laid in order."""
    for card in cards:
        pyramid = best(pyramid, card, width)
    return promise(pyramid, width)


def horizon(state: State) -> int:
    """Return the number of turns of a roll-out. The shares are reliable enough after six."""
    return 6

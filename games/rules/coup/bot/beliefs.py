"""Beliefs of one seat about the hands of the others, by Bayes' rule over all events that were shown to it.

For every other seat there is a table: for each kind of person and each hand, the likelihood of all actions of this
seat. Claims, blocks, challenges and losses multiply a table. Cards drawn from the court move its weights to other
hands. ``learning.py`` defines the update for each event.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, exp
from typing import Final

import msgspec

from games.engine import SeatNumber
from games.rules.coup.bot.estimates import SECOND, WORTH
from games.rules.coup.game import law_of
from games.rules.coup.law import ActionLaw
from games.rules.coup.state import Card, Character, State, known_cards

Row = list[float]

Table = list[Row]
"""The likelihood of each hand, for each kind of person."""

Pool = tuple[int, ...]
"""The number of unseen cards of each character."""


Hand = tuple[Character, ...]

Likelihood = tuple[float, ...]
"""The likelihood of something for each hand, in the order of ``hands_of``."""


class Person(msgspec.Struct, frozen=True):
    """A kind of player."""

    name: str
    share: float
    """The share of all players who are of this kind, before they are observed."""
    lies: float
    """The frequency of a claim by a player without the card, relative to a player with it."""
    lies_to_block: float
    """The probability that they block with a card that they do not hold."""
    repeats: float = 0.0
    """The probability that the player repeats their last claim with any hand."""


class Beliefs:
    """The beliefs of the seat ``me`` about the other hands."""

    def __init__(self, state: State, me: SeatNumber) -> None:
        self.me = me
        self.state = state
        """The state of the game, as far as this seat was shown its events."""
        self.law = law_of(state.options, len(state.hands))
        self.characters = self.law.characters
        self.tables: dict[SeatNumber, Table] = {}
        self.last_claims: dict[SeatNumber, str] = {}
        """The last claim of each seat, as the verb of its action."""
        self.proved: tuple[Character, ...] = ()
        """The cards that were proved last."""

    def pool(self) -> Pool:
        """Return how many of each character lie where this seat does not see them."""
        state, left = self.state, list(self.state.pack)
        for cards in (state.hands[self.me - 1], *state.lost, state.drawn, state.aside):
            for card in known_cards(cards):
                left.remove(card)
        return tuple([left.count(character) for character in self.characters])

    def less(self, pool: Pool, cards: Sequence[Card]) -> Pool:
        """Return the pool without these cards."""
        return tuple(
            [max(0, left - cards.count(character)) for left, character in zip(pool, self.characters, strict=True)]
        )

    def size(self, seat: SeatNumber) -> int:
        """Return how many face-down cards a seat has."""
        return len(self.state.hands[seat - 1])

    def hands(self, seat: SeatNumber) -> Sequence[Hand]:
        """Return all hands of this seat, in the order of its table."""
        return hands_of(self.characters, self.size(seat))

    def ways(self, seat: SeatNumber, pool: Pool | None = None) -> Likelihood:
        """Return the number of ways to draw each hand of this seat from a pool, by default the unseen cards."""
        return ways(self.characters, self.size(seat), self.pool() if pool is None else pool)

    def likelihood(self, seat: SeatNumber) -> Row:
        """Return how likely this seat's actions are with each hand, over all kinds of people."""
        return [sum(column) for column in zip(*self.tables[seat], strict=True)]

    def kinds(self, seat: SeatNumber) -> dict[str, float]:
        """Return the probability of each kind of person for this seat."""
        prior = self.ways(seat)
        weights = [sum(map(product, row, prior)) for row in self.tables[seat]]
        return {person.name: weight / sum(weights) for person, weight in zip(PEOPLE, weights, strict=True)}

    def holds(self, seat: SeatNumber, character: Character) -> float:
        """Return the probability that a seat holds a character."""
        likely = [*map(product, self.likelihood(seat), self.ways(seat))]
        holding = [weight for weight, hand in zip(likely, self.hands(seat), strict=True) if character in hand]
        return sum(holding) / sum(likely)

    def weigh(self, seat: SeatNumber, likelihood: Callable[[Person], Likelihood]) -> None:
        """Multiply the table of a seat by the likelihood of its last action."""
        if seat in self.tables:
            rows = zip(PEOPLE, self.tables[seat], strict=True)
            self.put(seat, [[*map(product, row, likelihood(person))] for person, row in rows])

    def weigh_hands(self, seat: SeatNumber, factor: Callable[[Hand], float]) -> None:
        """Multiply a seat's table by a factor that depends on the hand alone."""
        if seat in self.tables:
            factors = tuple([factor(hand) for hand in self.hands(seat)])
            self.weigh(seat, lambda person: factors)

    def put(self, seat: SeatNumber, table: Table) -> None:
        """Store a table scaled to a fixed total. If no hand explains a seat's actions, restart with the prior."""
        prior = self.ways(seat)
        total = sum(sum(map(product, row, prior)) for row in table)
        if total > 0:
            self.tables[seat] = [[weight / total for weight in row] for row in table]
        else:
            self.tables[seat] = [[person.share] * len(prior) for person in PEOPLE]

    def give(self, seat: SeatNumber, before: int, cards: Sequence[Character]) -> None:
        """Take known cards out of the hand of a seat that held ``before`` cards."""
        old = hands_of(self.characters, before)
        rows = [dict(zip(old, row, strict=True)) for row in self.tables[seat]]
        rests = [tuple(sorted((*rest, *cards))) for rest in self.hands(seat)]
        self.put(seat, [[row[hand] for hand in rests] for row in rows])

    def draw(self, seat: SeatNumber, before: int) -> None:
        """Fill up a hand that had ``before`` cards with random cards of the court."""
        pool, more = self.pool(), self.size(seat) - before
        sums = _Sums()
        counts = ways(self.characters, before, pool)
        for at, (rest, count) in enumerate(zip(hands_of(self.characters, before), counts, strict=True)):
            weights = [row[at] * count for row in self.tables[seat]]
            for cards, way in self._draws(pool, rest, more):
                sums.add((*rest, *cards), weights, way)
        self._put_sums(seat, sums)

    def exchange(self, seat: SeatNumber, more: int) -> None:
        """Update a table for a choice among a hand and ``more`` cards of the court."""
        pool = self.pool()
        before, after = _Sums(), _Sums()
        for at, (hand, count) in enumerate(zip(self.hands(seat), self.ways(seat), strict=True)):
            if count:
                weights = [row[at] * count for row in self.tables[seat]]
                for cards, way in self._draws(pool, hand, more):
                    before.add((*hand, *cards), weights, way)
        for cards, weights in before.items():
            for choice, likely in keepings(cards, self.size(seat)):
                after.add(choice, weights, likely)
        self._put_sums(seat, after)

    def _draws(self, pool: Pool, hand: Hand, more: int) -> Iterable[tuple[Hand, float]]:
        """Return the cards that may be drawn in addition to a hand, with the number of ways."""
        left = ways(self.characters, more, self.less(pool, hand))
        return [(cards, way) for cards, way in zip(hands_of(self.characters, more), left, strict=True) if way]

    def _put_sums(self, seat: SeatNumber, sums: "_Sums") -> None:
        """Store the likelihood of each hand, without the number of ways in which it can be dealt."""
        nothing = [0.0] * len(PEOPLE)
        columns = [
            [weight / way if way else 0.0 for weight in sums.get(hand, nothing)]
            for hand, way in zip(self.hands(seat), self.ways(seat), strict=True)
        ]
        self.put(seat, [list(row) for row in zip(*columns, strict=True)])


class _Sums(dict[Hand, list[float]]):
    """A sum for each hand and each kind of person."""

    def add(self, cards: Sequence[Character], weights: Sequence[float], times: float) -> None:
        hand = tuple(sorted(cards))
        old = self.get(hand)
        if old is None:
            self[hand] = [weight * times for weight in weights]
        else:
            self[hand] = [weight_before + weight * times for weight_before, weight in zip(old, weights, strict=True)]


def product(a: float, b: float) -> float:
    return a * b


PEOPLE: Final = (
    Person("honest", 0.35, lies=0.004, lies_to_block=0.004),
    Person("cautious", 0.2, lies=0.08, lies_to_block=0.06),
    Person("usual", 0.2, lies=0.15, lies_to_block=0.15),
    Person("bold", 0.15, lies=0.6, lies_to_block=0.35),
    Person("single-minded", 0.1, lies=1.0, lies_to_block=0.3, repeats=0.85),
)
"""The prior over kinds of players. Their weights change with the cards that a player shows."""

HONEST: Final = 0.01
"""A player whose readiness to lie is at most this does not even lie to stay in the game."""

WANTED: Final = {
    "income": 1.0,
    "foreign-aid": 1.5,
    "coup": 15.0,
    "tax": 6.0,
    "assassinate": 6.0,
    "steal": 4.0,
    "exchange": 2.0,
    "examine": 2.0,
    "convert": 0.7,
    "embezzle": 2.0,
    "bomb": 2.0,
}
"""The preference for each action of a player who needs no lie for it."""

BLOCKS: Final = {"target": 0.9, "opponents": 0.7}
"""The probability that a player with the card blocks, by the group of seats that may block."""

NOTHING_TO_LOSE: Final = 0.5
"""The minimum probability that a player claims the contessa if they would otherwise be out of the game."""

LIES_IN_SHARED_BLOCKS: Final = 0.3
"""The factor for the frequency of lies in a block that all opponents may make."""

KEENNESS: Final = 4.0
"""The certainty with which the better of two hands is kept."""

CONCEDES_HOLDING: Final = 0.02
"""The probability that a player who could prove a claim concedes."""


@lru_cache(maxsize=64)
def hands_of(characters: tuple[Character, ...], size: int) -> tuple[Hand, ...]:
    """Return all hands with this number of cards."""
    return tuple(combinations_with_replacement(characters, size))


@lru_cache(maxsize=4096)
def ways(characters: tuple[Character, ...], size: int, pool: tuple[int, ...]) -> Likelihood:
    """Return the number of ways to take each hand from a pool."""
    numbers = []
    for hand in hands_of(characters, size):
        number = 1
        for place, character in enumerate(characters):
            number *= comb(pool[place], hand.count(character))
        numbers.append(float(number))
    return tuple(numbers)


@lru_cache(maxsize=8192)
def acting(
    person: Person, characters: tuple[Character, ...], size: int, able: tuple[ActionLaw, ...], verb: str, last: str
) -> Likelihood:
    """Return the probability of this action among those that can be paid for. ``last`` is the verb of the player's last
    claim, or blank.
    """
    repeats = person.repeats if last and any(action.verb == last for action in able) else 0.0
    chances = []
    for hand in hands_of(characters, size):
        wishes = {action.verb: WANTED[action.verb] * (1 if honest(hand, action) else person.lies) for action in able}
        free = wishes.get(verb, 0.0) / sum(wishes.values())
        chances.append((1 - repeats) * free + repeats * (verb == last))
    return tuple(chances)


def honest(hand: Hand, action: ActionLaw) -> bool:
    """Return whether a player with this hand can take the action without a lie."""
    return action.claims is None or (action.claims in hand) != action.denies


@lru_cache(maxsize=2048)
def blocking(
    person: Person, characters: tuple[Character, ...], size: int, character: Character, desperate: bool
) -> Likelihood:
    """Return the probability of a block as this character."""
    lie = person.lies_to_block
    if desperate and person.lies > HONEST:
        lie = max(lie, NOTHING_TO_LOSE)
    return tuple(BLOCKS["target"] if character in hand else lie for hand in hands_of(characters, size))


@lru_cache(maxsize=2048)
def not_blocking(person: Person, characters: tuple[Character, ...], size: int, action: ActionLaw) -> Likelihood:
    """Return the probability that a player who may block the action allows it."""
    lies = person.lies_to_block * (LIES_IN_SHARED_BLOCKS if action.blockers == "opponents" else 1.0)
    holds = 1 - BLOCKS[action.blockers]
    return tuple(
        holds if any(character in hand for character in action.blocked_by) else 1 - lies
        for hand in hands_of(characters, size)
    )


@lru_cache(maxsize=1024)
def value(hand: Hand) -> float:
    """Return the general value of a hand. A second card of the same character adds little."""
    return sum(WORTH[character] * (1 + SECOND * (number - 1)) for character, number in Counter(hand).items())


@lru_cache(maxsize=1024)
def keepings(hand: Hand, size: int) -> tuple[tuple[Hand, float], ...]:
    """Return the cards that a player may keep of these, with probabilities."""
    choices = {choice: exp(KEENNESS * value(choice)) for choice in _choices(hand, size)}
    total = sum(choices.values())
    return tuple((choice, weight / total) for choice, weight in choices.items())


def _choices(hand: Hand, size: int) -> set[Hand]:
    if size == len(hand):
        return {hand}
    return {choice for place in range(len(hand)) for choice in _choices(hand[:place] + hand[place + 1 :], size)}

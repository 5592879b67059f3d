"""Models of players: the probability that a player of each kind does something, for every hand they may hold."""

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, exp
from typing import Final

import msgspec

from games.rules.coup.bot.worth import SECOND, WORTH
from games.rules.coup.cards import Character
from games.rules.coup.law import ActionLaw

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

RARELY: Final = 0.3
"""The factor by which lies are rarer in blocks that all opponents may make."""

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
    lies = person.lies_to_block * (RARELY if action.blockers == "opponents" else 1.0)
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

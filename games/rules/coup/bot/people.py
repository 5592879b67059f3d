"""Models of people: how likely somebody of each kind is to do a thing, for every hand they may hold."""

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
    """The share of all players who are like this, before anything is known of them."""
    lies: float
    """The rate at which somebody without the card claims it, for each time that somebody with it does."""
    lies_to_block: float
    """The likelihood that they block with a card that they do not hold."""
    repeats: float = 0.0
    """The likelihood that they repeat their last claim whatever they hold."""


PEOPLE: Final = (
    Person("honest", 0.35, lies=0.004, lies_to_block=0.004),
    Person("cautious", 0.2, lies=0.08, lies_to_block=0.06),
    Person("usual", 0.2, lies=0.15, lies_to_block=0.15),
    Person("bold", 0.15, lies=0.6, lies_to_block=0.35),
    Person("single-minded", 0.1, lies=1.0, lies_to_block=0.3, repeats=0.85),
)
"""The mixture that a player is taken for; the weight of each kind follows from what they show."""

HONEST: Final = 0.01
"""The readiness to lie up to which somebody does not lie even to stay in the game."""

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
"""The liking for each action of somebody who may take it without a lie."""

BLOCKS: Final = {"target": 0.9, "opponents": 0.7}
"""The likelihood that somebody who holds the card blocks, by who may."""

NOTHING_TO_LOSE: Final = 0.5
"""The least likelihood that somebody claims the contessa who would be out of the game without it."""

RARELY: Final = 0.3
"""The factor by which somebody lies more rarely to block what all opponents may block."""

KEENNESS: Final = 4.0
"""The certainty with which the better of two hands is kept."""

CONCEDES_HOLDING: Final = 0.02
"""The likelihood that somebody who could prove a claim concedes all the same."""


@lru_cache(maxsize=64)
def hands_of(characters: tuple[Character, ...], size: int) -> tuple[Hand, ...]:
    """All hands of so many cards."""
    return tuple(combinations_with_replacement(characters, size))


@lru_cache(maxsize=4096)
def ways(characters: tuple[Character, ...], size: int, pool: tuple[int, ...]) -> Likelihood:
    """Return in how many ways each hand can be taken from a pool with so many of each character."""
    found = []
    for hand in hands_of(characters, size):
        number = 1
        for place, character in enumerate(characters):
            number *= comb(pool[place], hand.count(character))
        found.append(float(number))
    return tuple(found)


@lru_cache(maxsize=8192)
def acting(
    person: Person, characters: tuple[Character, ...], size: int, able: tuple[ActionLaw, ...], verb: str, last: str
) -> Likelihood:
    """Return how likely this action is, of those that can be paid for; ``last`` is their last claim's, or blank."""
    repeats = person.repeats if last and any(action.verb == last for action in able) else 0.0
    found = []
    for hand in hands_of(characters, size):
        wanted = {action.verb: WANTED[action.verb] * (1 if honest(hand, action) else person.lies) for action in able}
        free = wanted.get(verb, 0.0) / sum(wanted.values())
        found.append((1 - repeats) * free + repeats * (verb == last))
    return tuple(found)


def honest(hand: Hand, action: ActionLaw) -> bool:
    """Return whether somebody with this hand takes the action without a lie."""
    return action.claims is None or (action.claims in hand) != action.denies


@lru_cache(maxsize=2048)
def blocking(
    person: Person, characters: tuple[Character, ...], size: int, character: Character, desperate: bool
) -> Likelihood:
    """Return how likely a block as this character is."""
    lie = person.lies_to_block
    if desperate and person.lies > HONEST:
        lie = max(lie, NOTHING_TO_LOSE)
    return tuple(BLOCKS["target"] if character in hand else lie for hand in hands_of(characters, size))


@lru_cache(maxsize=2048)
def not_blocking(person: Person, characters: tuple[Character, ...], size: int, action: ActionLaw) -> Likelihood:
    """Return how likely somebody who may block the action is to let it pass."""
    lies = person.lies_to_block * (RARELY if action.blockers == "opponents" else 1.0)
    holds = 1 - BLOCKS[action.blockers]
    return tuple(
        holds if any(character in hand for character in action.blocked_by) else 1 - lies
        for hand in hands_of(characters, size)
    )


@lru_cache(maxsize=1024)
def value(hand: Hand) -> float:
    """Return what a hand is worth to anybody; a second card of a character adds little."""
    return sum(WORTH[character] * (1 + SECOND * (number - 1)) for character, number in Counter(hand).items())


@lru_cache(maxsize=1024)
def kept(hand: Hand, size: int) -> tuple[tuple[Hand, float], ...]:
    """Return what somebody keeps of these cards, and how likely each choice is."""
    choices = {choice: exp(KEENNESS * value(choice)) for choice in _choices(hand, size)}
    total = sum(choices.values())
    return tuple((choice, weight / total) for choice, weight in choices.items())


def _choices(hand: Hand, size: int) -> set[Hand]:
    if size == len(hand):
        return {hand}
    return {choice for place in range(len(hand)) for choice in _choices(hand[:place] + hand[place + 1 :], size)}

"""Possible states drawn from beliefs: the hands of all seats together, with their joint probability.

If there are few possible hands, all are enumerated. Otherwise particles are drawn seat by seat and resampled by weight.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import prod
from typing import Final

from msgspec.structs import replace

from games.engine import Chance, Event, SeatNumber
from games.rules.coup.bot.beliefs import Beliefs, Pool
from games.rules.coup.bot.learning import believe
from games.rules.coup.bot.people import Hand, ways
from games.rules.coup.cards import Character
from games.rules.coup.state import Card, State, in_order

COUNTED: Final = 4000
"""The highest number of deals that are enumerated."""
FINE: Final = 1 << 30
PARTICLES: Final = 600

Deal = dict[SeatNumber, Hand]
"""The hands of the other seats."""


def likely(rules: object, events: Sequence[Event], viewer: SeatNumber, chance: Chance, count: int) -> list[State]:
    """Return states that this seat may be in. Likelier states come more often."""
    beliefs = believe(events, viewer)
    deals = weighed(beliefs, chance)
    bounds = [*accumulate(weight for _, weight in deals)]
    return [state_of(beliefs, deals[_spot(bounds, chance)][0], chance) for _ in range(count)]


def holds(beliefs: Beliefs, chance: Chance) -> dict[tuple[SeatNumber, Character], float]:
    """Return the probability of each character for each other seat."""
    deals = weighed(beliefs, chance)
    total = sum(weight for _, weight in deals)
    chances: dict[tuple[SeatNumber, Character], float] = {}
    for deal, weight in deals:
        for seat, hand in deal.items():
            for character in {*hand}:
                chances[seat, character] = chances.get((seat, character), 0.0) + weight / total
    return chances


def _spot(bounds: Sequence[float], chance: Chance) -> int:
    """Return a random index, weighted. ``bounds`` are the sums of the weights."""
    return min(bisect(bounds, chance.choose(range(FINE)) / FINE * bounds[-1]), len(bounds) - 1)


def weighed(beliefs: Beliefs, chance: Chance) -> list[tuple[Deal, float]]:
    """Return possible deals with their weights."""
    seats = [seat for seat in beliefs.tables if beliefs.size(seat)]
    tables = {seat: beliefs.likelihood(seat) for seat in seats}
    if prod(len(table) for table in tables.values()) <= COUNTED:
        deals = [*_counted(beliefs, tables, seats, beliefs.pool())]
    else:
        deals = [_particle(beliefs, tables, seats, chance) for _ in range(PARTICLES)]
    return [(deal, weight) for deal, weight in deals if weight > 0] or [(_any(beliefs, seats, chance), 1.0)]


def _counted(
    beliefs: Beliefs, tables: dict[SeatNumber, list[float]], seats: Sequence[SeatNumber], pool: Pool
) -> Iterator[tuple[Deal, float]]:
    if not seats:
        yield {}, 1.0
        return
    seat, hands = seats[0], beliefs.hands(seats[0])
    for at, way in enumerate(ways(beliefs.characters, beliefs.size(seat), pool)):
        if weight := way * tables[seat][at]:
            for deal, rest in _counted(beliefs, tables, seats[1:], less(beliefs, pool, hands[at])):
                yield {seat: hands[at], **deal}, weight * rest


def _particle(
    beliefs: Beliefs, tables: dict[SeatNumber, list[float]], seats: Sequence[SeatNumber], chance: Chance
) -> tuple[Deal, float]:
    pool, weight, deal = beliefs.pool(), 1.0, {}
    for seat in chance.take(seats, len(seats)):
        likely = [a * b for a, b in zip(ways(beliefs.characters, beliefs.size(seat), pool), tables[seat], strict=True)]
        bounds = [*accumulate(likely)]
        if bounds[-1] <= 0:
            return {}, 0.0
        # The hand of each seat is drawn by its probability given the hands drawn before it. The weight corrects the
        # rest.
        weight *= bounds[-1]
        deal[seat] = beliefs.hands(seat)[_spot(bounds, chance)]
        pool = less(beliefs, pool, deal[seat])
    return deal, weight


def _any(beliefs: Beliefs, seats: Sequence[SeatNumber], chance: Chance) -> Deal:
    """Return random hands, for the case that the beliefs allow no deal at all."""
    cards = _elements(beliefs, beliefs.pool())
    drawn_cards = iter(chance.take(cards, len(cards)))
    return {seat: tuple(sorted(next(drawn_cards) for _ in range(beliefs.size(seat)))) for seat in seats}


def less(beliefs: Beliefs, pool: Pool, hand: Sequence[Card]) -> Pool:
    """Return the pool without the cards of a hand."""
    return tuple([left - hand.count(character) for left, character in zip(pool, beliefs.characters, strict=True)])


def _elements(beliefs: Beliefs, pool: Pool) -> list[Character]:
    return [character for character, number in zip(beliefs.characters, pool, strict=True) for _ in range(number)]


def state_of(beliefs: Beliefs, deal: Deal, chance: Chance) -> State:
    """Return the state in which the others hold these hands. All other hidden cards are drawn at random."""
    state, pool = beliefs.state, beliefs.pool()
    hands: list[tuple[Card, ...]] = [*state.hands]
    for seat, hand in deal.items():
        hands[seat - 1] = in_order(hand)
        pool = less(beliefs, pool, hand)
    aside = state.aside
    if None in aside:
        out = _put_out(beliefs, pool, chance)
        pool = less(beliefs, pool, out)
        hidden = iter(out)
        aside = tuple([card or next(hidden) for card in aside])
    drawn_cards = state.drawn
    if None in drawn_cards:
        drawn_cards = chance.take(_elements(beliefs, pool), len(drawn_cards))
    shown_card = state.shown
    if shown_card is None and state.asking == "examine" and state.action and state.action.target:
        shown_card = hands[state.action.target - 1][0]
    return replace(state, hands=tuple(hands), aside=aside, drawn=drawn_cards, shown=shown_card)


def _put_out(beliefs: Beliefs, pool: Pool, chance: Chance) -> tuple[Character, ...]:
    """Return the cards that the other player put aside in the draft: all characters except one possible court card."""
    outs = [
        tuple(character for character in beliefs.characters if character != chosen_character)
        for chosen_character in beliefs.characters
    ]
    able = [out for out in outs if min(less(beliefs, pool, out)) >= 0]
    cards = _elements(beliefs, pool)
    return chance.choose(able) if able else chance.take(cards, len(outs[0]))

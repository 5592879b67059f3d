"""Learning from events, and dealing by beliefs.

Each event that was shown to a seat updates its beliefs about the other hands. Together with the number of ways to deal
hands from the unseen cards, the tables give the probability of all hands together. If there are few possible hands,
all are enumerated. Otherwise particles are drawn seat by seat and resampled by weight.
"""

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import prod
from typing import Any, Final

from msgspec.structs import replace

from games.engine import Chance, Event, SeatEvent, SeatNumber, evolve
from games.rules.coup import events as e
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.bot.beliefs import (
    CONCEDES_HOLDING,
    PEOPLE,
    Beliefs,
    Hand,
    Pool,
    Row,
    acting,
    blocking,
    hands_of,
    keepings,
    not_blocking,
    product,
    ways,
)
from games.rules.coup.bot.estimates import PICKS
from games.rules.coup.expansions.inquisitor import Shown, Swapped
from games.rules.coup.game import EXPANSIONS
from games.rules.coup.law import ActionLaw
from games.rules.coup.state import CONTESSA, SEATS, Card, Character, State, in_order, known_cards

CHALLENGES_HOLDING: Final = 0.7
"""The factor by which each copy in hand makes a challenge more likely."""


def believe(events: Iterable[Event], me: SeatNumber) -> Beliefs:
    """Return the beliefs of a seat after all events that were shown to it."""
    first, *others = events
    beliefs = Beliefs(evolve(None, first), me)
    for event in others:
        before = beliefs.state
        beliefs.state = evolve(before, event)
        if (learn := LEARNS.get(type(event))) is not None:
            learn(beliefs, before, event)
    return beliefs


def begin(beliefs: Beliefs, before: State, event: e.TurnBegan) -> None:
    """Start with the prior for each seat, before its first action."""
    state = beliefs.state
    if beliefs.tables or not all(state.hands):
        return
    for seat in SEATS[: len(state.hands)]:
        if seat != beliefs.me:
            fair = drafted(beliefs) if state.aside else [1.0] * len(beliefs.hands(seat))
            beliefs.tables[seat] = [[person.share * weight for weight in fair] for person in PEOPLE]


def drafted(beliefs: Beliefs) -> Row:
    """Return how much likelier each hand became by the draft, in which one of its cards was chosen."""
    state, characters = beliefs.state, beliefs.characters
    own_cards = [*known_cards(state.hands[beliefs.me - 1])]
    picked = [character for character in characters if character not in state.aside]
    own_cards.remove(picked[0])
    third = {character: 1 - own_cards.count(character) for character in characters}
    weights = []
    for (a, b), way in zip(hands_of(characters, 2), ways(characters, 2, beliefs.pool()), strict=True):
        likely = PICKS[a] * third[b] + (a != b) * PICKS[b] * third[a]
        weights.append(likely / way if way else 0.0)
    return weights


def acts(beliefs: Beliefs, before: State, event: e.Declared) -> None:
    """Learn from the choice of an action among those that could be paid for."""
    if event.seat in beliefs.tables:
        able = affordable(beliefs, before.coins[event.seat - 1])
        size, last = beliefs.size(event.seat), beliefs.last_claims.get(event.seat, "")
        beliefs.weigh(event.seat, lambda person: acting(person, beliefs.characters, size, able, event.action, last))
    if event.claim:
        beliefs.last_claims[event.seat] = event.action


def affordable(beliefs: Beliefs, coins: int) -> tuple[ActionLaw, ...]:
    """Return the actions that a player can pay for."""
    if coins >= FORCED_COUP:
        return (beliefs.law.actions["coup"],)
    return tuple([action for action in beliefs.law.actions.values() if action.cost <= coins])


def blocks(beliefs: Beliefs, before: State, event: e.Blocked) -> None:
    """Learn from a player's claim of a card that blocks."""
    claims_to_block(beliefs, event.seat, event.character)


def escapes(character: Character, beliefs: Beliefs, before: State, event: SeatEvent) -> None:
    """Learn from the claim of a character that averts a loss, as with the contessa and the bomb."""
    claims_to_block(beliefs, event.seat, character)


def claims_to_block(beliefs: Beliefs, seat: SeatNumber, character: Character) -> None:
    size = beliefs.size(seat)
    desperate = character == CONTESSA and size == 1
    beliefs.weigh(seat, lambda person: blocking(person, beliefs.characters, size, character, desperate))


def challenges(beliefs: Beliefs, before: State, event: e.Challenged) -> None:
    """Take into account that holders of the card challenge more readily."""
    beliefs.weigh_hands(event.seat, lambda hand: 1 + CHALLENGES_HOLDING * hand.count(event.character))


def proves(beliefs: Beliefs, before: State, event: e.Proved) -> None:
    """Learn from a proof: the cards that were shown were held, and return to the court."""
    beliefs.proved = event.cards
    if event.seat in beliefs.tables:
        beliefs.give(event.seat, len(before.hands[event.seat - 1]), event.cards)


def redraws(beliefs: Beliefs, before: State, event: e.Replaced) -> None:
    """Learn from a replacement: the shown cards lie in the court, and others were drawn from it."""
    returned(beliefs, event.seat, beliefs.proved)
    if event.seat in beliefs.tables:
        beliefs.draw(event.seat, len(before.hands[event.seat - 1]))


def returned(beliefs: Beliefs, seat: SeatNumber, cards: Iterable[Card]) -> None:
    """Learn from cards that went to the court in the open: only ``seat`` may have drawn them again."""
    back = known_cards(cards)
    pool = beliefs.pool()
    less = beliefs.less(pool, back)
    for other in [*beliefs.tables]:
        if back and other != seat:
            pairs = zip(beliefs.ways(other, less), beliefs.ways(other, pool), strict=True)
            ratios = tuple([now / whole if whole else 0.0 for now, whole in pairs])
            beliefs.put(other, [[*map(product, row, ratios)] for row in beliefs.tables[other]])


def concedes(beliefs: Beliefs, before: State, event: e.Conceded) -> None:
    """Learn from a concession: a player who does not prove a claim usually cannot."""
    claim = before.claim
    if claim is not None:
        beliefs.weigh_hands(
            event.seat, lambda hand: CONCEDES_HOLDING if (claim.character in hand) != claim.denies else 1.0
        )


def loses(beliefs: Beliefs, before: State, event: e.Lost) -> None:
    """Learn from a lost card: people lose the card that is worth least to them."""
    if event.seat not in beliefs.tables:
        return
    if event.reason == "assassination" and before.asking != "loss":
        did_not_block(beliefs, before, event.seat, len(before.hands[event.seat - 1]))
    if not beliefs.size(event.seat):
        del beliefs.tables[event.seat]
        return
    size = len(before.hands[event.seat - 1])
    beliefs.give(event.seat, size, (event.card,))
    beliefs.weigh_hands(event.seat, lambda rest: dict(keepings(tuple(sorted((*rest, event.card))), size - 1))[rest])


def exchanges(beliefs: Beliefs, before: State, event: e.Kept) -> None:
    """Learn from an exchange: the player chose among their own cards and some of the court's."""
    if event.seat == beliefs.me:
        returned(beliefs, beliefs.me, event.returned)
    elif event.seat in beliefs.tables:
        beliefs.exchange(event.seat, len(before.drawn))


def sees(beliefs: Beliefs, before: State, event: Shown) -> None:
    """Learn from an examination: the inquisitor knows the card."""
    if event.card and event.to == beliefs.me:
        beliefs.weigh_hands(event.seat, lambda hand: float(event.card in hand))


def swaps(beliefs: Beliefs, before: State, event: Swapped) -> None:
    """Learn from a forced swap: the card was exchanged for one of the court, and the inquisitor knows which."""
    if event.seat in beliefs.tables and beliefs.size(event.seat):
        likely = beliefs.tables[event.seat]
        if event.returned is None:
            beliefs.put(event.seat, [[sum(row) / len(row)] * len(row) for row in likely])
        else:
            replaced = [sum(row) for row in likely]
            beliefs.put(event.seat, [[weight] * len(likely[0]) for weight in replaced])
    returned(beliefs, event.seat, (event.returned,))


def is_robbed(beliefs: Beliefs, before: State, event: e.Stole) -> None:
    """Learn from a theft that the target did not block."""
    did_not_block(beliefs, before, event.target, beliefs.size(event.target))


def gains(beliefs: Beliefs, before: State, event: e.Gained) -> None:
    """Learn from foreign aid that was not blocked."""
    if before.action is not None and before.action.verb == "foreign-aid":
        for seat in [*beliefs.tables]:
            if seat != before.action.seat:
                did_not_block(beliefs, before, seat, beliefs.size(seat))


def is_assassinated(beliefs: Beliefs, before: State, event: e.LossAsked) -> None:
    """Learn from an assassination that the target did not block."""
    if event.reason == "assassination":
        did_not_block(beliefs, before, event.seat, beliefs.size(event.seat))


def did_not_block(beliefs: Beliefs, before: State, seat: SeatNumber, size: int) -> None:
    """Learn that a seat which held ``size`` cards let the action pass."""
    if before.action is None or before.block is not None or seat not in beliefs.tables or not size:
        return
    action = beliefs.law.actions[before.action.verb]
    beliefs.tables[seat] = [
        [*map(product, row, not_blocking(person, beliefs.characters, size, action))]
        for person, row in zip(PEOPLE, beliefs.tables[seat], strict=True)
    ]


def leaves(beliefs: Beliefs, before: State, event: e.Resigned) -> None:
    """Forget the hand of a player who has left."""
    beliefs.tables.pop(event.seat, None)


LEARNS: Final[dict[type[Event], Callable[[Beliefs, State, Any], None]]] = {
    e.TurnBegan: begin,
    e.Declared: acts,
    e.Blocked: blocks,
    e.Challenged: challenges,
    e.Proved: proves,
    e.Replaced: redraws,
    e.Conceded: concedes,
    e.Lost: loses,
    e.LossAsked: is_assassinated,
    e.Kept: exchanges,
    e.Stole: is_robbed,
    e.Gained: gains,
    e.Resigned: leaves,
    Shown: sees,
    Swapped: swaps,
    **{event: partial(escapes, card) for expansion in EXPANSIONS.values() for event, card in expansion.claims.items()},
}
"""The function that learns from each kind of event."""


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

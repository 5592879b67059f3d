"""Updates of one seat's beliefs about the hands of the others, for each event that was shown to it."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from games.engine import Event, SeatNumber, evolve
from games.rules.coup import events as e
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.bot import people
from games.rules.coup.bot.beliefs import Beliefs, Row, product
from games.rules.coup.bot.people import PEOPLE, hands_of, ways
from games.rules.coup.bot.worth import PICKS
from games.rules.coup.cards import CONTESSA, Character
from games.rules.coup.expansions.anarchist import BombClaimed
from games.rules.coup.expansions.inquisitor import Shown, Swapped
from games.rules.coup.law import ActionLaw
from games.rules.coup.state import SEATS, Card, State, known_cards

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
        beliefs.weigh(
            event.seat, lambda person: people.acting(person, beliefs.characters, size, able, event.action, last)
        )
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


def handles_bomb(beliefs: Beliefs, before: State, event: BombClaimed) -> None:
    """Learn from the claim of the contessa that defuses a bomb or hands it on."""
    claims_to_block(beliefs, event.seat, CONTESSA)


def claims_to_block(beliefs: Beliefs, seat: SeatNumber, character: Character) -> None:
    size = beliefs.size(seat)
    desperate = character == CONTESSA and size == 1
    beliefs.weigh(seat, lambda person: people.blocking(person, beliefs.characters, size, character, desperate))


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
            event.seat, lambda hand: people.CONCEDES_HOLDING if (claim.character in hand) != claim.denies else 1.0
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
    beliefs.weigh_hands(
        event.seat, lambda rest: dict(people.keepings(tuple(sorted((*rest, event.card))), size - 1))[rest]
    )


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
        [*map(product, row, people.not_blocking(person, beliefs.characters, size, action))]
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
    BombClaimed: handles_bomb,
    Shown: sees,
    Swapped: swaps,
}
"""The function that learns from each kind of event."""

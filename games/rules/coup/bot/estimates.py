"""Estimates of the simple bot: the worth of a hand, the plausibility of claims, and the share of the game."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, TypeVar

from games.engine import Event, SeatNumber
from games.rules.coup import events as e
from games.rules.coup.expansions.inquisitor import Swapped
from games.rules.coup.game import LAW, law_of
from games.rules.coup.state import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, INQUISITOR, Character, Claim, pack
from games.rules.coup.views import View

CARDS: Final = (0.0, 1.0, 2.4)
"""The worth of no, one and two face-down cards."""

COINS: Final = tuple(1 + 0.02 * coins for coins in range(11))
"""The strength that coins add to a player. With many players it is small, because rich players are attacked."""

COINS_IN_A_DUEL: Final = (1.0, 1.1, 1.2, 1.35, 1.45, 1.55, 1.65, 1.85, 1.95, 2.0, 2.1)
"""COINS for two players, with steps where an assassination (3) and a coup (7) can be paid."""

STRENGTHS: Final = tuple(tuple(cards * coins for coins in COINS) for cards in CARDS)
"""The strength of a player by the numbers of cards and coins."""

STRENGTHS_IN_A_DUEL: Final = tuple(tuple(cards * coins for coins in COINS_IN_A_DUEL) for cards in CARDS)

DUEL: Final = 2.0
"""The power to which strengths are raised when only two are left: the same lead is then more decisive."""

COUP: Final = LAW.actions["coup"].cost
"""A player with this many coins is dangerous."""

SHELTER: Final = 0.6
"""The part of a share that a coup would cost."""

EDGE_OF_EXCHANGE: Final = 1.04
"""The value that an exchange adds to another player's hand."""

EDGE_OF_EXAMINING: Final = 0.97
"""The part of the worth of a hand that an examination leaves."""


class Standing:
    """The cards, purses and parties of all seats, in the present or in a possible position. It is mutable."""

    __slots__ = ("cards", "coins", "edges", "me", "parties", "reserve")

    def __init__(self, view: View) -> None:
        self.me = view.viewer - 1
        self.cards = [min(2, seat.cards) for seat in view.seats]
        self.coins = [seat.coins for seat in view.seats]
        self.edges = [1.0] * len(view.seats)
        self.parties = [seat.party for seat in view.seats]
        self.reserve = view.reserve

    def copy(self) -> "Standing":
        """Return a copy that can be changed independently."""
        # Without __init__, which reads a view: the bot's search makes a copy for every move it looks at.
        other = Standing.__new__(Standing)
        other.me, other.cards, other.coins = self.me, self.cards.copy(), self.coins.copy()
        other.edges, other.parties, other.reserve = self.edges.copy(), self.parties.copy(), self.reserve
        return other

    def pay(self, seat: SeatNumber, coins: int) -> "Standing":
        """Take coins from a seat, or give them to it if the number is negative."""
        self.coins[seat - 1] -= coins
        return self

    def hurt(self, seat: SeatNumber, influences: int = 1) -> "Standing":
        """Take influences from a seat, and its coins with the last one."""
        self.cards[seat - 1] = max(0, self.cards[seat - 1] - influences)
        return self

    def better(self, seat: SeatNumber, edge: float) -> "Standing":
        self.edges[seat - 1] *= edge
        return self

    def share(self) -> float:
        """Return the bot's share of the game, from 0 (out) to 1 (won). With two players left a lead counts for more."""
        if not self.cards[self.me]:
            return 0.0
        strengths = self._strengths()
        own_strength, total = strengths[self.me], sum(strengths)
        if self.cards.count(0) == len(self.cards) - 2:
            return float(own_strength**DUEL / (own_strength**DUEL + (total - own_strength) ** DUEL))
        return own_strength / total

    def _strengths(self) -> list[float]:
        """Return how strong each seat is by itself."""
        strengths = STRENGTHS_IN_A_DUEL if self.cards.count(0) == len(self.cards) - 2 else STRENGTHS
        return [
            strengths[cards][coins if coins < 10 else 10] * edge
            for cards, coins, edge in zip(self.cards, self.coins, self.edges, strict=True)
        ]

    def danger(self) -> float:
        """Return the probability that a player who can pay for a coup launches it against the bot: they attack the
        strong.
        """
        strengths, safe = self._strengths(), 1.0
        for place, coins in enumerate(self.coins):
            if coins >= COUP and self.cards[place] and place != self.me and self._may_strike(place, self.me):
                rest = sum(
                    strength
                    for other, strength in enumerate(strengths)
                    if other != place and self._may_strike(place, other)
                )
                safe *= 1 - strengths[self.me] / rest
        return 1 - safe

    def _may_strike(self, place: int, other: int) -> bool:
        """Return whether two seats may attack each other: their parties differ, or all the living are of one party."""
        if self.parties[place] != self.parties[other] or self.parties[place] is None:
            return True
        return len({party for party, cards in zip(self.parties, self.cards, strict=True) if cards}) == 1


Change = Callable[[Standing, SeatNumber, SeatNumber | None], Standing]
"""``(standing, actor, target)`` applies the effect of an action to a standing. The cost is already paid."""


def gains(coins: int) -> Change:
    """Return the effect of an action that takes coins from the treasury."""
    return lambda standing, actor, target: standing.pay(actor, -coins)


def hurts(standing: Standing, actor: SeatNumber, target: SeatNumber | None) -> Standing:
    """Take an influence from the target."""
    return standing.hurt(target) if target else standing


def steals(standing: Standing, actor: SeatNumber, target: SeatNumber | None) -> Standing:
    """Move up to two coins from the target to the actor."""
    if target is None:
        return standing
    coins = min(2, standing.coins[target - 1])
    return standing.pay(target, coins).pay(actor, -coins)


def exchanges(standing: Standing, actor: SeatNumber, target: SeatNumber | None) -> Standing:
    """Improve the actor's hand."""
    return standing.better(actor, EDGE_OF_EXCHANGE)


def examines(standing: Standing, actor: SeatNumber, target: SeatNumber | None) -> Standing:
    """Make the target's hand worse."""
    return standing.better(target, EDGE_OF_EXAMINING) if target else standing


def converts(standing: Standing, actor: SeatNumber, target: SeatNumber | None) -> Standing:
    """Turn a party card over."""
    place = (target or actor) - 1
    standing.parties[place] = "resistance" if standing.parties[place] == "empire" else "empire"
    return standing


def embezzles(standing: Standing, actor: SeatNumber, target: SeatNumber | None) -> Standing:
    """Give the actor the whole reserve."""
    coins, standing.reserve = standing.reserve, 0
    return standing.pay(actor, -coins)


CHANGES: Final[Mapping[str, Change]] = {
    "income": gains(1),
    "foreign-aid": gains(2),
    "tax": gains(3),
    "coup": hurts,
    "assassinate": hurts,
    "bomb": hurts,
    "steal": steals,
    "exchange": exchanges,
    "examine": examines,
    "convert": converts,
    "embezzle": embezzles,
}
"""The effect of each action of the law on the standing."""


CLAIMED: Final = 0.75
"""The probability that a player who has claimed a character claims it again when it helps them."""

SHYNESS: Final = 0.08
"""The likelihood that a player challenges a claim that looks quite impossible to hold, but is not."""

INTEREST: Final = 1.6
"""The factor by which the player who would be hurt is likelier to challenge."""


Claims = Mapping[SeatNumber, frozenset[Character]]
"""The characters that each seat has claimed and may still hold."""

NO_CLAIMS: Final[Claims] = MappingProxyType({})


def standing_claims(events: Iterable[Event]) -> Claims:
    """Return the claims that still stand. A claim ends when it is conceded, when its card is shown or lost, and when
    its player exchanges cards.
    """
    claims: defaultdict[SeatNumber, frozenset[Character]] = defaultdict(frozenset)
    last_claim: Claim | None = None
    for event in events:
        match event:
            case e.WindowOpened(claim=Claim(denies=False) as last_claim):
                claims[last_claim.seat] |= {last_claim.character}
            case e.Conceded(seat=seat) if last_claim is not None:
                claims[seat] -= {last_claim.character}
            case e.Proved(seat=seat, cards=cards):
                claims[seat] -= set(cards)
            case e.Lost(seat=seat, card=card):
                claims[seat] -= {card}
            case e.Kept(seat=seat) | Swapped(seat=seat):
                claims[seat] = frozenset()
    return claims


class Suspicion:
    """Conclusions of one seat about every hand, including its own hand as the others see it.

    They follow from its view and, if given, from the claims that still stand.
    """

    def __init__(self, view: View, claims: Claims = NO_CLAIMS) -> None:
        self.view = view
        self._claims = claims
        self.me = view.viewer
        self.law = law_of(view.options, len(view.seats))
        self.hand = view.seats[self.me - 1].hand or ()
        self.living = tuple(seat.seat for seat in view.seats if seat.alive)
        self.opponents = tuple(seat for seat in self.living if seat != self.me)
        self.before = Standing(view)
        """The present position. Copy it before changing it."""
        self._public = unseen_cards(pack(self.law.characters, len(view.seats)), tuple(seat.lost for seat in view.seats))
        self._unseen = unseen_cards(self._public, (self.hand, view.drawn or ()))

    def cards(self, seat: SeatNumber) -> int:
        """Return how many face-down cards a seat has."""
        return self.view.seats[seat - 1].cards

    def is_own(self, character: Character, denies: bool = False) -> bool:
        """Return whether the bot's claim to this character would be true. With ``denies`` it claims to hold none."""
        return (character in self.hand) != denies

    def holds(self, seat: SeatNumber, characters: Iterable[Character]) -> float:
        """Return the probability that another seat holds one of these characters, with every unseen card equally likely
        anywhere.
        """
        return 1 - missed(self._unseen, tuple(characters), self.cards(seat))

    def would_block(self, seat: SeatNumber, characters: Sequence[Character]) -> float:
        """Return the probability that another seat holds one of these characters or acts as if it did, because it has
        claimed one before.
        """
        holds = self.holds(seat, characters)
        return (
            max(holds, CLAIMED) if holds and not self._claims.get(seat, frozenset()).isdisjoint(characters) else holds
        )

    def seems(self, character: Character, denies: bool = False) -> float:
        """Return how likely the bot's own claim looks to a player who sees only the face-up cards."""
        none = missed(self._public, (character,), len(self.hand))
        return none if denies else 1 - none

    def true(self, seat: SeatNumber, character: Character, denies: bool, tempted: float) -> float:
        """Return the probability that another player's claim is true. ``tempted`` is how often a player without the
        card claims it, relative to a player with it.
        """
        holds = self.holds(seat, (character,))
        honest = 1 - holds if denies else holds
        lying = tempted * (1 - honest)
        return honest / (honest + lying) if honest else 0.0

    def doubted(self, character: Character, denies: bool = False, interested: int = 0, fear: float = 1.0) -> float:
        """Return the probability that the bot's own claim is challenged. ``interested`` is the number of players that
        it would hurt. With less ``fear`` the claim looks less likely than it is.
        """
        seems = self.seems(character, denies)
        if not seems:
            return 1.0
        doubt = SHYNESS * fear * (1 - seems)
        indifferent = len(self.opponents) - interested
        return float(1 - (1 - doubt) ** indifferent * (1 - doubt * INTEREST) ** interested)


@lru_cache(maxsize=1 << 14)
def unseen_cards(cards: tuple[Character, ...], groups: tuple[tuple[Character, ...], ...]) -> tuple[Character, ...]:
    """Return the cards without those of some groups, such as the face-up cards of each seat."""
    left = [*cards]
    for group in groups:
        for card in group:
            left.remove(card)
    return tuple(left)


@lru_cache(maxsize=1 << 14)
def missed(pool: tuple[Character, ...], characters: tuple[Character, ...], draws: int) -> float:
    """Return the probability that this number of cards from the pool contains none of these characters."""
    total, hits, chance = len(pool), sum(map(pool.count, set(characters))), 1.0
    for _ in range(draws):
        if total <= hits:
            return 0.0
        chance *= (total - hits) / total
        total -= 1
    return chance


M = TypeVar("M")

WORTH: Final = {DUKE: 1.0, CAPTAIN: 0.9, ASSASSIN: 0.85, CONTESSA: 0.8, INQUISITOR: 0.7, AMBASSADOR: 0.6}
"""The value of one card of each character when nothing is known about the other hands."""

IN_A_DUEL: Final = {DUKE: 0.3, CONTESSA: 0.1, ASSASSIN: -0.2}
"""The addition to that worth when only two players are left."""

SECOND: Final = 0.4
"""The part of its worth that a second card of the same character has."""

PICKS: Final[Mapping[Character, int]] = {DUKE: 5, CONTESSA: 3, CAPTAIN: 2, AMBASSADOR: 1, INQUISITOR: 1, ASSASSIN: 1}
"""The share of drafts in which each card is kept."""


def worth(view: View, character: Character) -> float:
    """Return the value of a card for the viewer in the present state of the game."""
    value = WORTH[character]
    others = [seat for seat in view.seats if seat.alive and seat.seat != view.viewer]
    if len(others) == 1:
        value += IN_A_DUEL.get(character, 0.0)
    value += law_of(view.options, len(view.seats)).worth.get(character, 0.0)
    if character == CONTESSA and all(seat.coins < 2 for seat in others):
        value -= 0.2
    if character == ASSASSIN and view.seats[view.viewer - 1].coins >= 3:
        value += 0.1
    return value


def worth_of(view: View, cards: Iterable[Character]) -> float:
    """Return the value of a hand. A second card of the same character adds little."""
    total, characters = 0.0, set()
    for card in cards:
        total += worth(view, card) * (SECOND if card in characters else 1.0)
        characters.add(card)
    return total


def least_missed(view: View, hand: Sequence[Character], moves: Sequence[M], price: Callable[[M], Any]) -> M:
    """Return the move that gives away the least useful card, or the first move if no move names a card."""

    def left(move: M) -> float:
        rest = list(hand)
        if price(move) in rest:
            rest.remove(price(move))
        return worth_of(view, rest)

    return max(moves, key=left)

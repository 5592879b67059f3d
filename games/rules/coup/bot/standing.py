"""Estimates of a position. Every answer of the bot is weighed by the shares of the game it may lead to."""

from collections.abc import Callable, Mapping
from typing import Final

from games.engine import SeatNumber
from games.rules.coup.classic import LAW
from games.rules.coup.visibility.views import View

CARDS: Final = (0.0, 1.0, 2.4)
"""The worth of no, one and two face-down cards."""

COINS: Final = tuple(1 + 0.02 * coins for coins in range(11))
"""The strength that coins add to a player. With many players it is small, because rich players are attacked."""

COINS_IN_A_DUEL: Final = (1.0, 1.1, 1.2, 1.35, 1.45, 1.55, 1.65, 1.85, 1.95, 2.0, 2.1)
"""COINS for two players, with steps where an assassination (3) and a coup (7) can be paid."""

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
        duel = self.cards.count(0) == len(self.cards) - 2
        return [
            CARDS[cards] * (COINS_IN_A_DUEL if duel else COINS)[min(self.coins[place], 10)] * self.edges[place]
            for place, cards in enumerate(self.cards)
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
"""``(standing, actor, target)`` changes the standing by the effect of an action that has been paid for."""


def gains(coins: int) -> Change:
    """Return the advantage of receiving coins from the treasury."""
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

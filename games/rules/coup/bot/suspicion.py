"""Estimates of claims: how plausible they are by the cards in sight."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from games.engine import SeatNumber
from games.rules.coup.cards import Character, pack
from games.rules.coup.expansions.book import law_of
from games.rules.coup.visibility.views import View

SHYNESS: Final = 0.08
"""The likelihood that a player challenges a claim that looks quite impossible to hold, but is not."""

INTEREST: Final = 1.6
"""The factor by which the player who would be hurt is likelier to challenge."""


class Suspicion:
    """Conclusions of one seat from its view about every hand, including its own hand as the others see it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.me = view.viewer
        self.law = law_of(view.options, len(view.seats))
        self.hand = view.seats[self.me - 1].hand or ()
        self.living = tuple(seat.seat for seat in view.seats if seat.alive)
        self.opponents = tuple(seat for seat in self.living if seat != self.me)
        everything = Counter(pack(self.law.characters, len(view.seats)))
        self._public = everything - Counter(card for seat in view.seats for card in seat.lost)
        self._unseen = self._public - Counter(self.hand) - Counter(view.drawn or ())

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
        return 1 - missed(self._unseen, characters, self.cards(seat))

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
        """Return the probability that the bot's own claim is challenged. ``interested`` is the number of players whom
        it would hurt. With less ``fear`` the claim looks less likely than it is.
        """
        seems = self.seems(character, denies)
        if not seems:
            return 1.0
        doubt = SHYNESS * fear * (1 - seems)
        indifferent = len(self.opponents) - interested
        return float(1 - (1 - doubt) ** indifferent * (1 - doubt * INTEREST) ** interested)


def missed(pool: Counter[Character], characters: Iterable[Character], draws: int) -> float:
    """Return the probability that this number of cards from the pool contains none of these characters."""
    total, hits, chance = pool.total(), sum(pool[character] for character in set(characters)), 1.0
    for _ in range(draws):
        if total <= hits:
            return 0.0
        chance *= (total - hits) / total
        total -= 1
    return chance

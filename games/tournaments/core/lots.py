"""The random numbers of a tournament. They follow from a seed and, if there is one, from a public beacon."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from games.engine import SeededChance


def commitment(tournament: str, seed: bytes) -> str:
    """Return the commitment to a seed, published before anyone enters: the digest of
    ``darbar-tournament|tournament|seed``.
    """
    return hashlib.sha256(f"darbar-tournament|{tournament}|{seed.hex()}".encode()).hexdigest()


@dataclass(frozen=True)
class Lots:
    """The random orders of one tournament."""

    seed: bytes
    tournament: str
    """The id of the tournament."""
    beacon: bytes = b""
    """The randomness of the beacon's round, or empty without a beacon."""

    def order(self, purpose: str, entries: Iterable[int]) -> tuple[int, ...]:
        """Return the entries in random order. Each purpose has an order of its own."""
        rest = sorted(entries)
        return self._chance(purpose).take(rest, len(rest))

    def of(self, part: str) -> Self:
        """Return independent lots for a part of the tournament."""
        return replace(self, tournament=f"{self.tournament}|{part}")

    def _chance(self, purpose: str) -> SeededChance:
        return SeededChance(self.seed, f"{self.tournament}|{purpose}", [self.beacon] if self.beacon else [])

"""The chance of a tournament, derived from a seed and, if there is one, from a public beacon."""

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
    """The lots of one tournament."""

    seed: bytes
    tournament: str
    """The id of the tournament."""
    beacon: bytes = b""
    """The randomness of the beacon's round, or empty without a beacon."""

    def order(self, purpose: str, entries: Iterable[int]) -> tuple[int, ...]:
        """Return entries in an order that is drawn; for each purpose it is another one."""
        rest = sorted(entries)
        return self._chance(purpose).take(rest, len(rest))

    def of(self, part: str) -> Self:
        """The lots of a part of the tournament: other ones than those of another part."""
        return replace(self, tournament=f"{self.tournament}|{part}")

    def _chance(self, purpose: str) -> SeededChance:
        return SeededChance(self.seed, f"{self.tournament}|{purpose}", [self.beacon] if self.beacon else [])

"""A measure of how evenly cards fall: ``python -m tests.games.engine.shuffling [DEALS]`` deals a pack of Coup so often
and counts.

For every position of the shuffled pack the chi-square of how often each of the 15 cards fell there, 14 degrees of
freedom. Each deal has a seed of its own, and two players' seeds.
"""

import hashlib
import sys
from typing import Final

from games.engine import SeededChance

CARDS: Final = 15
SURPRISING: Final = 44.6
"""Beyond this one position in 20,000 goes by accident (14 degrees of freedom)."""


def chi_squares(deals: int) -> list[float]:
    """The chi-square of each position, the first drawn first."""
    counts = [[0] * CARDS for _ in range(CARDS)]
    pack = range(CARDS)
    for deal in range(deals):
        seed = hashlib.sha256(f"deal {deal}".encode()).digest()
        chance = SeededChance(seed, f"game-{deal}", (seed[:16], seed[16:]))
        for position, card in zip(counts, chance.take(pack, CARDS), strict=True):
            position[card] += 1
    expected = deals / CARDS
    return [sum((count - expected) ** 2 for count in position) / expected for position in counts]


if __name__ == "__main__":
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    statistics = chi_squares(deals)
    sys.stdout.write(
        f"{deals} deals, chi-square by position: {' '.join(f'{statistic:.1f}' for statistic in statistics)}\n"
    )
    sys.stdout.write(
        f"mean {sum(statistics) / CARDS:.1f} (14 expected), greatest {max(statistics):.1f} ({SURPRISING} surprises)\n"
    )

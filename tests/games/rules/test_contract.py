"""Every game of the registry keeps the contract: what ``games.kit.checking`` looks at, over random games."""

from pathlib import Path
from typing import Final

import pytest

from games.kit.checking import check
from games.rules.registry import RULES
from tests.long import SCALE

pytestmark = pytest.mark.long

GAMES: Final = 12 * SCALE
FEW: Final = 3
"""Games in ``make test``. The first three of Coup have the three values of ``waiting``."""
CATALOGUE: Final = Path(__file__).parents[3] / "games" / "locale" / "fa" / "LC_MESSAGES" / "django.mo"


@pytest.mark.sampled(len(RULES))
@pytest.mark.parametrize(("name", "games"), [(name, games) for games in (FEW, GAMES) for name in sorted(RULES)])
def test_a_game_keeps_the_contract(name: str, games: int) -> None:
    check(RULES[name], games, [CATALOGUE])

"""Every game of the registry keeps the contract: what ``games.kit.checking`` looks at, over random games."""

from pathlib import Path
from typing import Final

import pytest

from games.kit.checking import check
from games.rules.registry import RULES
from tests.long import SCALE

pytestmark = pytest.mark.long

GAMES: Final = 12 * SCALE
"""The number of games a test, so that the tests of one game can run side by side."""
CATALOGUE: Final = Path(__file__).parents[3] / "games" / "locale" / "fa" / "LC_MESSAGES" / "django.mo"


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_game_keeps_the_contract(name: str) -> None:
    check(RULES[name], GAMES, [CATALOGUE])

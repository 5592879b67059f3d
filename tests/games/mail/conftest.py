"""Two people and their game, to which mail comes."""

import pytest

from accounts.models import Account
from games.models import Game, Heartbeat
from tests.games.seated import NOON, begin


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """A game of Coup that asks Maryam for her first turn."""
    Heartbeat.objects.create(at=NOON)
    return begin([maryam, sepideh, None])

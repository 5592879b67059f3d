"""Two people and their game, to which mail comes."""

import pytest

from accounts.models import Account
from games.models import Game, Heartbeat
from tests.play.seated import NOON, begin


@pytest.fixture
def maryam(db: None) -> Account:
    return Account.objects.create_user("maryam@example.org", name="Maryam", time_zone="Asia/Tehran")


@pytest.fixture
def sepideh(db: None) -> Account:
    return Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa", time_zone="Asia/Tehran")


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """A game of Coup that asks Maryam for her first turn."""
    Heartbeat.objects.create(at=NOON)
    return begin([maryam, sepideh, None])

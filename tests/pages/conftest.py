"""The cast, and tables at which they sit."""

from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import Account
from games.models import Game
from games.play import house, table


@pytest.fixture(autouse=True)
def _nothing_was_tried(db: None) -> None:
    """The limits of other tests are not counted."""
    cache.clear()


@pytest.fixture
def maryam(db: None) -> Account:
    """Hosts the table."""
    return Account.objects.create_user("maryam@example.org", name="Maryam", time_zone="Asia/Tehran")


@pytest.fixture
def sepideh(db: None) -> Account:
    """Sits at the table, and reads Persian."""
    return Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa", time_zone="Asia/Tehran")


@pytest.fixture
def bahareh(db: None) -> Account:
    """Must see nothing that is not public."""
    return Account.objects.create_user("bahareh@example.org", name="Bahareh", time_zone="Europe/Berlin")


def opened(host: Account, *others: Account, **chosen: Any) -> Game:
    """A table with these people, and the house on its other seats."""
    now = timezone.now()
    opening = table.Opening(**{"rules": "coup", "options": {"starting_player": 1}, **chosen})
    game = table.open_table(host, opening, "page", now)
    for other in others:
        game = table.join(game.pk, other, game.code, "page", now)
    house.play(game.pk, now)
    return Game.objects.get(pk=game.pk)

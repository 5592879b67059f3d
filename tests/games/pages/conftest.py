"""The cast, and tables at which they sit."""

from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import Account
from games.models import Bot, Game
from games.play import bots
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game


@pytest.fixture(autouse=True)
def _nothing_was_tried(db: None) -> None:
    """The limits of other tests are not counted."""
    cache.clear()


def opened(host: Account, *others: Account, **fields: Any) -> Game:
    """A table with these people, and bots on its other seats."""
    now = timezone.now()
    fields["bots"] = (Bot(),) * fields.get("bots", 0)
    new_game = NewGame(**{"rules": "coup", "options": {"starting_player": 1}, **fields})
    game = create_game(host, new_game, "page", now)
    for other in others:
        game = join_game(game.pk, other, game.code, "page", now)
    bots.play(game.pk, now)
    return Game.objects.get(pk=game.pk)

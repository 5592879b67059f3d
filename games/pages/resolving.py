"""Resolution of games by the views that change them, so that the next page shows the result."""

from datetime import datetime, timedelta
from typing import Final

from games.models import Game, Move
from games.play import bots, resolve

PAGE: Final = Move.Via.PAGE.value
PATIENCE: Final = timedelta(seconds=1)
"""The longest time for which a view waits for a move to be resolved."""


def resolve_now(game: Game, now: datetime) -> None:
    """Resolve a move and let bots answer. If another process has locked the game, a worker does it later."""
    if resolve.resolve_now(game.pk, now, PATIENCE) is not None:
        bots.try_to_play(game.pk, now)

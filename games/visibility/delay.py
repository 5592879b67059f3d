"""The delay of spectators: those who look on see a running game as it stood some time ago, where its host wants that.

A game is turned back in memory, right after its row was read and before anything is made of it: its version is that of
the last line that is old enough, so everything that is folded or shown of its log ends there. What its row says beside
the log, and no line tells, is left out. When the game is over, everybody sees everything.
"""

from datetime import datetime

from games.event_log import log_store
from games.models import Game


def hold_back(game: Game, now: datetime) -> None:
    """Turn a game back to what those who look on may see now. Its row must not be saved after that."""
    if game.spectator_delay is None or game.state != Game.State.RUNNING:
        return
    game.is_held_back = True
    game.version = log_store.last_number(game, now - game.spectator_delay)
    game.public_head, game.due_at, game.paused_until = b"", None, None
    for seat in game.seats.all():
        seat.away, seat.returning, seat.stand_in, seat.time_bank = False, False, None, None

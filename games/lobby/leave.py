"""Leaves the table of a game before it starts."""

import uuid
from datetime import datetime

from accounts.models import Account
from games.engine import SeatNumber
from games.event_log.table_events import GameCancelled, Left
from games.lobby.seating import check_open, held_game, seat_of_player
from games.models import Game
from games.play.locked_game import LockedGame


def leave_game(game: uuid.UUID, account: Account, via: str, now: datetime) -> Game:
    """Leave a game before it starts. The next player becomes the host. A game without players is cancelled."""
    with held_game(game, now) as locked:
        seat = seat_of_player(locked, account)
        check_open(locked)
        _free_seat(locked, seat, via)
        first = locked.seats.get(SeatNumber(1))
        locked.game.host = first.account if first else None
        if first is None:
            locked.game.state = Game.State.CANCELLED
            locked.game.ended_at = now
            locked.add_table_event(GameCancelled())
    return locked.game


def _free_seat(locked: LockedGame, seat: SeatNumber, via: str) -> None:
    """Free a seat; those behind it move up."""
    locked.seats.pop(seat).delete()
    for behind in sorted(each for each in locked.seats if each > seat):
        seat_row = locked.seats.pop(behind)
        seat_row.number = behind - 1
        seat_row.save(update_fields=["number"])
        locked.seats[SeatNumber(seat_row.number)] = seat_row
    locked.add_table_event(Left(seat=seat), via, seat)

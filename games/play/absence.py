"""Absent players.

A player is absent after ``GameTerms.misses`` questions in a row that timed out (``games.play.rows``).
``GameTerms.absence`` decides what follows when the player is asked the next question. By then the timeouts are public,
so the time of the consequence tells nothing about an open window.
"""

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from accounts.models import Account
from games.announcements import table_emails
from games.engine import Phrase, SeatNumber, gettext_noop
from games.engine.record import RESIGNATION
from games.event_log.table_events import Forfeited, SeatOffered, TemporaryTakeover
from games.models import Game, Move, Seat
from games.play import plans
from games.play.locked_game import LockedGame, lock_game
from games.refusals import Refusal, not_found


def settle(locked: LockedGame) -> None:
    """Let plans answer, and apply the terms of the game to absent players who are asked again."""
    plans.answer_questions(locked)
    while (seat := _first_absent_seat(locked)) is not None:
        seat_row = locked.seats[seat]
        seat_row.missed = 0
        _CONSEQUENCES[locked.game.terms.absence](locked, seat, seat_row)
        seat_row.save(update_fields=["missed", "away"])
        table_emails.absent(locked.game, seat_row, locked.position.version, locked.now)
        plans.answer_questions(locked)


def _first_absent_seat(locked: LockedGame) -> SeatNumber | None:
    """Return the first seat that is asked a question and whose player is absent."""
    # A missed answer may belong to a reaction that is still open, and must not be revealed. So the misses take effect
    # with the next question of the player.
    seat_rows = (locked.seats[SeatNumber(row.seat)] for row in locked.open.values() if not row.bot)
    absent = (SeatNumber(seat.number) for seat in seat_rows if seat.missed >= locked.game.terms.misses)
    return min(absent, default=None)


def _stand_in(locked: LockedGame, seat: SeatNumber, seat_row: Seat) -> None:
    _leave_to_bot(locked, seat, seat_row)
    locked.add_table_event(TemporaryTakeover(seat=seat))


def _offer(locked: LockedGame, seat: SeatNumber, seat_row: Seat) -> None:
    _leave_to_bot(locked, seat, seat_row)
    locked.add_table_event(SeatOffered(seat=seat))


def _leave_to_bot(locked: LockedGame, seat: SeatNumber, seat_row: Seat) -> None:
    seat_row.away = True
    locked.assign_to_bot(seat)


def _forfeit(locked: LockedGame, seat: SeatNumber, _seat_row: Seat) -> None:
    """Resign for a player. The log shows that it was a timeout."""
    chance = locked.chance()
    events = locked.rules.resign(locked.state, seat, chance)
    locked.add_table_event(Forfeited(seat=seat), Move.Via.TIMEOUT, seat)
    move = Move(
        game=locked.game,
        seat=seat,
        text=RESIGNATION,
        via=Move.Via.TIMEOUT,
        received_at=locked.now,
        state=Move.State.APPLIED,
    )
    locked.apply_events(events, chance, move)


_CONSEQUENCES: Final[Mapping[str, Callable[[LockedGame, SeatNumber, Seat], None]]] = {
    "bot": _stand_in,
    "invite": _offer,
    "forfeit": _forfeit,
}


def come_back(game: uuid.UUID, account: Account, now: datetime) -> None:
    """Let a player return: the bot that sits in leaves, and the count of misses starts from zero.

    Raises Refusal(forbidden) or Refusal(not-found) if the account has no seat, and Refusal(conflict) if the game is not
    running.
    """
    with lock_game(game, now) as locked:
        if locked is None:
            raise not_found()
        seat = locked.require_seat(account)
        if locked.game.state != Game.State.RUNNING:
            raise Refusal("conflict", Phrase(gettext_noop("This game isn’t running.")))
        if locked.seats[seat].missed:
            locked.seats[seat].missed = 0
            locked.seats[seat].save(update_fields=["missed"])
        if locked.seats[seat].away and not locked.seats[seat].returning:
            locked.return_player(seat)

"""Players who do not answer, and what the table's terms say of them.

After ``GameTerms.misses`` questions in a row that timed out (``games.play.misses``) ``GameTerms.absence`` decides
at the moment at which the player is asked again: by then what they missed has been told as far as it ever is, so that
nothing of an open window shows in it. Neither does when it happens: it follows from who is asked and who was silent.
"""

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from accounts.models import Account
from games.announcements import absence_emails
from games.engine import Phrase, SeatNumber, gettext_noop
from games.engine.record import RESIGNATION
from games.event_log.table_events import Forfeited, SeatOffered, TemporaryTakeover
from games.models import Game, Move, Seat
from games.play import plans
from games.play.locked_game import LockedGame, lock_game
from games.refusals import Refusal, not_seated


def settle(locked: LockedGame) -> None:
    """Let plans answer what they can, and do what follows for those who are asked again and absent."""
    plans.answer_questions(locked)
    while (seat := _absent(locked)) is not None:
        seat_row = locked.seats[seat]
        seat_row.missed = 0
        _DOING[locked.game.terms.absence](locked, seat, seat_row)
        seat_row.save(update_fields=["missed", "away"])
        absence_emails.absent(locked.game, seat_row, locked.position.version, locked.now)
        plans.answer_questions(locked)


def _absent(locked: LockedGame) -> SeatNumber | None:
    """The first seat that is asked and whose player has missed too much."""
    asked = (locked.seats[SeatNumber(row.seat)] for row in locked.open.values() if not row.bot)
    absent = (SeatNumber(seat.number) for seat in asked if seat.missed >= locked.game.terms.misses)
    return min(absent, default=None)


def _stand_in(locked: LockedGame, seat: SeatNumber, seat_row: Seat) -> None:
    _leave_to_bot(locked, seat, seat_row)
    locked.tell(TemporaryTakeover(seat=seat))


def _offer(locked: LockedGame, seat: SeatNumber, seat_row: Seat) -> None:
    _leave_to_bot(locked, seat, seat_row)
    locked.tell(SeatOffered(seat=seat))


def _leave_to_bot(locked: LockedGame, seat: SeatNumber, seat_row: Seat) -> None:
    seat_row.away = True
    locked.answer_by_bot(seat)


def _forfeit(locked: LockedGame, seat: SeatNumber, _seat_row: Seat) -> None:
    """End the game for a player as if they had resigned; the log says that it was the clock."""
    chance = locked.chance()
    events = locked.rules.resign(locked.state, seat, chance)
    locked.tell(Forfeited(seat=seat), Move.Via.TIMEOUT, seat)
    move = Move(
        game=locked.game,
        seat=seat,
        text=RESIGNATION,
        via=Move.Via.TIMEOUT,
        received_at=locked.now,
        state=Move.State.APPLIED,
    )
    locked.happen(events, chance, move)


_DOING: Final[Mapping[str, Callable[[LockedGame, SeatNumber, Seat], None]]] = {
    "bot": _stand_in,
    "invite": _offer,
    "forfeit": _forfeit,
}


def come_back(game: uuid.UUID, account: Account, now: datetime) -> None:
    """Say that one is there: whoever sits in for one goes, and misses are counted anew.

    Refusal ``forbidden`` (does not sit at this table), ``conflict`` (no game is on).
    """
    with lock_game(game, now) as locked:
        seat = None if locked is None else locked.seat_of(account)
        if locked is None or seat is None:
            raise not_seated()
        if locked.game.state != Game.State.RUNNING:
            raise Refusal("conflict", Phrase(gettext_noop("This game is not being played.")))
        if locked.seats[seat].missed:
            locked.seats[seat].missed = 0
            locked.seats[seat].save(update_fields=["missed"])
        if locked.seats[seat].away and not locked.seats[seat].returning:
            locked.welcome_back(seat)

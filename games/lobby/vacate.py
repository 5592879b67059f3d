"""Vacating the seats of an account that leaves the server for good, or is removed from a club.

In an open game the seat becomes free. In a running game a bot takes it over, with its open questions, so that the
others need not wait for a player who will not return. The past of the game does not change.
"""

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import Account
from games.away import stand_ins
from games.clubs import members
from games.engine import SeatNumber
from games.event_log.table_events import BotTakeover
from games.lobby.leave import leave_game
from games.lobby.seating import bot_names
from games.models import GOING, Game, Membership, Seat, new_code
from games.play.locked_game import SERVER, LockedGame, lock_game
from games.refusals import Refusal


def vacate(account: Account, now: datetime) -> None:
    """Take this account from every seat where something is still to be played. In one transaction of the caller's."""
    stand_ins.end_all_by(account, now)
    seats = Seat.objects.filter(account=account, game__state__in=GOING)
    for game, state in seats.order_by("game").values_list("game", "game__state"):
        if state == Game.State.OPEN:
            leave_game(game, account, SERVER, now)
        else:
            replace_with_bot(game, account, now)


@transaction.atomic
def remove_from_club(mine: Membership, member: UUID, now: datetime) -> None:
    """Remove a member from a club, and from its open games, which get new codes. The refusals of ``remove``.

    A member who leaves the club keeps their seats.
    """
    removed = members.remove_member(mine, member)
    if removed.account_id == mine.account_id:
        return
    games = Game.objects.filter(club=removed.club_id, state=Game.State.OPEN)
    for game in games.order_by("pk").values_list("pk", flat=True):
        with suppress(Refusal):  # The account does not play there, or the game started in the meantime.
            leave_game(game, removed.account, SERVER, now)
        Game.objects.filter(pk=game, state=Game.State.OPEN).update(code=new_code())


def replace_with_bot(game: UUID, account: Account, now: datetime) -> None:
    """Give the seat of this account to a bot, in a game that is running or starting."""
    with lock_game(game, now) as locked:
        if locked is None or locked.game.state not in (Game.State.STARTING, Game.State.RUNNING):
            return
        for seat, seat_row in locked.seats.items():
            if seat_row.account_id == account.pk:
                _seat_bot(locked, seat, seat_row)


def _seat_bot(locked: LockedGame, seat: SeatNumber, seat_row: Seat) -> None:
    seat_row.name = bot_names(locked.names().values(), 1)[0]
    stand_ins.end_for_seat(locked, seat_row)
    seat_row.account, seat_row.bot, seat_row.away, seat_row.returning = None, True, False, False
    seat_row.save(update_fields=["name", "account", "bot", "away", "returning"])
    locked.assign_to_bot(seat)
    locked.add_table_event(BotTakeover(seat=seat))

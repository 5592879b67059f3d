"""Changes of the player of a seat: takeovers by invitation, and bots for accounts that leave.

A new player sees the hand of the seat, so the former player is out of the game for good, and an account that has known
another hand of the game cannot take over.
"""

import uuid
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from accounts.blocks import is_any_blocked_between
from accounts.models import Account
from games.announcements import table_emails
from games.away import stand_ins
from games.clubs import members
from games.engine import Phrase, SeatNumber, gettext_noop
from games.event_log.table_events import BotTakeover, PlayerTakeover
from games.lobby.join import leave_game
from games.lobby.seating import bot_names, check_address
from games.models import GOING, FormerPlayer, Game, Membership, Seat, new_code, player_id
from games.play import game_caps, plans, resolve
from games.play.locked_game import SERVER, LockedGame, lock_game
from games.refusals import Refusal

_LATER: Final = gettext_noop(
    "Players are being asked for reactions. You can take this seat after that: try again later."
)
# Every open window gives this refusal. It must not reveal that the seat's player has just come back.


def take_over_seat(game: uuid.UUID, seat: int, account: Account, via: str, now: datetime) -> Game:
    """Take an offered seat in place of its player.

    Raises Refusal(conflict) if the seat is not offered or the account plays in the game already, Refusal(forbidden) if
    the account may not play here or has no confirmed address, and Refusal(limit-reached) if it is in too many games.
    """
    with game_caps.lock_account(account), lock_game(game, now) as locked:
        if locked is not None:
            resolve.resolve_locked(locked)
        seat_row = None if locked is None else locked.seats.get(SeatNumber(seat))
        if locked is None or seat_row is None or not seat_row.offered:
            raise Refusal("conflict", Phrase(gettext_noop("This seat is no longer offered.")))
        if locked.is_window_open:
            raise Refusal("conflict", Phrase(_LATER))
        _check_newcomer(locked, seat_row, account)
        game_caps.check_takeover(account)
        _change_player(locked, seat_row, account, via)
    return locked.game


def _check_newcomer(locked: LockedGame, seat: Seat, account: Account) -> None:
    seated = [seat.account_id for seat in locked.seats.values() if seat.account_id]
    if account.pk in seated:
        raise Refusal("conflict", Phrase(gettext_noop("You’ve joined this game already.")))
    check_address(account)
    kept_apart = not locked.game.private and is_any_blocked_between(account.pk, seated)
    if kept_apart or stand_ins.has_seen_another_hand(locked.game.pk, account, own_seat=SeatNumber(seat.number)):
        raise Refusal("forbidden", Phrase(gettext_noop("This game isn’t for you: please choose another.")))


def _change_player(locked: LockedGame, seat_row: Seat, account: Account, via: str) -> None:
    former, seat = seat_row.account, SeatNumber(seat_row.number)
    stand_ins.end_for_seat(locked, seat_row)
    seat_row.account, seat_row.away, seat_row.missed, seat_row.spared = account, False, 0, False
    seat_row.save(update_fields=["account", "away", "missed", "spared"])
    locked.game.open_questions.filter(seat=seat).update(seen_at=None)  # The former player knew the cards.
    for row in locked.open.values():
        if row.seat == seat:
            row.seen_at = None
    locked.assign_to_player(seat)
    locked.add_table_event(PlayerTakeover(seat=seat, player=player_id(locked.game.pk, account.pk)), via, seat)
    plans.add_usual_plans(locked, [seat])
    plans.answer_questions(locked)
    if former is not None:
        FormerPlayer.objects.create(game=locked.game, seat=seat, account=former, left_at=locked.now)
        table_emails.replaced(locked.game, former, locked.position.version, locked.now)


def vacate(account: Account, now: datetime) -> None:
    """Take an account from its seats in all current games. Call it in a transaction."""
    stand_ins.end_all_by(account, now)
    seats = Seat.objects.filter(account=account, game__state__in=GOING)
    for game, state in seats.order_by("game").values_list("game", "game__state"):
        if state == Game.State.OPEN:
            leave_game(game, account, SERVER, now)
        else:
            replace_with_bot(game, account, now)


@transaction.atomic
def remove_from_club(own_membership: Membership, member: UUID, now: datetime) -> None:
    """Remove a member from a club, and from its open games, which get new codes. Raises the refusals of
    ``remove_member``.

    A member who leaves the club keeps their seats.
    """
    removed = members.remove_member(own_membership, member)
    if removed.account_id == own_membership.account_id:
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

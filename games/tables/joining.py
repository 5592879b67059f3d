"""Joining and leaving a game that has not started, and new players for seats of a running game.

Changes of the player of a seat: takeovers by invitation, and bots for accounts that leave. A new player sees the hand
of the seat, so the former player is out of the game for good, and an account that has known another hand of the game
cannot take over.
"""

import hmac
import secrets
import uuid
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.blocks import is_any_blocked_between
from accounts.models import Account
from games import clubs
from games.announcements import table_emails
from games.clubs import is_member
from games.engine import Phrase, SeatNumber, gettext_noop
from games.event_log.table_events import BotTakeover, GameCancelled, Left, PlayerTakeover
from games.models import GOING, FormerPlayer, Game, Membership, Move, Seat, new_code, player_id
from games.play import game_caps, plans, resolve
from games.play.locked_game import SERVER, LockedGame, lock_game
from games.refusals import Refusal, not_found
from games.tables import stand_ins
from games.tables.new_game import (
    NOT_SEEDED,
    Seeding,
    bot_names,
    check_address,
    check_open,
    check_seeding,
    held_game,
    take_seat,
)
from games.tables.starting import start_if_full


def join_game(
    game: uuid.UUID,
    account: Account,
    code: str,
    via: str,
    now: datetime,
    seeding: Seeding = NOT_SEEDED,
    guest_token: str = "",
) -> Game:
    """Take the next free seat. Without its code, a private game does not exist for an account, unless it belongs to
    their club.

    ``guest_token`` is the secret of the link by which guests join. ``seeding`` is the player's share in the seed of the
    game. Raises Refusal(malformed) if it is invalid.
    """
    check_seeding(seeding)
    with game_caps.lock_account(account), held_game(game, now) as locked:
        is_by_link = bool(guest_token) and secrets.compare_digest(guest_token, locked.game.guest_token)
        invited = is_by_link or (locked.game.private and _is_code(code, locked.game))
        if locked.game.private and not invited and not is_member(account, locked.game.club_id):
            raise not_found()
        check_open(locked)
        if locked.seat_of(account):
            raise Refusal("conflict", Phrase(gettext_noop("You’ve already joined this game.")))
        if not (is_by_link and account.is_guest):
            check_address(account)
        if not invited:
            _check_blocks(locked, account)
        game_caps.count_join(account, now)
        take_seat(locked, account, via, seeding=seeding)
        start_if_full(locked)
        if locked.game.state == Game.State.OPEN and via != Move.Via.MAIL:  # A player who joins by email gets a welcome.
            table_emails.joined(locked.game, account, locked.position.version, now)
    return locked.game


def _is_code(code: str, game: Game) -> bool:
    return hmac.compare_digest(code.strip().lower().encode(), game.code.encode())


def open_to_guests(game: uuid.UUID, account: Account, now: datetime, *, is_open: bool) -> None:
    """Make a new link by which guests join an open game, or end the link. Only the host may do this."""
    with held_game(game, now) as locked:
        locked.require_seat(account)
        check_open(locked)
        if locked.game.host_id != account.pk:
            raise Refusal("forbidden", Phrase(gettext_noop("Only the host can make a link for guests, or end it.")))
        if is_open and settings.SIGN_UP != "open":
            raise Refusal("forbidden", Phrase(gettext_noop("This server doesn’t take guests.")))
        locked.game.guest_token = secrets.token_urlsafe(16) if is_open else ""
        locked.game.save(update_fields=["guest_token"])


def _check_blocks(locked: LockedGame, account: Account) -> None:
    """Refuse a game in which a player has blocked the account, or the other way round, without revealing which.

    This applies to public games and games of clubs. The code of a private game comes from one of its players.
    """
    seated = [seat.account_id for seat in locked.seats.values() if seat.account_id]
    if is_any_blocked_between(account.pk, seated):
        raise Refusal("forbidden", Phrase(gettext_noop("You can’t join this game. Please choose another.")))


def leave_game(game: uuid.UUID, account: Account, via: str, now: datetime) -> Game:
    """Leave a game before it starts. The next player becomes the host. A game without players is cancelled."""
    with held_game(game, now) as locked:
        seat = locked.require_seat(account)
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
    """Free a seat, and move the players behind it up."""
    locked.seats.pop(seat).delete()
    for behind in sorted(number for number in locked.seats if number > seat):
        seat_row = locked.seats.pop(behind)
        seat_row.number = behind - 1
        seat_row.save(update_fields=["number"])
        locked.seats[SeatNumber(seat_row.number)] = seat_row
    locked.add_table_event(Left(seat=seat), via, seat)


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
        raise Refusal("conflict", Phrase(gettext_noop("You’ve already joined this game.")))
    check_address(account)
    kept_apart = not locked.game.private and is_any_blocked_between(account.pk, seated)
    if kept_apart or stand_ins.has_seen_another_hand(locked.game.pk, account, own_seat=SeatNumber(seat.number)):
        raise Refusal("forbidden", Phrase(gettext_noop("You can’t join this game. Please choose another.")))


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
    removed = clubs.remove_member(own_membership, member)
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
    people = [row.account for row in locked.seats.values() if row.account]
    seat_row.name = bot_names(people, locked.names().values(), 1)[0]
    stand_ins.end_for_seat(locked, seat_row)
    seat_row.account, seat_row.bot, seat_row.away, seat_row.returning = None, True, False, False
    seat_row.save(update_fields=["name", "account", "bot", "away", "returning"])
    locked.assign_to_bot(seat)
    locked.add_table_event(BotTakeover(seat=seat))

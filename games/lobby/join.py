"""Joining and leaving an open game."""

import hmac
import secrets
import uuid
from datetime import datetime

from django.conf import settings

from accounts.blocks import is_any_blocked_between
from accounts.models import Account
from games.announcements import table_emails
from games.clubs.rights import is_member
from games.engine import Phrase, SeatNumber, gettext_noop
from games.event_log.table_events import GameCancelled, Left
from games.lobby.new_game import check_seeding
from games.lobby.seating import NOT_SEEDED, Seeding, check_address, check_open, held_game, take_seat
from games.lobby.starting import start_if_full
from games.models import Game, Move
from games.play import game_caps
from games.play.locked_game import LockedGame
from games.refusals import Refusal, not_found


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
            raise Refusal("conflict", Phrase(gettext_noop("You’ve joined this game already.")))
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
            raise Refusal("forbidden", Phrase(gettext_noop("This server takes no guests.")))
        locked.game.guest_token = secrets.token_urlsafe(16) if is_open else ""
        locked.game.save(update_fields=["guest_token"])


def _check_blocks(locked: LockedGame, account: Account) -> None:
    """Refuse a game in which a player has blocked the account, or the other way round, without revealing which.

    This applies to public games and games of clubs. The code of a private game comes from one of its players.
    """
    seated = [seat.account_id for seat in locked.seats.values() if seat.account_id]
    if is_any_blocked_between(account.pk, seated):
        raise Refusal("forbidden", Phrase(gettext_noop("This game isn’t for you: please choose another.")))


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

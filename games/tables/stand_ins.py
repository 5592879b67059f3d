"""Naming another account to answer for a player's seat for a while.

A stand-in uses their own account and sees what the seat sees: its view, its questions and its log, in this game only
and while the role lasts. They do not see the chat, make no plans and cannot resign. Both get the questions, and the
first answer counts. An account that has ever known another hand of the game cannot be a stand-in.
"""

import uuid
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet

from accounts.blocks import is_any_blocked_between
from accounts.models import Account
from accounts.names import LONGEST as LONGEST_NAME
from accounts.names import fold
from accounts.rate_limits import DAY, Policy
from games.announcements import (
    notify,
    table_emails,
)
from games.engine import Notation, Phrase, SeatNumber, gettext_noop
from games.event_log.table_events import StandInLeft, StandInNamed
from games.models import FormerPlayer, Game, Seat, StandIn
from games.play import game_caps
from games.play.locked_game import LockedGame, lock_game
from games.play.resolve import each_game, games_with_rows
from games.refusals import Refusal, not_found

SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(days=60)
DAILY_LIMIT: Final = Policy("stand-ins", 20, DAY)
"""The limit on how many stand-ins an account may name. Each of them gets a notification and adds lines to the log."""


def find_account(name: str) -> Account:
    """Return the account with this name. Raises Refusal(malformed) if there is none."""
    account = Account.objects.filter(folded_name=fold(name), is_active=True).first()
    if account is None:
        sentence = gettext_noop("Nobody here is called “%(name)s”. Copy the name from the page of a game.")
        phrase = Phrase(sentence, {"name": Notation(name[:LONGEST_NAME])})
        raise Refusal("malformed", phrase, "name", mistake="name-unknown")
    return account


def name_stand_in(game: uuid.UUID, owner: Account, account: Account, until: datetime, now: datetime) -> StandIn:
    """Name a stand-in for a player's seat until a given time. They replace an earlier stand-in.

    Raises Refusal(malformed) for an account or a time that is not possible, Refusal(forbidden) or Refusal(not-found)
    for an account that does not play or a game of the arena, Refusal(conflict) if no game is running, and
    Refusal(rate-limited).
    """
    if not now + SHORTEST <= until <= now + LONGEST:
        sentence = gettext_noop("A stand-in can answer for you for at least a minute and at most %(days)s days.")
        raise Refusal("malformed", Phrase(sentence, {"days": LONGEST.days}), "until")
    with lock_game(game, now) as locked:
        locked, seat = _require_seat(locked, owner)
        seat_row = locked.seats[seat]
        _check_candidate(locked, seat_row, account)
        if seat_row.away and not seat_row.returning:
            locked.return_player(seat)
        before: StandIn | None = seat_row.stand_in
        if before is not None and before.account_id == account.pk:
            before.until = until
            before.save(update_fields=["until"])
            return before
        sentence = gettext_noop("You can name at most %(most)s stand-ins a day. Try again tomorrow.")
        game_caps.enforce_rate(owner, DAILY_LIMIT, sentence, now)
        if before is not None:
            _end(locked, seat_row, owner)
        stand_in = StandIn.objects.create(
            game=locked.game, seat=seat, owner=owner, account=account, began_at=now, until=until
        )
        seat_row.stand_in = stand_in
        seat_row.save(update_fields=["stand_in"])
        locked.add_table_event(StandInNamed(seat=seat))
        locked.reset_reminders(seat)
        table_emails.stand_in_named(locked.game, stand_in, now)
        for row in locked.open.values():
            if row.seat == seat:
                notify.ask_again(row, account.pk, f"stand-in:{stand_in.pk}", now)
    return stand_in


def _require_seat(locked: LockedGame | None, account: Account) -> tuple[LockedGame, SeatNumber]:
    if locked is None:
        raise not_found()
    seat = locked.require_seat(account)
    if locked.game.state != Game.State.RUNNING:
        raise Refusal("conflict", Phrase(gettext_noop("This game isn’t running.")))
    return locked, seat


def _check_candidate(locked: LockedGame, seat: Seat, account: Account) -> None:
    """Check whether an account may answer for a seat. The error does not reveal private reasons, such as a block."""
    seated = [seat.account_id for seat in locked.seats.values() if seat.account_id]
    if locked.game.arena:
        raise Refusal("forbidden", Phrase(gettext_noop("Games of the arena have no stand-ins.")))
    if account.pk in seated:
        raise Refusal("malformed", Phrase(gettext_noop("A player in this game can’t answer for another.")), "name")
    kept_apart = is_any_blocked_between(account.pk, seated)
    if kept_apart or account.is_bot or has_seen_another_hand(locked.game.pk, account, own_seat=SeatNumber(seat.number)):
        sentence = gettext_noop("This player can’t be your stand-in in this game.")
        raise Refusal("malformed", Phrase(sentence), "name")


def has_seen_another_hand(game: uuid.UUID, account: Account, own_seat: SeatNumber) -> bool:
    """Return whether an account has ever seen another hand of this game: as its player, or as a stand-in."""
    elsewhere = StandIn.objects.filter(~Q(seat=own_seat), game=game, account=account)
    return elsewhere.exists() or FormerPlayer.objects.filter(~Q(seat=own_seat), game=game, account=account).exists()


def current_stand_in(game: Game, account: Account) -> StandIn | None:
    """Return the present stand-in of a game that an account takes part in, as the player or as the stand-in."""
    live = StandIn.objects.filter(game=game, ended_at=None, game__state=Game.State.RUNNING)
    return live.filter(Q(owner=account) | Q(account=account)).select_related("owner", "account").first()


def withdraw(game: uuid.UUID, account: Account, now: datetime) -> None:
    """End a stand-in in this game, as the owner of the seat or as the stand-in. Raises Refusal(not-found)."""
    with lock_game(game, now) as locked:
        seats = {} if locked is None else locked.seats
        own_seats = (seat for seat in seats.values() if seat.stand_in_id and account.pk in _owner_and_stand_in(seat))
        seat = next(own_seats, None)
        if locked is None or seat is None or locked.game.state != Game.State.RUNNING:
            raise not_found()
        _end(locked, seat, account)


def _owner_and_stand_in(seat: Seat) -> Collection[int | None]:
    return (seat.account_id, seat.stand_in.account_id if seat.stand_in else None)


def _end(locked: LockedGame, seat: Seat, by: Account | None) -> None:
    """End a stand-in, and notify the one of the two who did not end it."""
    stand_in, seat.stand_in = seat.stand_in, None
    assert stand_in is not None
    seat.save(update_fields=["stand_in"])
    stand_in.ended_at = locked.now
    stand_in.save(update_fields=["ended_at"])
    locked.add_table_event(StandInLeft(seat=SeatNumber(seat.number)))
    table_emails.stand_in_left(locked.game, stand_in, by, locked.now)


def sweep(now: datetime) -> None:
    """End the stand-ins whose time is over."""
    each_game(lambda passed: _expired_games(now, passed), lambda game: _end_expired(game, now))


def waiting(now: datetime) -> Iterable[QuerySet[StandIn]]:
    """Return the stand-ins whose time is over."""
    return [_expired(now).order_by("until")]


def _expired_games(now: datetime, passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
    return games_with_rows(_expired(now), "until", passed)


def _expired(now: datetime) -> QuerySet[StandIn]:
    return StandIn.objects.filter(ended_at=None, until__lte=now)


def _end_expired(game: uuid.UUID, now: datetime) -> bool:
    """Return False if another process has locked the game."""
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None:
            return False
        for seat in locked.seats.values():
            if seat.stand_in_id and seat.stand_in.until <= now and locked.game.state == Game.State.RUNNING:
                _end(locked, seat, None)
        _expired(now).filter(game=game).update(ended_at=now)
    return True


def end_all_by(account: Account, now: datetime) -> None:
    """End all roles of an account as a stand-in, when the account ends."""
    live = StandIn.objects.filter(account=account, ended_at=None, game__state=Game.State.RUNNING)
    for game in live.values_list("game", flat=True):
        withdraw(game, account, now)


def end_for_seat(locked: LockedGame, seat: Seat) -> None:
    """End the stand-in of a seat whose player leaves it, if there is one."""
    if seat.stand_in_id:
        _end(locked, seat, seat.account)

"""Seats with their accounts and preferences, loaded for many games in one statement."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from django.db.models import prefetch_related_objects

from accounts.models import Account
from config.core.database.rows import Shape, attach, database_of, keep
from config.core.database.sql import array, find
from games import queries
from games.engine import SeatNumber
from games.models import Game, Seat, StandIn
from notifications.models import Preferences

_SEATS: Final = Shape.of(Seat)
_ACCOUNTS: Final = Shape(
    Account,
    (
        "password", "last_login", "created_at", "email", "folded_name", "skeleton", "is_staff", "is_superuser",
        "suspended_until", "silent_until", "shows_presence", "calendar_key",
    ),
)  # fmt: skip
_PREFERENCES: Final = Shape(Preferences, ("muted",))
_GAMES: Final = Shape.of(Game)
_GAME_OF_PLAYER: Final = queries.GAME_OF_PLAYER.format(game=_GAMES.columns("game"))
_SEAT_ROWS: Final = queries.SEATS_OF_GAMES.format(
    seat=_SEATS.columns("seat"),
    account=_ACCOUNTS.columns("account"),
    preferences=_PREFERENCES.columns("preferences"),
)


def games_with_seats(ids: Iterable[uuid.UUID]) -> list[Game]:
    """Return the games with these ids, with seats, accounts and preferences loaded."""
    games = list(Game.objects.filter(pk__in=ids))
    load(games)
    return games


def game_of_player(game: uuid.UUID, account: int) -> tuple[Game, SeatNumber] | None:
    """Return a game and the seat of an account in it, or None if the account does not play in it."""
    row = next(find(_GAME_OF_PLAYER, [game, account]), None)
    return None if row is None else (_GAMES.instance(row), SeatNumber(row[_GAMES.width]))


def load(games: Collection[Game]) -> None:
    """Load the seats of games with accounts, preferences and stand-ins, from the same database as the games."""
    if not games:
        return
    seats: dict[uuid.UUID, list[Seat]] = {game.id: [] for game in games}
    for seat in _seats(find(_SEAT_ROWS, [array(seats)], database_of(games))):
        seats[seat.game_id].append(seat)
    for game in games:
        keep(game, "seats", seats[game.id])
        for seat in seats[game.id]:
            attach(seat, "game", game)
    seats_with_stand_ins = [
        seat for game_seats in seats.values() for seat in game_seats if seat.stand_in_id is not None
    ]
    prefetch_related_objects(seats_with_stand_ins, "stand_in__account")


def seats_of(games: Iterable[uuid.UUID]) -> Iterator[Seat]:
    """Yield the seats of these games, with accounts and preferences loaded. The seats of a game are in order."""
    return _seats(find(_SEAT_ROWS, [array(games)]))


def _seats(rows: Iterator[Sequence[Any]]) -> Iterator[Seat]:
    """Yield the seats of rows. Seats of the same account share one object."""
    accounts: dict[int, Account] = {}
    for row in rows:
        seat = _SEATS.instance(row)
        if seat.account_id is not None:
            if seat.account_id not in accounts:
                accounts[seat.account_id] = _account(row[_SEATS.width :])
            attach(seat, "account", accounts[seat.account_id])
        yield seat


def _account(row: Sequence[Any]) -> Account:
    account, columns = _ACCOUNTS.instance(row), row[_ACCOUNTS.width :]
    preferences = None if columns[0] is None else _PREFERENCES.instance(columns)
    attach(account, "preferences", preferences)
    if preferences is not None:
        attach(preferences, "account", account)
    return account


def seat_of(game: Game, account: int | None) -> SeatNumber | None:
    """Return the seat of an account (its primary key) in a game, or None."""
    rows = () if account is None else game.seats.all()
    return next((SeatNumber(row.number) for row in rows if row.account_id == account), None)


def stand_in_of(game: Game, account: int | None) -> StandIn | None:
    """Return the row that makes an account (its primary key) the stand-in of a player, while the game is running."""
    if account is None or game.state != Game.State.RUNNING:
        return None
    stand_ins = (row.stand_in for row in game.seats.all())
    return next((stand_in for stand_in in stand_ins if stand_in and stand_in.account_id == account), None)


def answering_seat(game: Game, account: int | None) -> SeatNumber | None:
    """Return the seat for which an account may answer: its own, or that of a player whose stand-in it is."""
    if own_seat := seat_of(game, account):
        return own_seat
    stand_in = stand_in_of(game, account)
    return None if stand_in is None else SeatNumber(stand_in.seat)

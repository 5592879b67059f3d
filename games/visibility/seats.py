"""Seats with their accounts and preferences: for many games in one statement, or with the row of their game."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from django.db.models import prefetch_related_objects

from accounts.models import Account
from config.database.rows import Shape, array, database_of, fetch, find, keep
from games.models import Game, Seat
from notifications.models import Preferences

_SEATS: Final = Shape.of(Seat)
_PEOPLE: Final = Shape(
    Account,
    (
        "password", "last_login", "created_at", "email", "folded_name", "skeleton", "is_staff", "is_superuser",
        "suspended_until", "silent_until", "shows_presence", "calendar_key",
    ),
)  # fmt: skip
_WISHES: Final = Shape(Preferences, ("muted",))
_PLACES: Final = f"""
    SELECT {_SEATS.columns("seat")}, {_PEOPLE.columns("account")}, {_WISHES.columns("wishes")}
    FROM games_seat AS seat
    LEFT JOIN accounts_account AS account ON account.id = seat.account_id
    LEFT JOIN notifications_preferences AS wishes ON wishes.account_id = account.id
    WHERE seat.game_id = ANY(%s::uuid[]) ORDER BY seat.game_id, seat.number
"""


_GAMES: Final = "SELECT {} FROM games_game AS row WHERE row.id = ANY(%s::uuid[])"


def games_with_seats(ids: Iterable[uuid.UUID]) -> list[Game]:
    """Return the games with these ids, with seats, accounts and preferences loaded."""
    games = [*fetch(Game, _GAMES, [array(ids)])]
    load(games)
    return games


def load(games: Collection[Game]) -> None:
    """Let games have their seats at hand, with accounts, preferences and stand-ins: read where the games were."""
    if not games:
        return
    seats: dict[uuid.UUID, list[Seat]] = {game.id: [] for game in games}
    for seat in _read(find(_PLACES, [array(seats)], database_of(games))):
        seats[seat.game_id].append(seat)
    for game in games:
        keep(game, "seats", seats[game.id])
        for seat in seats[game.id]:
            # The cache itself, since setting ``game`` asks the database router for each row.
            seat._state.fields_cache["game"] = game
    stood_in = [seat for of_game in seats.values() for seat in of_game if seat.stand_in_id is not None]
    prefetch_related_objects(stood_in, "stand_in__account")


def of(games: Iterable[uuid.UUID]) -> Iterator[Seat]:
    """The seats of these games, each game's in their order, with accounts and preferences at hand."""
    return _read(find(_PLACES, [array(games)]))


def _read(rows: Iterator[Sequence[Any]]) -> Iterator[Seat]:
    """The seats of rows; who sits at several tables is one account."""
    people: dict[int, Account] = {}
    for row in rows:
        seat = _SEATS.made(row)
        if seat.account_id is not None:
            if seat.account_id not in people:
                people[seat.account_id] = _person(row[_SEATS.width :])
            # The cache itself, as in ``load``.
            seat._state.fields_cache["account"] = people[seat.account_id]
        yield seat


def _person(row: Sequence[Any]) -> Account:
    person, wishes = _PEOPLE.made(row), row[_PEOPLE.width :]
    # The cache itself: setting ``preferences`` cannot note that there are none, and would ask for them again.
    person._state.fields_cache["preferences"] = None if wishes[0] is None else _wishes(wishes, person)
    return person


def _wishes(row: Sequence[Any], person: Account) -> Preferences:
    wishes = _WISHES.made(row)
    # The cache itself, since setting ``account`` asks the database router for each row.
    wishes._state.fields_cache["account"] = person
    return wishes

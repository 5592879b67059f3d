"""Seats with their accounts and preferences: for many games in one statement, or with the row of their game."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from accounts.models import Account
from config.database.rows import Shape, array, fetch, find
from games.models import Game, Seat
from notifications.models import Preferences

_SEATS: Final = Shape(Seat, ("seed",))
_PEOPLE: Final = Shape(
    Account,
    (
        "password", "last_login", "created_at", "email", "folded_name", "skeleton", "shape", "is_staff", "is_superuser",
        "suspended_until", "silent_until", "public_profile", "shows_answer_times", "shows_presence",
        "calendar_key",
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


_GAME: Final = "SELECT {} FROM games_game AS row WHERE row.id = %s"


def game_with_seats(id: uuid.UUID) -> Game | None:
    """A game with its seats, accounts and preferences at hand; None where there is none of this id."""
    game = next(fetch(Game, _GAME, [id]), None)
    if game is not None:
        seats = game.seats.all()
        # What prefetch_related would set: its own statements take four times as long to build.
        seats._result_cache = [*of([id])]
        game._prefetched_objects_cache = {"seats": seats}  # type: ignore[attr-defined]
        for seat in seats:
            seat._state.fields_cache["game"] = game
    return game


def of(games: Iterable[uuid.UUID]) -> Iterator[Seat]:
    """The seats of these games, each game's in their order, with accounts and preferences at hand."""
    return map(_seat, find(_PLACES, [array(games)]))


def _seat(row: Sequence[Any]) -> Seat:
    seat = _SEATS.made(row)
    if seat.account_id is not None:
        person = _PEOPLE.made(row[_SEATS.width :])
        wishes = row[_SEATS.width + _PEOPLE.width :]
        # The cache itself: setting ``preferences`` cannot note that there are none, and would ask for them again.
        seat._state.fields_cache["account"] = person
        person._state.fields_cache["preferences"] = None if wishes[0] is None else _wishes(wishes, person)
    return seat


def _wishes(row: Sequence[Any], person: Account) -> Preferences:
    wishes = _WISHES.made(row)
    # The cache itself, since setting ``account`` asks the database router for each row.
    wishes._state.fields_cache["account"] = person
    return wishes

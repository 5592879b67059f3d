"""Access to games: which games an account may see, and as which viewer.

Every view and every notification gets its games from here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, QuerySet

from accounts.models import Account
from accounts.people import blocks
from config.core import clock
from config.core.database.rows import Shape, find
from games.engine import SeatNumber, Viewer
from games.models import FormerPlayer, Game, Seat
from games.refusals import not_found, not_seated
from games.visibility import seats
from games.visibility.delay import hold_back
from games.visibility.player_view import viewer_of


@dataclass(frozen=True)
class GameAccess:
    """A game, and the account that looks at it."""

    game: Game
    reader: Account | None
    """The account of a signed-in reader, or None for a visitor."""
    seat: SeatNumber | None
    stand_in_seat: SeatNumber | None = None
    """The seat for which the reader may answer as a stand-in of its player."""
    known_names: Mapping[SeatNumber, str] | None = None
    """The names of the players, if they have been read already."""

    @property
    def account(self) -> Account:
        """Return the account of a signed-in reader."""
        assert self.reader is not None
        return self.reader

    def require_seat(self) -> SeatNumber:
        """Return the reader's own seat. Raises Refusal(forbidden), or Refusal(not-found) in a private game."""
        if self.seat is None:
            raise not_seated(private=self.game.private)
        return self.seat

    @property
    def plays(self) -> SeatNumber | None:
        """Return the seat for which the reader may answer and whose cards they see: their own, or the one of a
        stand-in.
        """
        return self.seat or self.stand_in_seat

    @cached_property
    def names(self) -> Mapping[SeatNumber, str]:
        return self.game.names() if self.known_names is None else self.known_names

    @property
    def viewer(self) -> Viewer:
        """Return the viewer for this reader, as ``viewer_of`` does."""
        return viewer_of(self.game, self.plays)


_VISIBLE: Final = """(
    NOT %(private)s
    OR EXISTS (SELECT 1 FROM games_seat WHERE game_id = %(id)s AND account_id = %%s)
    OR EXISTS (SELECT 1 FROM games_membership WHERE club_id = %(club)s AND account_id = %%s)
    OR %(state)s = 'running' AND EXISTS (
        SELECT 1 FROM games_standin WHERE game_id = %(id)s AND account_id = %%s AND ended_at IS NULL
    )
)"""
"""The condition that an account may see a game. It takes the id of the account three times."""


class _Visible(Func):
    """``_VISIBLE`` as an expression. Subqueries of Django take four times as long to build."""

    output_field = BooleanField()

    def __init__(self, account: int) -> None:
        super().__init__("private", "id", "club", "state", account=account)

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[int]]:  # type: ignore[override]
        columns = [compiler.compile(column)[0] for column in self.get_source_expressions()]
        values = dict(zip(("private", "id", "club", "state"), columns, strict=True))
        return _VISIBLE % values, [self.extra["account"]] * 3


def visible_in_sql(table: str) -> str:
    """Return the condition that an account may see a game in a table with this name.

    It takes the id of the account three times.
    """
    return _VISIBLE % {
        "private": f"{table}.private",
        "id": f"{table}.id",
        "club": f"{table}.club_id",
        "state": f"{table}.state",
    }


def visible(account: Account | None) -> QuerySet[Game]:
    """Return the games that an account may see: public games, games of its clubs, and games in which it plays or is a
    stand-in.

    Visitors (None) see public games only.
    """
    if account is None:
        return Game.objects.filter(private=False)
    return Game.objects.filter(_Visible(account.pk))


def games_of_followed(account: Account) -> QuerySet[Game]:
    """Return the games of players that this account follows, including games that it may not see.

    If spectators see a game with a delay, its players are found with the same delay.
    """
    followed = blocks.followed_by(account.pk).values("other")
    recent_changes = FormerPlayer.objects.filter(left_at__gt=clock.now() - F("game__spectator_delay"))
    recent_changes = recent_changes.filter(game__state=Game.State.RUNNING)
    changed_recently = Exists(recent_changes.filter(game=OuterRef("game"), seat=OuterRef("number")))
    had_earlier_change = Exists(
        recent_changes.filter(game=OuterRef("game"), seat=OuterRef("seat"), pk__lt=OuterRef("pk"))
    )
    seated = Seat.objects.filter(~changed_recently, account__in=followed)
    former = recent_changes.filter(~had_earlier_change, account__in=followed)
    return Game.objects.filter(Q(pk__in=seated.values("game")) | Q(pk__in=former.values("game")))


def access_to_game(account: Account | None, game: UUID) -> GameAccess:
    """Return the access of an account or a visitor to a game. Raises Refusal(not-found) if they may not see it."""
    seated = None if account is None else _seated(account, game)
    return _access_to_visible_game(account, game) if seated is None else _access_to_games([seated.game], account)[0]


def _access_to_visible_game(account: Account | None, game: UUID) -> GameAccess:
    visible_game = visible(account).filter(pk=game).first()
    if visible_game is None:
        raise not_found()
    return _access_to_games([visible_game], account)[0]


def access_to_games(account: Account, ids: Sequence[UUID]) -> list[GameAccess]:
    """Return the games that this account may see, as it may see them."""
    games = visible(account).filter(pk__in=ids)
    return _access_to_games(list(games), account)


def _access_to_games(games: Sequence[Game], account: Account | None) -> list[GameAccess]:
    """Return the access to games, with their seats loaded. Delayed games are held back for spectators."""
    seats.load(games)
    if account is None:
        accesses = [GameAccess(game, None, None) for game in games]
    else:
        accesses = [_access(game, account) for game in games]
        for access in accesses:
            access.game.own_seat = access.seat
    hold_back([access.game for access in accesses if access.plays is None], clock.now())
    return accesses


def _access(game: Game, account: Account) -> GameAccess:
    stand_in = seats.stand_in_of(game, account.pk)
    stand_in_seat = None if stand_in is None else SeatNumber(stand_in.seat)
    return GameAccess(game, account, seats.seat_of(game, account.pk), stand_in_seat)


def games_for_reader(games: Iterable[Game], account: Account | None) -> list[Game]:
    """Return these games as the account may see them."""
    return [access.game for access in _access_to_games(list(games), account)]


_GAMES: Final = Shape(Game)
_SEATED: Final = f"""
    SELECT {_GAMES.columns("game")}, seat.number
    FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
    WHERE seat.game_id = %s AND seat.account_id = %s
"""


def access_without_seats(account: Account, game: UUID) -> GameAccess:
    """Do the same as ``access_to_game``. For a player it takes one statement, and the seats are not loaded."""
    return _seated(account, game) or _access_to_visible_game(account, game)


def _seated(account: Account, game: UUID) -> GameAccess | None:
    """Return the access of a player to a game, without its seats, or None if the account does not play in it."""
    row = next(find(_SEATED, [game, account.pk]), None)
    return None if row is None else GameAccess(_GAMES.instance(row), account, SeatNumber(row[_GAMES.width]))

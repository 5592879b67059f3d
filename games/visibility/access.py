"""Access to games: which there are for an account, and as which viewer it sees one.

Nothing of a game is served but through here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, QuerySet

from accounts.models import Account
from accounts.people import blocks
from config.database import database_clock
from config.database.rows import Shape, find
from games.engine import SeatNumber, Viewer
from games.models import FormerPlayer, Game, Seat
from games.refusals import not_found
from games.visibility import seats
from games.visibility.delay import hold_back
from games.visibility.player_view import stand_in_seat_of, viewer_of


@dataclass(frozen=True)
class Sight:
    """A game, and who looks at it."""

    game: Game
    reader: Account | None
    """None for a visitor, who is not signed in."""
    seat: SeatNumber | None
    stand_in_seat: SeatNumber | None = None
    """The seat for which it may answer as a stand-in of its player."""
    called: Mapping[SeatNumber, str] | None = None
    """The names of the players, where they were read already."""

    @property
    def account(self) -> Account:
        """The account of a reader who is signed in."""
        assert self.reader is not None
        return self.reader

    @property
    def plays(self) -> SeatNumber | None:
        """The seat for which it may answer, and whose hand it knows: its own, or the one it stands in for."""
        return self.seat or self.stand_in_seat

    @cached_property
    def names(self) -> Mapping[SeatNumber, str]:
        """The names of the players."""
        return self.game.names() if self.called is None else self.called

    @property
    def viewer(self) -> Viewer:
        """The viewer whose view the account may have (``viewer_of``)."""
        return viewer_of(self.game, self.plays)


_VISIBLE: Final = """(
    NOT %(private)s
    OR EXISTS (SELECT 1 FROM games_seat WHERE game_id = %(id)s AND account_id = %%s)
    OR EXISTS (SELECT 1 FROM games_membership WHERE club_id = %(club)s AND account_id = %%s)
    OR %(state)s = 'running' AND EXISTS (
        SELECT 1 FROM games_standin WHERE game_id = %(id)s AND account_id = %%s AND ended_at IS NULL
    )
)"""
"""The condition that a game is visible to an account, which it is told three times."""


class _Visible(Func):
    """The same for Django, whose own subqueries take four times as long to build."""

    output_field = BooleanField()

    def __init__(self, account: int) -> None:
        super().__init__("private", "id", "club", "state", account=account)

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[int]]:  # type: ignore[override]
        columns = [compiler.compile(column)[0] for column in self.get_source_expressions()]
        named = dict(zip(("private", "id", "club", "state"), columns, strict=True))
        return _VISIBLE % named, [self.extra["account"]] * 3


def visible_in_sql(table: str) -> str:
    """Return the condition that a game in a table of this name is visible to an account, which is told three times."""
    return _VISIBLE % {
        "private": f"{table}.private",
        "id": f"{table}.id",
        "club": f"{table}.club_id",
        "state": f"{table}.state",
    }


def visible(account: Account | None) -> QuerySet[Game]:
    """The games there are for this account: public tables, those of its clubs, those it sits at, and those where it
    may answer.

    For a visitor (None) there are public ones only.
    """
    if account is None:
        return Game.objects.filter(private=False)
    return Game.objects.filter(_Visible(account.pk))


def of_followed(account: Account) -> QuerySet[Game]:
    """Return the games at which people sit whom this account follows, whether it may see them or not.

    Where spectators see a game with a delay, who sits there is told with that delay, too.
    """
    followed = blocks.followed_by(account.pk).values("other")
    lately = FormerPlayer.objects.filter(left_at__gt=database_clock.now() - F("game__spectator_delay"))
    lately = lately.filter(game__state=Game.State.RUNNING)
    is_new = Exists(lately.filter(game=OuterRef("game"), seat=OuterRef("number")))
    came_lately = Exists(lately.filter(game=OuterRef("game"), seat=OuterRef("seat"), pk__lt=OuterRef("pk")))
    seated = Seat.objects.filter(~is_new, account__in=followed)
    before = lately.filter(~came_lately, account__in=followed)
    return Game.objects.filter(Q(pk__in=seated.values("game")) | Q(pk__in=before.values("game")))


def sight(account: Account | None, game: UUID) -> Sight:
    """A game as this account, or a visitor, may look at it. Refusal ``not-found`` for one that is not there for it."""
    seated = None if account is None else _seated(account, game)
    return _any_sight(account, game) if seated is None else _sights([seated.game], account)[0]


def _any_sight(account: Account | None, game: UUID) -> Sight:
    found = visible(account).filter(pk=game).first()
    if found is None:
        raise not_found()
    return _sights([found], account)[0]


def sights(account: Account, games: Sequence[UUID]) -> list[Sight]:
    """Return the games that this account may see, as it may see them."""
    found = visible(account).filter(pk__in=games)
    return _sights(list(found), account)


def _sights(games: Sequence[Game], account: Account | None) -> list[Sight]:
    """Games as they may be looked at, with their seats: held back for whoever neither sits there nor stands in."""
    seats.load(games)
    if account is None:
        seen = [Sight(game, None, None) for game in games]
    else:
        seen = [Sight(game, account, seat_of(game, account), stand_in_seat_of(game, account.pk)) for game in games]
        for each in seen:
            each.game.own_seat = each.seat
    hold_back([each.game for each in seen if each.plays is None], database_clock.now())
    return seen


def listed(games: Iterable[Game], account: Account | None) -> list[Game]:
    """Return the visible games of a list, as an account may look at them."""
    return [each.game for each in _sights(list(games), account)]


_GAMES: Final = Shape(Game)
_SEATED: Final = f"""
    SELECT {_GAMES.columns("game")}, seat.number
    FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
    WHERE seat.game_id = %s AND seat.account_id = %s
"""


def glance(account: Account, game: UUID) -> Sight:
    """The same, for whoever will hardly ask who else sits there: for one who sits there it is one statement."""
    return _seated(account, game) or _any_sight(account, game)


def _seated(account: Account, game: UUID) -> Sight | None:
    """A game as somebody sees it who sits there, without its seats; None for anybody else."""
    row = next(find(_SEATED, [game, account.pk]), None)
    return None if row is None else Sight(_GAMES.made(row), account, SeatNumber(row[_GAMES.width]))


def seat_of(game: Game, account: Account) -> SeatNumber | None:
    """Return where this account sits, if it does."""
    return next((SeatNumber(seat.number) for seat in game.seats.all() if seat.account_id == account.pk), None)

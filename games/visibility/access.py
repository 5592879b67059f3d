"""Access to games: which games an account may see, and as which viewer.

Every view and every notification gets its games from here.

If the host wants a delay for spectators, they see an earlier state of a running game. Such games are changed in memory,
right after their rows were read. The version of a game becomes that of the last line that is old enough, so everything
that is derived from the log ends there. Players who have taken a seat since then are replaced by their predecessors.
Fields of the row that no line of the log contains are cleared. When the game is over, spectators see everything.
"""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, QuerySet

from accounts import blocks
from accounts.models import Account
from config.core import clock
from games import queries
from games.engine import SeatNumber, Viewer
from games.event_log import log_store
from games.event_log.table_events import BotTakeover, PlayerTakeover
from games.models import FormerPlayer, Game, Seat
from games.refusals import not_found, not_seated
from games.visibility import seats
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
        """Return the reader's own seat. Raises Refusal(forbidden): this reader may see the game."""
        if self.seat is None:
            raise not_seated()
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


class _Visible(Func):
    """``queries.IS_VISIBLE`` as an expression. Subqueries of Django take four times as long to build."""

    output_field = BooleanField()

    def __init__(self, account: int) -> None:
        super().__init__("private", "id", "club", "state", account=account)

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[int]]:  # type: ignore[override]
        columns = [compiler.compile(column)[0] for column in self.get_source_expressions()]
        values = dict(zip(("private", "id", "club", "state"), columns, strict=True))
        return queries.IS_VISIBLE % values, [self.extra["account"]] * 3


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


def access_without_seats(account: Account, game: UUID) -> GameAccess:
    """Do the same as ``access_to_game``. For a player it takes one statement, and the seats are not loaded."""
    return _seated(account, game) or _access_to_visible_game(account, game)


def _seated(account: Account, game: UUID) -> GameAccess | None:
    """Return the access of a player to a game, without its seats, or None if the account does not play in it."""
    seated = seats.game_of_player(game, account.pk)
    return None if seated is None else GameAccess(seated[0], account, seated[1])


def hold_back(games: Collection[Game], now: datetime) -> None:
    """Change games with loaded seats to what spectators may see now. Their rows must not be saved."""
    delays = {game: game.spectator_delay for game in games if game.state == Game.State.RUNNING and game.spectator_delay}
    if not delays:
        return
    new_lines = log_store.young_lines({game.pk: now - delay for game, delay in delays.items()})
    for game in delays:
        game.is_held_back = True
        game.public_head, game.due_at, game.paused_until = b"", None, None
        for seat in game.seats.all():
            seat.away, seat.returning, seat.stand_in, seat.time_bank = False, False, None, None
        if game.pk in new_lines:
            game.version = new_lines[game.pk][0] - 1
    new_takeovers = {
        (game, event.seat)
        for game, (_, events) in new_lines.items()
        for event in events
        if isinstance(event, (BotTakeover, PlayerTakeover))
    }
    if new_takeovers:
        _seat_former_players(delays, new_takeovers, now)


def _seat_former_players(games: Collection[Game], new_takeovers: Container[tuple[UUID, int]], now: datetime) -> None:
    """Put the former players on the seats that were taken over within the delay.

    A former player whose account was deleted has no name any longer.
    """
    rows = FormerPlayer.objects.filter(game__in=games, left_at__gt=now - F("game__spectator_delay"))
    former_accounts = {(row.game_id, row.seat): row.account for row in rows.select_related("account").order_by("-pk")}
    for game in games:
        for seat in game.seats.all():
            if (key := (game.pk, seat.number)) in new_takeovers:
                seat.account, seat.bot, seat.name = former_accounts.get(key), False, ""


def list_games(
    account: Account | None,
    *,
    ids: Collection[UUID] | None = None,
    mine: bool | None = None,
    followed: bool = False,
    **fields: Any,
) -> QuerySet[Game]:
    """Return the games that an account may see and that match these filters, newest first. ``fields`` has the values of
    further fields.
    """
    games = visible(account).filter(**fields)
    if ids is not None:
        games = games.filter(pk__in=ids)
    if mine is not None:
        is_player = Q(pk__in=Seat.objects.filter(account=account).values("game"))
        games = games.filter(is_player if mine else ~is_player)
    if followed and account is not None:
        games = games.filter(pk__in=games_of_followed(account))
    return games.order_by("-created_at", "-id")

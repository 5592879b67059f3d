"""The games of a club: they are private, members are notified of them, and they post to the club's group chat.

Each game posts through a channel of its own with the same secret. The leaderboard counts the games of the club: a
player gets 2 points for each person who finished behind them, and 1 for each who shares their place. Bots and bot
accounts do not count. Members are sorted by points, then by wins, then by the number of games, where fewer games are
better.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import Account
from config.core.crypto import encrypt
from games.announcements import club_emails
from games.clubs.rights import Right, get_membership, lock_membership, require
from games.engine import Phrase, gettext_noop
from games.models import GOING, Club, ClubChannel, ClubHandle, Game, Membership, Result, TableChannel
from games.models.clubs import SECRETS
from games.refusals import Refusal
from notifications.channels.registry import chat_apps


@transaction.atomic
def connect_chat(membership: Membership, app: str, address: str, secret: str, now: datetime) -> ClubChannel:
    """Connect a chat to a club, and replace an earlier one. Games that have a chat of their own keep it.

    ``app`` is a key of ``chat_apps``. Raises Refusal(forbidden), and ForbiddenAddress or ForbiddenSecret for an invalid
    chat.
    """
    membership = lock_membership(membership)
    require(membership, Right.CONNECT)
    chat_apps()[app].check_chat(address, secret)
    remove_chat(membership.club)
    channel = ClubChannel.objects.create(
        club=membership.club,
        account=membership.account,
        app=app,
        address=address,
        secret=encrypt(secret, SECRETS),
        language=membership.account.language,
    )
    connect_games(channel, Game.objects.filter(club=membership.club, state__in=GOING), now)
    return channel


@transaction.atomic
def disconnect_chat(membership: Membership) -> None:
    """Disconnect the chat of a club, if it has one. Messages stay there. Raises Refusal(forbidden)."""
    membership = lock_membership(membership)
    require(membership, Right.CONNECT)
    remove_chat(membership.club)


def connect_games(channel: ClubChannel, games: QuerySet[Game], now: datetime) -> None:
    """Connect games to the chat of their club, except games that have a chat, and games with a delay for spectators.

    Members see these games as spectators do, and a chat has no delay.
    """
    channels = [
        TableChannel(
            game=game,
            app=channel.app,
            address=channel.address,
            secret=channel.secret,
            language=channel.language,
            next_change_at=now,
        )
        for game in games.filter(spectator_delay=None)
    ]
    TableChannel.objects.bulk_create(channels, ignore_conflicts=True)


def remove_chat(club: Club) -> None:
    """Remove the chat of a club from it and from its games."""
    _of_club(TableChannel.objects.filter(game__club=club)).delete()
    ClubChannel.objects.filter(club=club).delete()


def remove_traces_of_member(member: Membership) -> None:
    """Remove the handle of a member, and the chat of the club if it has the member's secret."""
    ClubHandle.objects.filter(channel__club=member.club_id, account=member.account_id).delete()
    if ClubChannel.objects.filter(club=member.club_id, account=member.account_id).exists():
        remove_chat(member.club)


def channels_of_host(host: Account) -> QuerySet[TableChannel]:
    """Return the channels that a host has connected to their games, without those of a club's chat."""
    rows = TableChannel.objects.filter(game__host=host)
    return rows.exclude(pk__in=_of_club(rows).values("pk"))


def _of_club(channels: QuerySet[TableChannel]) -> QuerySet[TableChannel]:
    """Return the channels of games that lead to the chat of the club. They store the same secret."""
    return channels.filter(secret=F("game__club__channel__secret"))


def lock_club_of_new_game(account: Account, club: UUID | None) -> Club | None:
    """Return the club of a new game and lock it, or None if the game has no club. Raises Refusal(malformed)."""
    if club is None:
        return None
    row = _lock_own_club(account, club)
    if row is None:
        raise Refusal("malformed", Phrase(gettext_noop("You’re not in this club.")), "club")
    return row


def lock_club_of_rematch(account: Account, game: UUID) -> Club | None:
    """Return and lock the club of a game for its rematch, or None if the account is not a member.

    Clubs are always locked before games.
    """
    club = Game.objects.filter(pk=game).values_list("club", flat=True).first()
    return None if club is None else _lock_own_club(account, club)


def _lock_own_club(account: Account, club: UUID) -> Club | None:
    """Return and lock a club of the account, or None. Its chat and members cannot change until the game is created."""
    with suppress(Refusal):
        return lock_membership(get_membership(account, club)).club
    return None


def add_to_club(game: Game, now: datetime) -> None:
    """Connect a new game to the chat of its club, and notify the members. Call it in the transaction that creates the
    game.
    """
    if game.club_id is None:
        return
    channel = ClubChannel.objects.filter(club=game.club_id).first()
    if channel is not None:
        connect_games(channel, Game.objects.filter(pk=game.pk), now)
    if game.state == Game.State.OPEN:
        club_emails.notify_members(game, now)


MOST_GAMES: Final = 2000
"""Only this number of newest games counts."""
BEATEN: Final = 2
SHARED: Final = 1


@dataclass(frozen=True)
class Leader:
    """A member on the leaderboard."""

    place: int
    account: Account
    games: int
    wins: int
    points: int


def leaders(club: UUID, now: datetime, days: int | None = None) -> list[Leader]:
    """Return the members who have finished a game of the club, optionally in the last ``days`` only."""
    tables = _tables(club, None if days is None else now - timedelta(days=days))
    points, games, wins = Counter[int](), Counter[int](), Counter[int]()
    for table in tables:
        for finish in table:
            if finish.account_id is not None:
                points[finish.account_id] += _points(finish, table)
                games[finish.account_id] += 1
                wins[finish.account_id] += finish.won
    members = Membership.objects.filter(club=club, account__in=games).select_related("account")
    accounts = {member.account_id: member.account for member in members}
    keys = {account: (-points[account], -wins[account], games[account]) for account in accounts}
    order = sorted(accounts, key=lambda pk: (keys[pk], accounts[pk].name))
    places = {key: place for place, key in reversed([*enumerate((keys[pk] for pk in order), start=1)])}
    return [Leader(places[keys[pk]], accounts[pk], games[pk], wins[pk], points[pk]) for pk in order]


class _Finish(NamedTuple):
    """The place of a person in a game."""

    account_id: int | None
    seat: int
    place: int
    won: bool


def _tables(club: UUID, since: datetime | None) -> Iterator[Sequence[_Finish]]:
    """Return the results of the people in each game of the club that had at least two of them."""
    people = Q(account=None) | Q(account__is_bot=False)
    rows = Result.objects.filter(people, game__club=club, bot=False)
    if since is not None:
        rows = rows.filter(game__ended_at__gte=since)
    newest = rows.order_by("-game__ended_at").values_list("game", flat=True).distinct()[:MOST_GAMES]
    tables: defaultdict[UUID, list[_Finish]] = defaultdict(list)
    for game, *finish in rows.filter(game__in=list(newest)).values_list("game", *_Finish._fields):
        tables[game].append(_Finish(*finish))
    return (table for table in tables.values() if len(table) > 1)


def _points(player: _Finish, table: Iterable[_Finish]) -> int:
    others = [other.place for other in table if other.seat != player.seat]
    return BEATEN * sum(place > player.place for place in others) + SHARED * others.count(player.place)

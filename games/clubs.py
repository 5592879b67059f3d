"""Clubs: their members, the rights of their roles, and their games.

The games of a club: they are private, members are notified of them, and they post to the club's group chat. Each game
posts through a channel of its own with the same secret. The leaderboard counts the games of the club: a player gets 2
points for each person who finished behind them, and 1 for each who shares their place. Bots and bot accounts do not
count. Members are sorted by points, then by wins, then by the number of games, where fewer games are better.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, auto
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import Account
from accounts.rate_limits import DAY, Policy
from config.core.crypto import encrypt
from games.announcements import club_emails
from games.engine import Phrase, gettext_noop
from games.models import (
    GOING,
    Club,
    ClubChannel,
    ClubHandle,
    Game,
    Membership,
    Result,
    TableChannel,
    Tournament,
    new_code,
)
from games.models.community import SECRETS
from games.play import game_caps
from games.refusals import Refusal, not_found
from games.user_texts import check_about, check_name
from notifications.channels.registry import chat_apps

Role = Membership.Role


class Right(StrEnum):
    """An action in a club that not every member may do. All members see a club and play in it."""

    INVITE = auto()
    """See the link of the club, and make a new one."""
    EDIT = auto()
    """Change the name and the description."""
    CONNECT = auto()
    """Connect a chat."""
    HOLD = auto()
    """Create tournaments, and run those of other members."""
    REMOVE = auto()
    """Remove members of a lower role."""
    APPOINT = auto()
    """Give roles, and hand the club over."""
    CLOSE = auto()


_OF_ORGANIZERS: Final = frozenset({Right.INVITE, Right.EDIT, Right.CONNECT, Right.HOLD, Right.REMOVE})
RIGHTS: Final[Mapping[str, frozenset[Right]]] = {
    Role.MEMBER: frozenset(),
    Role.ORGANIZER: _OF_ORGANIZERS,
    Role.OWNER: _OF_ORGANIZERS | {Right.APPOINT, Right.CLOSE},
}
RANKS: Final = (Role.MEMBER.value, Role.ORGANIZER.value, Role.OWNER.value)
"""The roles in ascending order."""


def get_membership(account: Account, club: UUID) -> Membership:
    """Return the membership of an account in a club. Raises Refusal(not-found)."""
    membership = Membership.objects.select_related("club", "account").filter(account=account, club=club).first()
    if membership is None:
        raise not_found()
    return membership


def is_member(account: Account | None, club: UUID | None) -> bool:
    """Return whether an account is in a club."""
    if account is None or club is None:
        return False
    return Membership.objects.filter(account=account, club=club).exists()


def may(membership: Membership, right: Right) -> bool:
    """Return whether a member has a right."""
    return right in RIGHTS[membership.role]


def require(membership: Membership, right: Right) -> None:
    """Raise Refusal(forbidden) if the member does not have the right. The refusal says who has it."""
    if may(membership, right):
        return
    if right in RIGHTS[Role.ORGANIZER]:
        raise Refusal("forbidden", Phrase(gettext_noop("Only an organizer or the owner of the club can do that.")))
    raise Refusal("forbidden", Phrase(gettext_noop("Only the owner of the club can do that.")))


def lock_membership(membership: Membership) -> Membership:
    """Return the stored membership with its club locked. Raises Refusal(not-found) if it was deleted.

    Every change of a club starts with this, before it checks a right, because the membership may have changed since it
    was read.
    """
    club = lock_club(membership.club_id)
    current = Membership.objects.select_related("account").filter(pk=membership.pk).first()
    if current is None:
        raise not_found()
    current.club = club
    return current


def lock_club(club: UUID) -> Club:
    """Return a club and lock it until the end of the transaction, so that its members cannot change. Raises
    Refusal(not-found).

    Rows that only refer to the club, such as games, can still be stored.
    """
    row = Club.objects.select_for_update(no_key=True).filter(pk=club).first()
    if row is None:
        raise not_found()
    return row


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


MOST_CLUBS: Final = 30
"""The maximum number of clubs of an account."""
MOST_MEMBERS: Final = 200
JOINS_A_DAY: Final = Policy("club-joins", 20, DAY)
"""The limit for clubs that an account joins."""


def find_club_by_code(code: str) -> Club:
    """Return the club with this link. Raises Refusal(not-found)."""
    club = Club.objects.filter(code=code.strip().lower()).first()
    if club is None:
        raise not_found()
    return club


def join_club(account: Account, code: str, now: datetime) -> Membership:
    """Become a member. Has no effect for a member.

    Raises Refusal(not-found) if no club has this link now, Refusal(forbidden) for a guest, Refusal(limit-reached) and
    Refusal(rate-limited).
    """
    club = find_club_by_code(code)
    if account.is_guest:
        raise Refusal("forbidden", Phrase(gettext_noop("Guests can’t join a club. Make an account first.")))
    with game_caps.lock_account(account):
        if lock_club(club.pk).code != club.code:
            raise not_found()
        membership = Membership.objects.select_related("club", "account").filter(account=account, club=club).first()
        if membership is not None:
            return membership
        check_clubs(account)
        _check_room(club)
        sentence = gettext_noop("You can join at most %(most)s clubs a day. Try again later.")
        game_caps.enforce_rate(account, JOINS_A_DAY, sentence, now)
        return Membership.objects.create(club=club, account=account, joined_at=now)


@transaction.atomic
def renew_link(membership: Membership) -> None:
    """Give a club a new link. The old one stops working. Raises Refusal(forbidden)."""
    membership = lock_membership(membership)
    require(membership, Right.INVITE)
    membership.club.code = new_code()
    membership.club.save(update_fields=["code"])


def check_clubs(account: Account) -> None:
    """Raise Refusal(limit-reached) for an account that is in the maximum number of clubs."""
    if Membership.objects.filter(account=account).count() >= MOST_CLUBS:
        sentence = gettext_noop("You’re in %(most)s clubs, which is the limit. Leave one first.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_CLUBS}))


def _check_room(club: Club) -> None:
    if Membership.objects.filter(club=club).count() >= MOST_MEMBERS:
        sentence = gettext_noop("This club has %(most)s members, which is the limit.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_MEMBERS}))


MOST_OWNED: Final = 5
"""The maximum number of clubs that an account may own."""
CLUBS_A_DAY: Final = Policy("clubs", 10, DAY)
"""The limit for clubs that an account creates."""


def create_club(account: Account, name: str, about: str, now: datetime) -> Membership:
    """Create a club that is owned by the account.

    Raises Refusal(malformed), Refusal(forbidden) for a bot account, and Refusal(limit-reached) or Refusal(rate-limited)
    for too many clubs.
    """
    if account.is_bot:
        raise Refusal("forbidden", Phrase(gettext_noop("Only people can create clubs. A bot account can join one.")))
    club = Club(name=check_name(name), about=check_about(about), created_at=now)
    with game_caps.lock_account(account):
        check_owned(account)
        check_clubs(account)
        sentence = gettext_noop("You can create at most %(most)s clubs a day. Try again later.")
        game_caps.enforce_rate(account, CLUBS_A_DAY, sentence, now)
        club.save(force_insert=True)
        return Membership.objects.create(club=club, account=account, role=Role.OWNER, joined_at=now)


@transaction.atomic
def change_club(membership: Membership, name: str | None = None, about: str | None = None) -> Membership:
    """Change the name or the description of a club. None means no change. Raises Refusal(malformed) or
    Refusal(forbidden).
    """
    membership = lock_membership(membership)
    require(membership, Right.EDIT)
    club = membership.club
    if name is not None:
        club.name = check_name(name)
    if about is not None:
        club.about = check_about(about)
    club.save(update_fields=["name", "about"])
    return membership


@transaction.atomic
def close_club(membership: Membership) -> None:
    """Close a club, and delete its tournaments. Its running games continue. Raises Refusal(forbidden)."""
    membership = lock_membership(membership)
    require(membership, Right.CLOSE)
    delete_club(membership.club)


def check_owned(account: Account) -> None:
    """Raise Refusal(limit-reached) for an account that owns the maximum number of clubs."""
    if Membership.objects.filter(account=account, role=Role.OWNER).count() >= MOST_OWNED:
        sentence = gettext_noop("You own %(most)s clubs, which is the limit. Close one first, or hand it over.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_OWNED}))


def delete_club(club: Club) -> None:
    """Delete a locked club with its tournaments. These are locked too, so that no round starts in the meantime."""
    remove_chat(club)
    list(Tournament.objects.select_for_update().filter(club=club).order_by("pk"))
    club.delete()


def list_clubs(account: Account) -> QuerySet[Membership]:
    """Return the memberships of an account, sorted by the names of the clubs."""
    return Membership.objects.filter(account=account).select_related("club").order_by("club__name", "pk")


def list_members(membership: Membership) -> list[Membership]:
    """Return the members: the owner, the organizers, then the others, each sorted by the time when they joined."""
    rows = Membership.objects.filter(club=membership.club).select_related("account").order_by("joined_at", "pk")
    return sorted(rows, key=lambda member: -RANKS.index(member.role))


def get_member(membership: Membership, member: UUID) -> Membership:
    """Return a member of a club. Raises Refusal(not-found)."""
    row = Membership.objects.filter(club=membership.club, pk=member).select_related("club", "account").first()
    if row is None:
        raise not_found()
    return row


@transaction.atomic
def set_notifications(membership: Membership, *, hears: bool) -> Membership:
    """Choose whether the member is notified of new games of the club."""
    membership = lock_membership(membership)
    membership.hears = hears
    membership.save(update_fields=["hears"])
    return membership


@transaction.atomic
def appoint(membership: Membership, member: UUID, role: str, now: datetime) -> Membership:
    """Give another member a role. Making another member the owner turns the present owner into an organizer.

    If an organizer becomes a member, a chat that they connected is removed. Raises Refusal(not-found),
    Refusal(forbidden), Refusal(conflict) for one's own role, and Refusal(limit-reached) if the new owner owns too many
    clubs.
    """
    if role == Role.OWNER:
        game_caps.lock_accounts([get_member(membership, member).account])
    membership = lock_membership(membership)
    require(membership, Right.APPOINT)
    other = get_member(membership, member)
    if other.pk == membership.pk:
        sentence = gettext_noop("You’re the owner. Hand the club over by making someone else its owner.")
        raise Refusal("conflict", Phrase(sentence))
    if role == Role.OWNER:
        _hand_over(membership, other, now)
    elif other.role != role:
        other.role = role
        other.save(update_fields=["role"])
        if role == Role.MEMBER:
            remove_traces_of_member(other)
    return other


def _hand_over(membership: Membership, other: Membership, now: datetime) -> None:
    if other.account.is_bot:
        raise Refusal("conflict", Phrase(gettext_noop("A bot account can’t own a club. Choose a person.")))
    if not other.account.is_active:
        raise Refusal("conflict", Phrase(gettext_noop("This account is suspended or closed. Choose someone else.")))
    check_owned(other.account)
    membership.role = Role.ORGANIZER
    membership.save(update_fields=["role"])
    _make_owner(other, now)


def _make_owner(heir: Membership, now: datetime) -> None:
    heir.role = Role.OWNER
    heir.save(update_fields=["role"])
    club_emails.notify_owner(heir, now)


@transaction.atomic
def remove_member(membership: Membership, member: UUID) -> Membership:
    """Leave a club, or remove a member of a lower role, and return the former membership. Seats in games are kept.

    The club gets a new link, because a removed member knows the old one. Raises Refusal(not-found), Refusal(forbidden),
    and Refusal(conflict) if the owner wants to leave.
    """
    membership = lock_membership(membership)
    other = get_member(membership, member)
    if other.pk == membership.pk:
        _check_leaving(other)
    else:
        require(membership, Right.REMOVE)
        if RANKS.index(other.role) >= RANKS.index(membership.role):
            sentence = gettext_noop("Organizers can only remove members. Ask the owner to remove an organizer.")
            raise Refusal("forbidden", Phrase(sentence))
        membership.club.code = new_code()
        membership.club.save(update_fields=["code"])
    remove_traces_of_member(other)
    other.delete()
    return other


def _check_leaving(membership: Membership) -> None:
    if membership.role == Role.OWNER:
        sentence = gettext_noop("You own this club. Hand it over to another member, or close it, before you leave.")
        raise Refusal("conflict", Phrase(sentence))


@transaction.atomic
def leave_all(account: Account, now: datetime) -> None:
    """Leave all clubs, before the account is deleted."""
    for membership in Membership.objects.filter(account=account).order_by("club"):
        with suppress(Refusal):  # The member was removed or the club was closed in the meantime.
            leave_for_good(membership, now)


def _heir(membership: Membership) -> Membership | None:
    """Return the next owner of a club: the organizer, or else the member, who joined first and can own a club."""
    others = (member for member in list_members(membership) if member.pk != membership.pk)
    return next((other for other in others if other.account.is_active and not other.account.is_bot), None)


def has_heirs(account: Account) -> bool:
    """Return whether another account could own one of the account's clubs."""
    return any(_heir(membership) for membership in _owned(account).select_related("club"))


def _owned(account: Account) -> QuerySet[Membership]:
    return Membership.objects.filter(account=account, role=Role.OWNER).order_by("club")


@transaction.atomic
def pass_on_all(account: Account, now: datetime) -> None:
    """Give the clubs of an account that is closed or suspended to other members who can own them."""
    for membership in _owned(account):
        with suppress(Refusal):  # The club was closed in the meantime.
            membership = lock_membership(membership)
            if membership.role == Role.OWNER and (heir := _heir(membership)):
                membership.role = Role.MEMBER
                membership.save(update_fields=["role"])
                _make_owner(heir, now)


@transaction.atomic
def leave_for_good(membership: Membership, now: datetime) -> None:
    """Leave a club, also as its owner. Raises Refusal(not-found).

    The club of an owner goes to the organizer, or else the member, who joined first. A club without other members is
    closed.
    """
    membership = lock_membership(membership)
    remove_traces_of_member(membership)
    membership.delete()
    if membership.role != Role.OWNER:
        return
    if heir := _heir(membership):
        _make_owner(heir, now)
    else:
        delete_club(membership.club)

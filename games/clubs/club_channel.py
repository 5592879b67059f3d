"""The group chat of a club. Each game of the club posts to it through a channel of its own with the same secret."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from accounts.models import Account
from config.core.crypto import encrypt
from games.clubs.rights import Right, lock_membership, require
from games.models import GOING, Club, ClubChannel, ClubHandle, Game, Membership, TableChannel
from games.models.table_channels import SECRETS
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
            next_attempt_at=now,
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

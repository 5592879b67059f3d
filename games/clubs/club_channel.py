"""The chat of a club. Each game of the club posts there as to a channel of its own, with the same secret."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from accounts.models import Account
from config.database.encrypted_text import encrypt
from games.clubs.rights import Right, held, require
from games.models import GOING, Club, ClubChannel, ClubHandle, Game, Membership, TableChannel
from games.models.table_channels import SECRETS
from notifications.channels.registry import chat_apps


@transaction.atomic
def connect(mine: Membership, app: str, address: str, secret: str, now: datetime) -> ClubChannel:
    """Connect a chat to a club in place of any other one. Games that have a chat of their own keep it.

    ``app`` is one of ``chat_apps``. Refusal ``forbidden``; ForbiddenAddress and ForbiddenSecret for what cannot be a
    chat of the app.
    """
    mine = held(mine)
    require(mine, Right.CONNECT)
    chat_apps()[app].check_chat(address, secret)
    remove(mine.club)
    channel = ClubChannel.objects.create(
        club=mine.club,
        account=mine.account,
        app=app,
        address=address,
        secret=encrypt(secret, SECRETS),
        language=mine.account.language,
    )
    attach(channel, Game.objects.filter(club=mine.club, state__in=GOING), now)
    return channel


@transaction.atomic
def disconnect(mine: Membership) -> None:
    """Disconnect the chat of a club, if it has one. Messages stay there. Raises Refusal(forbidden)."""
    mine = held(mine)
    require(mine, Right.CONNECT)
    remove(mine.club)


def attach(channel: ClubChannel, games: QuerySet[Game], now: datetime) -> None:
    """Let these games post to the chat of their club, but those that have one, and those that are watched with a delay.

    Members see these as spectators do, and a chat has no delay.
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


def remove(club: Club) -> None:
    """Remove the chat of a club from it and from its games."""
    _of_club(TableChannel.objects.filter(game__club=club)).delete()
    ClubChannel.objects.filter(club=club).delete()


def remove_of(member: Membership) -> None:
    """Remove the handle of a member, and the chat of the club if they connected it: the secret goes with them."""
    ClubHandle.objects.filter(channel__club=member.club_id, account=member.account_id).delete()
    if ClubChannel.objects.filter(club=member.club_id, account=member.account_id).exists():
        remove(member.club)


def own_channels(host: Account) -> QuerySet[TableChannel]:
    """The channels that a host connected to their games: not those that lead to the chat of a club."""
    rows = TableChannel.objects.filter(game__host=host)
    return rows.exclude(pk__in=_of_club(rows).values("pk"))


def _of_club(channels: QuerySet[TableChannel]) -> QuerySet[TableChannel]:
    """Return the channels of games that lead to the chat of the club. They store the same secret."""
    return channels.filter(secret=F("game__club__channel__secret"))

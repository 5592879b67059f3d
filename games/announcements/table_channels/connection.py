"""Connecting an outside chat to a game, and disconnecting it. Only the game's host may do this."""

from datetime import datetime

from django.db import transaction

from accounts.models import Account
from config.core.crypto import encrypt
from games.engine import Phrase, gettext_noop
from games.models import Game, TableChannel
from games.models.table_channels import SECRETS
from games.refusals import Refusal
from notifications.channels.registry import chat_apps


def connect(game: Game, host: Account, app: str, address: str, secret: str, now: datetime) -> TableChannel:
    """Connect a chat to a game in place of any other one. Its first message is posted soon.

    ``app`` is a name in ``chat_apps``. Raises Refusal if the account is not the host, and ForbiddenAddress or
    ForbiddenSecret for an invalid address or secret.
    """
    _check_host(game, host)
    chat_apps()[app].check_chat(address, secret)
    with transaction.atomic():
        TableChannel.objects.filter(game=game).delete()
        return TableChannel.objects.create(
            game=game,
            app=app,
            address=address,
            secret=encrypt(secret, SECRETS),
            language=host.language,
            next_attempt_at=now,
        )


def disconnect(game: Game, host: Account) -> None:
    """Disconnect the chat of a game, if it has one. Posted messages stay. Raises Refusal if the account is not the
    host.
    """
    _check_host(game, host)
    TableChannel.objects.filter(game=game).delete()


def _check_host(game: Game, account: Account) -> None:
    if game.host_id != account.pk:
        raise Refusal("forbidden", Phrase(gettext_noop("Only the host of this game may do that.")))

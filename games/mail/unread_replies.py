"""Notes about replies that were received but not carried out, for their senders and the operator."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from accounts.models import Account
from accounts.people import address_owners
from games.mail import digest_replies
from games.mail.acting_player import is_from
from games.models import Game, UnreadReply
from games.text import links
from notifications.content import addresses
from notifications.mail_parsing.parsed_mail import Reply
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

KEPT: Final = timedelta(days=30)


def own_account(reply: Reply) -> Account | None:
    """Return the active account whose confirmed address sent an email, or None."""
    account = address_owners.owner_of(reply.sender) if reply.sender else None
    return account if account is not None and account.is_active and is_from(reply, account) else None


def note(mail: RawMail, reply: Reply, why: UnreadReply.Why) -> None:
    """Note a reply that was not carried out, if it comes from an account's own address."""
    account = own_account(reply)
    logger.info("mail %s was not read: %s", mail.pk, why)
    if account is not None:
        note_for(account, [*_games(reply)] or [None], mail, why)


def note_for(account: Account, games: Sequence[UUID | None], mail: RawMail, why: UnreadReply.Why) -> None:
    """Note an account's reply about some games that was not carried out."""
    rows = [UnreadReply(account=account, game_id=game, why=why, received_at=mail.received_at) for game in games]
    UnreadReply.objects.bulk_create(rows)


def _games(reply: Reply) -> Iterable[UUID]:
    """Return the existing games to which a reply was addressed."""
    games = {game for token in reply.tokens for game in _games_of(token)}
    return Game.objects.filter(pk__in=games).values_list("pk", flat=True)


def _games_of(token: str) -> Iterable[UUID]:
    match links.parse(token):
        case links.QuestionAddress(game) | links.SeatAddress(game) | links.ChatAddress(game):
            return [game]
    match addresses.read(token):
        case addresses.DIGEST, number:
            lead = Notification.objects.filter(pk=addresses.long(number)).first()
            return [] if lead is None else digest_replies.games_of(lead)
    return []


def forget(now: datetime) -> None:
    """Delete notes that are older than ``KEPT``."""
    UnreadReply.objects.filter(received_at__lt=now - KEPT).delete()

"""Replies that go to the server's own address because the mail program ignores Reply-To, as Delta Chat does."""

import uuid
from collections.abc import Sequence
from typing import Final

from django.conf import settings

from accounts.people import address_owners
from games.mail.mailbox.command_reader import content_or_subject, read_account_command
from games.mail.mailbox.commands import Confirm, Rematch
from games.mail.mailbox.titles import read_titles
from notifications import received_mail
from notifications.content import addresses
from notifications.mail_parsing import parser
from notifications.mail_parsing.parsed_mail import Automatic, Reply
from notifications.models import Notification

_ALSO_AT_A_GAME: Final = (Confirm, Rematch)
"""Commands for an account that also have a meaning in a reply to another email."""


def find_answered(reply: Reply) -> str:
    """Return the token that belongs to the email that a reply to the server's own address answers, or a blank text.

    The email is found by its Message-ID, which only its reader knows. A reply that holds a command for an account gives
    a blank text: in a chat program every message answers another.
    """
    notification = _notification(reply.answers)
    if notification is None or notification.rendered is None:
        return ""
    if notification.account is not None and not isinstance(
        read_account_command(content_or_subject(reply), read_titles()), (*_ALSO_AT_A_GAME, type(None))
    ):
        return ""
    token = notification.content().reply_to.partition("@")[0]
    return token if addresses.read(token) else ""


def is_proven_stranger(raw: bytes, recipients: Sequence[str]) -> bool:
    """Return True if an email to the server's own address alone is certainly from a sender without an account.

    May be used only for email that a mail server of the operator passes on.
    """
    if not settings.AUTHENTICATION_SERVER or not all(map(received_mail.is_mailbox, recipients)):
        return False
    reply = parser.read(raw, addresses.pattern(), server=settings.AUTHENTICATION_SERVER, recipients=recipients)
    if reply.authentication != "pass" or isinstance(reply.content, Automatic) or reply.perhaps_automatic:
        return False
    if reply.tokens or find_answered(reply):
        return False
    return address_owners.owner_of(reply.sender) is None


def _notification(message_id: str) -> Notification | None:
    number, _, domain = message_id.strip("<>").partition("@")
    try:
        pk = uuid.UUID(number)
    except ValueError:
        return None
    if domain.lower() != settings.MAIL_DOMAIN:
        return None
    return Notification.objects.select_related("account").filter(pk=pk).first()

"""Replies that go to the server's own address: some programs, such as Delta Chat, know no Reply-To."""

import uuid
from collections.abc import Sequence
from typing import Final

from django.conf import settings

from accounts.people import address_owners
from games import mail as post
from games.mail.mailbox.command_reader import content_or_subject, read_account_command
from games.mail.mailbox.commands import Confirm, Rematch
from games.mail.mailbox.titles import read_titles
from notifications.content import addresses
from notifications.inbound import received_mail
from notifications.models import Notification

_ALSO_AT_A_GAME: Final = (Confirm, Rematch)
"""Commands that mean something in the reply to an email as well."""


def find_answered(reply: post.Reply) -> str:
    """Return the token to which a mail replies, though it came to the server's own address; blank where to none.

    It follows from the Message-ID of the email that was answered. Only its reader knows that, as only they know the
    address to reply to. A command for an account is none, whatever it answers: in a chat everything answers something.
    """
    answered = _notification(reply.answers)
    if answered is None or answered.rendered is None:
        return ""
    if answered.account is not None and not isinstance(
        read_account_command(content_or_subject(reply), read_titles()), (*_ALSO_AT_A_GAME, type(None))
    ):
        return ""
    token = answered.written().reply_to.partition("@")[0]
    return token if addresses.read(token) else ""


def is_proven_stranger(raw: bytes, recipients: Sequence[str]) -> bool:
    """Return whether a mail to nothing but the server's own address is from somebody who has no account for certain.

    Only for mail that came by a mail server of the operator's.
    """
    if not settings.AUTHENTICATION_SERVER or not all(map(received_mail.is_mailbox, recipients)):
        return False
    reply = post.read(raw, addresses.pattern(), server=settings.AUTHENTICATION_SERVER, recipients=recipients)
    if reply.authentication != "pass" or isinstance(reply.content, post.Automatic) or reply.perhaps_automatic:
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

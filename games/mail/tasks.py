"""Tasks of incoming email. Stored emails are read in the order of arrival and passed to their handlers.

Each email is carried out in one transaction with its effects: the move, its resolution and the reply. Copies of an
email are recognised by sender, Message-ID and address. An email that was answered with 250 will be read. If reading is
interrupted, by a kill or without a database, it is tried again after a pause that doubles from ten seconds to an hour.
Errors of the server do not count against an email (``config.core.logs.is_server_error``). Three errors of the parser,
or 14 errors of the later steps within five hours, set the email aside. Its sender is notified
(``games.announcements.setbacks``). The text of an email is deleted once it is read. Only the text of email that was set
aside is kept, for 30 days and at most 64 MiB in total.

No deadline passes while an email to the game that was received before the deadline is unread, for at most six hours.
"""

import logging
from datetime import datetime
from hashlib import sha256
from typing import Final

from celery import shared_task
from django.conf import settings
from django.db import transaction

from accounts import email_addresses
from config.core import clock
from config.core.email_spellings import canonical
from config.core.logs import describe_error
from config.core.work import ConcurrencyLimit
from games.announcements import setbacks
from games.mail import (
    game_handler,
    invitation_handler,
    senders,
)
from games.mail.mailbox_handler import handle_command_reply, handle_mailbox_mail
from games.mail.mailbox_reader import find_answered
from games.mail.senders import find_player
from games.models import UnreadReply
from games.tables import invitations
from notifications import received_mail, reply_addresses, set_aside
from notifications.mail_parsing import parser
from notifications.mail_parsing.parser import Automatic, Reply
from notifications.models import RawMail

logger = logging.getLogger(__name__)

_READING: Final = ConcurrencyLimit(lambda: read_due(clock.now()))


@shared_task(ignore_result=True)
def read_mail() -> None:
    """Read stored mail. Enqueued after each commit that stores mail, and every few seconds."""
    _READING()


@shared_task(ignore_result=True)
def forget_mail() -> None:
    """Delete mail that was read, old settled entries of mail set aside, and old notes. Enqueued every hour."""
    received_mail.forget(clock.now())
    set_aside.forget(clock.now())
    senders.forget_unread(clock.now())


@shared_task(ignore_result=True)
def forget_addresses() -> None:
    """Delete the addresses of old invitations without an answer. Enqueued every hour."""
    invitations.forget_old_addresses(clock.now())


def read_due(now: datetime) -> None:
    """Read stored mail in the order of arrival. An email that fails does not stop the next one."""
    tried: set[int] = set()
    while (mail := received_mail.begin(now, tried)) is not None:
        tried.add(mail)
        try:
            _handle(mail, now)
        except Exception as error:
            received_mail.failed(mail, error, _tell_set_aside, now)


def _handle(number: int, now: datetime) -> None:
    """Read one email. Its effects are committed together or not at all."""
    with transaction.atomic():
        mail = received_mail.lock_unread(number)
        if mail is None:
            return
        reply = _parse(mail)
        if not received_mail.is_copy(mail, _copy_key(reply)) and not received_mail.note_report(mail, now):
            _dispatch(mail, reply, now)
        received_mail.mark_read(mail)


def _parse(mail: RawMail) -> Reply:
    """Return the parsed email. Raises Unreadable if the parser fails."""
    try:
        return parser.read(
            bytes(mail.raw),
            reply_addresses.pattern(),
            server=settings.AUTHENTICATION_SERVER,
            recipients=mail.recipients,
            return_path=mail.sender,
        )
    except Exception as error:
        raise received_mail.Unreadable from error


def _tell_set_aside(mail: RawMail, now: datetime) -> None:
    """Notify the player who sent an email that it could not be read. The content of the email is not used."""
    try:
        with transaction.atomic():
            for acting in filter(None, map(find_player, mail.recipients)):
                if canonical(mail.sender or "") in email_addresses.confirmed_addresses(acting.account):
                    setbacks.of_mail(mail.pk, acting.game, acting.account, now)
    except Exception as error:
        logger.error(
            "the sender of mail %s, which was set aside, could not be notified: %s", mail.pk, describe_error(error)
        )


def _copy_key(reply: Reply) -> str:
    """Return a digest that is equal for all copies of an email to the same address."""
    return sha256("\n".join((reply.identity, *sorted(reply.tokens))).encode()).hexdigest()


def _dispatch(mail: RawMail, reply: Reply, now: datetime) -> None:
    if isinstance(reply.content, Automatic):
        logger.info("mail %s is automatic: %s", mail.pk, reply.content.reason)
        senders.note_unread(mail, reply, UnreadReply.Why.AUTOMATIC)
        return
    if reply.perhaps_automatic and senders.own_account(reply) is None:
        logger.info("mail %s may be automatic: %s", mail.pk, reply.perhaps_automatic)
        return
    if reply_addresses.is_ours(reply.sender):
        logger.info("mail %s has an address of this server as its sender", mail.pk)
        return
    token = reply.tokens[0] if reply.tokens else ""
    if not token and any(map(received_mail.is_mailbox, mail.recipients)):
        token = find_answered(reply)
        if not token:
            handle_mailbox_mail(mail, reply, now)
            return
    match reply_addresses.read(token):
        case reply_addresses.DIGEST, notification:
            game_handler.answer_digest(notification, mail, reply, now)
            return
        case reply_addresses.COMMAND, answered:
            handle_command_reply(answered, mail, reply, now)
            return
        case reply_addresses.INVITATION, invitation:
            invitation_handler.handle_invitation_reply(reply_addresses.long(invitation), mail, reply, now)
            return
    game_handler.handle_command(token, mail, reply, now)

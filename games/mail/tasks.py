"""Tasks of incoming mail: what waits is read in its order, and handed to whoever handles mail of its kind."""

import logging
from datetime import datetime
from hashlib import sha256
from typing import Final

from celery import shared_task
from django.conf import settings
from django.db import transaction

from accounts.people import address_owners
from config.database import database_clock
from config.database.concurrency_limit import ConcurrencyLimit
from config.failures import describe_error
from games import mail as post
from games.announcements import setbacks
from games.lobby import invitations
from games.mail import invitation_replies, mail_handler, unread_replies
from games.mail.acting_player import find_player
from games.mail.mailbox.answered import find_answered
from games.mail.mailbox.handler import handle_command_reply, handle_mailbox_mail
from games.models import UnreadReply
from notifications import set_aside
from notifications.content import addresses
from notifications.inbound import bounces, received_mail
from notifications.models import RawMail

logger = logging.getLogger(__name__)

_READING: Final = ConcurrencyLimit(lambda: read_due(database_clock.now()))


@shared_task(ignore_result=True)
def read_mail() -> None:
    """Read the mail that came in. Enqueued after each commit that stored one, and every few seconds."""
    _READING()


@shared_task(ignore_result=True)
def forget_mail() -> None:
    """Delete mail that was read, and notes of what was set aside and settled, long ago. Enqueued every hour."""
    received_mail.forget(database_clock.now())
    set_aside.forget(database_clock.now())
    unread_replies.forget(database_clock.now())


@shared_task(ignore_result=True)
def forget_addresses() -> None:
    """Forget to whom invitations went that nobody answers any more. Enqueued every hour."""
    invitations.forget_old_addresses(database_clock.now())


def read_due(now: datetime) -> None:
    """Read the mail that waits, in the order in which it came. What goes wrong with one stops no other."""
    tried: set[int] = set()
    while (mail := received_mail.begin(now, tried)) is not None:
        tried.add(mail)
        try:
            _handle(mail, now)
        except Exception as error:
            received_mail.failed(mail, error, _tell_set_aside, now)


def _handle(number: int, now: datetime) -> None:
    """Read one mail: all that it leads to is done in one transaction, or nothing."""
    with transaction.atomic():
        mail = received_mail.held(number)
        if mail is None:
            return
        reply = _parse(mail)
        if not received_mail.is_copy(mail, _copy_key(reply)) and not bounces.note(mail, now):
            _dispatch(mail, reply, now)
        received_mail.done(mail)


def _parse(mail: RawMail) -> post.Reply:
    """Return what a mail says. Unreadable where the reading fails."""
    try:
        return post.read(
            bytes(mail.raw),
            addresses.pattern(),
            server=settings.AUTHENTICATION_SERVER,
            recipients=mail.recipients,
            return_path=mail.sender,
        )
    except Exception as error:
        raise received_mail.Unreadable from error


def _tell_set_aside(mail: RawMail, now: datetime) -> None:
    """Tell a seat's person, if they sent it, that their mail could not be read. What it holds is not looked at."""
    try:
        with transaction.atomic():
            for acting in filter(None, map(find_player, mail.recipients)):
                if (mail.sender or "").lower() in address_owners.confirmed_addresses(acting.account):
                    setbacks.of_mail(mail.pk, acting.game, acting.account, now)
    except Exception as error:
        logger.error("nobody could be told that mail %s was set aside: %s", mail.pk, describe_error(error))


def _copy_key(reply: post.Reply) -> str:
    """The same for every copy of a mail to one address."""
    return sha256("\n".join((reply.identity, *sorted(reply.tokens))).encode()).hexdigest()


def _dispatch(mail: RawMail, reply: post.Reply, now: datetime) -> None:
    if isinstance(reply.content, post.Automatic):
        logger.info("mail %s is automatic: %s", mail.pk, reply.content.reason)
        unread_replies.note(mail, reply, UnreadReply.Why.AUTOMATIC)
        return
    if reply.perhaps_automatic and unread_replies.own_account(reply) is None:
        logger.info("mail %s may be automatic: %s", mail.pk, reply.perhaps_automatic)
        return
    if addresses.is_ours(reply.sender):
        logger.info("mail %s bears an address of our own as its sender", mail.pk)
        return
    token = reply.tokens[0] if reply.tokens else ""
    if not token and any(map(received_mail.is_mailbox, mail.recipients)):
        token = find_answered(reply)
        if not token:
            handle_mailbox_mail(mail, reply, now)
            return
    match addresses.read(token):
        case addresses.DIGEST, notification:
            mail_handler.answer_digest(notification, mail, reply, now)
            return
        case addresses.COMMAND, answered:
            handle_command_reply(answered, mail, reply, now)
            return
        case addresses.INVITATION, invitation:
            invitation_replies.handle_invitation_reply(addresses.long(invitation), mail, reply, now)
            return
    mail_handler.handle_command(token, mail, reply, now)

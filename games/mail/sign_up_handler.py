"""Emails of people without an account: sign-up by email, and the codes that come back.

Sign-up by email is open where sign-up is open at all. The operator's mail server must vouch for the sender: otherwise
anyone could have codes sent to any address. A mailbox gets one such email a day. Nothing else that a stranger writes is
answered.
"""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.utils.translation import override

from accounts import email_addresses, mail_sign_up
from accounts.authentication import codes, emails
from accounts.authentication.sign_up import SignUpClosed, WrongCode
from accounts.models import Account, CodeRequest
from accounts.rate_limits import TooManyAttempts
from config.core.email_spellings import canonical
from games.mail import mailbox_replies
from games.mail.account_commands import SignUp
from games.mail.account_handler import COMMAND, read_code
from games.mail.game_replies import reply_to
from games.mail.mailbox_reader import content_or_subject, find_answered, read_account_command
from notifications import outbox, received_mail, reply_addresses
from notifications.content import RenderedNotification
from notifications.mail_parsing import parser
from notifications.mail_parsing.parser import Automatic, Reply
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)


def is_proven_stranger(raw: bytes, recipients: Sequence[str]) -> bool:
    """Return True if an email to the server's own address alone is certainly from a sender without an account.

    A sign-up that this server takes is from no stranger. May be used only for email that a mail server of the operator
    passes on.
    """
    if not settings.AUTHENTICATION_SERVER or not all(map(received_mail.is_mailbox, recipients)):
        return False
    reply = parser.read(raw, reply_addresses.pattern(), server=settings.AUTHENTICATION_SERVER, recipients=recipients)
    if reply.authentication != "pass" or isinstance(reply.content, Automatic) or reply.perhaps_automatic:
        return False
    if reply.tokens or find_answered(reply):
        return False
    return email_addresses.owner_of(reply.sender) is None and read_sign_up(reply) is None


def read_sign_up(reply: Reply) -> SignUp | None:
    """Return the sign-up that an email asks for, or None if it asks for none or sign-up is not open."""
    command = read_account_command(content_or_subject(reply), {}, (reply.display_name,))
    return command if isinstance(command, SignUp) and settings.SIGN_UP == "open" else None


def handle_stranger(mail: RawMail, reply: Reply, now: datetime) -> None:
    """Send the code of a sign-up to the sender of an email, who has no account. Other emails get no answer."""
    command = read_sign_up(reply)
    is_checked = mail.relayed and reply.authentication == "pass"
    if command is None or not is_checked or reply_addresses.is_ours(reply.sender):
        logger.info("mail %s to the mailbox is not from an active account", mail.pk)
        return
    name = command.name or reply.display_name
    try:
        code_request, code = mail_sign_up.create_request(reply.sender, name, command.language, now)
    except (SignUpClosed, TooManyAttempts):
        logger.info("mail %s asks for an account, and is not answered", mail.pk)
        return
    with override(command.language):
        rendered = emails.mail_sign_up_code(code_request.details["name"], code)
        _send(mail, reply, rendered, reply.sender, codes.topic_of(code_request), now)


def handle_code(question: Notification, mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out a reply to an email that brought a code to an address without an account.

    The code creates the account of a sign-up by email, or changes the address of an account.
    """
    code = read_code(content_or_subject(reply))
    code_request = codes.find_by_topic(question.topic)
    is_from_addressee = reply.authentication != "fail" and reply.sender == canonical(question.address)
    if code is None or code_request is None or not is_from_addressee:
        logger.info("mail %s brings no code", mail.pk)
        return
    try:
        account, is_new = _use_code(code_request, question, code[0], now)
    except (SignUpClosed, TooManyAttempts):
        logger.info("mail %s brings a code that is not taken", mail.pk)
        return
    except WrongCode:
        with override(question.content().language):
            rendered = emails.wrong_code()
            _send(mail, reply, rendered, question.address, question.topic, now)
        return
    with override(account.language):
        rendered = mailbox_replies.signed_up(account) if is_new else mailbox_replies.address_changed(account)
        _send(mail, reply, rendered, "", "", now, account)


def _use_code(code_request: CodeRequest, question: Notification, code: str, now: datetime) -> tuple[Account, bool]:
    """Return the account of a code, and whether it is new. Raises WrongCode, SignUpClosed or TooManyAttempts."""
    if code_request.purpose == CodeRequest.Purpose.SIGN_UP:
        return mail_sign_up.confirm(question.address, question.topic, code, now), True
    return email_addresses.use_new_address_code(None, question.address, code, now, topic=question.topic), False


def _send(
    mail: RawMail,
    reply: Reply,
    rendered: RenderedNotification,
    address: str,
    topic: str,
    now: datetime,
    account: Account | None = None,
) -> None:
    """Reply to an email. Replies to this one come to the code's email again, or give commands for the account."""
    rendered = emails.answerable_at(rendered, reply_addresses.address(reply_addresses.COMMAND, str(mail.pk)))
    reason = COMMAND if account else "account"
    key = f"{reply_addresses.COMMAND}:{mail.pk}"
    order = outbox.NewNotification(key, reason, account.pk if account else None, address, topic=topic)
    outbox.add_rendered(order, reply_to(reply, rendered), now)

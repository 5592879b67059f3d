"""Handling of mail to the server's own address: a command for the account that it comes from.

Anybody can write a From line. So what changes something is done only where our own mail server vouches for the sender,
or where the mail came to an address that nobody else knows: that of an answer to the account's own address. Else the
account is asked back there.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import override
from msgspec.structs import replace

from accounts.models import Account
from accounts.people import address_owners
from games import mail as post
from games.mail import unread_replies
from games.mail.acting_player import is_from
from games.mail.mailbox import actions, replies
from games.mail.mailbox.command_reader import (
    content_or_subject,
    first_line,
    read_account_command,
    read_command_line,
)
from games.mail.mailbox.commands import (
    AccountCommand,
    Change,
    Confirm,
    ShowGames,
    ShowHelp,
    ShowRules,
    ShowStatus,
    Unclear,
)
from games.mail.mailbox.titles import read_titles
from games.mail.replies import reply_to
from games.models import UnreadReply
from games.refusals import Refusal
from notifications.content import addresses
from notifications.content.rendered_notification import RenderedNotification, encode
from notifications.delivery import outbox
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

COMMAND: Final = "command"
"""The reason of a notification that answers a command to the server's own address."""
DAILY_LIMIT: Final = 5
"""The number of answers a day that an account gets to mails that anybody may have written."""
DAILY_LIMIT_TRUSTED: Final = 20
"""The same, with answers to mails that are the account's own for certain."""
VALID: Final = timedelta(days=7)
"""The time for which the address of an answer takes commands that are not asked back."""


def handle_mailbox_mail(mail: RawMail, reply: post.Reply, now: datetime) -> None:
    """Do what a mail to the server's own address says. Who has no account here gets no answer, and is not told why."""
    account = address_owners.owner_of(reply.sender) if reply.sender else None
    if account is None or not account.is_active or not is_from(reply, account):
        logger.info("mail %s to the mailbox is from nobody here", mail.pk)
        return
    _MailboxHandler(account, mail, reply, now, is_trusted=_is_vouched_for(mail, reply)).run()


def handle_command_reply(answered: str, mail: RawMail, reply: post.Reply, now: datetime) -> None:
    """Do what a reply to such an answer says; ``answered`` is the mail that was answered."""
    rows = Notification.objects.select_for_update(of=("self",)).select_related("account")
    found = rows.filter(key=_key(answered)).first()
    account = found.account if found else None
    if found is None or account is None:  # The answer was deleted long ago.
        handle_mailbox_mail(mail, reply, now)
        return
    if not account.is_active or not is_from(reply, account):
        logger.info("mail %s answers a command of nobody here", mail.pk)
        return
    is_trusted = found.created_at > now - VALID or _is_vouched_for(mail, reply)
    _MailboxHandler(account, mail, reply, now, is_trusted=is_trusted, asked=found).run()


def _is_vouched_for(mail: RawMail, reply: post.Reply) -> bool:
    """Return whether our mail server says that the sender is who they say; anybody else could write its header."""
    return mail.relayed and reply.authentication == "pass"


def _key(mail: int | str) -> str:
    return f"{COMMAND}:{mail}"


def _command_of(asked: Notification) -> str:
    """Return the command that this email asked about; blank where it asked none, or its content was dropped."""
    return asked.written().command if asked.rendered is not None else ""


class _MailboxHandler:
    """One mail with a command for an account."""

    def __init__(
        self,
        account: Account,
        mail: RawMail,
        reply: post.Reply,
        now: datetime,
        *,
        is_trusted: bool,
        asked: Notification | None = None,
    ) -> None:
        self.account = account
        self.mail = mail
        self.reply = reply
        self.now = now
        self.is_trusted = is_trusted
        self.asked = asked

    def run(self) -> None:
        """Do what the mail says, or answer why not; nothing where there were too many answers of late."""
        left = self._count_answers_left()
        if left <= 0:
            unread_replies.note_for(self.account, [None], self.mail, UnreadReply.Why.LIMIT)
            return
        with override(self.account.language):
            titles = read_titles()
            content = content_or_subject(self.reply)
            own_names = (self.account.name, self.reply.called)
            command, line = read_account_command(content, titles, own_names), first_line(content)
            if isinstance(command, Confirm) and self.asked is not None and (asked := _command_of(self.asked)):
                line, command = asked, read_command_line(asked, titles)
                self._forget_question(self.asked)
            answer = self._answer(command, line)
            self._send(replies.last_of_today(answer, self.is_trusted) if left == 1 else answer)

    def _count_answers_left(self) -> int:
        since = self.now - timedelta(days=1)
        lately = Notification.objects.filter(account=self.account, reason=COMMAND, created_at__gt=since)
        return (DAILY_LIMIT_TRUSTED if self.is_trusted else DAILY_LIMIT) - lately.count()

    def _forget_question(self, asked: Notification) -> None:
        """Take care that a second yes does nothing."""
        asked.rendered = encode(replace(asked.written(), command=""))
        asked.save(update_fields=["rendered"])

    def _answer(self, command: AccountCommand | Unclear | None, line: str) -> RenderedNotification:
        match command:
            case Unclear(line, text):
                return replies.unclear(self.account, line, text)
            case ShowHelp():
                return replies.help_text(self.account)
            case ShowGames():
                return replies.games_of(self.account)
            case ShowStatus():
                return replies.status_of(self.account)
            case ShowRules(rules):
                return replies.rules_in_short(self.account, rules)
            case None | Confirm():
                return replies.not_understood(self.account, line)
        return self._change(command, line) if self.is_trusted else replies.ask_back(self.account, line)

    def _change(self, command: Change, line: str) -> RenderedNotification:
        try:
            with transaction.atomic():
                return actions.run_command(self.account, command, self.now)
        except Refusal as refusal:
            return replies.refused(self.account, refusal.phrase, line)

    def _send(self, rendered: RenderedNotification) -> None:
        address = addresses.address(addresses.COMMAND, str(self.mail.pk))
        rendered = reply_to(self.reply, replace(rendered, reply_to=address))
        order = outbox.NewNotification(_key(self.mail.pk), COMMAND, self.account.pk)
        outbox.add_rendered(order, rendered, self.now)

"""Handling of email to the server's own address: a command for the account of the sender.

Anyone can write a From line. A command that changes something is therefore carried out only if the operator's mail
server vouches for the sender, or if the email came to the secret address of an earlier reply to the account. In all
other cases the account is asked for confirmation.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import override
from msgspec.structs import replace

from accounts.models import Account
from accounts.people import address_owners
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
from notifications.mail_parsing.parsed_mail import Reply
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

COMMAND: Final = "command"
"""The reason of a notification that replies to a command to the server's own address."""
DAILY_LIMIT: Final = 5
"""The number of replies a day to emails that anyone may have written in the account's name."""
DAILY_LIMIT_TRUSTED: Final = 20
"""The number of replies a day if the newest email is certainly from the account."""
VALID: Final = timedelta(days=7)
"""How long the address of a reply accepts commands without confirmation."""


def handle_mailbox_mail(mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out an email to the server's own address. A sender without an account gets no reply."""
    account = address_owners.owner_of(reply.sender) if reply.sender else None
    if account is None or not account.is_active or not is_from(reply, account):
        logger.info("mail %s to the mailbox is not from an active account", mail.pk)
        return
    _MailboxHandler(account, mail, reply, now, is_trusted=_is_vouched_for(mail, reply)).run()


def handle_command_reply(answered: str, mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out a reply to the server's reply to the command in email number ``answered``."""
    rows = Notification.objects.select_for_update(of=("self",)).select_related("account")
    question = rows.filter(key=_key(answered)).first()
    account = question.account if question else None
    if question is None or account is None:  # Old replies are deleted.
        handle_mailbox_mail(mail, reply, now)
        return
    if not account.is_active or not is_from(reply, account):
        logger.info("mail %s answers a command of another account", mail.pk)
        return
    is_trusted = question.created_at > now - VALID or _is_vouched_for(mail, reply)
    _MailboxHandler(account, mail, reply, now, is_trusted=is_trusted, question=question).run()


def _is_vouched_for(mail: RawMail, reply: Reply) -> bool:
    """Return whether the operator's mail server has verified the sender. Other clients could forge its header."""
    return mail.relayed and reply.authentication == "pass"


def _key(mail: int | str) -> str:
    return f"{COMMAND}:{mail}"


def _command_of(question: Notification) -> str:
    """Return the command that this email asked to confirm, or a blank text if there is none."""
    return question.content().command if question.rendered is not None else ""


class _MailboxHandler:
    """Handler of one email with a command for an account."""

    def __init__(
        self,
        account: Account,
        mail: RawMail,
        reply: Reply,
        now: datetime,
        *,
        is_trusted: bool,
        question: Notification | None = None,
    ) -> None:
        self.account = account
        self.mail = mail
        self.reply = reply
        self.now = now
        self.is_trusted = is_trusted
        self.question = question

    def run(self) -> None:
        """Carry out the email, or reply why it changes nothing. Over the daily limit no reply is sent."""
        replies_left = self._count_answers_left()
        if replies_left <= 0:
            unread_replies.note_for(self.account, [None], self.mail, UnreadReply.Why.LIMIT)
            return
        with override(self.account.language):
            titles = read_titles()
            content = content_or_subject(self.reply)
            own_names = (self.account.name, self.reply.display_name)
            command, line = read_account_command(content, titles, own_names), first_line(content)
            if isinstance(command, Confirm) and self.question is not None and (text := _command_of(self.question)):
                line, command = text, read_command_line(text, titles)
                self._forget_question(self.question)
            answer = self._answer(command, line)
            self._send(replies.last_of_today(answer, self.is_trusted) if replies_left == 1 else answer)

    def _count_answers_left(self) -> int:
        since = self.now - timedelta(days=1)
        last_day = Notification.objects.filter(account=self.account, reason=COMMAND, created_at__gt=since)
        return (DAILY_LIMIT_TRUSTED if self.is_trusted else DAILY_LIMIT) - last_day.count()

    def _forget_question(self, question: Notification) -> None:
        """Remove the command from the question, so that a second yes does nothing."""
        question.rendered = encode(replace(question.content(), command=""))
        question.save(update_fields=["rendered"])

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
                return replies.rules_summary(self.account, rules)
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

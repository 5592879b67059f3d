"""Replies to invitations: which senders may answer, what an answer does, and the email that confirms or refuses it."""

import logging
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.utils.translation import override

from accounts import email_addresses
from games.announcements import batches, invitation_emails
from games.mail import (
    commands,
    game_replies,
    senders,
)
from games.mail.mailbox_handler import handle_command_in_reply
from games.mail.mailbox_reader import is_stop
from games.mail.reading.command_reader import read_invitation_reply
from games.models import Invitation, Move, UnreadReply
from games.refusals import Refusal
from games.tables import invitations
from notifications import outbox
from notifications.content import RenderedNotification
from notifications.mail_parsing.parser import Reply
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

ANSWER: Final = "answer"
"""The reason of a notification that replies to an email about an invitation."""
HOURLY_LIMIT: Final = 5
"""The number of replies an hour about one invitation."""
DAILY_LIMIT: Final = 20


def handle_invitation_reply(number: UUID, mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out the reply to an invitation.

    Must run inside a transaction. Automatic mail must not come here.
    """
    invitation = invitations.lock_invitation(number)
    if invitation is None or not _allowed_senders(invitation):
        senders.note_unread(mail, reply, UnreadReply.Why.CLOSED)
        return
    with override(_language(invitation)):
        _ReplyHandler(invitation, mail, reply, now).run()


def _allowed_senders(invitation: Invitation) -> list[str]:
    """Return the addresses that may answer: the invited address and the addresses of the invited account."""
    account = invitation.account or (email_addresses.owner_of(invitation.address) if invitation.address else None)
    addresses = email_addresses.confirmed_addresses(account) if account else []
    return [*addresses, *filter(None, [invitation.address])]


def _language(invitation: Invitation) -> str:
    return invitation.account.language if invitation.account else invitation.language


class _ReplyHandler:
    """Handler of one email about one invitation."""

    def __init__(self, invitation: Invitation, mail: RawMail, reply: Reply, now: datetime) -> None:
        self.invitation = invitation
        self.mail = mail
        self.reply = reply
        self.now = now

    def run(self) -> None:
        """Carry out the email, or reply why it changes nothing."""
        if not self.reply.agrees_with(_allowed_senders(self.invitation)):
            self._ask_for_confirmation()
            return
        command = read_invitation_reply(self.reply.content, self._names())
        if isinstance(command, commands.NotUnderstood) and (account := senders.own_account(self.reply)):
            if handle_command_in_reply(account, self.mail, self.reply, self.now):
                return
        elif isinstance(command, commands.NotUnderstood) and is_stop(self.reply):
            command = commands.InvitationReply("never")
        try:
            self._run_command(command)
        except Refusal as refusal:
            self._refuse(refusal, command)

    def _run_command(self, command: commands.Command) -> None:
        match command:
            case commands.InvitationReply("join", name, words):
                invitations.join(
                    self.invitation,
                    name or self.reply.display_name,
                    Move.Via.MAIL,
                    self.now,
                    self.reply.message_id,
                    words,
                )
            case commands.InvitationReply("no"):
                invitations.decline(self.invitation, self.now)
            case commands.InvitationReply("never"):
                invitations.suppress_address(self.invitation, self.now)
            case commands.ChooseName(name):
                new_name = invitations.rename(self.invitation, name)
                self._send_answer(
                    game_replies.reply_to(self.reply, invitation_emails.renamed(self.invitation, new_name))
                )
            case commands.NotUnderstood(line=line, reading=commands.InvitationReply(answer=answer)):
                rendered = invitation_emails.refused(self.invitation, game_replies.both_readings(answer, line))
                self._send_answer(game_replies.reply_to(self.reply, rendered))
            case commands.NotUnderstood(phrase=phrase, line=line):
                self._send_answer(
                    game_replies.reply_to(self.reply, invitation_emails.refused(self.invitation, phrase, line))
                )

    def _names(self) -> tuple[str, ...]:
        """Return the names that the sender may sign with or address."""
        account, inviter = self.invitation.account, self.invitation.inviter
        return (self.reply.display_name, account.name if account else "", inviter.name if inviter else "")

    def _refuse(self, refusal: Refusal, command: commands.Command) -> None:
        """Reply why nothing changed. A closed invitation is reported only once."""
        line = command.name if isinstance(command, commands.ChooseName) else ""
        rendered = invitation_emails.refused(self.invitation, refusal.phrase, line)
        self._send_answer(
            game_replies.reply_to(self.reply, rendered),
            "" if line else f"{self.invitation.state}:{self.invitation.game.state}",
        )

    def _ask_for_confirmation(self) -> None:
        """Ask the invited address, once, whether its owner wrote the email."""
        if self.invitation.address and invitation_emails.is_answerable(self.invitation):
            self._send_answer(invitation_emails.doubted(self.invitation, self.reply.sender), "doubt")

    def _note_unread(self) -> None:
        account = senders.own_account(self.reply)
        if account is not None:
            senders.note_unread_for(account, [self.invitation.game_id], self.mail, UnreadReply.Why.LIMIT)

    def _send_answer(self, rendered: RenderedNotification, once: str = "") -> None:
        """Reply to the email. A reply with a key in ``once`` is sent once for each invitation."""
        prefix = f"{ANSWER}:{invitation_emails.topic_of(self.invitation.pk)}:"
        last_hour = Notification.objects.filter(rendered__isnull=False, created_at__gt=self.now - timedelta(hours=1))
        today = Notification.objects.filter(key__startswith=prefix, created_at__gt=self.now - timedelta(days=1))
        is_repeated = bool(once) and Notification.objects.filter(key=f"{prefix}{once}").exists()
        if (
            is_repeated
            or today.count() >= DAILY_LIMIT
            or last_hour.filter(key__startswith=prefix).count() >= HOURLY_LIMIT
        ):
            self._note_unread()
            return
        account = self.invitation.account
        topic = batches.topic_of(self.invitation.game_id) if account else invitation_emails.topic_of(self.invitation.pk)
        order = outbox.NewNotification(
            key=f"{prefix}{once or self.mail.pk}",
            reason=ANSWER,
            account=account.pk if account else None,
            address="" if account else self.invitation.address,
            topic=topic,
        )
        outbox.add_rendered(order, rendered, self.now)

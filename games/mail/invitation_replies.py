"""Answers to invitations: who may give them, what they do, and the one answer that each is worth."""

import logging
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.utils.translation import override

from accounts.people import address_owners
from games import mail as post
from games.announcements import emails, invitation_emails
from games.lobby import invitations
from games.mail import replies, unread_replies
from games.models import Invitation, Move, UnreadReply
from games.refusals import Refusal
from notifications.content.rendered_notification import RenderedNotification
from notifications.delivery import outbox
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

ANSWER: Final = "answer"
"""The reason of a notification that answers a mail about an invitation."""
HOURLY_LIMIT: Final = 5
"""The number of answers an hour about one invitation."""
DAILY_LIMIT: Final = 20


def handle_invitation_reply(number: UUID, mail: RawMail, reply: post.Reply, now: datetime) -> None:
    """Do what an answer to an invitation says. Only inside a transaction; not for automatic mail."""
    invitation = invitations.lock_invitation(number)
    if invitation is None or not _allowed_senders(invitation):
        unread_replies.note(mail, reply, UnreadReply.Why.CLOSED)
        return
    with override(_language(invitation)):
        _ReplyHandler(invitation, mail, reply, now).run()


def _allowed_senders(invitation: Invitation) -> list[str]:
    """From where an invitation can be answered: its own address, and those of the account that it belongs to."""
    account = invitation.account or (address_owners.owner_of(invitation.address) if invitation.address else None)
    known = address_owners.confirmed_addresses(account) if account else []
    return [*known, *filter(None, [invitation.address])]


def _language(invitation: Invitation) -> str:
    return invitation.account.language if invitation.account else invitation.language


class _ReplyHandler:
    """One mail about one invitation."""

    def __init__(self, invitation: Invitation, mail: RawMail, reply: post.Reply, now: datetime) -> None:
        self.invitation = invitation
        self.mail = mail
        self.reply = reply
        self.now = now

    def run(self) -> None:
        """Do what the mail says, or answer why not."""
        if not self.reply.agrees_with(_allowed_senders(self.invitation)):
            self._ask_for_confirmation()
            return
        command = post.read_invitation_reply(self.reply.content, self._names())
        try:
            self._run_command(command)
        except Refusal as refusal:
            self._refuse(refusal, command)

    def _run_command(self, command: post.Command) -> None:
        match command:
            case post.InvitationReply("join", name, words):
                called = name or self.reply.called
                invitations.join(self.invitation, called, Move.Via.MAIL, self.now, self.reply.message_id, words)
            case post.InvitationReply("no"):
                invitations.decline(self.invitation, self.now)
            case post.InvitationReply("never"):
                invitations.suppress_address(self.invitation, self.now)
            case post.ChooseName(name):
                called = invitations.rename(self.invitation, name)
                self._send_answer(replies.reply_to(self.reply, invitation_emails.renamed(self.invitation, called)))
            case post.NotUnderstood(line=line, reading=post.InvitationReply(answer=answer)):
                rendered = invitation_emails.refused(self.invitation, replies.both_readings(answer, line))
                self._send_answer(replies.reply_to(self.reply, rendered))
            case post.NotUnderstood(phrase=phrase, line=line):
                self._send_answer(
                    replies.reply_to(self.reply, invitation_emails.refused(self.invitation, phrase, line))
                )

    def _names(self) -> tuple[str, ...]:
        """Return the names that the writer may sign with, or address."""
        account, inviter = self.invitation.account, self.invitation.inviter
        return (self.reply.called, account.name if account else "", inviter.name if inviter else "")

    def _refuse(self, refusal: Refusal, command: post.Command) -> None:
        """Say why nothing was done; that an invitation cannot be accepted any more only once."""
        line = command.name if isinstance(command, post.ChooseName) else ""
        rendered = invitation_emails.refused(self.invitation, refusal.phrase, line)
        self._send_answer(
            replies.reply_to(self.reply, rendered),
            "" if line else f"{self.invitation.state}:{self.invitation.game.state}",
        )

    def _ask_for_confirmation(self) -> None:
        """Ask the invited address, once, whether the mail was theirs."""
        if self.invitation.address and invitation_emails.is_answerable(self.invitation):
            self._send_answer(invitation_emails.doubted(self.invitation, self.reply.sender), "doubt")

    def _note_unread(self) -> None:
        account = unread_replies.own_account(self.reply)
        if account is not None:
            unread_replies.note_for(account, [self.invitation.game_id], self.mail, UnreadReply.Why.LIMIT)

    def _send_answer(self, rendered: RenderedNotification, once: str = "") -> None:
        """Answer a mail; what is said only ``once`` bears a name."""
        about = f"{ANSWER}:{invitation_emails.topic_of(self.invitation.pk)}:"
        lately = Notification.objects.filter(rendered__isnull=False, created_at__gt=self.now - timedelta(hours=1))
        today = Notification.objects.filter(key__startswith=about, created_at__gt=self.now - timedelta(days=1))
        is_known = bool(once) and Notification.objects.filter(key=f"{about}{once}").exists()
        if is_known or today.count() >= DAILY_LIMIT or lately.filter(key__startswith=about).count() >= HOURLY_LIMIT:
            self._note_unread()
            return
        account = self.invitation.account
        topic = emails.topic_of(self.invitation.game_id) if account else invitation_emails.topic_of(self.invitation.pk)
        order = outbox.NewNotification(
            key=f"{about}{once or self.mail.pk}",
            reason=ANSWER,
            account=account.pk if account else None,
            address="" if account else self.invitation.address,
            topic=topic,
        )
        outbox.add_rendered(order, rendered, self.now)

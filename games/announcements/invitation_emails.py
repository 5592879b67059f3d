"""The content of emails about invitations.

An invited address may belong to no account here. These emails contain nothing that only players of the game may know.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, override, pgettext
from django.utils.translation import gettext as _

from accounts import blocks as people
from accounts import email_addresses
from accounts.models import Account
from games import links
from games.announcements.email_blocks import terms_of_absence
from games.deadlines import deadline_words
from games.engine import Phrase
from games.event_log import log_store
from games.models import Game, Invitation
from games.phrases import isolated, number, quoted, render_phrase
from games.visibility.words import deck_fingerprint, short_code
from notifications import deliverability
from notifications.content import Answer, Answers, Block, Footnote, Link, Links, Prose, RenderedNotification, answerable
from notifications.models import Notification

INVITATION: Final = "invitation"
"""The reason of the notification with an invitation."""
INVITATION_QUESTION: Final = "invitation"
"""The question of such a notification. Closing it stops the email of an invitation that is withdrawn."""
_TOPIC: Final = "invitation:"
_LONGEST_LINE: Final = 100


def topic_of(invitation: UUID) -> str:
    """Return the topic of all notifications about one invitation."""
    return f"{_TOPIC}{invitation}"


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the content of an invitation, or None if it must not be sent. The inviter is not told about that."""
    rows = Invitation.objects.select_related("game", "inviter").filter(pk=notification.topic.removeprefix(_TOPIC))
    invitation = rows.first()
    if invitation is None or not _may_be_sent(invitation):
        return None
    with override(invitation.language):
        return _invitation(invitation)


def _may_be_sent(invitation: Invitation) -> bool:
    if invitation.state != Invitation.State.OPEN or not _is_free(invitation):
        return False
    recipient = {"game": invitation.game, "seat": invitation.seat, "mailbox": invitation.mailbox}
    others = Invitation.objects.filter(**recipient, state=Invitation.State.OPEN)
    if deliverability.is_suppressed(invitation.address) or others.filter(created_at__lt=invitation.created_at).exists():
        return False
    account = email_addresses.owner_of(invitation.address)
    return account is None or may_invite(invitation, account)


def may_invite(invitation: Invitation, account: Account) -> bool:
    """Return whether an account may receive the invitation: it has no seat there, and neither account blocks
    the other.
    """
    seated = invitation.game.seats.filter(account=account).exists()
    return account.is_active and not seated and not people.is_blocked_between(invitation.inviter_id, account.pk)


def _invitation(invitation: Invitation) -> RenderedNotification:
    text = InvitationText(invitation)
    headline = _("%(inviter)s invites you to play %(game)s, game %(code)s.")
    introduction = _("Darbar is a server for slow games of bluff. You can play the whole game by answering emails.")
    instructions = _("To answer, reply “join”, “no” or “never” on the first line.")
    lucky_words = _("You can add lucky words to the shuffle, just for luck. Reply, for example, with “%(example)s”.")
    example = {"example": isolated(_("join, lucky words: open sesame"))}
    about_account = _("No account yet? Reply “join” and we’ll make one. You don’t need a password.")
    reason = _("%(inviter)s gave us your address for this invitation. We won’t use it for anything else.")
    return text.rendered(
        headline % text.called,
        Prose((*text.note(), introduction, *text.facts())),
        text.answers(),
        text.page(),
        Footnote((instructions, about_account, *((lucky_words % example,) if is_before_deal(invitation) else ()))),
        Links((Link(_("The rules"), links.rules_page(invitation.game.rules)),)),
        Footnote((deck_fingerprint(invitation.game), reason % text.called)),
    )


def welcome(invitation: Invitation, account: Account, *, new: bool, name_refusal: str = "") -> RenderedNotification:
    """Return the confirmation for a new player. A new account also learns its name and how to change it.

    ``name_refusal`` is why the account did not get another name.
    """
    text = InvitationText(invitation)
    has_begun = invitation.game.state == Game.State.RUNNING
    news = _("The game has started.") if has_begun else _("The game starts when everyone has joined.")
    lines = [news, _("We’ll email you whenever we need a move from you. Just reply with your move.")]
    if new:
        lines += filter(None, [name_refusal])
        own_name = _(
            "Your name in the game is %(name)s. To change it, reply “name” and your name, for example “%(example)s”."
        )
        lines.append(own_name % {"name": isolated(account.name), "example": isolated(_("name Bahareh"))})
        lines.append(time_zone_question())
        lines.append(
            _("You don’t need a password to play by email. For your settings and all other pages, set one here:")
        )
    password = Link(_("Set a password"), f"{settings.PUBLIC_URL}{reverse('account_reset_password')}")
    headline = _("You’ve joined %(game)s, game %(code)s.") % text.called
    return text.rendered(headline, Prose(tuple(lines)), *((password,) if new else ()))


def time_zone_question() -> str:
    """Ask a new player for the time zone."""
    sentence = _(
        "Times are in UTC. Where do you live? Reply “time zone” and a large city nearby, for example “%(example)s”."
    )
    return sentence % {"example": isolated(_("time zone Tehran"))}


def renamed(invitation: Invitation, name: str) -> RenderedNotification:
    """Confirm a change of name."""
    text = InvitationText(invitation)
    return text.rendered(_("Your name is now %(name)s.") % {"name": isolated(name)})


def refused(invitation: Invitation, why: Phrase | tuple[str, ...], line: str = "") -> RenderedNotification:
    """Tell an invited player why an email changed nothing, with the line that was read and the possible answers."""
    text = InvitationText(invitation)
    sentences = [render_phrase(why, {})] if isinstance(why, Phrase) else [*why]
    if line:
        sentences.append(_("We read: %(line)s") % {"line": isolated(line[:_LONGEST_LINE])})
    blocks: tuple[Block, ...] = (text.answers(), text.page()) if is_answerable(invitation) else ()
    return text.rendered(_("Your email changed nothing."), Prose(tuple(sentences)), *blocks)


def doubted(invitation: Invitation, sender: str) -> RenderedNotification:
    """Tell the invited player about an answer from another address. Only a page can confirm such an answer."""
    text = InvitationText(invitation)
    question = _("We got an answer to your invitation from %(sender)s, which isn’t your address. Was it you?")
    instructions = _("Nothing has changed. If it was you, answer on this page. If not, ignore this email.")
    sentences = Prose((question % {"sender": isolated(sender or "?")}, instructions))
    return text.rendered(_("Was this email from you?"), sentences, text.page())


def is_answerable(invitation: Invitation) -> bool:
    """Return whether the invitation can still be accepted."""
    is_open = invitation.state in (Invitation.State.OPEN, Invitation.State.DECLINED)
    return is_open and _is_free(invitation)


def is_before_deal(invitation: Invitation) -> bool:
    """Return whether an account that accepts can still influence the shuffle. A seat of a running game cannot."""
    return invitation.seat is None


def _is_free(invitation: Invitation) -> bool:
    """Return whether there is a free seat: at an open table, or the offered seat."""
    if invitation.seat is None:
        return invitation.game.state == Game.State.OPEN
    seat = invitation.game.seats.filter(number=invitation.seat).select_related("game").first()
    return seat is not None and seat.offered


def has_account(invitation: Invitation) -> bool:
    """Return whether the address belongs to an account. Then ``never`` ends invitations only, not the emails of
    games.
    """
    if invitation.account is not None:
        return True
    return bool(invitation.address) and email_addresses.owner_of(invitation.address) is not None


def consequence_of_never(invitation: Invitation) -> str:
    """Return the consequence of the answer ``never``."""
    if has_account(invitation):
        return _("No invitation from Darbar to this address, ever again")
    return _("No email from Darbar to this address, ever again")


class InvitationText:
    """The texts of one invitation in the active language."""

    def __init__(self, invitation: Invitation) -> None:
        self.invitation = invitation
        self.game = invitation.game
        self.rules = log_store.rules_of(self.game)
        title, table = render_phrase(self.rules.words.title, {}), short_code(self.game)
        self.subject = f"{title} {table}"
        self.called = {"inviter": quoted(invitation.inviter.name), "game": title, "code": isolated(table)}

    def rendered(self, headline: str, *blocks: Block) -> RenderedNotification:
        return answerable(
            RenderedNotification(
                language=get_language() or self.invitation.language,
                subject=self.subject,
                headline=headline,
                blocks=blocks,
                reply_to=links.invitation_address(self.invitation.pk),
                thread=topic_of(self.invitation.pk),
                stop=self._stop(),
            )
        )

    def _stop(self) -> str:
        """Return the link that ends all email to the address. Blank for accounts, whose emails have links of
        their own.
        """
        if not self.invitation.address or self.invitation.account is not None:
            return ""
        return links.invitation_stop_page(self.invitation.pk)

    def note(self) -> tuple[str, ...]:
        """Return the inviter's note, if there is one."""
        if not self.invitation.note:
            return ()
        sentence = _("%(inviter)s writes: “%(note)s”")
        return (sentence % {**self.called, "note": isolated(self.invitation.note)},)

    def facts(self) -> tuple[str, ...]:
        """Return the game's terms about time, and the taken seats."""
        seats = self._seats() if self.invitation.seat is None else self._offered(self.invitation.seat)
        return *deadline_words.terms(self.game), terms_of_absence(self.game), seats

    def _offered(self, seat: int) -> str:
        """Return a sentence about the offered seat."""
        sentence = _("The game is running. You’d take over seat %(seat)s from a player who isn’t answering.")
        return sentence % {"seat": number(seat)}

    def _seats(self) -> str:
        seat_count = self.game.seats.count()
        counts = {"seats": self.game.seat_count, "taken": seat_count, "bots": self.game.bot_count}
        sentence = _("Seats: %(seats)s. Taken: %(taken)s.")
        if self.game.bot_count:
            sentence = _("Seats: %(seats)s. Taken: %(taken)s. For bots: %(bots)s.")
        return sentence % {name: number(count) for name, count in counts.items()}

    def answers(self) -> Answers:
        """Return the possible answers with their links."""
        words = {
            pgettext("command in an email", "join"): _("Join the game"),
            pgettext("command in an email", "no"): _("Not this time"),
            pgettext("command in an email", "never"): consequence_of_never(self.invitation),
        }
        page = links.invitation_page(self.invitation.pk)
        answers = (Answer("", word, label, page, self._mailto(word)) for word, label in words.items())
        return Answers(_("Do you want to play?"), tuple(answers), _("answer by email"))

    def _mailto(self, word: str) -> str:
        address = links.invitation_address(self.invitation.pk)
        return links.reply_link(address, self.subject, word)

    def page(self) -> Link:
        return Link(_("Answer on a page"), links.invitation_page(self.invitation.pk))

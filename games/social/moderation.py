"""Moderation: an action is carried out, recorded with its reason, and the account concerned is notified.

A trigger of the database prevents changes and deletions of records. An action is reversed by another action.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Account, ModerationAction, Report
from accounts.profile.local_times import format_moment
from games.clubs import members
from games.engine import Phrase, gettext_noop
from games.models import ChatMessage
from games.refusals import Refusal
from notifications.content.rendered_notification import Footnote, Prose, RenderedNotification
from notifications.delivery import outbox
from notifications.recipients import preferences

Kind = ModerationAction.Kind

REASON: Final = "moderation"
"""The reason of notifications about an action of a moderator."""
LONGEST: Final = 365
"""The longest time in days for silencing or suspending an account. For longer, close the account."""
FOR_SOME_DAYS: Final = frozenset({Kind.SILENCE, Kind.SUSPEND})
ON_CHAT_MESSAGES: Final = frozenset({Kind.HIDE, Kind.SHOW})
_SENTENCES: Final[Mapping[str, str]] = {
    Kind.WARN: gettext_noop("A moderator warns you."),
    Kind.HIDE: gettext_noop("A moderator has hidden one of your messages."),
    Kind.SILENCE: gettext_noop("You may not chat until %(until)s."),
    Kind.SUSPEND: gettext_noop("Your account is suspended until %(until)s."),
    Kind.CLOSE: gettext_noop("Your account has been closed."),
    Kind.REOPEN: gettext_noop("Your account is open again."),
    Kind.PASS_CLUBS: gettext_noop("Your clubs have new owners. You are still a member."),
    Kind.UNSILENCE: gettext_noop("You may chat again."),
}
"""The sentences to an account about actions against it. There is no notification about other kinds of actions."""


@dataclass(frozen=True)
class NewModerationAction:
    """An action of a moderator, with or without a report."""

    kind: Kind
    why: str
    """The reason, which is recorded and sent to the account."""
    account: Account | None
    """The account concerned, or None if a report was dismissed or the account was deleted."""
    report: Report | None = None
    days: int = 0


def moderate(moderator: Account, action: NewModerationAction, now: datetime) -> ModerationAction:
    """Carry out an action of a moderator, record it, and notify the account concerned.

    Raises Refusal(forbidden) for an account that is not a moderator or is involved itself, and Refusal(malformed).
    """
    check(moderator, action)
    until = now + timedelta(days=action.days) if action.kind in FOR_SOME_DAYS else None
    with transaction.atomic():
        _apply(action, until, now)
        row = ModerationAction.objects.create(
            moderator=moderator,
            report=action.report,
            account=action.account,
            kind=action.kind,
            subject=action.report.subject if action.report else "",
            why=action.why.strip(),
            until=until,
            at=now,
        )
        if action.report:
            action.report.state = Report.State.DISMISSED if action.kind == Kind.DISMISS else Report.State.ACTED
            action.report.save(update_fields=["state"])
        _notify_account(row, now)
    return row


def check(moderator: Account, action: NewModerationAction) -> None:
    """Check whether the moderator may take this action. Raises the refusals of ``moderate``."""
    if not moderator.has_perm("accounts.moderate"):
        raise Refusal("forbidden", Phrase(gettext_noop("Only moderators may do this.")))
    parties = {action.account} | ({action.report.reporter, action.report.accused} if action.report else set())
    if moderator in parties:
        raise Refusal("forbidden", Phrase(gettext_noop("This concerns you: another moderator has to look at it.")))
    if action.account is not None and action.account.is_staff and not moderator.is_superuser:
        raise Refusal("forbidden", Phrase(gettext_noop("Only the operator may act on moderators.")))
    if not action.why.strip():
        raise Refusal("malformed", Phrase(gettext_noop("Say why. It is recorded and sent to the player.")), "why")
    if action.kind in FOR_SOME_DAYS and not 1 <= action.days <= LONGEST:
        sentence = gettext_noop("Say for how many days, from 1 to %(most)s.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST}), "days")
    if action.kind in ON_CHAT_MESSAGES and _chat_message(action) is None:
        raise Refusal("malformed", Phrase(gettext_noop("This report is about no message, or it is gone.")), "kind")
    if action.kind not in (Kind.DISMISS, *ON_CHAT_MESSAGES) and action.account is None:
        raise Refusal("malformed", Phrase(gettext_noop("The account that this is about is gone.")), "kind")
    if action.kind == Kind.PASS_CLUBS and action.account is not None:
        _check_passing_clubs(action.account)


def _check_passing_clubs(owner: Account) -> None:
    if owner.is_active:
        sentence = gettext_noop(
            "This account is open, so its owner can hand over the clubs. Suspend or close it first."
        )
        raise Refusal("malformed", Phrase(sentence), "kind")
    if not members.has_heirs(owner):
        sentence = gettext_noop("This account owns no club with somebody else in it who can own it.")
        raise Refusal("malformed", Phrase(sentence), "kind")


def _chat_message(action: NewModerationAction) -> ChatMessage | None:
    kind, _colon, id = action.report.subject.partition(":") if action.report else ("", "", "")
    return ChatMessage.objects.filter(public_id=id).first() if kind == "message" else None


def _apply(action: NewModerationAction, until: datetime | None, now: datetime) -> None:
    if action.kind in ON_CHAT_MESSAGES and (chat_message := _chat_message(action)):
        ChatMessage.objects.filter(pk=chat_message.pk).update(hidden=action.kind == Kind.HIDE)
    changes: Mapping[str, dict[str, object]] = {
        Kind.SILENCE: {"silent_until": until},
        Kind.UNSILENCE: {"silent_until": None},
        Kind.SUSPEND: {"is_active": False, "suspended_until": until},
        Kind.CLOSE: {"is_active": False, "suspended_until": None},
        Kind.REOPEN: {"is_active": True, "suspended_until": None},
    }
    if action.account is None:
        return
    if action.kind in changes:
        Account.objects.filter(pk=action.account.pk).update(**changes[action.kind])
    if action.kind in (Kind.CLOSE, Kind.PASS_CLUBS):
        members.pass_on_all(action.account, now)
    if action.kind in (Kind.SUSPEND, Kind.CLOSE):
        preferences.withdraw_news(action.account.pk)


def _notify_account(row: ModerationAction, now: datetime) -> None:
    """Notify the account concerned, in its language."""
    if row.account is None or row.kind not in _SENTENCES:
        return
    with override(row.account.language):
        until = "" if row.until is None else format_moment(row.until, ZoneInfo(row.account.time_zone))
        rendered = RenderedNotification(
            language=row.account.language,
            subject=_("From the moderators of Darbar"),
            headline=_(_SENTENCES[row.kind]) % {"until": until},
            is_official=True,
            blocks=(
                Prose((row.why,)),
                Footnote((_("A moderator of this server has looked at it, and recorded the action and its reason."),)),
            ),
        )
    outbox.add_rendered(outbox.NewNotification(f"{REASON}:{row.pk}", REASON, row.account.pk), rendered, now)

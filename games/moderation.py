"""Moderation: actions, reports, and pairs of accounts that may belong together.

An action is carried out, recorded with its reason, and the account concerned is notified. A trigger of the database
prevents changes and deletions of records. An action is reversed by another action. A report keeps a copy of the
reported text, so it outlives the original.

A pair of accounts has signs, which are no proof: people in one household share a network, and friends play together. So
the server takes no action on its own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts import security_log
from accounts.local_times import format_moment
from accounts.models import Account, ModerationAction, Report, Sighting
from config.core.clock import write_moment
from games import clubs
from games.archive import pairs
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import ChatMessage, Game
from games.refusals import Refusal, not_found
from games.visibility import table
from notifications import outbox, preferences
from notifications.content import Footnote, Prose, RenderedNotification

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
    Kind.SILENCE: gettext_noop("You can’t chat until %(until)s."),
    Kind.SUSPEND: gettext_noop("Your account is suspended until %(until)s."),
    Kind.CLOSE: gettext_noop("Your account has been closed."),
    Kind.REOPEN: gettext_noop("Your account is open again."),
    Kind.PASS_CLUBS: gettext_noop("Your clubs have new owners. You’re still a member."),
    Kind.UNSILENCE: gettext_noop("You can chat again."),
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
        raise Refusal("forbidden", Phrase(gettext_noop("Only moderators can do this.")))
    parties = {action.account} | ({action.report.reporter, action.report.accused} if action.report else set())
    if moderator in parties:
        raise Refusal("forbidden", Phrase(gettext_noop("This concerns you: another moderator has to look at it.")))
    if action.account is not None and action.account.is_staff and not moderator.is_superuser:
        raise Refusal("forbidden", Phrase(gettext_noop("Only the operator can act on moderators.")))
    if not action.why.strip():
        raise Refusal(
            "malformed", Phrase(gettext_noop("Say why. The reason is recorded and sent to the player.")), "why"
        )
    if action.kind in FOR_SOME_DAYS and not 1 <= action.days <= LONGEST:
        sentence = gettext_noop("Say for how many days, from 1 to %(most)s.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST}), "days")
    if action.kind in ON_CHAT_MESSAGES and _chat_message(action) is None:
        raise Refusal(
            "malformed", Phrase(gettext_noop("This report isn’t about a message, or the message is gone.")), "kind"
        )
    if action.kind not in (Kind.DISMISS, *ON_CHAT_MESSAGES) and action.account is None:
        raise Refusal("malformed", Phrase(gettext_noop("The account that this is about no longer exists.")), "kind")
    if action.kind == Kind.PASS_CLUBS and action.account is not None:
        _check_passing_clubs(action.account)


def _check_passing_clubs(owner: Account) -> None:
    if owner.is_active:
        sentence = gettext_noop(
            "This account is open, so its owner can hand over the clubs. Suspend or close it first."
        )
        raise Refusal("malformed", Phrase(sentence), "kind")
    if not clubs.has_heirs(owner):
        sentence = gettext_noop("This account doesn’t own a club that another member can take over.")
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
        clubs.pass_on_all(action.account, now)
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


MAX_LENGTH: Final = 1000
"""The maximum length of a reason in characters."""
DAILY_LIMIT: Final = 20
"""The maximum number of reports of an account in a day."""
DAY: Final = timedelta(days=1)


def report_message(game: Game, reporter: Account, chat_message: UUID, reason: str, now: datetime) -> Report:
    """Report a chat message that the reporter may read.

    Returns the existing report while an equal one is open. Raises Refusal(not-found), Refusal(malformed) and
    Refusal(rate-limited).
    """
    message = table.readable_messages(game, reporter).filter(public_id=chat_message).select_related("author").first()
    if message is None or message.author is None or not message.text:
        raise not_found()
    evidence = {
        "name": message.author.name,
        "seat": message.seat,
        "to": message.to or "all",
        "text": message.text,
        "sent_at": write_moment(message.sent_at),
    }
    return _store_report(
        game, reporter, message.author, Report.Kind.MESSAGE, f"message:{chat_message}", evidence, reason, now
    )


def report_player(game: Game, reporter: Account, seat: SeatNumber, kind: str, reason: str, now: datetime) -> Report:
    """Report the name or the conduct of a player in a game that the reporter can see.

    Raises the refusals of ``report_message``.
    """
    seat_row = next((row for row in game.seats.all() if row.number == seat), None)
    if seat_row is None or seat_row.account is None:
        raise Refusal("malformed", Phrase(gettext_noop("There’s no player in this seat to report.")), "seat")
    evidence = {"name": seat_row.account.name, "seat": seat}
    return _store_report(game, reporter, seat_row.account, kind, f"seat:{game.id}:{seat}", evidence, reason, now)


def _store_report(
    game: Game,
    reporter: Account,
    accused: Account,
    kind: str,
    subject: str,
    evidence: dict[str, Any],
    reason: str,
    now: datetime,
) -> Report:
    if accused == reporter:
        raise Refusal("malformed", Phrase(gettext_noop("This is yours. You can only report others.")))
    if not 0 < len(reason.strip()) <= MAX_LENGTH:
        sentence = gettext_noop("Say what is wrong with it, in at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": MAX_LENGTH}), "reason")
    with transaction.atomic():
        Account.objects.select_for_update(no_key=True).get(pk=reporter.pk)
        same = {"reporter": reporter, "accused": accused, "kind": kind, "subject": subject}
        report = Report.objects.filter(**same, state=Report.State.OPEN).first()
        if report is None:
            _check_rate(reporter, now)
            report = Report.objects.create(
                **same, place=f"game:{game.id}", evidence=evidence, reason=reason.strip(), made_at=now
            )
    return report


def _check_rate(reporter: Account, now: datetime) -> None:
    if Report.objects.filter(reporter=reporter, made_at__gt=now - DAY).count() >= DAILY_LIMIT:
        sentence = gettext_noop("You’ve made %(most)s reports within a day: please wait until they have been read.")
        raise Refusal("rate-limited", Phrase(sentence, {"most": DAILY_LIMIT}), wait=int(DAY.total_seconds()))


LOOKED_BACK: Final = timedelta(days=90)
"""Games that ended within this time are considered."""
MOST: Final = 100
"""The maximum number of pairs. Pairs with the most signs come first."""
SignName = Literal["mailbox", "browser", "network", "only-each-other", "one-sided"]


@dataclass(frozen=True)
class PairSign:
    """A sign that two accounts may belong to one person, or that one helps the other to win."""

    sign: SignName
    count: int = 1
    """The number of common networks or browsers, or of games."""
    winner: int | None = None
    """The account that gains rating points."""
    won: int = 0
    lost: int = 0


@dataclass(frozen=True)
class AccountPair:
    """Two accounts, the older one first, with the signs."""

    first: Account
    second: Account
    reasons: list[PairSign] = field(default_factory=list)


def pairs_to_review(reader: Account, now: datetime) -> list[AccountPair]:
    """Return the pairs of accounts to review, without pairs that include the moderator."""
    reasons: dict[tuple[int, int], list[PairSign]] = defaultdict(list)
    for first, second, reason in _signs(now):
        if reader.pk not in (first, second):
            reasons[min(first, second), max(first, second)].append(reason)
    pairs = sorted(reasons, key=lambda pair: (-len(reasons[pair]), pair))[:MOST]
    accounts = Account.objects.in_bulk({account for pair in pairs for account in pair})
    return [AccountPair(accounts[first], accounts[second], reasons[first, second]) for first, second in pairs]


def _signs(now: datetime) -> Iterator[tuple[int, int, PairSign]]:
    for first, second in pairs.of_one_mailbox(Account.objects.filter(is_guest=False)):
        yield first, second, PairSign("mailbox")
    for (kind, first, second), count in Counter(security_log.shared(now)).items():
        yield first, second, PairSign("browser" if kind == Sighting.Kind.BROWSER else "network", count)
    for first, second, games in pairs.only_each_other(now - LOOKED_BACK):
        yield first, second, PairSign("only-each-other", games)
    for flow in pairs.one_sided(now - LOOKED_BACK):
        yield flow.winner, flow.loser, PairSign("one-sided", flow.games, flow.winner, flow.won, flow.lost)

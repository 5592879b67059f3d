"""By which ways a rendered notification comes to its reader: as they chose for its kind, and a question by one that
works.

A mail that was not chosen stands by: it goes out a little later, unless the way that was chosen has worked by then.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import QuerySet

from config.database.rows import array, find
from notifications.endpoints import Device, Webhook
from notifications.models import Notification, Preferences, State
from notifications.recipients import deliverability, preferences

MAIL: Final = "mail"
PUSH: Final = "push"
WEBHOOK: Final = "webhook"
WAYS: Final = (MAIL, PUSH, WEBHOOK)
KINDS: Final[Mapping[str, str]] = {
    "question": "question",
    "reminder": "reminder",
    "started": "game",
    "ended": "game",
    "played": "game",
    "pause-proposed": "game",
    "paused": "game",
    "resumed": "game",
    "chat": "chat",
    "invitation": "invitation",
}
"""What each reason for a notification is called where people choose; the others, such as codes, are always mails."""
CHOICES: Final = tuple(dict.fromkeys(KINDS.values()))
USUAL: Final = (MAIL, PUSH)
"""The ways of a kind about which nothing was said: those among them that there are."""
ASKING: Final = ("question", "reminder")
"""Kinds that must reach their reader."""
STAND_BY: Final = timedelta(minutes=10)
"""How long a mail stands by."""
_DEVICES: Final = "SELECT account_id FROM notifications_device WHERE account_id = ANY(%s::bigint[])"


@dataclass(frozen=True)
class Open:
    """The channels that are open to one account."""

    mail: bool = True
    push: bool = False
    webhooks: frozenset[str] = frozenset()
    """What its webhooks are told of."""

    def has(self, way: str, kind: str) -> bool:
        """Return whether a rendered notification of this kind can come this way."""
        return {MAIL: self.mail, PUSH: self.push}.get(way, kind in self.webhooks)


@dataclass(frozen=True)
class Chosen:
    """The channels by which something is sent: an email or none, a push or none."""

    mail: bool
    push: bool
    standing_by: bool = False
    """The mail goes only if what was chosen does not work."""


def choose(reason: str, wanted: Preferences | None, available: Open) -> Chosen:
    """By which ways a notification with this reason goes. Pure."""
    kind = KINDS.get(reason)
    if kind is None:
        return Chosen(mail=True, push=False)
    chosen = (wanted.channels if wanted else {}).get(kind, USUAL)
    ways = {way for way in chosen if available.has(way, kind)}
    if kind in ASKING and not ways:
        return Chosen(mail=available.mail, push=available.push and not available.mail)
    standing_by = kind in ASKING and MAIL not in ways and available.mail
    return Chosen(MAIL in ways or standing_by, PUSH in ways, standing_by)


def reached(accounts: Iterable[Any]) -> set[int]:
    """Those of these accounts that notifications about tables reach: they want mails, or have a device."""
    active = {each.pk: preferences.wants_mails(each) for each in accounts if each.is_active}
    silent = [account for account, wants in active.items() if not wants]
    devices = Device.objects.filter(account__in=silent).values_list("account", flat=True) if silent else ()
    return {account for account, wants in active.items() if wants} | {*devices}


def open_to(accounts: Collection[int], wanted: Mapping[int, Preferences]) -> dict[int, Open]:
    """Return which ways are open to each of these accounts.

    Mail is not where it does not reach its reader and something else may; else what they are asked waits for them to
    confirm their address.
    """
    devices = _with_devices(accounts)
    hooks = _told([each for each in accounts if each in wanted and _names_webhook(wanted[each])])
    closed = deliverability.closed_among({*devices, *hooks})
    return {
        each: Open(
            (wanted[each].wants_mails if each in wanted else not devices.get(each, False)) and each not in closed,
            each in devices,
            frozenset(hooks.get(each, ())),
        )
        for each in accounts
    }


def _with_devices(accounts: Collection[int]) -> dict[int, bool]:
    """Those of these accounts that have a device, and whether they are bots; most have none."""
    found = [account for (account,) in find(_DEVICES, [array(accounts)])]
    if not found:
        return {}
    return dict(Device.objects.filter(account__in=found).values_list("account_id", "account__is_bot"))


def _names_webhook(wanted: Preferences) -> bool:
    return any(WEBHOOK in ways for ways in wanted.channels.values())


def _told(accounts: Sequence[int]) -> dict[int, set[str]]:
    """Return what the webhooks of these accounts take that are not disabled and did not fail when they
    were last tried.
    """
    told: dict[int, set[str]] = {}
    if accounts:
        rows = Webhook.objects.filter(account__in=accounts, disabled_at=None, failing_since=None)
        for account, kinds in rows.values_list("account_id", "kinds"):
            told.setdefault(account, set()).update(kinds)
    return told


def spare(account: int, topics: Iterable[str], question: str) -> None:
    """Drop the email that stood by to put this question: it has come another way."""
    _standing_by(account, topics, question).update(state=State.DROPPED)


def hasten(account: int, topics: Iterable[str], question: str, now: datetime) -> None:
    """Send the email that stood by at once: the other channel does not work."""
    _standing_by(account, topics, question).update(next_attempt_at=now)


def _standing_by(account: int, topics: Iterable[str], question: str) -> QuerySet[Notification]:
    rows = Notification.objects.filter(account=account, topic__in=tuple(topics), question=question, standing_by=True)
    return rows.filter(state__in=[State.SCHEDULED, State.READY])

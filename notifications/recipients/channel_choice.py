"""The choice of channels for a notification.

A notification is sent by the channels that its reader chose for its kind, and a question by a channel that works. An
email that was not chosen is on standby: it is sent a little later, unless a chosen channel has worked by then.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import QuerySet

from notifications.channels.registry import CHANNELS, MAIL, posting, usual
from notifications.content.kinds import KINDS, kind_of
from notifications.models import Notification, Preferences, State
from notifications.recipients import deliverability, preferences

STAND_BY: Final = timedelta(minutes=10)
"""The time for which an email is on standby."""

Open = Mapping[str, Collection[str]]
"""The channels that can reach an account, each with the kinds of notifications that it delivers."""


@dataclass(frozen=True)
class Choice:
    """The channels of a notification."""

    channels: tuple[str, ...]
    standing_by: bool = False
    """True if email among them is used only if the others do not work."""


def choose(reason: str, stored: Preferences | None, available: Open) -> Choice:
    """Return the channels for a notification with this reason. Pure."""
    kind = kind_of(reason)
    if kind is None:
        return Choice((MAIL,))
    names = (stored.channels if stored else {}).get(kind, usual())
    working = tuple(name for name in CHANNELS if name in names and kind in available.get(name, ()))
    if not KINDS[kind].asks or MAIL in working:
        return Choice(working)
    if MAIL in available:
        return Choice((*working, MAIL), standing_by=bool(working))
    return Choice(working or tuple(available)[:1])


def reachable_accounts(accounts: Iterable[Any]) -> set[int]:
    """Return the accounts that want emails about games or have another working channel."""
    active = {account.pk: account for account in accounts if account.is_active}
    silent = {pk: account for pk, account in active.items() if not preferences.wants_mails(account)}
    stored = preferences.of_all(silent, silent.values())
    others = (
        {account for channel in posting().values() for account in channel.open_to(silent, stored)} if silent else ()
    )
    return active.keys() - silent.keys() | {*others}


def open_to(accounts: Collection[int], stored: Mapping[int, Preferences]) -> dict[int, Open]:
    """Return the working channels of each of these accounts.

    Email is not included if the reader has switched it off. Nor is it if the address is closed and another channel
    works; without one, questions wait until the address is confirmed.
    """
    if not accounts:
        return {}
    kinds = {name: channel.open_to(accounts, stored) for name, channel in CHANNELS.items()}
    others = {account for name, of_channel in kinds.items() if name != MAIL for account in of_channel}
    silent = deliverability.closed_among(others) | {account for account in stored if not stored[account].wants_mails}
    if without_preferences := others - stored.keys():
        bots = get_user_model().objects.filter(pk__in=without_preferences, is_bot=True)
        silent |= {*bots.values_list("pk", flat=True)}
    return {
        account: {
            name: of_channel[account]
            for name, of_channel in kinds.items()
            if account in of_channel and (name != MAIL or account not in silent)
        }
        for account in accounts
    }


def spare(account: int, topics: Iterable[str], question: str) -> None:
    """Drop the standby email with this question, because another channel has delivered it."""
    _standing_by(account, topics, question).update(state=State.DROPPED)


def hasten(account: int, topics: Iterable[str], question: str, now: datetime) -> None:
    """Send a standby email immediately, because the other channel does not work."""
    _standing_by(account, topics, question).update(next_attempt_at=now)


def _standing_by(account: int, topics: Iterable[str], question: str) -> QuerySet[Notification]:
    rows = Notification.objects.filter(account=account, topic__in=tuple(topics), question=question, standing_by=True)
    return rows.filter(state__in=[State.SCHEDULED, State.READY])

"""The choice of channels: by which of them a notification comes to its reader.

It comes by those that its reader chose for its kind, and a question by one that works. A mail that was not chosen
stands by: it goes out a little later, unless a chosen channel has worked by then.
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
"""The time for which an email waits in reserve."""

Open = Mapping[str, Collection[str]]
"""The channels that reach an account, each with the kinds of notifications that it brings."""


@dataclass(frozen=True)
class Choice:
    """The channels by which something is sent."""

    channels: tuple[str, ...]
    standing_by: bool = False
    """The mail among them goes only if the others do not work."""


def choose(reason: str, wanted: Preferences | None, available: Open) -> Choice:
    """Return by which channels a notification with this reason goes. Pure."""
    kind = kind_of(reason)
    if kind is None:
        return Choice((MAIL,))
    chosen = (wanted.channels if wanted else {}).get(kind, usual())
    working = tuple(name for name in CHANNELS if name in chosen and kind in available.get(name, ()))
    if not KINDS[kind].asks or MAIL in working:
        return Choice(working)
    if MAIL in available:
        return Choice((*working, MAIL), standing_by=bool(working))
    return Choice(working or tuple(available)[:1])


def reached(accounts: Iterable[Any]) -> set[int]:
    """Return the accounts that can be reached: they want emails about games, or have another working channel."""
    active = {account.pk: account for account in accounts if account.is_active}
    silent = {account: each for account, each in active.items() if not preferences.wants_mails(each)}
    wanted = preferences.of_all(silent, silent.values())
    others = (
        {account for channel in posting().values() for account in channel.open_to(silent, wanted)} if silent else ()
    )
    return active.keys() - silent.keys() | {*others}


def open_to(accounts: Collection[int], wanted: Mapping[int, Preferences]) -> dict[int, Open]:
    """Return the working channels of each of these accounts.

    Email is not included if the reader has switched it off. Nor is it if the address is closed and another channel
    works; without one, questions wait until the address is confirmed.
    """
    if not accounts:
        return {}
    reaching = {name: channel.open_to(accounts, wanted) for name, channel in CHANNELS.items()}
    others = {account for name, found in reaching.items() if name != MAIL for account in found}
    silent = deliverability.closed_among(others) | {each for each in wanted if not wanted[each].wants_mails}
    if unsaid := others - wanted.keys():
        silent |= {*get_user_model().objects.filter(pk__in=unsaid, is_bot=True).values_list("pk", flat=True)}
    return {
        account: {
            name: found[account]
            for name, found in reaching.items()
            if account in found and (name != MAIL or account not in silent)
        }
        for account in accounts
    }


def spare(account: int, topics: Iterable[str], question: str) -> None:
    """Drop the email that stood by to put this question: it has come another way."""
    _standing_by(account, topics, question).update(state=State.DROPPED)


def hasten(account: int, topics: Iterable[str], question: str, now: datetime) -> None:
    """Send a standby email immediately, because the other channel does not work."""
    _standing_by(account, topics, question).update(next_attempt_at=now)


def _standing_by(account: int, topics: Iterable[str], question: str) -> QuerySet[Notification]:
    rows = Notification.objects.filter(account=account, topic__in=tuple(topics), question=question, standing_by=True)
    return rows.filter(state__in=[State.SCHEDULED, State.READY])

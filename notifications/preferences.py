"""The preferences of accounts, and the choice of channels for a notification.

Preferences say which notifications an account wants, and when. A link in an email stops notifications about its topics,
or about a larger subject. Usually the topic is muted. For a topic with only one notification, its app registers here
what to stop instead.

A notification is sent by the channels that its reader chose for its kind, and a question by a channel that works. An
email that was not chosen is on standby: it is sent a little later, unless a chosen channel has worked by then.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet

from config.core.crypto import encrypt
from notifications import deliverability
from notifications.channels import registry
from notifications.channels.registry import CHANNELS, MAIL, posting, usual
from notifications.kinds import KINDS, kind_of, release
from notifications.models import SECRETS, Notification, Preferences, State

NEWS: Final = "news"
"""The reason of emails with news from the operator."""
MOST_MUTED: Final = 500
"""The most muted topics of an account. The oldest are forgotten first."""


def of(account: Any) -> Preferences:
    """Return the preferences of an account, or the defaults if it has none."""
    return stored(account) or Preferences(account=account)


def stored(account: Any) -> Preferences | None:
    """Return the stored preferences of an account, or None if it has none or is None."""
    row: Preferences | None = getattr(account, "preferences", None)
    return row


def wants_mails(account: Any) -> bool:
    """Return whether an account wants emails about games. Bot accounts must have chosen them."""
    own_preferences = stored(account)
    return not account.is_bot if own_preferences is None else own_preferences.wants_mails


def of_all(accounts: Iterable[int], loaded: Iterable[Any] = ()) -> dict[int, Preferences]:
    """Return the stored preferences by account. The preferences of accounts in ``loaded`` are not read again."""
    by_account = {account.pk: stored(account) for account in loaded}
    rows = [row for account in accounts if (row := by_account.get(account)) is not None]
    if missing := {*accounts} - by_account.keys():
        rows += Preferences.objects.filter(account__in=missing).select_related("account")
    return {row.account_id: row for row in rows}


def change(account: Any, changes: Mapping[str, Any], now: datetime) -> Preferences:
    """Store new values. Waiting notifications are sent by the new preferences.

    A new address deletes the secret of its channel, unless a new secret comes with it, so that the new server does not
    learn the old one.
    """
    with transaction.atomic():
        row = _locked(account.pk)
        former = row.addresses
        for field, value in changes.items():
            setattr(row, field, _merged(row, field, value))
        row.secrets = {
            name: secret
            for name, secret in row.secrets.items()
            if name in changes.get("secrets", ()) or row.addresses.get(name) == former.get(name)
        }
        if not row.learns_hours:
            row.usual_hours = []
        row.save()
        if not row.news:
            withdraw_news(account.pk)
        for notification in Notification.objects.select_for_update().filter(
            account=account, state=State.SCHEDULED, held=True
        ):
            notification.next_attempt_at = release(row.wishes(), now, notification.created_at, notification.latest_at)
            notification.save(update_fields=["next_attempt_at"])
    return row


def keep_usual_hours(account: Any, hours: list[int]) -> None:
    """Store the hours at which an account usually answers, unless it has switched that off."""
    if hours == of(account).usual_hours:
        return
    with transaction.atomic():
        row = _locked(account.pk)
        if row.learns_hours:
            row.usual_hours = hours
            row.save(update_fields=["usual_hours"])


def _merged(row: Preferences, field: str, value: Any) -> Any:
    """Return the new value of a field. Missing channels, addresses and secrets stay, and None removes one."""
    match field:
        case "channels":
            return {**row.channels, **value}
        case "addresses":
            return {name: address for name, address in {**row.addresses, **value}.items() if address}
        case "secrets":
            encrypted = {name: secret and encrypt(secret, SECRETS) for name, secret in value.items()}
            return {name: secret for name, secret in {**row.secrets, **encrypted}.items() if secret}
    return value


def incomplete(row: Preferences, changes: Mapping[str, Any]) -> list[str]:
    """Return the channels that would have an address without its secret after these changes, or the reverse."""
    both = registry.secret().keys() & registry.addressed().keys()
    return sorted(name for name in both if _is_incomplete(row, changes, name))


def _is_incomplete(row: Preferences, changes: Mapping[str, Any], channel: str) -> bool:
    former = row.addresses.get(channel)
    address = changes.get("addresses", {}).get(channel, former)
    former_secret = row.secret_of(channel) if address == former else None
    secret = changes.get("secrets", {}).get(channel, former_secret)
    if registry.secret()[channel].is_secret_required:
        return bool(address) != bool(secret)
    return bool(secret) and not address


def withdraw_news(account: int) -> None:
    """Drop the emails with news to an account that are not sent yet."""
    waiting = Notification.objects.filter(account=account, reason=NEWS, state__in=[State.SCHEDULED, State.READY])
    waiting.update(state=State.DROPPED)


def mute(account: int, topics: Iterable[str]) -> None:
    """Stop notifications about these topics."""
    _change_muted(account, add=topics)


def unmute(account: int, topics: Iterable[str]) -> None:
    """Start notifications about these topics again."""
    _change_muted(account, remove=topics)


def _change_muted(account: int, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
    with transaction.atomic():
        row = _locked(account)
        topics = [topic for topic in row.muted if topic not in {*add, *remove}]
        row.muted = [*topics, *add][-MOST_MUTED:]
        row.save(update_fields=["muted"])


def _locked(account: int) -> Preferences:
    """Return the row of an account, locked until the end of the transaction. It is created if there is none."""
    Preferences.objects.bulk_create([Preferences(account_id=account)], ignore_conflicts=True)
    return Preferences.objects.select_for_update(of=("self",)).select_related("account").get(account=account)


if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise


class StopChoice(NamedTuple):
    """A setting that replaces the muting of topics with one prefix. It is read and changed for an account and a
    topic.
    """

    is_stopped: Callable[[int, str], bool]
    change: Callable[[int, str, bool], None]
    """Called with True to start the notifications, and with False to stop them."""
    title: "StrOrPromise"
    """The title of the page."""
    question: "StrOrPromise"
    """The question on the page before the notifications are stopped."""
    stopped: "StrOrPromise"
    """The sentence on the page after they are stopped."""


_CHOICES: dict[str, StopChoice] = {}


def register_stop_choice(prefix: str, choice: StopChoice) -> None:
    """Register a choice for the topics with this prefix."""
    _CHOICES[prefix] = choice


def is_stopped(account: Any, topics: Collection[str]) -> bool:
    """Return whether an account wants no notifications of any of these topics."""
    muted = of(account).muted
    return all(
        topic in muted if (choice := _choice_for(topic)) is None else choice.is_stopped(account.pk, topic)
        for topic in topics
    )


def change_stopped(account: int, topics: Collection[str], *, enabled: bool) -> None:
    """Start or stop notifications about these topics for an account."""
    plain_topics = []
    for topic in topics:
        if choice := _choice_for(topic):
            choice.change(account, topic, enabled)
        else:
            plain_topics.append(topic)
    if plain_topics:
        (unmute if enabled else mute)(account, plain_topics)


def choice_for_all(topics: Collection[str]) -> StopChoice | None:
    """Return the choice for all of these topics, if there is one."""
    choices = {_choice_for(topic) for topic in topics}
    return choices.pop() if len(choices) == 1 else None


def _choice_for(topic: str) -> StopChoice | None:
    return next((choice for prefix, choice in _CHOICES.items() if topic.startswith(prefix)), None)


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


def choose_channels(reason: str, stored: Preferences | None, available: Open) -> Choice:
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
    silent = {pk: account for pk, account in active.items() if not wants_mails(account)}
    stored = of_all(silent, silent.values())
    others = (
        {account for channel in posting().values() for account in channel.open_to(silent, stored)} if silent else ()
    )
    return active.keys() - silent.keys() | {*others}


def working_channels(accounts: Collection[int], stored: Mapping[int, Preferences]) -> dict[int, Open]:
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

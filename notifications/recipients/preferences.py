"""The notifications that people want, and when."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from config.database.encrypted_text import encrypt
from notifications.channels import registry
from notifications.content.quiet_hours import release
from notifications.models import SECRETS, Notification, Preferences, State

NEWS: Final = "news"
"""The reason of emails with news from the operator."""
MOST_MUTED: Final = 500
"""The number of topics that are remembered as muted; the oldest are forgotten first."""


def of(account: Any) -> Preferences:
    """Return the preferences of an account, or the defaults if it has none."""
    return said_by(account) or Preferences(account=account)


def said_by(account: Any) -> Preferences | None:
    """Return the stored preferences of an account, or None if it has none or is None."""
    found: Preferences | None = getattr(account, "preferences", None)
    return found


def wants_mails(account: Any) -> bool:
    """Return whether this account wants mails about tables: bots get none that they did not ask for."""
    said = said_by(account)
    return not account.is_bot if said is None else said.wants_mails


def of_all(accounts: Iterable[int], at_hand: Iterable[Any] = ()) -> dict[int, Preferences]:
    """The preferences of those among these accounts who have any; they are not read of accounts ``at_hand``."""
    known = {account.pk: said_by(account) for account in at_hand}
    found = [said for account in accounts if (said := known.get(account)) is not None]
    if unknown := {*accounts} - known.keys():
        found += Preferences.objects.filter(account__in=unknown).select_related("account")
    return {each.account_id: each for each in found}


def change(account: Any, changes: Mapping[str, Any], now: datetime) -> Preferences:
    """Store new values. Waiting notifications are sent by the new preferences.

    A new address deletes the secret of its channel, unless a new secret comes with it, so that the new server does not
    learn the old one.
    """
    with transaction.atomic():
        wanted = _locked(account.pk)
        former = wanted.addresses
        for field, value in changes.items():
            setattr(wanted, field, _merged(wanted, field, value))
        wanted.secrets = {
            name: secret
            for name, secret in wanted.secrets.items()
            if name in changes.get("secrets", ()) or wanted.addresses.get(name) == former.get(name)
        }
        if not wanted.learns_hours:
            wanted.usual_hours = []
        wanted.save()
        if not wanted.news:
            withdraw_news(account.pk)
        for notification in Notification.objects.select_for_update().filter(
            account=account, state=State.SCHEDULED, held=True
        ):
            notification.next_attempt_at = release(
                wanted.wishes(), now, notification.created_at, notification.latest_at
            )
            notification.save(update_fields=["next_attempt_at"])
    return wanted


def keep_usual_hours(account: Any, hours: list[int]) -> None:
    """Store the hours at which an account usually answers, unless it has switched that off."""
    if hours == of(account).usual_hours:
        return
    with transaction.atomic():
        wanted = _locked(account.pk)
        if wanted.learns_hours:
            wanted.usual_hours = hours
            wanted.save(update_fields=["usual_hours"])


def _merged(wanted: Preferences, field: str, value: Any) -> Any:
    """Return a field's new value: channels, addresses and secrets that are not named stay, one of None goes."""
    match field:
        case "channels":
            return {**wanted.channels, **value}
        case "addresses":
            return {name: address for name, address in {**wanted.addresses, **value}.items() if address}
        case "secrets":
            given = {name: secret and encrypt(secret, SECRETS) for name, secret in value.items()}
            return {name: secret for name, secret in {**wanted.secrets, **given}.items() if secret}
    return value


def incomplete(wanted: Preferences, changes: Mapping[str, Any]) -> list[str]:
    """Return the channels that these changes would leave with an address and no secret, or the other way round."""
    both = registry.secret().keys() & registry.addressed().keys()
    return sorted(name for name in both if _is_incomplete(wanted, changes, name))


def _is_incomplete(wanted: Preferences, changes: Mapping[str, Any], channel: str) -> bool:
    former = wanted.addresses.get(channel)
    address = changes.get("addresses", {}).get(channel, former)
    kept = wanted.secret_of(channel) if address == former else None
    secret = changes.get("secrets", {}).get(channel, kept)
    return bool(address) != bool(secret)


def withdraw_news(account: int) -> None:
    """Drop the emails with news to an account that are still on their way."""
    waiting = Notification.objects.filter(account=account, reason=NEWS, state__in=[State.SCHEDULED, State.READY])
    waiting.update(state=State.DROPPED)


def mute(account: int, topics: Iterable[str]) -> None:
    """Stop notifications about these topics."""
    _change_muted(account, add=topics)


def unmute(account: int, topics: Iterable[str]) -> None:
    """Notifications of these topics again."""
    _change_muted(account, take=topics)


def _change_muted(account: int, add: Iterable[str] = (), take: Iterable[str] = ()) -> None:
    with transaction.atomic():
        wanted = _locked(account)
        kept = [each for each in wanted.muted if each not in {*add, *take}]
        wanted.muted = [*kept, *add][-MOST_MUTED:]
        wanted.save(update_fields=["muted"])


def _locked(account: int) -> Preferences:
    """The row of this account, made if there is none, locked until the end of the transaction."""
    Preferences.objects.bulk_create([Preferences(account_id=account)], ignore_conflicts=True)
    return Preferences.objects.select_for_update(of=("self",)).select_related("account").get(account=account)

"""The accounts of email addresses, and accounts that are created for the sender of an email."""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from typing import Final

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import override, pgettext

from accounts.models import Account
from accounts.profile import names
from notifications.content.spellings import canonical

# The length of a name that leaves room for a number behind it.
_ROOM: Final = names.LONGEST - 6
_FIRST_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def confirmed_addresses(account: Account) -> list[str]:
    """Return the addresses that are confirmed to belong to this account, in canonical form.

    An account that the operator created has no record of its address beside the account itself.
    """
    rows = list(EmailAddress.objects.filter(user=account).values_list("email", "verified"))
    return [canonical(address) for address, verified in rows if verified] if rows else [account.email]


def owner_of(address: str) -> Account | None:
    """Return the account with this address."""
    address = canonical(address)
    row = EmailAddress.objects.filter(email=address, verified=True).select_related("user").first()
    return row.user if row is not None else Account.objects.filter(email=address).first()


@transaction.atomic
def create_account_for(address: str, sender_name: str, language: str, now: datetime) -> Account:
    """Create an account without a password for a person who has proved by email that an address is theirs.

    Earlier sign-ups with the address can no longer be confirmed.
    """
    address = canonical(address)
    name = free_name(sender_name, address, language)
    account = Account.objects.create_user(address, name=name, language=language, last_login=now)
    EmailAddress.objects.create(user=account, email=address, verified=True, primary=True)
    return account


def free_name(sender_name: str, address: str, language: str) -> str:
    """Return a free name for the owner of an address: their name in emails, or one made from the address.

    The name is not reserved.
    """
    return next(name for name in _names(sender_name, address, language) if Account.objects.is_free(name, address))


def _names(sender_name: str, address: str, language: str) -> Iterator[str]:
    """Yield names to try, the best first. The sequence is infinite."""
    printable = "".join(character if character.isprintable() else " " for character in sender_name)
    first = _FIRST_WORD.search(address.partition("@")[0])
    with override(language):
        guest = pgettext("name of a player", "Guest")
    candidates = [names.tidy(printable) if "@" not in printable else "", first[0].title() if first else "", guest]
    yield from filter(_is_valid, candidates)
    for number in count(2):
        yield from filter(_is_valid, (f"{name[:_ROOM].strip()} {number}" for name in candidates))


def _is_valid(name: str) -> bool:
    try:
        names.validate_name(name)
    except ValidationError:
        return False
    return True


def check_name(name: str, address: str) -> None:
    """Raise ValidationError unless the owner of an address may have this name."""
    names.validate_name(name)
    Account.objects.check_free(name, address)


def rename(account: Account, name: str) -> str:
    """Rename an account, and return its stored name. Raises ValidationError."""
    check_name(name, account.email)
    account.name = name
    try:
        with transaction.atomic():
            account.save(update_fields=["name"])
    except IntegrityError:
        raise names.taken_message() from None
    return account.name

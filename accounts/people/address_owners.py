"""The accounts behind email addresses, and accounts that are created for the sender of an email."""

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

_ROOM: Final = names.LONGEST - 6
"""The number of letters of a name that are kept where a number may have to follow it."""
_FIRST_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def confirmed_addresses(account: Account) -> list[str]:
    """The addresses that are shown to be this account's own, the one it logs in with among them.

    An account that the operator made has no other record of its address than the account itself.
    """
    known = list(EmailAddress.objects.filter(user=account).values_list("email", "verified"))
    return [address.lower() for address, verified in known if verified] if known else [account.email]


def owner_of(address: str) -> Account | None:
    """The account of this address."""
    address = address.lower()
    found = EmailAddress.objects.filter(email=address, verified=True).select_related("user").first()
    return found.user if found is not None else Account.objects.filter(email=address).first()


@transaction.atomic
def create_account_for(address: str, called: str, language: str, now: datetime) -> Account:
    """Create an account without a password for a person who has proved by email that an address is theirs.

    Earlier sign-ups with the address can no longer be confirmed.
    """
    address = address.lower()
    name = free_name(called, address, language)
    account = Account.objects.create_user(address, name=name, language=language, last_login=now)
    EmailAddress.objects.create(user=account, email=address, verified=True, primary=True)
    return account


def free_name(called: str, address: str, language: str) -> str:
    """A name that the owner of an address may have: as their mails call them, else after their address."""
    return next(name for name in _names(called, address, language) if Account.objects.is_free(name, address))


def suggested_name(address: str, language: str) -> str:
    """Return a free name for the owner of an address. The name is not reserved."""
    names_to_try = _names("", address, language)
    return next(name for name in names_to_try if Account.objects.is_free(name, address))


def _names(called: str, address: str, language: str) -> Iterator[str]:
    """Names to be tried, the best first; they have no end."""
    seen = "".join(character if character.isprintable() else " " for character in called)
    first = _FIRST_WORD.search(address.partition("@")[0])
    with override(language):
        guest = pgettext("name of a player", "Guest")
    wanted = [names.tidy(seen) if "@" not in seen else "", first[0].title() if first else "", guest]
    yield from filter(_is_valid, wanted)
    for number in count(2):
        yield from filter(_is_valid, (f"{name[:_ROOM].strip()} {number}" for name in wanted))


def _is_valid(name: str) -> bool:
    try:
        names.validate_name(name)
    except ValidationError:
        return False
    return True


def check_name(name: str, address: str) -> None:
    """ValidationError unless the owner of an address may be called so."""
    names.validate_name(name)
    Account.objects.check_free(name, address)


def rename(account: Account, name: str) -> str:
    """Rename an account and return the name as it is stored. Raises ValidationError."""
    check_name(name, account.email)
    account.name = name
    try:
        with transaction.atomic():
            account.save(update_fields=["name"])
    except IntegrityError:
        raise names.taken_message() from None
    return account.name

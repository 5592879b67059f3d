"""Second addresses of accounts, from which their owners may answer questions by email, and do nothing else.

The account is asked about an address once, by an email to its own address. Only the button on the page behind its link
sends a code to the second address, and only this code on the same page confirms it. A second address cannot be used to
log in, to get a new password or to delete the account. If it belongs to another account, the owner gets an email that
says so, and every answer on the page is the same.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import override

from accounts.authentication import codes, emails
from accounts.authentication.sign_up import WrongCode
from accounts.limits import rate_limits, security_log
from accounts.models import Account, CodeRequest, SecondAddress
from accounts.people import address_owners
from accounts.profile.credentials import validate_address
from notifications.content import addresses
from notifications.content.spellings import canonical
from notifications.delivery import outbox

MOST_ASKED: Final = 3
"""The number of addresses about which an account is asked in a day."""
_PURPOSE: Final = CodeRequest.Purpose.SECOND_ADDRESS


def ask(account: Account, address: str, now: datetime) -> SecondAddress | None:
    """Store that an account is asked about an address. Return None if it must not be asked, or was asked before."""
    address = canonical(address)
    try:
        validate_address(address)
    except ValidationError:
        return None
    own_rows = SecondAddress.objects.filter(account=account)
    is_over_limit = own_rows.filter(asked_at__gt=now - timedelta(days=1)).count() >= MOST_ASKED
    if addresses.is_ours(address) or is_over_limit or own_rows.filter(address=address).exists():
        return None
    return SecondAddress.objects.create(account=account, address=address, asked_at=now)


def token_of(row: SecondAddress) -> str:
    """Return the token of the page of a second address."""
    return addresses.token(addresses.SECOND, addresses.short(row.pk))


def find(token: str) -> SecondAddress | None:
    """Return the second address of a token, if its account is active, or None."""
    match addresses.read(token):
        case addresses.SECOND, number:
            rows = SecondAddress.objects.select_related("account").filter(account__is_active=True)
            return rows.filter(pk=addresses.long(number)).first()
    return None


def may_answer(account: Account, address: str) -> bool:
    """Return whether an address is a confirmed second address of an account, and has no account of its own."""
    rows = SecondAddress.objects.filter(account=account, address=canonical(address), confirmed_at__isnull=False)
    return rows.exists() and address_owners.owner_of(address) is None


def is_code_sent(row: SecondAddress, now: datetime) -> bool:
    """Return whether a code was sent to a second address that may still be valid."""
    recent = CodeRequest.objects.filter(purpose=_PURPOSE, account=row.account, asked_at__gt=now - codes.LIFETIME)
    return recent.filter(email=row.address).exists()


def send_code(request: HttpRequest, row: SecondAddress, now: datetime) -> None:
    """Send a code to a second address, or tell its owner that it has an account. Raises TooManyAttempts."""
    rate_limits.count_attempt(rate_limits.code_email(request, row.address, _PURPOSE))
    owner = address_owners.owner_of(row.address)
    with transaction.atomic():
        code_request, code = codes.create_request(
            _PURPOSE, row.address, now, account=row.account, is_usable=owner is None
        )
        with override(owner.language if owner else row.account.language):
            rendered = emails.address_in_use(owner) if owner else emails.second_address_code(row.account, code)
        key, reader = f"account:{uuid4()}", owner.pk if owner else None
        order = outbox.NewNotification(key, "account", reader, row.address, topic=codes.topic_of(code_request))
        outbox.add_rendered(order, rendered, now)


def confirm(request: HttpRequest, row: SecondAddress, code: str, now: datetime) -> None:
    """Let a second address answer for its account. Raises WrongCode or TooManyAttempts."""
    attempt = rate_limits.count_attempt(rate_limits.code_attempt(request, row.address))
    with transaction.atomic():
        code_request = codes.find_request((_PURPOSE,), row.address, code, now)
        is_right = code_request is not None and code_request.account == row.account
        if is_right:
            row.confirmed_at = now
            row.save(update_fields=["confirmed_at"])
            codes.delete_requests((_PURPOSE,), row.address)
    if not is_right:
        security_log.record_refusal("code-refused", request, row.account)
        raise WrongCode
    rate_limits.refund(attempt)
    security_log.record("second-address-confirmed", request, row.account)


def forbid(row: SecondAddress) -> None:
    """Let a second address no longer answer."""
    row.confirmed_at = None
    row.save(update_fields=["confirmed_at"])

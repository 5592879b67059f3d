"""Codes with which the owner of an account confirms a request by email, and the change of an account's address.

The data, the deletion and a new address need a code that was sent to the present address, and the second factor if the
account has one. Anyone may cause such an email, but its code is only accepted in a reply to that same email
(``topic``). So a code proves that its sender reads the mailbox and means this request.

The new address then gets a code of its own. On the pages, a recent log-in takes the place of the first code. An address
that belongs to another account gets an email that says so. Every answer is the same and does not reveal that account.
"""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.authentication import codes, emails, flows, sign_up
from accounts.authentication.sign_up import WrongCode
from accounts.limits import rate_limits, security_log
from accounts.models import Account, CodeRequest, SecondAddress
from accounts.people import address_owners
from accounts.profile.credentials import LONGEST, validate_address
from notifications import account_data
from notifications.content import addresses
from notifications.content.spellings import canonical
from notifications.delivery import outbox
from notifications.recipients import deliverability

_PURPOSES: Final = (CodeRequest.Purpose.DATA, CodeRequest.Purpose.DELETION, CodeRequest.Purpose.ADDRESS)
_NEW_ADDRESS: Final = CodeRequest.Purpose.NEW_ADDRESS


def create_request(account: Account, purpose: str, now: datetime, address: str = "") -> tuple[CodeRequest, str]:
    """Store a request, and return it with the code to send to the account's address. Raises TooManyAttempts.

    ``address`` is the new address, which was checked (``check_new_address``), for a change of the address.
    """
    rate_limits.count_attempt(rate_limits.code_email(None, account.email, purpose))
    return codes.create_request(purpose, account.email, now, account=account, details={"address": address})


def use_code(account: Account, topic: str, code: str, otp: str, now: datetime) -> CodeRequest:
    """Return the request that was confirmed by a reply with its code. The code cannot be used again.

    ``topic`` is that of the email to which the code replies, ``otp`` a code of the second factor or a blank text.
    Raises WrongCode, SecondFactorRequired, WrongFactor or TooManyAttempts. Then the code stays valid.
    """
    attempt = rate_limits.count_attempt(rate_limits.code_attempt(None, account.email))
    code_request = codes.find_request(_PURPOSES, account.email, code, now)
    if code_request is None or code_request.account != account or codes.topic_of(code_request) != topic:
        security_log.record_refusal("code-refused", None, account)
        raise WrongCode
    rate_limits.refund(attempt)
    flows.verify_second_factor(None, account, otp)
    codes.delete_requests([code_request.purpose], account.email)
    return code_request


def create_download(account: Account, now: datetime) -> CodeRequest:
    """Return the request behind a link that downloads the data of an account once, within a day, after log-in."""
    purpose = CodeRequest.Purpose.DOWNLOAD
    codes.delete_requests([purpose], account.email)
    code_request, _code = codes.create_request(purpose, account.email, now, account=account, is_usable=False)
    return code_request


def downloads(account: Account, link: UUID, now: datetime) -> QuerySet[CodeRequest]:
    """Return the request behind a link to the data of an account, if the link was not used and is not too old."""
    purpose = CodeRequest.Purpose.DOWNLOAD
    return CodeRequest.objects.filter(pk=link, purpose=purpose, account=account, asked_at__gt=now - codes.KEPT)


def check_new_address(account: Account, address: str) -> str:
    """Return the canonical form of a new address. Raises ValidationError."""
    address = canonical(address)
    validate_address(address)
    if len(address) > LONGEST or addresses.is_ours(address):
        raise ValidationError(_("This address is too long, or is one of this server. Give another one."))
    if address == account.email:
        raise ValidationError(_("This is the address of your account already."))
    return address


def send_new_address_code(request: HttpRequest | None, account: Account, address: str, now: datetime) -> CodeRequest:
    """Send a code to a new address, or tell its owner that it has an account already.

    ``request`` is None for a change by email. Raises ValidationError, RateLimitExceeded or TooManyAttempts.
    """
    address = check_new_address(account, address)
    rate_limits.enforce(account.pk, rate_limits.ADDRESS_CHANGES, now)
    rate_limits.count_attempt(rate_limits.code_email(request, address, _NEW_ADDRESS))
    owner = address_owners.owner_of(address)
    with transaction.atomic():
        code_request, code = codes.create_request(_NEW_ADDRESS, address, now, account=account, is_usable=owner is None)
        with override(owner.language if owner else account.language):
            rendered = emails.address_in_use(owner) if owner else emails.new_address_code(account, code)
        number = addresses.short(code_request.pk)
        rendered = emails.answerable_at(rendered, addresses.address(addresses.COMMAND, number))
        key, reader = f"{addresses.COMMAND}:{number}", owner.pk if owner else None
        order = outbox.NewNotification(key, "account", reader, address, topic=codes.topic_of(code_request))
        outbox.add_rendered(order, rendered, now)
    return code_request


def use_new_address_code(
    request: HttpRequest | None,
    address: str,
    code: str,
    now: datetime,
    *,
    account: Account | None = None,
    topic: str = "",
) -> Account:
    """Change the address of the account whose request has this code, and return the account.

    Either ``account`` is logged in, or the code came from the new address in a reply to the email with this ``topic``.
    Raises WrongCode or TooManyAttempts.
    """
    address = canonical(address)
    attempt = rate_limits.count_attempt(rate_limits.code_attempt(request, address))
    with transaction.atomic():
        code_request = codes.find_request((_NEW_ADDRESS,), address, code, now)
        owner = _lock_owner(code_request)
        if (
            code_request is None
            or owner is None
            or (owner != account and codes.topic_of(code_request) != topic)
            or address_owners.owner_of(address) is not None
        ):
            owner = None
        else:
            _change_address(owner, address, now)
    if owner is None:
        security_log.record_refusal("code-refused", request, account)
        raise WrongCode
    rate_limits.refund(attempt)
    security_log.record("address-changed", request, owner)
    return owner


def _lock_owner(code_request: CodeRequest | None) -> Account | None:
    """Return the account of a request, or None if another change of its address has deleted the request."""
    if code_request is None or code_request.account_id is None:
        return None
    accounts = Account.objects.select_for_update(no_key=True).filter(is_active=True)
    owner = accounts.filter(pk=code_request.account_id).first()
    return owner if CodeRequest.objects.filter(pk=code_request.pk).exists() else None


def _change_address(account: Account, address: str, now: datetime) -> None:
    former = account.email
    account.email = address
    account.save(update_fields=["email"])
    EmailAddress.objects.filter(user=account).delete()
    sign_up.confirm_address(account)
    # Codes and links that went to the former address must not act for the account any more.
    CodeRequest.objects.filter(account=account).delete()
    SecondAddress.objects.filter(account=account).delete()
    account_data.forget_address(former)
    deliverability.allow(address)
    deliverability.confirm(address, now)
    with override(account.language):
        rendered = emails.address_changed(account, now)
    outbox.add_rendered(outbox.NewNotification(f"account:{uuid4()}", "account", account.pk, former), rendered, now)

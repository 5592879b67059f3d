"""The email addresses of accounts: their owners, codes that prove who reads them, changes, and second addresses.

A request of the owner by email needs a code that was sent to the present address, and the second factor if the account
has one. Anyone may cause such an email, but its code is only accepted in a reply to that same email (``topic``). A new
address then gets a code of its own. On the pages, a recent log-in takes the place of the first code.

A second address may answer questions by email, and do nothing else. The account is asked about it once. Only the button
on the page behind the link of that email sends a code to the second address, and only this code on the same page
confirms it. An address that belongs to another account gets an email that says so, and every answer is the same.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Final
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from accounts import names, rate_limits, security_log
from accounts.authentication import codes, emails, flows, sign_up
from accounts.authentication.sign_up import WrongCode
from accounts.credentials import LONGEST, validate_address
from accounts.models import Account, CodeRequest, SecondAddress
from config.core.email_spellings import canonical
from notifications import account_data, deliverability, outbox, reply_addresses

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


_PURPOSES: Final = (CodeRequest.Purpose.DATA, CodeRequest.Purpose.DELETION, CodeRequest.Purpose.ADDRESS)
_NEW_ADDRESS: Final = CodeRequest.Purpose.NEW_ADDRESS


def create_owner_code(account: Account, purpose: str, now: datetime, address: str = "") -> tuple[CodeRequest, str]:
    """Store a request, and return it with the code to send to the account's address. Raises TooManyAttempts.

    ``address`` is the new address, which was checked (``check_new_address``), for a change of the address.
    """
    rate_limits.count_attempt(rate_limits.code_email(None, account.email, purpose))
    return codes.create_request(purpose, account.email, now, account=account, details={"address": address})


def use_owner_code(account: Account, topic: str, code: str, otp: str, now: datetime) -> CodeRequest:
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
    if len(address) > LONGEST or reply_addresses.is_ours(address):
        raise ValidationError(_("This address is too long, or it belongs to this server. Use another one."))
    if address == account.email:
        raise ValidationError(_("This is already the address of your account."))
    return address


def send_new_address_code(request: HttpRequest | None, account: Account, address: str, now: datetime) -> CodeRequest:
    """Send a code to a new address, or tell its owner that it has an account already.

    ``request`` is None for a change by email. Raises ValidationError, RateLimitExceeded or TooManyAttempts.
    """
    address = check_new_address(account, address)
    rate_limits.enforce(account.pk, rate_limits.ADDRESS_CHANGES, now)
    rate_limits.count_attempt(rate_limits.code_email(request, address, _NEW_ADDRESS))
    owner = owner_of(address)
    with transaction.atomic():
        code_request, code = codes.create_request(_NEW_ADDRESS, address, now, account=account, is_usable=owner is None)
        with override(owner.language if owner else account.language):
            rendered = emails.address_in_use(owner) if owner else emails.new_address_code(account, code)
        number = reply_addresses.short(code_request.pk)
        rendered = emails.answerable_at(rendered, reply_addresses.address(reply_addresses.COMMAND, number))
        key, reader = f"{reply_addresses.COMMAND}:{number}", owner.pk if owner else None
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
            or owner_of(address) is not None
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


MOST_ASKED: Final = 3
"""The number of addresses about which an account is asked in a day."""
_SECOND: Final = CodeRequest.Purpose.SECOND_ADDRESS


def ask_about_second(account: Account, address: str, now: datetime) -> SecondAddress | None:
    """Store that an account is asked about an address. Return None if it must not be asked, or was asked before."""
    address = canonical(address)
    try:
        validate_address(address)
    except ValidationError:
        return None
    own_rows = SecondAddress.objects.filter(account=account)
    is_over_limit = own_rows.filter(asked_at__gt=now - timedelta(days=1)).count() >= MOST_ASKED
    if reply_addresses.is_ours(address) or is_over_limit or own_rows.filter(address=address).exists():
        return None
    return SecondAddress.objects.create(account=account, address=address, asked_at=now)


def token_of_second(row: SecondAddress) -> str:
    """Return the token of the page of a second address."""
    return reply_addresses.token(reply_addresses.SECOND, reply_addresses.short(row.pk))


def find_second(token: str) -> SecondAddress | None:
    """Return the second address of a token, if its account is active, or None."""
    match reply_addresses.read(token):
        case reply_addresses.SECOND, number:
            rows = SecondAddress.objects.select_related("account").filter(account__is_active=True)
            return rows.filter(pk=reply_addresses.long(number)).first()
    return None


def may_answer(account: Account, address: str) -> bool:
    """Return whether an address is a confirmed second address of an account, and has no account of its own."""
    rows = SecondAddress.objects.filter(account=account, address=canonical(address), confirmed_at__isnull=False)
    return rows.exists() and owner_of(address) is None


def is_second_code_sent(row: SecondAddress, now: datetime) -> bool:
    """Return whether a code was sent to a second address that may still be valid."""
    recent = CodeRequest.objects.filter(purpose=_SECOND, account=row.account, asked_at__gt=now - codes.LIFETIME)
    return recent.filter(email=row.address).exists()


def send_second_code(request: HttpRequest, row: SecondAddress, now: datetime) -> None:
    """Send a code to a second address, or tell its owner that it has an account. Raises TooManyAttempts."""
    rate_limits.count_attempt(rate_limits.code_email(request, row.address, _SECOND))
    owner = owner_of(row.address)
    with transaction.atomic():
        code_request, code = codes.create_request(
            _SECOND, row.address, now, account=row.account, is_usable=owner is None
        )
        with override(owner.language if owner else row.account.language):
            rendered = emails.address_in_use(owner) if owner else emails.second_address_code(row.account, code)
        key, reader = f"account:{uuid4()}", owner.pk if owner else None
        order = outbox.NewNotification(key, "account", reader, row.address, topic=codes.topic_of(code_request))
        outbox.add_rendered(order, rendered, now)


def confirm_second(request: HttpRequest, row: SecondAddress, code: str, now: datetime) -> None:
    """Let a second address answer for its account. Raises WrongCode or TooManyAttempts."""
    attempt = rate_limits.count_attempt(rate_limits.code_attempt(request, row.address))
    with transaction.atomic():
        code_request = codes.find_request((_SECOND,), row.address, code, now)
        is_right = code_request is not None and code_request.account == row.account
        if is_right:
            row.confirmed_at = now
            row.save(update_fields=["confirmed_at"])
            codes.delete_requests((_SECOND,), row.address)
    if not is_right:
        security_log.record_refusal("code-refused", request, row.account)
        raise WrongCode
    rate_limits.refund(attempt)
    security_log.record("second-address-confirmed", request, row.account)


def forbid_second(row: SecondAddress) -> None:
    """Let a second address no longer answer."""
    row.confirmed_at = None
    row.save(update_fields=["confirmed_at"])

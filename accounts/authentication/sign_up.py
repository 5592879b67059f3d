"""Signing up, and confirming the sign-up with the code from the email.

The data of a sign-up (name, password, language and the rest) stay in its own request until it is confirmed; only then
is the account created. A program sends the password when it signs up, a person together with the code. Nothing here
reveals whether an address has an account: neither the answer, nor the time it takes, nor any change.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.authentication import codes, emails
from accounts.authentication.forms import SignupForm, check_password_strength
from accounts.limits import attempt_limits, security_log
from accounts.models import Account, CodeRequest
from accounts.profile import names
from notifications.delivery import outbox
from notifications.recipients import deliverability, preferences, suppression_list

RESEND_AFTER: Final = timedelta(minutes=1)
"""After a code was sent, logging in sends no other one for so long."""
_PURPOSES: Final = (CodeRequest.Purpose.SIGN_UP, CodeRequest.Purpose.CONFIRM)


_GUEST: Final = "guest"
"""Among the details of a sign-up: the guest that becomes the account."""
_NO_GUEST: Final[dict[str, Any]] = {"is_guest": False, "last_login": None}


class WrongCode(Exception):
    """No request of this sender was sent this code, or it holds no longer."""


class SignUpClosed(Exception):
    """The setting ``SIGN_UP`` does not allow sign-ups."""


def closed_message() -> str:
    """Return the message for sign-ups that are refused, or an empty string if sign-up is open."""
    if settings.SIGN_UP == "invitation":
        return _("New players join this server by invitation. Ask somebody who plays here to invite you to a game.")
    if settings.SIGN_UP == "closed":
        return _("This server takes no new players. Its operator makes the accounts.")
    return ""


def require_open() -> None:
    """Raise SignUpClosed unless sign-up is open."""
    if settings.SIGN_UP != "open":
        raise SignUpClosed


def sign_up(request: HttpRequest, data: dict[str, Any]) -> UUID:
    """Store a sign-up and send its code, or notify the owner of an address that has an account. Return the id of the
    sign-up.

    Raises ValidationError with the wrong fields of ``data``, SignUpClosed or TooManyAttempts.
    """
    require_open()
    attempt_limits.count_request(request, "signup")
    form = SignupForm(data)
    if not form.is_valid():
        raise ValidationError(_by_field(form))
    said = dict(form.cleaned_data)
    email, password = said.pop("email"), said.pop("password")
    if isinstance(request.user, Account) and request.user.is_guest:
        said[_GUEST] = request.user.pk
    attempt_limits.count_attempt(attempt_limits.code_email(request, email, CodeRequest.Purpose.SIGN_UP))
    return _create_request(email, make_password(password) if password else "", said, timezone.now())


def request_confirmation(request: HttpRequest, account: Account) -> UUID:
    """Send a code to the address of an account that the operator made, unless that was just done. TooManyAttempts."""
    now = timezone.now()
    purpose = CodeRequest.Purpose.CONFIRM
    latest = CodeRequest.objects.filter(purpose=purpose, account=account).order_by("asked_at").last()
    if latest is not None and latest.asked_at > now - RESEND_AFTER:
        return latest.pk
    attempt_limits.count_attempt(attempt_limits.code_email(request, account.email, purpose))
    with transaction.atomic():
        asked, code = codes.create_request(purpose, account.email, now, account=account)
        _send_code(asked, code, account, now)
    return asked.pk


def _create_request(email: str, password: str, details: dict[str, Any], now: datetime) -> UUID:
    owner = Account.objects.filter(email=email).first()
    purpose = CodeRequest.Purpose.SIGN_UP
    with transaction.atomic():
        asked, code = codes.create_request(
            purpose, email, now, password=password, details=details, is_usable=owner is None
        )
        _send_code(asked, code, owner, now)
    return asked.pk


def _send_code(asked: CodeRequest, code: str, owner: Account | None, now: datetime) -> None:
    """Send the code, or tell the owner of the address that it has an account."""
    with override(owner.language if owner else asked.details["language"]):
        if owner is not None and asked.account is None:
            rendered = emails.account_exists(owner)
        else:
            rendered = emails.sign_up_code(owner.name if owner else asked.details["name"], code)
    key, account = f"account:{uuid4()}", owner.pk if owner else None
    outbox.add_rendered(
        outbox.NewNotification(key, "account", account, asked.email, topic=codes.topic_of(asked)), rendered, now
    )


def confirm(
    request: HttpRequest, email: str, code: str, *, password: str = "", asked: Collection[UUID] = ()
) -> Account:
    """Create the account of the sign-up for which this code was sent.

    The caller must have made that sign-up: they know its password, or its id is among ``asked``, the sign-ups of their
    browser. Otherwise an attacker who signs up last with another person's address would own the account as soon as that
    person confirms the latest email. A sign-up without a password gets the ``password`` that comes with the code, so it
    opens to the reader of the email only, in any browser.

    Raises WrongCode, TooManyAttempts, or ValidationError if the name is taken by now or the new password is too weak.
    """
    email = email.lower()
    drawn = attempt_limits.count_attempt(attempt_limits.code_attempt(request, email))
    now = timezone.now()
    with transaction.atomic():
        found = codes.find_request(_PURPOSES, email, code, now)
        account = None
        if found is not None and _is_of_sender(found, password, asked):
            if found.pk not in asked:
                found.details.pop(_GUEST, None)
            if _lacks_password(found):
                _set_password(found, password)
            account = _confirmed_account(found, now)
    if account is None:
        security_log.record_refusal("code-refused", request)
        raise WrongCode
    attempt_limits.refund(drawn)
    security_log.record("address-confirmed", request, account)
    deliverability.confirm(email, now)
    return account


def lacks_password(asked: Collection[UUID]) -> bool:
    """Return whether one of these sign-ups gets its password with the code."""
    return any(_lacks_password(each) for each in CodeRequest.objects.filter(pk__in=asked))


def _lacks_password(asked: CodeRequest) -> bool:
    return asked.account is None and not asked.password


def _set_password(asked: CodeRequest, password: str) -> None:
    try:
        check_password_strength(password, asked.email, asked.details["name"])
    except ValidationError as error:
        raise ValidationError({"password": error}) from None
    asked.password = make_password(password)


def _is_of_sender(found: CodeRequest, password: str, asked: Collection[UUID]) -> bool:
    if found.pk in asked or (_lacks_password(found) and not asked):
        return True
    return bool(password) and check_password(password, found.account.password if found.account else found.password)


def _confirmed_account(found: CodeRequest, now: datetime) -> Account | None:
    """The account, with its address confirmed; None where the address has got another one meanwhile."""
    account = found.account or _created_account(found)
    if account is None:
        return None
    confirm_address(account)
    codes.delete_requests(_PURPOSES, found.email)
    suppression_list.end(found.email)
    return account


def _created_account(found: CodeRequest) -> Account | None:
    if Account.objects.filter(email=found.email).exists():
        return None
    try:
        Account.objects.check_free(found.details["name"], found.email)
    except ValidationError as error:
        raise ValidationError({"name": error}) from None
    details = {name: value for name, value in found.details.items() if name != _GUEST}
    guest = Account.objects.filter(pk=found.details.get(_GUEST), is_guest=True).first()
    account = guest or Account()
    for name, value in {**details, "email": found.email, "password": found.password, **_NO_GUEST}.items():
        setattr(account, name, value)
    try:
        with transaction.atomic():
            account.save()
            if guest is not None:
                preferences.change(account, {"mails": None}, timezone.now())
    except IntegrityError:
        raise ValidationError({"name": names.taken_message()}) from None
    return account


def confirm_address(account: Account) -> None:
    """Note that an account's address has been shown to be its owner's."""
    defaults = {"verified": True, "primary": True}
    EmailAddress.objects.update_or_create(user=account, email=account.email, defaults=defaults)


def _by_field(form: Form) -> dict[str, list[ValidationError]]:
    """A form's errors by the names that programs know its fields by."""
    return {"non_field_errors" if field == "__all__" else field: each for field, each in form.errors.as_data().items()}

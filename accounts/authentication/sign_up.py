"""Sign-up, its confirmation with the code from the email, and setting a new password with a code.

The data of a sign-up (name, password, language and the rest) stay in its own request until it is confirmed. Only then
is the account created. A program sends the password when it signs up, a person together with the code. Nothing here
reveals whether an address has an account: neither the answer, nor its duration, nor any change.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext_lazy

from accounts import credentials, names, rate_limits, security_log, tokens
from accounts.authentication import codes, emails, sessions
from accounts.local_times import validate_time_zone
from accounts.models import Account, CodeRequest, Language
from config.core.email_spellings import canonical
from notifications import deliverability, outbox, preferences

# Log-in sends no new code within this time after the last one.
RESEND_AFTER: Final = timedelta(minutes=1)
_PURPOSES: Final = (CodeRequest.Purpose.SIGN_UP, CodeRequest.Purpose.CONFIRM)


# The key for the guest that becomes the account, in the details of a sign-up.
_GUEST: Final = "guest"
_NO_GUEST: Final[dict[str, Any]] = {"is_guest": False, "last_login": None}


class WrongCode(Exception):
    """No request of this sender was sent this code, or the code has expired."""


class SignUpClosed(Exception):
    """The setting ``SIGN_UP`` does not allow sign-ups."""


def closed_message() -> str:
    """Return the message for sign-ups that are refused, or an empty string if sign-up is open."""
    if settings.SIGN_UP == "invitation":
        return _("New players join this server by invitation. Ask someone who plays here to invite you to a game.")
    if settings.SIGN_UP == "closed":
        return _("This server isn’t taking new players. Its operator makes the accounts.")
    return ""


def require_open() -> None:
    """Raise SignUpClosed unless sign-up is open."""
    if settings.SIGN_UP != "open":
        raise SignUpClosed


def sign_up(request: HttpRequest, data: dict[str, Any]) -> UUID:
    """Store a sign-up and send its code, or notify the owner of an address that has an account.

    Returns the id of the sign-up. Raises ValidationError with the wrong fields of ``data``, SignUpClosed or
    TooManyAttempts.
    """
    require_open()
    rate_limits.count_request(request, "signup")
    form = SignupForm(data)
    if not form.is_valid():
        raise ValidationError(_by_field(form))
    details = dict(form.cleaned_data)
    email, password = details.pop("email"), details.pop("password")
    if isinstance(request.user, Account) and request.user.is_guest:
        details[_GUEST] = request.user.pk
    rate_limits.count_attempt(rate_limits.code_email(request, email, CodeRequest.Purpose.SIGN_UP))
    return _create_request(email, make_password(password) if password else "", details, timezone.now())


def request_confirmation(request: HttpRequest, account: Account) -> UUID:
    """Send a code to the address of an account that the operator created, unless one was just sent.

    Returns the id of the request. Raises TooManyAttempts.
    """
    now = timezone.now()
    purpose = CodeRequest.Purpose.CONFIRM
    latest = CodeRequest.objects.filter(purpose=purpose, account=account).order_by("asked_at").last()
    if latest is not None and latest.asked_at > now - RESEND_AFTER:
        return latest.pk
    rate_limits.count_attempt(rate_limits.code_email(request, account.email, purpose))
    with transaction.atomic():
        code_request, code = codes.create_request(purpose, account.email, now, account=account)
        _send_code(code_request, code, account, now)
    return code_request.pk


def _create_request(email: str, password: str, details: dict[str, Any], now: datetime) -> UUID:
    owner = Account.objects.filter(email=email).first()
    purpose = CodeRequest.Purpose.SIGN_UP
    with transaction.atomic():
        code_request, code = codes.create_request(
            purpose, email, now, password=password, details=details, is_usable=owner is None
        )
        _send_code(code_request, code, owner, now)
    return code_request.pk


def _send_code(code_request: CodeRequest, code: str, owner: Account | None, now: datetime) -> None:
    """Send the code, or notify the owner of the address that it has an account."""
    with override(owner.language if owner else code_request.details["language"]):
        if owner is not None and code_request.account is None:
            rendered = emails.account_exists(owner)
        else:
            rendered = emails.sign_up_code(owner.name if owner else code_request.details["name"], code)
    key, account = f"account:{uuid4()}", owner.pk if owner else None
    outbox.add_rendered(
        outbox.NewNotification(key, "account", account, code_request.email, topic=codes.topic_of(code_request)),
        rendered,
        now,
    )


def confirm(
    request: HttpRequest, email: str, code: str, *, password: str = "", own_requests: Collection[UUID] = ()
) -> Account:
    """Create the account of the sign-up for which this code was sent.

    The caller must have made that sign-up: they know its password, or its id is in ``own_requests``, the sign-ups of
    their browser. Otherwise an attacker who signs up last with another person's address would own the account as soon
    as that person confirms the latest email. A sign-up without a password gets the ``password`` that comes with the
    code, so any browser of the email's reader may confirm it.

    Raises WrongCode, TooManyAttempts, or ValidationError if the name is taken by now or the new password is too weak.
    """
    email = canonical(email)
    attempt = rate_limits.count_attempt(rate_limits.code_attempt(request, email))
    now = timezone.now()
    with transaction.atomic():
        code_request = codes.find_request(_PURPOSES, email, code, now)
        account = None
        if code_request is not None and _is_of_sender(code_request, password, own_requests):
            if code_request.pk not in own_requests:
                code_request.details.pop(_GUEST, None)
            if _lacks_password(code_request):
                _set_password(code_request, password)
            account = _confirmed_account(code_request, now)
    if account is None:
        security_log.record_refusal("code-refused", request)
        raise WrongCode
    rate_limits.refund(attempt)
    security_log.record("address-confirmed", request, account)
    deliverability.confirm(email, now)
    return account


def lacks_password(request_ids: Collection[UUID]) -> bool:
    """Return True if one of these sign-ups gets its password together with the code."""
    return any(_lacks_password(code_request) for code_request in CodeRequest.objects.filter(pk__in=request_ids))


def _lacks_password(code_request: CodeRequest) -> bool:
    return code_request.account is None and not code_request.password


def _set_password(code_request: CodeRequest, password: str) -> None:
    try:
        check_password_strength(password, code_request.email, code_request.details["name"])
    except ValidationError as error:
        raise ValidationError({"password": error}) from None
    code_request.password = make_password(password)


def _is_of_sender(code_request: CodeRequest, password: str, own_requests: Collection[UUID]) -> bool:
    if code_request.pk in own_requests or (_lacks_password(code_request) and not own_requests):
        return True
    return bool(password) and check_password(
        password, code_request.account.password if code_request.account else code_request.password
    )


def _confirmed_account(code_request: CodeRequest, now: datetime) -> Account | None:
    """Return the account with its address confirmed, or None if the address has got another account meanwhile."""
    account = code_request.account or _created_account(code_request)
    if account is None:
        return None
    confirm_address(account)
    codes.delete_requests(_PURPOSES, code_request.email)
    deliverability.allow(code_request.email)
    return account


def _created_account(code_request: CodeRequest) -> Account | None:
    if Account.objects.filter(email=code_request.email).exists():
        return None
    try:
        Account.objects.check_free(code_request.details["name"], code_request.email)
    except ValidationError as error:
        raise ValidationError({"name": error}) from None
    details = {name: value for name, value in code_request.details.items() if name != _GUEST}
    guest = Account.objects.filter(pk=code_request.details.get(_GUEST), is_guest=True).first()
    account = guest or Account()
    for name, value in {**details, "email": code_request.email, "password": code_request.password, **_NO_GUEST}.items():
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
    """Record that an account's address belongs to its owner."""
    defaults = {"verified": True, "primary": True}
    EmailAddress.objects.update_or_create(user=account, email=account.email, defaults=defaults)


def _by_field(form: Form) -> dict[str, list[ValidationError]]:
    """Return the errors of a form under the field names of the API."""
    return {
        "non_field_errors" if field == "__all__" else field: errors for field, errors in form.errors.as_data().items()
    }


class SignupForm(forms.Form):
    """The sign-up, for pages and programs."""

    email = forms.EmailField(max_length=credentials.LONGEST, validators=[credentials.validate_address])
    # Blank if the password is chosen together with the code, as on the page.
    password = forms.CharField(strip=False, required=False)
    name = forms.CharField(label=pgettext_lazy("label of a field", "Name"), validators=[names.validate_name])
    language = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Language"), choices=Language.choices, required=False
    )
    time_zone = forms.CharField(label=gettext_lazy("Time zone"), required=False, validators=[validate_time_zone])
    is_bot = forms.BooleanField(label=gettext_lazy("This is a bot account"), required=False)

    def clean_email(self) -> str:
        return canonical(self.cleaned_data["email"])

    def clean_name(self) -> str:
        return names.tidy(self.cleaned_data["name"])

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or _spoken()

    def clean_time_zone(self) -> str:
        return self.cleaned_data["time_zone"] or "UTC"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if {"email", "name"} <= cleaned.keys():
            self._check_name(cleaned["name"], cleaned["email"])
        if cleaned.get("password"):
            try:
                check_password_strength(cleaned["password"], cleaned.get("email", ""), cleaned.get("name", ""))
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned

    def _check_name(self, name: str, email: str) -> None:
        """Refuse a name that another account has, or that looks like one."""
        try:
            Account.objects.check_free(name, email)
        except ValidationError as error:
            self.add_error("name", error)


def check_password_strength(password: str, email: str, name: str) -> None:
    """Raise ValidationError if a password is weak, or too similar to the address or name of its owner."""
    get_adapter().clean_password(password, Account(email=email, name=name))


def _spoken() -> str:
    language = (translation.get_language() or "").partition("-")[0]
    return language if language in Language.values else Language.ENGLISH


_RESET_PURPOSES = (CodeRequest.Purpose.PASSWORD,)


def request_reset(request: HttpRequest, email: str) -> None:
    """Send a code for a new password if the address has an active account. Raises TooManyAttempts."""
    email = canonical(email)
    rate_limits.count_request(request, "reset_password")
    rate_limits.count_attempt(rate_limits.code_email(request, email, _RESET_PURPOSES[0]))
    now = timezone.now()
    account = Account.objects.filter(email=email, is_active=True).first()
    with transaction.atomic():
        code_request, code = codes.create_request(
            _RESET_PURPOSES[0], email, now, account=account, is_usable=account is not None
        )
        if account is not None:
            with override(account.language):
                rendered = emails.password_reset_code(account, code)
            key = f"account:{uuid4()}"
            outbox.add_rendered(
                outbox.NewNotification(key, "account", account.pk, email, topic=codes.topic_of(code_request)),
                rendered,
                now,
            )


def reset_password(request: HttpRequest, email: str, code: str, password: str, *, keep_tokens: bool) -> Account:
    """Set a new password with a code that was sent to this address, and return the account.

    The code also confirms the address. All sessions end, and programs lose their access unless they are kept. Raises
    ValidationError for a weak password, WrongCode or TooManyAttempts.
    """
    email = canonical(email)
    get_adapter().clean_password(password)
    attempt = rate_limits.count_attempt(rate_limits.code_attempt(request, email))
    with transaction.atomic():
        code_request = codes.find_request(_RESET_PURPOSES, email, code, timezone.now())
        if code_request is not None and code_request.account is not None:
            _replace_password(code_request.account, password, keep_tokens=keep_tokens)
            codes.delete_requests(_RESET_PURPOSES, email)
    if code_request is None or code_request.account is None:
        security_log.record_refusal("code-refused", request)
        raise WrongCode
    rate_limits.refund(attempt)
    security_log.record("password-reset", request, code_request.account)
    return code_request.account


def _replace_password(account: Account, password: str, *, keep_tokens: bool) -> None:
    get_adapter().clean_password(password, account)
    account.set_password(password)
    account.save(update_fields=["password"])
    sessions.end_others(account, None)
    confirm_address(account)
    deliverability.allow(account.email)
    if not keep_tokens:
        tokens.revoke_all(account)

"""Log-in, log-out and changes of an account, by running allauth's flows without a browser.

Nothing here reveals whether an address has an account: neither the answer, nor its duration, nor any change. API
clients have no cookies, so allauth's flows get the request together with a session by email address. It is stored in
the cache, which all processes share, and only one request at a time may use it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress, Login
from allauth.account.stages import LoginStageController
from allauth.core.context import request_context
from allauth.mfa.stages import AuthenticateStage
from django.contrib.auth import update_session_auth_hash
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import override

from accounts import names, rate_limits, second_factors, security_log, tokens
from accounts.authentication import emails, sessions, sign_up
from accounts.models import Account
from accounts.second_factors import Type, has_factor
from config.core.database.sql import lock
from config.core.email_spellings import canonical
from notifications import outbox, preferences
from notifications.content import RenderedNotification


class WrongPassword(Exception):
    """No account has this address and password."""


class EmailNotConfirmed(Exception):
    """The password is right, but the address is not confirmed. A code was sent for the request ``request_id``."""

    def __init__(self, request_id: UUID) -> None:
        super().__init__()
        self.request_id = request_id


class AccountClosed(Exception):
    """The password is right, but the account is closed."""


class SecondFactorRequired(Exception):
    """The password is right, and the account also needs a second factor."""

    def __init__(self, account: Account) -> None:
        super().__init__()
        self.account = account


def authenticate(request: HttpRequest, email: str, password: str, otp: str = "") -> Account:
    """Return the account with this address and password, and with this code of its second factor, if it has one.

    Raises WrongPassword, EmailNotConfirmed, AccountClosed, TooManyAttempts, SecondFactorRequired or WrongFactor.
    """
    email = canonical(email)
    rate_limits.count_request(request, "login")
    attempt = rate_limits.count_attempt(_draws(request, email))
    account: Account | None = get_adapter().authenticate(request, email=email, password=password)
    if account is None:
        raise WrongPassword
    rate_limits.refund(attempt)
    if not account.is_active:
        raise AccountClosed
    if not EmailAddress.objects.filter(user=account, email=email, verified=True).exists():
        raise EmailNotConfirmed(sign_up.request_confirmation(request, account))
    _pass_stages(request, account, email)
    verify_second_factor(request, account, otp)
    return account


def _draws(request: HttpRequest, email: str) -> rate_limits.Draws:
    account = Account.objects.filter(email=email).only("pk").first()
    is_known = account is not None and sessions.is_known_device(request, account)
    return rate_limits.known_device_attempt(email) if is_known else rate_limits.password_attempt(request, email)


def verify_second_factor(request: HttpRequest | None, account: Account, otp: str) -> None:
    """Check a code of the account's second factor, if it has one.

    Raises SecondFactorRequired without a code, WrongFactor or TooManyAttempts.
    """
    if has_factor(account):
        if not otp:
            raise SecondFactorRequired(account)
        use_code(request, account, otp)


def _pass_stages(request: HttpRequest, account: Account, email: str) -> None:
    """Run the stages of allauth's log-in after the password, except the second factor."""
    with sign_up_session(request, email):
        stages = LoginStageController(request, Login(user=account, email=email))
        response = stages.handle()
    if response is not None and stages.state["current"] != AuthenticateStage.key:
        raise AccountClosed


def log_in(request: HttpRequest, account: Account, *, factor: bool) -> None:
    """Log the browser in to an account that has proved its identity or confirmed its address.

    ``factor`` is True if the account's second factor was checked.
    """
    now = timezone.now()
    get_adapter().login(request, account)
    sessions.record_authentication(request, now, factor=factor)
    sessions.record_start(request, now)


def check_password(request: HttpRequest, account: Account, password: str) -> None:
    """Check the password of the logged-in account. Raises WrongPassword or TooManyAttempts."""
    rate_limits.count_request(request, "reauthenticate")
    if not account.check_password(password):
        raise WrongPassword


def log_out(request: HttpRequest) -> None:
    """Log the browser out."""
    get_adapter().logout(request)


def change_password(request: HttpRequest, account: Account, old: str, new: str, *, keep_tokens: bool) -> None:
    """Set a new password for an account that knows the old one, and end all its other sessions.

    Programs lose their access too, unless ``keep_tokens``. Raises WrongPassword, TooManyAttempts, or ValidationError
    for a weak password.
    """
    rate_limits.count_request(request, "change_password", key=str(account.pk))
    if not account.check_password(old):
        security_log.record_refusal("password-refused", request, account)
        raise WrongPassword
    get_adapter().clean_password(new, account)
    with transaction.atomic():
        account.set_password(new)
        account.save(update_fields=["password"])
        if not keep_tokens:
            tokens.revoke_all(account)
    update_session_auth_hash(request, account)
    security_log.record("password-changed", request, account)
    sessions.record_new_key(request)
    sessions.end_others(account, request)


def update_account(account: Account, changes: dict[str, Any]) -> None:
    """Change fields of an account. Raises ValidationError if the name is taken.

    A new time zone deletes the learned hours at which the account usually answers, because they are local times.
    """
    name = changes.get("name")
    if name is not None:
        try:
            Account.objects.check_free(name, account.email)
        except ValidationError as error:
            raise ValidationError({"name": error}) from None
    former_zone = account.time_zone
    for field, value in changes.items():
        setattr(account, field, value)
    try:
        with transaction.atomic():
            account.save(update_fields=list(changes))
            if account.time_zone != former_zone:
                preferences.keep_usual_hours(account, [])
    except IntegrityError:
        raise ValidationError({"name": names.taken_message()}) from None


# Seconds.
_KEPT: Final = 60 * 60


class SignUpSession(dict[str, Any]):
    """The session of an address."""


@contextmanager
def sign_up_session(request: HttpRequest, email: str) -> Iterator[SignUpSession]:
    """Set ``request.session`` to the session of ``email``, in a transaction.

    Other requests for this address wait until it has ended. An exception undoes everything, so a failure that must be
    remembered, such as a wrong code, must leave the block first.
    """
    key = f"accounts:sign_up_session:{sha256(email.encode()).hexdigest()}"
    browser_session = getattr(request, "session", None)  # a request of the API has none
    with request_context(request), transaction.atomic():
        lock(key)
        session = SignUpSession(cache.get(key, {}))
        request.session = session  # type: ignore[assignment]
        try:
            yield session
        finally:
            request.session = browser_session  # type: ignore[assignment]
        cache.set(key, dict(session), _KEPT)


def use_code(request: HttpRequest | None, account: Account, code: str) -> None:
    """Accept a code of the authenticator app, or a recovery code. A used recovery code is reported to the owner by
    email.

    Raises WrongFactor or TooManyAttempts.
    """
    attempt = rate_limits.count_attempt(rate_limits.second_factor_attempt(account))
    try:
        kind = second_factors.use_code(account, code)
    except second_factors.WrongFactor:
        security_log.record_refusal("second-factor-refused", request, account)
        raise
    rate_limits.refund(attempt)
    if kind == Type.RECOVERY_CODES:
        now, left = timezone.now(), len(second_factors.recovery_codes(account))
        with override(account.language):
            _mail(account, emails.recovery_code_used(account, left, now))


def add_app(request: HttpRequest, account: Account, secret: str, code: str) -> None:
    """Add an authenticator app that shows this code. Raises WrongFactor, FactorExists or TooManyAttempts."""
    attempt = rate_limits.count_attempt(rate_limits.second_factor_attempt(account))
    first = not second_factors.has_factor(account)
    second_factors.add_app(account, secret, code)
    rate_limits.refund(attempt)
    _added(request, account, Type.TOTP, first=first)


def add_passkey(request: HttpRequest, account: Account, name: str, text: str) -> None:
    """Add a passkey that the browser created, from its JSON. Raises WrongFactor or FactorExists."""
    credential = second_factors.parse_new(text)
    first = not second_factors.has_factor(account)
    second_factors.add_passkey(account, name, credential)
    _added(request, account, Type.WEBAUTHN, first=first)


def renew_recovery_codes(request: HttpRequest, account: Account) -> None:
    """Replace the recovery codes, and notify the owner."""
    second_factors.renew_recovery_codes(account)
    security_log.record("recovery-codes-renewed", request, account)
    with override(account.language):
        _mail(account, emails.factor_added(account, Type.RECOVERY_CODES, timezone.now()))


def remove(request: HttpRequest, account: Account, factor: int) -> bool:
    """Remove a factor and notify the owner. Return False if there is no such factor."""
    kind = second_factors.remove(account, factor)
    if kind is None:
        return False
    security_log.record("second-factor-removed", request, account, kind=kind)
    with override(account.language):
        _mail(account, emails.factor_removed(account, kind, timezone.now()))
    return True


def remove_all(account: Account) -> int:
    """Remove every factor for an owner who has lost them, end the sessions, and notify the owner. Return the number of
    factors."""
    count = second_factors.remove_all(account)
    if count:
        security_log.record("second-factors-removed-by-operator", None, account)
        sessions.end_others(account, None)
        with override(account.language):
            _mail(account, emails.factors_removed_by_operator(account, timezone.now()))
    return count


def _added(request: HttpRequest, account: Account, kind: Type, *, first: bool) -> None:
    """Record a new factor as passed in this session. The first factor ends all other sessions, which have not passed
    it."""
    now = timezone.now()
    sessions.record_authentication(request, now, factor=True)
    security_log.record("second-factor-added", request, account, kind=kind)
    if first:
        sessions.end_others(account, request)
    with override(account.language):
        _mail(account, emails.factor_added(account, kind, now))


def _mail(account: Account, rendered: RenderedNotification) -> None:
    outbox.add_rendered(outbox.NewNotification(f"factor:{uuid4()}", "account", account.pk), rendered, timezone.now())

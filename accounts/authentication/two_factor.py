"""Using, adding and removing second factors, with the limits, emails and sessions that this involves."""

from uuid import uuid4

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import override

from accounts.authentication import (
    emails,
    reauthentication,
    sessions,
)
from accounts.limits import attempt_limits, security_log
from accounts.models import Account
from accounts.second_factor import factors, passkeys
from accounts.second_factor.factors import Type
from notifications.content.rendered_notification import RenderedNotification
from notifications.delivery import outbox


def use_code(request: HttpRequest, account: Account, code: str) -> None:
    """Accept a code of the authenticator app, or a recovery code. A used recovery code is reported to the owner by
    email.

    Raises WrongFactor or TooManyAttempts.
    """
    attempt = attempt_limits.count_attempt(attempt_limits.second_factor_attempt(account))
    try:
        kind = factors.use_code(account, code)
    except factors.WrongFactor:
        security_log.record_refusal("second-factor-refused", request, account)
        raise
    attempt_limits.refund(attempt)
    if kind == Type.RECOVERY_CODES:
        now, left = timezone.now(), len(factors.recovery_codes(account))
        with override(account.language):
            _mail(account, emails.recovery_code_used(account, left, now))


def add_app(request: HttpRequest, account: Account, secret: str, code: str) -> None:
    """Add an authenticator app that shows this code. Raises WrongFactor, FactorExists or TooManyAttempts."""
    attempt = attempt_limits.count_attempt(attempt_limits.second_factor_attempt(account))
    first = not factors.has_factor(account)
    factors.add_app(account, secret, code)
    attempt_limits.refund(attempt)
    _added(request, account, Type.TOTP, first=first)


def add_passkey(request: HttpRequest, account: Account, name: str, text: str) -> None:
    """Add a passkey that the browser created, from its JSON. Raises WrongFactor or FactorExists."""
    credential = passkeys.parse_new(text)
    first = not factors.has_factor(account)
    factors.add_passkey(account, name, credential)
    _added(request, account, Type.WEBAUTHN, first=first)


def renew_recovery_codes(request: HttpRequest, account: Account) -> None:
    """Replace the recovery codes, and notify the owner."""
    factors.renew_recovery_codes(account)
    security_log.record("recovery-codes-renewed", request, account)
    with override(account.language):
        _mail(account, emails.factor_added(account, Type.RECOVERY_CODES, timezone.now()))


def remove(request: HttpRequest, account: Account, factor: int) -> bool:
    """Remove a factor and notify the owner. Return False if there is no such factor."""
    kind = factors.remove(account, factor)
    if kind is None:
        return False
    security_log.record("second-factor-removed", request, account, kind=kind)
    with override(account.language):
        _mail(account, emails.factor_removed(account, kind, timezone.now()))
    return True


def remove_all(account: Account) -> int:
    """Remove every factor for an owner who has lost them, end the sessions, and notify the owner. Return the number of
    factors."""
    count = factors.remove_all(account)
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
    reauthentication.record(request, now, factor=True)
    security_log.record("second-factor-added", request, account, kind=kind)
    if first:
        sessions.end_others(account, request)
    with override(account.language):
        _mail(account, emails.factor_added(account, kind, now))


def _mail(account: Account, rendered: RenderedNotification) -> None:
    outbox.add_rendered(outbox.NewNotification(f"factor:{uuid4()}", "account", account.pk), rendered, timezone.now())

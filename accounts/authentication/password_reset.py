"""Setting a new password with a code by email."""

from uuid import uuid4

from allauth.account.adapter import get_adapter
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import override

from accounts.authentication import codes, emails, sessions
from accounts.authentication.sign_up import WrongCode, confirm_address
from accounts.limits import attempt_limits, security_log
from accounts.models import Account, CodeRequest
from accounts.tokens import grants
from notifications.delivery import outbox
from notifications.recipients import deliverability

_PURPOSES = (CodeRequest.Purpose.PASSWORD,)


def request_reset(request: HttpRequest, email: str) -> None:
    """Send a code for a new password if the address has an active account. Raises TooManyAttempts."""
    email = email.lower()
    attempt_limits.count_request(request, "reset_password")
    attempt_limits.count_attempt(attempt_limits.code_email(request, email, _PURPOSES[0]))
    now = timezone.now()
    account = Account.objects.filter(email=email, is_active=True).first()
    with transaction.atomic():
        code_request, code = codes.create_request(
            _PURPOSES[0], email, now, account=account, is_usable=account is not None
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
    email = email.lower()
    get_adapter().clean_password(password)
    attempt = attempt_limits.count_attempt(attempt_limits.code_attempt(request, email))
    with transaction.atomic():
        code_request = codes.find_request(_PURPOSES, email, code, timezone.now())
        if code_request is not None and code_request.account is not None:
            _set_password(code_request.account, password, keep_tokens=keep_tokens)
            codes.delete_requests(_PURPOSES, email)
    if code_request is None or code_request.account is None:
        security_log.record_refusal("code-refused", request)
        raise WrongCode
    attempt_limits.refund(attempt)
    security_log.record("password-reset", request, code_request.account)
    return code_request.account


def _set_password(account: Account, password: str, *, keep_tokens: bool) -> None:
    get_adapter().clean_password(password, account)
    account.set_password(password)
    account.save(update_fields=["password"])
    sessions.end_others(account, None)
    confirm_address(account)
    deliverability.allow(account.email)
    if not keep_tokens:
        grants.revoke_all(account)

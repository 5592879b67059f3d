"""Export of an account's data, and deletion of the account.

The data of an account are stored in several apps, which this module cannot import. ``settings.ACCOUNT_DATA_PROVIDERS``
names a module of each app with two functions: ``export_data(account)`` returns the data of the account as JSON, and
``delete_data(account, now)`` is called before the row of the account is deleted, in the same transaction.
"""

import base64
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import override

from accounts.account_data import deleted_accounts
from accounts.authentication import emails
from accounts.authentication.flows import WrongPassword
from accounts.authentication.sign_up import WrongCode
from accounts.limits import attempt_limits
from accounts.limits.rate_limits import EXPORTS, enforce
from accounts.models import Account
from notifications.delivery import outbox

# A code is valid for at least this time, and for at most twice this time.
CODE_LIFETIME: Final = timedelta(hours=1)


def export_data(account: Account, now: datetime) -> dict[str, Any]:
    """Return all data about an account that its owner may read. Raises RateLimitExceeded, because it reads a lot."""
    enforce(account.pk, EXPORTS, now)
    return {name: value for provider in _providers() for name, value in provider.export_data(account).items()}


def send_deletion_code(request: HttpRequest, account: Account, now: datetime) -> None:
    """Email a code that the owner can use in place of the password to delete the account. Raises TooManyAttempts."""
    attempt_limits.count_request(request, "deletion_code", str(account.pk))
    attempt_limits.count_attempt(attempt_limits.code_email(request, account.email, "deletion"))
    with override(account.language):
        rendered = emails.deletion_code(account, _code(account, now))
    outbox.add_rendered(outbox.NewNotification(f"deletion:{uuid4()}", "account", account.pk), rendered, now)


def verify_owner(request: HttpRequest, account: Account, now: datetime, *, password: str = "", code: str = "") -> None:
    """Check the password, or the code from the email. Raises WrongPassword or WrongCode."""
    attempt_limits.count_request(request, "deletion", str(account.pk))
    if password:
        if not account.check_password(password):
            raise WrongPassword
        return
    plain_code = "".join(mark for mark in code.lower() if mark.isascii() and mark.isalnum())
    valid = [_code(account, now - CODE_LIFETIME * ago) for ago in (0, 1)]
    if not any(constant_time_compare(plain_code, mark.replace("-", "")) for mark in valid):
        raise WrongCode


def delete_account(account: Account, now: datetime) -> None:
    """Delete an account and every mention of it. Its seats stay without a name, and the games go on."""
    with transaction.atomic():
        transaction.on_commit(partial(deleted_accounts.add, (account.pk, account.created_at), now))
        for provider in _providers():
            provider.delete_data(account, now)
        account.delete()


def _providers() -> Iterator[Any]:
    return (import_module(name) for name in settings.ACCOUNT_DATA_PROVIDERS)


def _code(account: Account, moment: datetime) -> str:
    """Return the deletion code of an account for one hour. It is derived, so it need not be stored."""
    hour = int(moment.timestamp() // CODE_LIFETIME.total_seconds())
    mac = salted_hmac(
        "accounts.account_data.export_and_deletion", f"{account.pk}|{account.password}|{hour}", algorithm="sha256"
    ).digest()
    text = base64.b32encode(mac).decode()[:8].lower()
    return f"{text[:4]}-{text[4:]}"

"""Taking everything along, and going: an account's papers, and the end of it.

What belongs to an account stands in several apps, which are below or beside this one; ``settings.BELONGINGS`` names a
module of each. Each has ``papers(account)``, what is exported of an account, as JSON; and ``let_go(account, now)``,
what is to be done before the account's row is deleted, in one transaction with that.
"""

import base64
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import override

from accounts.authentication import emails
from accounts.authentication.flows import WrongPassword
from accounts.authentication.sign_up import WrongCode
from accounts.limits import tries
from accounts.limits.rate_limits import EXPORTS, keep_pace
from accounts.models import Account
from notifications.delivery import outbox

CODE_HOLDS: Final = timedelta(hours=1)
"""A code that was mailed holds for so long at least, and for twice as long at most."""


def papers(account: Account, now: datetime) -> dict[str, Any]:
    """Everything that is kept about an account and may be told to its owner. TooFast: it reads a lot."""
    keep_pace(account.pk, EXPORTS, now)
    return {name: paper for part in _parts() for name, paper in part.papers(account).items()}


def send_code(request: HttpRequest, account: Account, now: datetime) -> None:
    """Mail the code that proves, in place of a password, that the owner wants the account deleted. TooManyTries."""
    tries.count(request, "leaving_code", str(account.pk))
    tries.draw(tries.of_mail(request, account.email, "leaving"))
    with override(account.language):
        notice = emails.leaving(account, _code(account, now))
    outbox.post(outbox.Order(f"leaving:{uuid4()}", "account", account.pk), notice, now)


def prove(request: HttpRequest, account: Account, now: datetime, *, password: str = "", code: str = "") -> None:
    """Check that the owner asks: by the password, or the code from the mail. WrongPassword, WrongCode."""
    tries.count(request, "leaving", str(account.pk))
    if password:
        if not account.check_password(password):
            raise WrongPassword
        return
    said = "".join(each for each in code.lower() if each.isascii() and each.isalnum())
    valid = [_code(account, now - CODE_HOLDS * ago) for ago in (0, 1)]
    if not any(constant_time_compare(said, each.replace("-", "")) for each in valid):
        raise WrongCode


def leave(account: Account, now: datetime) -> None:
    """Delete an account with all that names it. The seats stay, with nobody's name, and the games go on."""
    with transaction.atomic():
        for part in _parts():
            part.let_go(account, now)
        account.delete()


def _parts() -> Iterator[Any]:
    return (import_module(name) for name in settings.BELONGINGS)


def _code(account: Account, at: datetime) -> str:
    """The code of an account within one hour: derived, so that nothing is to be stored."""
    hour = int(at.timestamp() // CODE_HOLDS.total_seconds())
    mac = salted_hmac(
        "accounts.account_data.account_export", f"{account.pk}|{account.password}|{hour}", algorithm="sha256"
    ).digest()
    text = base64.b32encode(mac).decode()[:8].lower()
    return f"{text[:4]}-{text[4:]}"

"""Codes that are mailed: each belongs to one request, and does what that request asked for and nothing else.

Whoever knows an address may ask for codes to it, as often as ``accounts.limits.attempt_limits`` allows. So a later
request neither takes the place of an earlier one nor voids its code, and a code alone does not say whose request it
confirms.
"""

import string
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django.db import connection
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import Account, CodeRequest
from notifications.delivery import outbox

LIFETIME: Final = timedelta(hours=1)
"""The time for which a code can be used."""
KEPT: Final = timedelta(days=1)
"""The time for which a request and its email are kept."""
_MARKS: Final = frozenset(string.ascii_uppercase + string.digits)


def create_request(
    purpose: str,
    email: str,
    now: datetime,
    *,
    account: Account | None = None,
    password: str = "",
    details: Mapping[str, Any] | None = None,
    is_usable: bool = True,
) -> tuple[CodeRequest, str]:
    """Store a request; the code that is to be mailed for it, which is kept nowhere.

    No code confirms a request that is not usable: it is there because it would be for another address.
    """
    code = get_adapter().generate_email_verification_code()
    asked = CodeRequest(
        purpose=purpose, email=email, account=account, password=password, details=dict(details or {}), asked_at=now
    )
    asked.digest = _digest(asked, _plain(code)) if is_usable else None
    asked.save(force_insert=True)
    return asked, code


def find_request(purposes: Collection[str], email: str, code: str, now: datetime) -> CodeRequest | None:
    """The request that this code was mailed for, while it holds. Others wait with this address until the end of the
    transaction, so that a code works once.
    """
    _lock_address(email)
    said = _plain(code)
    alive = CodeRequest.objects.filter(purpose__in=purposes, email=email, asked_at__gt=now - LIFETIME)
    usable = alive.exclude(digest=None).select_related("account")
    return next(
        (each for each in usable if constant_time_compare(bytes(each.digest or b""), _digest(each, said))), None
    )


def delete_requests(purposes: Collection[str], email: str) -> None:
    """Delete the requests of an address: what they asked for is done."""
    CodeRequest.objects.filter(purpose__in=purposes, email=email).delete()


def topic_of(asked: CodeRequest) -> str:
    """Under which the mail of a request is found again."""
    return f"code:{asked.pk}"


def delete_expired(now: datetime) -> int:
    """Delete the requests that nobody can confirm any more, and their mails that belong to no account; how many."""
    old = list(CodeRequest.objects.filter(asked_at__lt=now - KEPT))
    outbox.forget([topic_of(each) for each in old])
    deleted, _ = CodeRequest.objects.filter(pk__in=[each.pk for each in old]).delete()
    return deleted


def _digest(asked: CodeRequest, code: str) -> bytes:
    return salted_hmac("accounts.authentication.codes", f"{asked.pk}|{code}", algorithm="sha256").digest()


def _plain(code: str) -> str:
    """A code as it is compared: without its dash, in capitals, without the marks that writing from right to left may
    bring with it.
    """
    return "".join(mark for mark in code.upper() if mark in _MARKS)


def _lock_address(email: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"accounts.authentication.codes:{email}"]
        )

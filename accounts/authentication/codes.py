"""Codes by email. Each code belongs to one request and confirms only that request.

Anyone who knows an address may ask for codes to it, within ``accounts.rate_limits``. So a code proves only
that its email was read, not that its reader asked for it. Each request is a row (``CodeRequest``) with a keyed hash of
its own code. A later request does not replace an earlier one or invalidate its code, and a code alone does not show
whose request it confirms: ``accounts.authentication.sign_up.confirm`` also needs the password of the sign-up, or the
session of the browser that made it. Sign-ups reserve no names: the first one to confirm gets the name. If the address
has an account, the same row is stored, without a usable code.
"""

import string
import unicodedata
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import Account, CodeRequest
from config.core.database.sql import lock
from notifications import outbox

# The time for which a code can be used.
LIFETIME: Final = timedelta(hours=1)
# The time for which a request and its email are kept.
KEPT: Final = timedelta(days=1)
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
    """Store a request and return the code to send for it. Only a hash of the code is stored.

    A request that is not usable cannot be confirmed. It is stored so that all addresses cause the same work.
    """
    code = get_adapter().generate_email_verification_code()
    code_request = CodeRequest(
        purpose=purpose, email=email, account=account, password=password, details=dict(details or {}), asked_at=now
    )
    code_request.digest = _digest(code_request, _normalize(code)) if is_usable else None
    code_request.save(force_insert=True)
    return code_request, code


def find_request(purposes: Collection[str], email: str, code: str, now: datetime) -> CodeRequest | None:
    """Return the request that this code was sent for, unless it has expired.

    Other requests for this address wait until the end of the transaction, so that a code works only once.
    """
    lock(f"accounts.authentication.codes:{email}")
    plain_code = _normalize(code)
    recent = CodeRequest.objects.filter(purpose__in=purposes, email=email, asked_at__gt=now - LIFETIME)
    usable = recent.exclude(digest=None).select_related("account")
    return next(
        (
            code_request
            for code_request in usable
            if constant_time_compare(bytes(code_request.digest or b""), _digest(code_request, plain_code))
        ),
        None,
    )


def delete_requests(purposes: Collection[str], email: str) -> None:
    """Delete the requests of an address after one of them was confirmed."""
    CodeRequest.objects.filter(purpose__in=purposes, email=email).delete()


def topic_of(code_request: CodeRequest) -> str:
    """Return the topic under which the email of a request is stored in the outbox."""
    return f"code:{code_request.pk}"


def find_by_topic(topic: str) -> CodeRequest | None:
    """Return the request whose email has this topic, or None once it was confirmed or deleted."""
    kind, _, number = topic.partition(":")
    return CodeRequest.objects.filter(pk=number).first() if kind == "code" else None


def delete_expired(now: datetime) -> int:
    """Delete expired requests, and old emails about accounts to addresses that have none.

    Return the number of requests.
    """
    outbox.forget_strangers("account", now - KEPT)
    deleted, _ = CodeRequest.objects.filter(asked_at__lt=now - KEPT).delete()
    return deleted


def _digest(code_request: CodeRequest, code: str) -> bytes:
    return salted_hmac("accounts.authentication.codes", f"{code_request.pk}|{code}", algorithm="sha256").digest()


def _normalize(code: str) -> str:
    """Return a code in the form that is compared: capitals and ASCII digits, without its dash and direction marks."""
    marks = unicodedata.normalize("NFKC", code).upper()
    return "".join(mark for mark in (str(unicodedata.decimal(mark, mark)) for mark in marks) if mark in _MARKS)

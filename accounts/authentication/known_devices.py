"""Browsers in which an account has logged in before. A log-in from any other browser is reported to the owner.

Each known browser has a signed cookie. The server stores the marks in the cookie only as described in
``accounts.limits.sightings``. A browser that deletes its cookies is a new one.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.signing import BadSignature, dumps, loads
from django.http import HttpRequest, HttpResponse
from django.utils.translation import override

from accounts.authentication import security_emails as notifications
from accounts.authentication import sessions
from accounts.limits import sightings
from accounts.models import Account
from config.core.crypto import keyed_hash, keyed_hashes
from notifications.content.rendered_notification import RenderedNotification
from notifications.delivery import outbox

# No browser keeps a cookie for longer.
KEPT: Final = timedelta(days=400)
# The number of accounts that are remembered for one browser.
MOST: Final = 10
_SALT: Final = "accounts.authentication.known_devices"


def is_known(request: HttpRequest, account: Account) -> bool:
    """Return whether this browser has logged in to this account before."""
    return not _all_marks(account).isdisjoint(_marks(request))


def remember(request: HttpRequest, response: HttpResponse, account: Account, now: datetime) -> None:
    """Mark the browser with a cookie as one that has logged in to this account."""
    own_mark = _mark(account)
    marks = [mark for mark in _marks(request) if mark != own_mark][-(MOST - 1) :]
    sightings.note_browser(account, [*marks, own_mark], now)
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        dumps([*marks, own_mark], salt=_SALT),
        max_age=KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def report_log_in(request: HttpRequest, account: Account, now: datetime) -> None:
    """Email the owner about a log-in from a browser that is new to the account."""
    with override(account.language):
        device = sessions.describe_device(request.headers.get("User-Agent", ""))
        _mail(account, notifications.new_device(account, device, _from(request), now), now)


def report_token(request: HttpRequest, account: Account, name: str, now: datetime) -> None:
    """Email the owner about a token that was created with the password."""
    with override(account.language):
        _mail(account, notifications.new_token(account, name, _from(request), now), now)


def _mail(account: Account, rendered: RenderedNotification, now: datetime) -> None:
    outbox.add_rendered(outbox.NewNotification(f"device:{uuid4()}", "account", account.pk), rendered, now)


def _from(request: HttpRequest) -> str:
    return str(get_adapter().get_client_ip(request))


def _marks(request: HttpRequest) -> list[str]:
    try:
        return list(loads(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=_SALT, max_age=KEPT))
    except BadSignature:
        return []


def _mark(account: Account) -> str:
    return keyed_hash(_SALT, str(account.pk)).hex()[:20]


def _all_marks(account: Account) -> set[str]:
    """Return the account's marks under the present key and under former keys."""
    return {digest.hex()[:20] for digest in keyed_hashes(_SALT, str(account.pk))}

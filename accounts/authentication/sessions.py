"""The browser sessions of an account, their last authentication, and the browsers that logged in before.

Django stores the data of a session. allauth's ``UserSession`` stores its account, address and browser.

Each known browser has a signed cookie. A log-in from any other browser is reported to the owner. The server stores the
marks in the cookie only as described in ``accounts.security_log``. A browser that deletes its cookies is a new one.

A session of an account with a second factor counts only after that factor. Actions that are hard to undo (a new
password, a new factor, a token, deleting the account) require a recent authentication. Sessions without their account's
second factor are kept out of the settings and the consent page. Normally there are no such sessions: log-in asks for
the factor, and adding one ends all other sessions.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlencode
from uuid import uuid4

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.signing import BadSignature, dumps, loads
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from accounts import security_log
from accounts.authentication import emails
from accounts.models import Account
from accounts.second_factors import has_factor
from config.core.crypto import keyed_hash, keyed_hashes
from notifications import outbox
from notifications.content import RenderedNotification

# The precision of the last use of a session. Most requests need not write it.
PRECISION: Final = timedelta(hours=1)
_LAST_USE: Final = "accounts:seen"
# Patterns in a user agent, and the browser. The first match counts, because most browsers also name others.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox|FxiOS", "Firefox"),
    ("Chrome|CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def record_start(request: HttpRequest, now: datetime) -> None:
    """Record a new session, and delete the account's expired ones.

    A session expires at a fixed time after this, even if its data are stored again later.
    """
    request.session.set_expiry(now + timedelta(seconds=settings.SESSION_COOKIE_AGE))
    UserSession.objects.purge_and_list(request.user)
    UserSession.objects.create_from_request(request)
    _note_use(request, now)


def record_new_key(request: HttpRequest) -> None:
    """Record the new key that a session gets when the password changes."""
    UserSession.objects.create_from_request(request)


def record_use(request: HttpRequest, now: datetime) -> None:
    """Record the use of a session, at most once an hour."""
    last_use = request.session.get(_LAST_USE)
    if last_use is not None and now.timestamp() - last_use >= PRECISION.total_seconds():
        UserSession.objects.filter(session_key=request.session.session_key).update(last_seen_at=now)
        _note_use(request, now)


def _note_use(request: HttpRequest, now: datetime) -> None:
    assert isinstance(request.user, Account)
    security_log.note_network(request, request.user, now)
    request.session[_LAST_USE] = now.timestamp()


def sessions_of(account: Account, now: datetime) -> list[UserSession]:
    """Return the open sessions of an account, last used first."""
    return list(_open(account, now).order_by("-last_seen_at", "-pk"))


def end(account: Account, session: int, now: datetime) -> bool:
    """End a session of an account immediately. Return whether it was open."""
    rows = list(_open(account, now).filter(pk=session))
    _end(rows)
    return bool(rows)


def end_others(account: Account, request: HttpRequest | None) -> int:
    """End all sessions of an account except the one of ``request``. Return their number."""
    kept_key = request.session.session_key if request else None
    others = list(UserSession.objects.filter(user=account).exclude(session_key=kept_key))
    _end(others)
    return len(others)


def delete_expired(now: datetime) -> int:
    """Delete expired sessions, and the ``UserSession`` rows of ended ones. Return the number of rows."""
    expired, _by_model = Session.objects.filter(expire_date__lt=now).delete()
    ended: int
    ended, _by_model = UserSession.objects.exclude(_is_open(now)).delete()
    return expired + ended


def describe_device(user_agent: str) -> str:
    """Return a description of a browser in the active language, from its user agent."""
    browser = _first_match(_BROWSERS, user_agent) or _("An unknown browser")
    system = _first_match(_SYSTEMS, user_agent)
    if not system:
        return browser
    return pgettext("a browser", "%(browser)s on %(system)s") % {"browser": browser, "system": system}


def _first_match(patterns: Sequence[tuple[str, str]], user_agent: str) -> str:
    return next((name for pattern, name in patterns if re.search(pattern, user_agent)), "")


def _open(account: Account, now: datetime) -> QuerySet[UserSession]:
    rows: QuerySet[UserSession] = UserSession.objects.filter(_is_open(now), user=account)
    return rows


def _is_open(now: datetime) -> Exists:
    return Exists(Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gte=now))


def _end(sessions: Sequence[UserSession]) -> None:
    Session.objects.filter(session_key__in=[session.session_key for session in sessions]).delete()
    UserSession.objects.filter(pk__in=[session.pk for session in sessions]).delete()


# No browser keeps a cookie for longer.
DEVICE_KEPT: Final = timedelta(days=400)
# The number of accounts that are remembered for one browser.
MOST_ACCOUNTS: Final = 10
_SALT: Final = "accounts.authentication.known_devices"


def is_known_device(request: HttpRequest, account: Account) -> bool:
    """Return whether this browser has logged in to this account before."""
    return not _all_marks(account).isdisjoint(_marks(request))


def remember_device(request: HttpRequest, response: HttpResponse, account: Account, now: datetime) -> None:
    """Mark the browser with a cookie as one that has logged in to this account."""
    own_mark = _mark(account)
    marks = [mark for mark in _marks(request) if mark != own_mark][-(MOST_ACCOUNTS - 1) :]
    security_log.note_browser(account, [*marks, own_mark], now)
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        dumps([*marks, own_mark], salt=_SALT),
        max_age=DEVICE_KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def report_log_in(request: HttpRequest, account: Account, now: datetime) -> None:
    """Email the owner about a log-in from a browser that is new to the account."""
    with override(account.language):
        device = describe_device(request.headers.get("User-Agent", ""))
        _mail(account, emails.new_device(account, device, _from(request), now), now)


def report_token(request: HttpRequest, account: Account, name: str, now: datetime) -> None:
    """Email the owner about a token that was created with the password."""
    with override(account.language):
        _mail(account, emails.new_token(account, name, _from(request), now), now)


def _mail(account: Account, rendered: RenderedNotification, now: datetime) -> None:
    outbox.add_rendered(outbox.NewNotification(f"device:{uuid4()}", "account", account.pk), rendered, now)


def _from(request: HttpRequest) -> str:
    return str(get_adapter().get_client_ip(request))


def _marks(request: HttpRequest) -> list[str]:
    try:
        return list(loads(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=_SALT, max_age=DEVICE_KEPT))
    except BadSignature:
        return []


def _mark(account: Account) -> str:
    return keyed_hash(_SALT, str(account.pk)).hex()[:20]


def _all_marks(account: Account) -> set[str]:
    """Return the account's marks under the present key and under former keys."""
    return {digest.hex()[:20] for digest in keyed_hashes(_SALT, str(account.pk))}


def session_key(cookies: str) -> str:
    """Return the session key in a Cookie header, or an empty string."""
    try:
        cookie = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return ""
    return cookie.value if cookie and cookie.value.isalnum() else ""


def accounts_of(keys: Iterable[str], now: datetime) -> dict[str, Account]:
    """Return the accounts of the valid sessions among these.

    A session ends at its expiry, at log-out, with a new password, and when its account is closed.
    """
    rows = Session.objects.filter(session_key__in=tuple(keys), expire_date__gt=now)
    sessions = {row.session_key: row.get_decoded() for row in rows}
    signed_in = [data[SESSION_KEY] for data in sessions.values() if SESSION_KEY in data]
    accounts = {str(account.pk): account for account in Account.objects.filter(pk__in=signed_in, is_active=True)}
    return {
        key: account
        for key, data in sessions.items()
        if (account := accounts.get(data.get(SESSION_KEY, ""))) is not None
        and constant_time_compare(data.get(HASH_SESSION_KEY, ""), account.get_session_auth_hash())
    }


# The time for which an authentication counts as recent.
RECENT: Final = timedelta(minutes=10)
_PROOF: Final = "accounts:proof"


def record_authentication(request: HttpRequest, now: datetime, *, factor: bool) -> None:
    """Record in the session that its user has just authenticated."""
    request.session[_PROOF] = {"at": now.timestamp(), "factor": factor}


def has_passed_factor(request: HttpRequest) -> bool:
    """Return True if the last authentication of the session included a second factor."""
    return bool(request.session.get(_PROOF, {}).get("factor"))


def is_complete(request: HttpRequest) -> bool:
    """Return True if the session has passed every step that its account requires. The user must be logged in."""
    return has_passed_factor(request) or not has_factor(_user(request))


def is_recent(request: HttpRequest) -> bool:
    """Return True if the user authenticated a short time ago."""
    age = timezone.now().timestamp() - request.session.get(_PROOF, {}).get("at", 0)
    return 0 <= age < RECENT.total_seconds() and is_complete(request)


def may_ask_for_password(request: HttpRequest) -> bool:
    """Return True if a form with a password may be used. With a second factor, this takes a recent authentication."""
    return is_recent(request) or not has_factor(_user(request))


def _user(request: HttpRequest) -> Account:
    assert isinstance(request.user, Account)
    return request.user


PROTECTED: Final = ("/settings/", "/oauth/authorize")


def second_factor_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Require the second factor for pages below ``PROTECTED``, and record the use of each session."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not isinstance(request.user, Account):
            return get_response(request)
        if request.path.startswith(PROTECTED) and not is_complete(request):
            return redirect_to_reauthentication(
                request.get_full_path() if request.method in ("GET", "HEAD") else reverse("settings")
            )
        record_use(request, timezone.now())
        return get_response(request)

    return respond


def redirect_to_reauthentication(back: str) -> HttpResponse:
    """Redirect to the page for authenticating again, which then redirects to ``back``."""
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': back})}")

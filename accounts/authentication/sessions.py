"""The browser sessions of an account.

Django stores the data of a session. allauth's ``UserSession`` stores its account, address and browser.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.limits import sightings
from accounts.models import Account

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
    sightings.note_network(request, request.user, now)
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

"""The browsers in which an account is logged in: from where and since when, and ending them.

Django keeps what a session holds; allauth's ``UserSession`` beside it says whose it is, its address and its browser.
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

SEEN: Final = timedelta(hours=1)
"""The precision with which the last use of a session is noted, so that most requests write nothing."""
_SEEN: Final = "accounts:seen"
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox|FxiOS", "Firefox"),
    ("Chrome|CriOS", "Chrome"),
    ("Safari", "Safari"),
)
"""The words of a user agent and the browser each stands for. The first that fits counts: most name others too."""
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
    """Note that a session has another key, as it gets with a new password."""
    UserSession.objects.create_from_request(request)


def record_use(request: HttpRequest, now: datetime) -> None:
    """Note that a session is used, at most once in an hour."""
    seen = request.session.get(_SEEN)
    if seen is not None and now.timestamp() - seen >= SEEN.total_seconds():
        UserSession.objects.filter(session_key=request.session.session_key).update(last_seen_at=now)
        _note_use(request, now)


def _note_use(request: HttpRequest, now: datetime) -> None:
    assert isinstance(request.user, Account)
    sightings.note_network(request, request.user, now)
    request.session[_SEEN] = now.timestamp()


def sessions_of(account: Account, now: datetime) -> list[UserSession]:
    """The open sessions of an account, the one that was used last first."""
    return list(_open(account, now).order_by("-last_seen_at", "-pk"))


def end(account: Account, session: int, now: datetime) -> bool:
    """End a session of an account immediately. Return whether it was open."""
    found = list(_open(account, now).filter(pk=session))
    _end(found)
    return bool(found)


def end_others(account: Account, request: HttpRequest | None) -> int:
    """End all sessions of an account but the one of this request, if there is one; how many."""
    kept = request.session.session_key if request else None
    others = list(UserSession.objects.filter(user=account).exclude(session_key=kept))
    _end(others)
    return len(others)


def delete_expired(now: datetime) -> int:
    """Delete sessions that have expired, and where those were that are over; how many rows."""
    expired, _by_model = Session.objects.filter(expire_date__lt=now).delete()
    over: int
    over, _by_model = UserSession.objects.exclude(_is_open(now)).delete()
    return expired + over


def describe_device(user_agent: str) -> str:
    """Return a description of a browser in the active language, as far as its User-Agent header can be trusted."""
    browser = _named(_BROWSERS, user_agent) or _("An unknown browser")
    system = _named(_SYSTEMS, user_agent)
    if not system:
        return browser
    return pgettext("a browser", "%(browser)s on %(system)s") % {"browser": browser, "system": system}


def _named(known: Sequence[tuple[str, str]], user_agent: str) -> str:
    return next((name for sign, name in known if re.search(sign, user_agent)), "")


def _open(account: Account, now: datetime) -> QuerySet[UserSession]:
    found: QuerySet[UserSession] = UserSession.objects.filter(_is_open(now), user=account)
    return found


def _is_open(now: datetime) -> Exists:
    return Exists(Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gte=now))


def _end(sessions: Sequence[UserSession]) -> None:
    Session.objects.filter(session_key__in=[session.session_key for session in sessions]).delete()
    UserSession.objects.filter(pk__in=[session.pk for session in sessions]).delete()

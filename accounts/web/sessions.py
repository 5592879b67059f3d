"""Repeated checks of browser sessions, for long-lived connections."""

from collections.abc import Iterable
from datetime import datetime
from http.cookies import CookieError, SimpleCookie

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils.crypto import constant_time_compare

from accounts.models import Account


def session_key(cookies: str) -> str:
    """Return the session key in a Cookie header, or an empty string."""
    try:
        cookie = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


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

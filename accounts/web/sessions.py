"""Checking browser sessions again, for long-lived connections."""

from collections.abc import Iterable
from datetime import datetime
from http.cookies import CookieError, SimpleCookie

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils.crypto import constant_time_compare

from accounts.models import Account


def session_key(cookies: str) -> str:
    """Return the key of the session that a Cookie header shows; blank where it shows none."""
    try:
        found = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return ""
    return found.value if found else ""


def accounts_of(keys: Iterable[str], now: datetime) -> dict[str, Account]:
    """Return the accounts of these sessions that are still valid.

    A session ends at its time, with a log-out, with a new password, and when its account is closed.
    """
    rows = Session.objects.filter(session_key__in=tuple(keys), expire_date__gt=now)
    found = {row.session_key: row.get_decoded() for row in rows}
    signed_in = [data[SESSION_KEY] for data in found.values() if SESSION_KEY in data]
    accounts = {str(each.pk): each for each in Account.objects.filter(pk__in=signed_in, is_active=True)}
    return {
        key: account
        for key, data in found.items()
        if (account := accounts.get(data.get(SESSION_KEY, ""))) is not None
        and constant_time_compare(data.get(HASH_SESSION_KEY, ""), account.get_session_auth_hash())
    }

"""Second factors for people in tests: an authenticator app, and browsers that have passed it."""

import time
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from accounts import second_factors
from accounts.authentication import sessions
from accounts.models import Account

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
STEP = 30
"""Seconds for which an app shows a code."""


def code(after: int = 0, secret: str = SECRET) -> str:
    """Return the code of an authenticator app, now or some steps later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // STEP + after))


def with_app(account: Account) -> Account:
    """The account, with an authenticator app that was set up long ago: its code of now has not been used."""
    if not second_factors.has_factor(account):
        second_factors.add_app(account, SECRET, code(-1))
    return account


def passed(browser: Client, account: Account) -> Client:
    """The browser, in which this account is logged in and has just passed its second factor."""
    with_app(account)
    return sure(browser, factor=True)


def sure(browser: Client, *, factor: bool = False) -> Client:
    """Return a browser that has just confirmed the password and the second factor."""
    request: Any = HttpRequest()
    request.session = browser.session
    sessions.record_authentication(request, timezone.now(), factor=factor)
    request.session.save()
    return browser

"""The last authentication of a browser's session, and the middleware that requires a second factor.

A session of an account with a second factor counts only after that factor. Actions that are hard to undo (a new
password, a new factor, a token, deleting the account) require a recent authentication. Sessions without their account's
second factor are kept out of the settings and the consent page. Normally there are no such sessions: log-in asks for
the factor, and adding one ends all other sessions.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from accounts.authentication import sessions
from accounts.models import Account
from accounts.second_factor.factors import has_factor

# The time for which an authentication counts as recent.
RECENT: Final = timedelta(minutes=10)
_PROOF: Final = "accounts:proof"


def record(request: HttpRequest, now: datetime, *, factor: bool) -> None:
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
        sessions.record_use(request, timezone.now())
        return get_response(request)

    return respond


def redirect_to_reauthentication(back: str) -> HttpResponse:
    """Redirect to the page for authenticating again, which then redirects to ``back``."""
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': back})}")

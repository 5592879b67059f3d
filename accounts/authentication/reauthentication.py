"""The last authentication of a browser's session: its method and its time.

A session of an account with a second factor counts only after that factor. Actions that are hard to undo (a new
password, a new factor, a token, deleting the account) require a recent authentication.
"""

from datetime import datetime, timedelta
from typing import Final

from django.http import HttpRequest
from django.utils import timezone

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

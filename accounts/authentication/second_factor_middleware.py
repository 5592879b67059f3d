"""Keeps sessions that have not passed their account's second factor out of the settings and of consent to apps.

There are none as a rule: logging in asks for the factor, and adding one ends all other sessions.
"""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from accounts.authentication import reauthentication, sessions
from accounts.models import Account

PROTECTED: Final = ("/settings/", "/oauth/authorize")


def second_factor_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Ask for the second factor before the pages below ``PROTECTED``, and note when each session was used."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not isinstance(request.user, Account):
            return get_response(request)
        if request.path.startswith(PROTECTED) and not reauthentication.is_complete(request):
            return redirect_to_reauthentication(
                request.get_full_path() if request.method in ("GET", "HEAD") else reverse("settings")
            )
        sessions.record_use(request, timezone.now())
        return get_response(request)

    return respond


def redirect_to_reauthentication(back: str) -> HttpResponse:
    """Redirect a logged-in account to the page for authenticating again, and from there to ``back``."""
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': back})}")

"""Middleware that keeps sessions without their account's second factor out of the settings and the consent page.

Normally there are no such sessions: log-in asks for the factor, and adding one ends all other sessions.
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
    """Require the second factor for pages below ``PROTECTED``, and record the use of each session."""

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
    """Redirect to the page for authenticating again, which then redirects to ``back``."""
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': back})}")

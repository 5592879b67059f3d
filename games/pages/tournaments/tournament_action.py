"""Decorator and helpers for views of a tournament."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.models import Account
from accounts.web.requests import AccountHttpRequest
from games.models import Tournament
from games.pages.shared.views import refusal_text
from games.refusals import Refusal
from games.tournaments.rights import get_tournament

PAGE = "pages:tournament"
View = Callable[..., HttpResponse]


def seen_tournament(account: Account | None, tournament: UUID) -> Tournament:
    """Return a tournament that the account may see. Raises Http404."""
    try:
        return get_tournament(account, tournament)
    except Refusal:
        raise Http404 from None


def tournament_action(*methods: str) -> Callable[[View], View]:
    """Return a decorator for views of actions in a tournament. Refusals are shown on its page."""

    def decorate(view: View) -> View:
        @require_http_methods([*methods])
        @login_required
        @wraps(view)
        def wrapper(request: AccountHttpRequest, tournament: UUID) -> HttpResponse:
            row = seen_tournament(request.user, tournament)
            try:
                return view(request, row)
            except Refusal as refusal:
                if refusal.code == "not-found":
                    raise Http404 from None
                messages.error(request, refusal_text(refusal))
                return redirect(PAGE, tournament)

        return wrapper

    return decorate


def ask(request: AccountHttpRequest, tournament: Tournament, **texts: Any) -> HttpResponse:
    """Render a page that asks for confirmation of an action that cannot be undone."""
    return render(request, "games/tournaments/sure.html", {"place": "games", "tournament": tournament, **texts})

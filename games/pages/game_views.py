"""Access and refusals of views of one game: pages that all readers may see, posted forms, and confirmations."""

from collections.abc import Callable
from functools import wraps
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.web.requests import AccountHttpRequest, account_of, compressed_for_visitors
from games.pages.posted_forms import refusal_text
from games.pages.titles import GameOverview
from games.refusals import Refusal
from games.templatetags.live import ATTENDED_HEADER, HEADER
from games.visibility.access import GameAccess, access_to_game

View = Callable[..., HttpResponse]


def visible_game(request: HttpRequest, game: UUID) -> GameAccess:
    """Return the reader's access to a game. Raises Http404 if the game does not exist or is hidden from the reader."""
    try:
        return access_to_game(account_of(request), game)
    except Refusal:
        raise Http404 from None


def is_attended(request: HttpRequest) -> bool:
    """Return whether the reader probably sees the page: they have opened it, or its tab is visible or was used lately.

    An open page also loads again in a tab that its reader has forgotten: by its script (``live.js``), or without
    scripts, at an address with ``reload``.
    """
    if "reload" in request.GET:
        return False
    return HEADER not in request.headers or request.headers.get(ATTENDED_HEADER) == "yes"


def open_page(view: View) -> Callable[..., HttpResponseBase]:
    """Decorate a view that shows a game to all who may see it, including visitors.

    Visitors are asked to log in if there is no such public game, because it may be a private game of theirs.
    """

    @require_safe
    @compressed_for_visitors
    @wraps(view)
    def wrapper(request: HttpRequest, game: UUID) -> HttpResponse:
        try:
            access = visible_game(request, game)
        except Http404:
            if account_of(request) is None:
                return redirect_to_login(request.get_full_path())
            raise
        return view(request, access)

    return wrapper


def action_on(page: str) -> Callable[[View], View]:
    """Return a decorator for views of a game's forms. Refusals are shown on the page with this URL name.

    A game that the reader may not see is a 404.
    """

    def decorate(view: View) -> View:
        @require_POST
        @login_required
        @wraps(view)
        def wrapper(request: AccountHttpRequest, game: UUID, **more: UUID) -> HttpResponse:
            access = visible_game(request, game)
            try:
                return view(request, access, **more)
            except Refusal as refusal:
                messages.error(request, refusal_text(refusal))
                return redirect(page, game)

        return wrapper

    return decorate


game_action: Final = action_on("pages:game")


@login_required
def confirmation(request: AccountHttpRequest, game: UUID, **texts: str) -> HttpResponse:
    """Render a page that asks for confirmation of an action that cannot be undone."""
    access = visible_game(request, game)
    return render(request, "games/sure.html", {"place": "games", "overview": GameOverview(access.game), **texts})

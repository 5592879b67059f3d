"""Helpers for all pages: access to games, refusals, posted fields, forms that take effect once, and secret pages."""

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language_info
from django.views.decorators.http import require_POST, require_safe

from accounts.limits.idempotency import Effect, IdempotencyConflict, Request, run_once
from accounts.models import Account
from accounts.web.compression import compressed_for_visitors
from accounts.web.requests import AccountHttpRequest, account_of
from games.engine import Notation, Phrase
from games.lobby.seating import Seeding, seeding_of
from games.models import Game, Move
from games.pages.titles import GameOverview
from games.play import bots, plans, questions, resolve
from games.play.submit import WrittenMove, store_move
from games.refusals import Refusal
from games.text.phrases import render_phrase
from games.visibility.access import GameAccess, access_to_game

PAGE: Final = Move.Via.PAGE.value
PATIENCE: Final = timedelta(seconds=1)
"""The longest time for which a view waits for a move to be resolved."""

View = Callable[..., HttpResponse]


def submit_with_plan(game: Game, account: Account, answer: WrittenMove, plan: str, now: datetime) -> Move:
    """Store a move and, if one was chosen, a plan, in one transaction. Raises Refusal."""
    with transaction.atomic():
        move = store_move(game, account, answer, PAGE, now)
        if plan:
            plans.store_plan(game.pk, account, Notation(plan), now, via=PAGE)
    return move


def visible_game(request: HttpRequest, game: UUID) -> GameAccess:
    """Return the reader's access to a game. Raises Http404 if the game does not exist or is hidden from the reader."""
    try:
        return access_to_game(account_of(request), game)
    except Refusal:
        raise Http404 from None


def refusal_text(refusal: Refusal) -> str:
    """Return the reason of a refusal in the active language."""
    return render_phrase(refusal.phrase, {})


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

    The refusal ``not-found`` becomes a 404, as everywhere.
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


def posted_text(request: HttpRequest, field: str, most: int) -> str:
    """Return the text of a field without control characters, cut to ``most`` characters."""
    return request.POST.get(field, "").replace("\0", "").strip()[:most]


def posted_notation(request: HttpRequest, most: int) -> str:
    """Return the notation from the field ``text``, or from a filled form."""
    text = posted_text(request, "text", most) or posted_text(request, "begins", most)
    words = (word.replace("\0", "").strip() for word in request.POST.getlist("word"))
    return " ".join(filter(None, (text, *words)))[:most]


def posted_seeding(request: HttpRequest) -> Seeding:
    """Return the reader's part of the game's seed: a commitment from the browser, or the digest of typed words."""
    commitment, words = posted_text(request, "seed_commitment", 64), posted_text(request, "words", 200)
    return Seeding(commitment=commitment) if commitment else seeding_of(words)


def new_key() -> str:
    """Return a new idempotency key for a form."""
    return str(uuid.uuid4())


def once_only(request: AccountHttpRequest, effect: Callable[[], Effect], now: datetime) -> str:
    """Run the effect of a form once for each key, and return the address to redirect to. Raises Refusal."""
    key, filled = posted_text(request, "key", 80), request.POST.urlencode().encode()
    # Forms of one page may share a key, and lead to several addresses.
    name = f"form:{request.path[:100]}:{key}" if key else ""
    try:
        return run_once(Request(request.user, "POST", request.path[:200], name, filled), effect, now).location
    except IdempotencyConflict as refusal:
        raise Refusal(refusal.code, Phrase(refusal.sentence)) from None


def resolve_now(game: Game, now: datetime) -> None:
    """Resolve a move and let bots answer. If another process has locked the game, a worker does it later."""
    if resolve.resolve_now(game.pk, now, PATIENCE):
        bots.try_to_play(game.pk, now)


_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    # The address is a secret, and the page has no links to other sites. "no-referrer" would not do: with it browsers
    # send forms with the origin "null", which the protection against forged requests must refuse.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}


def render_secret_page(request: HttpRequest, template: str, language: str, context: dict[str, Any]) -> HttpResponse:
    """Render a template with ``context`` in a language, and add the headers of secret pages."""
    direction = "rtl" if get_language_info(language)["bidi"] else "ltr"
    response = render(request, template, {"language": language, "direction": direction, **context})
    for name, value in _HEADERS.items():
        response.headers[name] = value
    return response


def waiting_count(request: HttpRequest) -> dict[str, Any]:
    """Return the number as ``waiting_count``. It is lazy, because some pages do not show it."""
    user = getattr(request, "user", None)
    return (
        {"waiting_count": SimpleLazyObject(lambda: questions.count_questions(user))}
        if isinstance(user, Account)
        else {}
    )

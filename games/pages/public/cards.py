"""Views of the cards that other sites show beside a link to a public page."""

from collections.abc import Callable
from functools import wraps
from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import override
from django.views.decorators.http import require_safe

from accounts.models import Language
from games.event_log.log_store import UnknownRules
from games.pages.shared import cards
from games.refusals import Refusal
from games.rules.registry import RULES
from games.visibility.access import access_to_game
from games.visibility.card import Busy, draw_png, version
from games.visibility.player_view import PlayerView

# Cached for one day only, because names on a card may change, and accounts may be deleted.
_CACHE_CONTROL: Final = "public, max-age=86400, immutable"

Draw = Callable[..., str]


def _card_view(name: str) -> Callable[[Draw], Callable[..., HttpResponse]]:
    """Return a decorator for functions that draw a card as SVG. The view sends it as PNG.

    The address contains a digest of the card's content. Addresses with another digest are redirected to the right one,
    so that a visitor cannot make the server draw the same card again and again.
    """

    def decorate(draw: Draw) -> Callable[..., HttpResponse]:
        @require_safe
        @wraps(draw)
        def view(request: HttpRequest, language: str, digest: str, **arguments: object) -> HttpResponse:
            if language not in Language.values:
                raise Http404
            with override(language):
                svg = draw(**arguments)
                if version(svg) != digest:
                    return redirect(cards.card_address(name, svg, *arguments.values()))
            return _png_response(svg)

        return view

    return decorate


def _png_response(svg: str) -> HttpResponse:
    try:
        png = draw_png(svg)
    except Busy:
        return HttpResponse(status=503, headers={"Retry-After": "1", "Cache-Control": "no-store"})
    # Sites that show a link's card may have the reader's browser fetch it from here.
    headers = {
        "Cache-Control": _CACHE_CONTROL,
        "Cross-Origin-Resource-Policy": "cross-origin",
        "X-Robots-Tag": "noindex",
    }
    return HttpResponse(png, content_type="image/png", headers=headers)


@_card_view("site")
def site_card() -> str:
    """Draw the card of the home page."""
    return cards.draw_site_card()


@_card_view("rules")
def rules_card(name: str) -> str:
    """Draw the card of a game's rules. Raises Http404 if they are not installed."""
    if name not in RULES:
        raise Http404
    return cards.draw_rules_card(RULES[name])


@_card_view("game")
def game_card(game: UUID) -> str:
    """Draw the card of a public game as a visitor sees it, for all readers. Otherwise raise Http404."""
    try:
        access = access_to_game(None, game)
        return cards.draw_game_card(PlayerView(access.game, None, None, access.viewer))
    except (Refusal, UnknownRules):
        raise Http404 from None

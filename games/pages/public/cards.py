"""The cards that messengers and other sites show beside a link to a public page."""

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
from games.visibility.access import sight
from games.visibility.card import Busy, drawn_png, version
from games.visibility.player_view import PlayerView

_KEPT: Final = "public, max-age=86400, immutable"
"""One day: names on a card may change, and accounts may be deleted."""

Draw = Callable[..., str]


def _card_view(name: str) -> Callable[[Draw], Callable[..., HttpResponse]]:
    """Make a view of a function that draws a card as SVG. It is sent as PNG, under an address with a digest of its
    content.

    Addresses with another digest redirect to it, so that a visitor cannot make the server draw a page's card again and
    again.
    """

    def decorate(draw: Draw) -> Callable[..., HttpResponse]:
        @require_safe
        @wraps(draw)
        def view(request: HttpRequest, language: str, asked: str, **which: object) -> HttpResponse:
            if language not in Language.values:
                raise Http404
            with override(language):
                svg = draw(**which)
                if version(svg) != asked:
                    return redirect(cards.address(name, svg, *which.values()))
            return _answer(svg)

        return view

    return decorate


def _answer(svg: str) -> HttpResponse:
    try:
        made = drawn_png(svg)
    except Busy:
        return HttpResponse(status=503, headers={"Retry-After": "1", "Cache-Control": "no-store"})
    # Sites that show a link's card may have the reader's browser fetch it from here.
    headers = {
        "Cache-Control": _KEPT,
        "Cross-Origin-Resource-Policy": "cross-origin",
        "X-Robots-Tag": "noindex",
    }
    return HttpResponse(made, content_type="image/png", headers=headers)


@_card_view("site")
def of_site() -> str:
    """The card of the first page."""
    return cards.of_site()


@_card_view("rules")
def of_rules(name: str) -> str:
    """The card of the rules of a game. Http404 for one that is not played here."""
    if name not in RULES:
        raise Http404
    return cards.of_rules(RULES[name])


@_card_view("game")
def of_game(game: UUID) -> str:
    """Return the card of a public game as a visitor sees it, for all readers. Otherwise raise Http404."""
    try:
        at = sight(None, game)
        return cards.of_game(PlayerView(at.game, None, None, at.viewer))
    except (Refusal, UnknownRules):
        raise Http404 from None

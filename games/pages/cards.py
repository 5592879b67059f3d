"""Link previews of public pages: title, sentence and card.

The address of a card contains a digest of its content, so caches fetch a changed card again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi, ngettext, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import Language
from games.archive.records import require_over
from games.engine import EVERYONE, AnyRules
from games.event_log.log_store import UnknownRules
from games.models import Game
from games.pages.reel import Reel
from games.pages.titles import COVER, GameOverview, draw_figure
from games.phrases import names_of, number, render_phrase
from games.refusals import Refusal
from games.rules.registry import RULES
from games.visibility.access import GameAccess, access_to_game
from games.visibility.card import Busy, Card, draw_png, version
from games.visibility.picture import draw
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import line_texts, show_log, story_lines, takeovers


def draw_site_card() -> str:
    """Return the card of the home page as SVG."""
    lines = (_("Bluff your friends, a move at a time, by email or in the browser."),)
    return _draw_card(_("Slow games of bluff"), lines, _cover(next(iter(RULES.values()))))


def draw_rules_card(rules: AnyRules) -> str:
    """Return the card of a game's rules as SVG."""
    title = render_phrase(rules.words.title, {})
    players = {"least": number(min(rules.players)), "most": number(max(rules.players))}
    aim = rules.words.summary(rules.options(), min(rules.players))[:1]
    lines = (_("%(least)s to %(most)s players") % players, *(render_phrase(line, {}) for line in aim))
    return _draw_card(_("The rules of %(title)s") % {"title": title}, lines, _cover(rules))


def draw_game_card(player_view: PlayerView) -> str:
    """Return the card of a public game as SVG. ``player_view`` is the view of a visitor."""
    game, overview = player_view.game, GameOverview(player_view.game)
    names = names_of(player_view.names, player_view.names)
    if player_view.state is None:
        return _draw_card(overview.title, (*_free(overview), names, overview.pace), _cover(player_view.rules))
    status = player_view.status()[:1] + (_bluffs(player_view) if game.state == Game.State.OVER else ())
    return _draw_card(f"{overview.title} {overview.name}", (*status, names), player_view.board)


def draw_moment_card(reel: Reel, stop: int) -> str:
    """Return the card of a moment of a finished public game as SVG: its board with all cards, and its last sentence."""
    rules, game, overview = reel.rules, reel.game, GameOverview(reel.game)
    lines, state = reel.at(stop)
    names = game.names()
    taken_over = takeovers(show_log(rules, reel.lines, EVERYONE))
    story = story_lines(rules, names, show_log(rules, lines, EVERYONE), None, taken_over=taken_over)
    board = draw(rules, rules.view(state, EVERYONE), names, get_language())
    title = f"{overview.title} {overview.name}"
    return _draw_card(title, (*line_texts(story[-1:]), names_of(names, names)), board)


def card_address(name: str, svg: str, *which: object) -> str:
    """Return the path of a card in the active language."""
    return reverse(f"pages:card-{name}", args=[*which, get_language(), version(svg)])


def _draw_card(title: str, lines: tuple[str, ...], board: str | None) -> str:
    site = f"{_('Darbar')} · {urlsplit(settings.PUBLIC_URL).netloc}"
    return Card(title, tuple(filter(None, lines)), site, board, get_language_bidi()).svg()


def _cover(rules: AnyRules) -> str | None:
    return draw_figure(rules, COVER) if COVER in rules.figures else None


def _free(overview: GameOverview) -> tuple[str, ...]:
    if overview.game.state != Game.State.OPEN:
        return ()
    sentence = ngettext("%(number)s seat is free.", "%(number)s seats are free.", overview.free)
    return (sentence % {"number": number(overview.free)},)


def _bluffs(player_view: PlayerView) -> tuple[str, ...]:
    """Return a sentence with the numbers of claims and bluffs in a finished game."""
    claims = player_view.statistics.claims
    count, lies = sum(claim.made for claim in claims), sum(claim.lies for claim in claims)
    if not count:
        return ()
    sentence = ngettext("%(made)s claim, %(lies)s bluffed.", "%(made)s claims, %(lies)s bluffed.", count)
    return (sentence % {"made": number(count), "lies": number(lies)},)


@dataclass(frozen=True)
class Preview:
    """The preview of a game's page in search engines and messengers."""

    title: str
    lead: str
    card: str
    """The path of the card."""


def preview(access: GameAccess, player_view: PlayerView) -> Preview | None:
    """Return the preview of a game's page, or None for a signed-in reader, because crawlers are visitors."""
    if access.reader is not None:
        return None
    overview = GameOverview(access.game)
    card = card_address("game", draw_game_card(player_view), access.game.pk)
    return Preview(f"{overview.title} {overview.name}", _lead(access.game, player_view), card)


def _lead(game: Game, player_view: PlayerView) -> str:
    names = names_of(player_view.names, player_view.names)
    match game.state:
        case Game.State.OVER:
            return " ".join([*player_view.status(), _("Players: %(players)s.") % {"players": names}])
        case Game.State.RUNNING:
            return _("%(players)s are playing. Watch what every player sees.") % {"players": names}
        case _:
            return _("Players: %(players)s.") % {"players": names}


def public_link(game: Game) -> str:
    """Return the address of a game's page for sharing, or an empty string for a private game."""
    return "" if game.private else f"{settings.PUBLIC_URL}{reverse('pages:game', args=[game.pk])}"


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
                    return redirect(card_address(name, svg, *arguments.values()))
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
    return draw_site_card()


@_card_view("rules")
def rules_card(name: str) -> str:
    """Draw the card of a game's rules. Raises Http404 if they are not installed."""
    if name not in RULES:
        raise Http404
    return draw_rules_card(RULES[name])


@_card_view("game")
def game_card(game: UUID) -> str:
    """Draw the card of a public game as a visitor sees it, for all readers. Otherwise raise Http404."""
    try:
        access = access_to_game(None, game)
        return draw_game_card(PlayerView(access.game, None, None, access.viewer))
    except (Refusal, UnknownRules):
        raise Http404 from None


@_card_view("moment")
def moment_card(game: UUID, step: int) -> str:
    """Draw the card of a moment of a public game that is over. Otherwise raise Http404."""
    try:
        access = access_to_game(None, game)
        require_over(access.game)
        return draw_moment_card(Reel.of(access.game), step)
    except (Refusal, UnknownRules):
        raise Http404 from None

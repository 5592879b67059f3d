"""Link preview cards of public pages, and their addresses.

An address contains a digest of the card's content, so caches fetch a changed card again.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi, ngettext
from django.utils.translation import gettext as _

from games.engine import AnyRules
from games.models import Game
from games.pages.shared.figures import COVER, draw_figure
from games.pages.shared.titles import GameOverview
from games.rules.registry import RULES
from games.text.phrases import names_of, number, render_phrase
from games.visibility.card import Card, version
from games.visibility.player_view import PlayerView


def draw_site_card() -> str:
    """Return the card of the home page as SVG."""
    lines = (_("Bluff, and be caught: with friends or with bots, one question at a time, by email or on a page."),)
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
    sentence = ngettext("%(made)s claim, %(lies)s of it a bluff.", "%(made)s claims, %(lies)s of them bluffs.", count)
    return (sentence % {"made": number(count), "lies": number(lies)},)

"""Atom feeds with public data: games with free seats, results, and the games of players with a public profile."""

from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_safe

from accounts.models import Language
from games.archive import player_stats
from games.engine import SeatNumber
from games.models import Game
from games.pages.shared.sharing import public_link
from games.pages.shared.titles import GameOverview
from games.text.phrases import isolated, names_of, player
from games.visibility.access import games_for_reader, visible

MOST: Final = 30
"""The maximum number of games in a feed."""
_HEADERS: Final = {"Cache-Control": "public, max-age=300", "X-Robots-Tag": "noindex"}


@require_safe
@gzip_page
@conditional_page
def open_games_feed(request: HttpRequest, language: str) -> HttpResponse:
    """Return public games with a free seat, newest first."""
    with override(_language(language)):
        games = _games(visible(None).filter(state=Game.State.OPEN).order_by("-created_at"))
        return _feed(_("Games with free seats"), request.path, reverse("pages:games"), games)


@require_safe
@gzip_page
@conditional_page
def results_feed(request: HttpRequest, language: str) -> HttpResponse:
    """Return finished public games without those of the arena, newest first."""
    with override(_language(language)):
        games = _games(_finished(visible(None).filter(arena=False)))
        return _feed(
            pgettext("title of a page or section", "Results"),
            request.path,
            f"{reverse('pages:games')}?state=over",
            games,
        )


@require_safe
@gzip_page
@conditional_page
def player_feed(request: HttpRequest, language: str, name: str) -> HttpResponse:
    """Return the finished public games of a player. Raises Http404 if the profile is not public."""
    account = player_stats.player(name)
    if account is None or not player_stats.may_read(account, None):
        raise Http404
    with override(_language(language)):
        games = _games(_finished(visible(None).filter(seats__account=account)))
        title = _("Games of %(player)s") % {"player": isolated(account.name)}
        return _feed(title, request.path, reverse("pages:player", args=[account.name]), games)


def _language(language: str) -> str:
    if language not in Language.values:
        raise Http404
    return language


def _finished(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return the finished games that have their results. These are stored a moment after the end."""
    return games.filter(state=Game.State.OVER, counted=True).order_by("-ended_at").prefetch_related("results")


def _games(games: QuerySet[Game]) -> list[Game]:
    return games_for_reader(games[:MOST], None)


def _feed(title: str, path: str, page: str, games: Iterable[Game]) -> HttpResponse:
    site = settings.PUBLIC_URL
    feed = Atom1Feed(
        f"{title} · {_('Darbar')}", f"{site}{page}", "", feed_url=f"{site}{path}", feed_guid=f"{site}{path}"
    )
    for game in games:
        overview, link = GameOverview(game), public_link(game)
        at = game.ended_at or game.created_at
        summary = escape(_summary(game, overview))  # The summary of an Atom entry is HTML.
        feed.add_item(f"{overview.title} {overview.name}", link, summary, unique_id=link, pubdate=at, updateddate=at)
    document = feed.writeString("utf-8")
    return HttpResponse(document, content_type=feed.content_type, headers=_HEADERS)


def _summary(game: Game, overview: GameOverview) -> str:
    """Return a game in a few sentences."""
    names = game.names()
    lines = [_("At the table: %(players)s.") % {"players": names_of(names, names)}]
    if game.state == Game.State.OVER:
        between = pgettext("between the items of a list", ", ")
        winners = between.join(player(SeatNumber(result.seat), names) for result in game.results.all() if result.won)
        return " ".join([_("Won by %(players)s.") % {"players": winners} if winners else "", *lines]).strip()
    return " ".join([*lines, *(f"{line}." for line in overview.chosen), overview.pace])

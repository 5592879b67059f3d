"""The page of a player: statistics, rating graphs, games, opponents and favourite bluffs."""

from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import Account
from accounts.people import blocks
from accounts.web.compression import compressed_for_visitors
from accounts.web.requests import account_of
from games.archive import player_stats, profile, usual_times
from games.models import Result
from games.pages.people.players import show_stats
from games.pages.people.rating_graph import graph
from games.pages.shared.titles import GameOverview, rules_titles
from games.text.phrases import number, percent, render_phrase
from games.visibility.claims import claim_words

PAGE_SIZE: Final = 20
"""The number of games on a page."""


@require_safe
@compressed_for_visitors
def profile_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the games and statistics of a player, as far as the reader may see them."""
    player, reader = player_stats.player(name), account_of(request)
    if player is None or not player_stats.may_read(player, reader):
        if reader is None:
            return redirect_to_login(request.get_full_path())
        raise Http404
    content = profile.profile_of(player, reader)
    page = Paginator(profile.history(player, reader), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "place": "leaders",
        "player": player,
        **_stats(player, reader),
        "page": page,
        "games": _games(page),
        "graphs": [_graph(line) for line in content.ratings],
        "bluffs": [_bluff(bluff) for bluff in content.bluffs],
        "opponents": content.opponents,
        "against_me": content.against_reader,
        **_relations(player, reader),
    }
    return render(request, "games/player.html", context)


def _stats(player: Account, reader: Account | None) -> dict[str, Any]:
    rows = sorted(player.player_stats.all(), key=lambda stats: (stats.rules, stats.with_bots, stats.seat_count))
    reliable = player_stats.reliability(rows)
    return {
        "player_stats": [show_stats(stats, reader) for stats in rows],
        "reliability": None if reliable is None else percent(reliable),
        "answer_times": usual_times.shown_times(player),
    }


def _games(page: Page[Result]) -> list[dict[str, Any]]:
    """Return the games of a page with the player's results."""
    return [
        {
            "overview": GameOverview(result.game),
            "won": result.won,
            "rating": result.rating,
            "ended_at": result.game.ended_at,
        }
        for result in page
    ]


def _graph(line: profile.RatingLine) -> dict[str, Any]:
    """Return the graph of one rating with its title and a description."""
    title = rules_titles().get(line.rules, line.rules)
    description = _("From %(first)s to %(last)s in %(games)s games; the highest was %(most)s.") % {
        "first": number(line.ratings[0]),
        "last": number(line.ratings[-1]),
        "games": number(len(line.ratings)),
        "most": number(max(line.ratings)),
    }
    svg: SafeString = graph(line.ratings, f"{title}. {description}", get_language_bidi())
    return {"title": title, "with_bots": line.with_bots, "told": description, "drawn": svg}


def _bluff(bluff: profile.Bluff) -> str:
    sentence = ngettext(
        "%(claim)s: %(made)s claim, %(lies)s untrue, %(caught)s caught",
        "%(claim)s: %(made)s claims, %(lies)s untrue, %(caught)s caught",
        bluff.made,
    )
    counts = {name: number(getattr(bluff, name)) for name in ("made", "lies", "caught")}
    return sentence % {"claim": render_phrase(claim_words(bluff.claim), {}), **counts}


def _relations(player: Account, reader: Account | None) -> dict[str, bool]:
    return {
        "blocked": reader is not None and blocks.has_blocked(reader.pk, player.pk),
        "follows": reader is not None and blocks.follows(reader.pk, player.pk),
        "muted": reader is not None and blocks.has_muted(reader.pk, player.pk),
    }

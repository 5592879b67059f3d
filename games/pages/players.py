"""The pages of players: leaderboards, statistics, rating graphs, games, opponents and favourite bluffs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language_bidi, gettext_lazy, ngettext, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts import blocks
from accounts.models import Account
from accounts.web.pagination import KeysetPagination
from accounts.web.requests import account_of, compressed_for_visitors
from games.archive import player_stats, profile, usual_times
from games.models import PlayerStats, Result
from games.pages.titles import GameOverview, rules_titles
from games.phrases import number, percent, render_phrase
from games.rules.registry import RULES
from games.tables import arena
from games.visibility.shown_events import claim_words

WIDE: Final = 400
HIGH: Final = 190
_EDGE: Final = 52
"""The space beside the graph for its numbers."""
_MARGIN: Final = 18
_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
_MOST_LEVELS: Final = 5


def graph(ratings: Sequence[int], label: str, right_to_left: bool) -> SafeString:
    """Return a line graph from the oldest rating to the newest, in reading direction."""
    levels = _levels(min(ratings), max(ratings))
    places = [*_places(ratings, levels, right_to_left)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [*_grid(levels, right_to_left), f'<polyline class="graph-line" points="{line}"/>']
    x, y = places[-1]
    parts.append(f'<circle class="graph-now" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
    attributes = f'role="img" aria-label={quoteattr(label)}'
    return mark_safe(f'<svg class="graph" viewBox="0 0 {WIDE} {HIGH}" {attributes}>{"".join(parts)}</svg>')


def _levels(least: int, most: int) -> range:
    """Return a few round numbers from below the lowest rating to above the highest."""
    step = next((step for step in _STEPS if (most - least) // step < _MOST_LEVELS - 1), _STEPS[-1])
    return range(least // step * step, (most // step + 1) * step + 1, step)


def _places(ratings: Sequence[int], levels: range, right_to_left: bool) -> Iterator[tuple[float, float]]:
    pitch = (WIDE - _EDGE - _MARGIN) / (len(ratings) - 1)
    for index, rating in enumerate(ratings):
        horizontal = _EDGE + index * pitch
        yield (WIDE - horizontal if right_to_left else horizontal), _vertical(rating, levels)


def _vertical(rating: int, levels: range) -> float:
    return _MARGIN + (HIGH - 2 * _MARGIN) * (levels[-1] - rating) / (levels[-1] - levels[0])


def _grid(levels: range, right_to_left: bool) -> Iterator[str]:
    """Yield a line for each level, with its number on the side of the oldest rating."""
    begin, end = (WIDE - _EDGE, _MARGIN) if right_to_left else (_EDGE, WIDE - _MARGIN)
    beside, anchor = (WIDE - _EDGE + 8, "start") if right_to_left else (_EDGE - 8, "end")
    for level in levels:
        vertical = _vertical(level, levels)
        yield f'<path class="graph-grid" d="M{begin} {vertical:.1f}H{end}"/>'
        place = f'x="{beside}" y="{vertical + 5:.1f}" text-anchor="{anchor}"'
        yield f'<text class="graph-number" {place}>{number(level)}</text>'


class Board(forms.Form):
    """The form that selects a leaderboard."""

    rules = forms.ChoiceField(label=pgettext_lazy("label of a field", "Game"))
    seat_count = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players"), required=False, coerce=int, empty_value=""
    )
    with_bots = forms.TypedChoiceField(
        label=gettext_lazy("Kind of game"),
        required=False,
        coerce=lambda value: value == "yes",
        empty_value="",
        choices=[("", gettext_lazy("people only")), ("yes", gettext_lazy("with bots"))],
    )

    def __init__(self, data: Any) -> None:
        most = max(max(rules.players) for rules in RULES.values())
        super().__init__({"rules": next(iter(RULES)), **data})
        fields: Any = self.fields
        fields["rules"].choices = [(name, render_phrase(rules.words.title, {})) for name, rules in RULES.items()]
        fields["seat_count"].choices = [
            ("", _("any number")),
            *((count, number(count)) for count in range(2, most + 1)),
        ]


@require_safe
@compressed_for_visitors
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show the best players of one game, at tables of one kind."""
    form = Board(request.GET.dict())
    board: list[dict[str, Any]] = []
    if form.is_valid():
        selection = form.cleaned_data
        rows = player_stats.leaders(
            selection["rules"], selection["seat_count"] or 0, with_bots=bool(selection["with_bots"])
        )
        board = [show_stats(stats, account_of(request)) for stats in rows[: player_stats.BOARD]]
    context = {"place": "leaders", "form": form, "board": board, "least": player_stats.LISTED_FROM}
    context["has_arena"] = arena.is_open()
    return render(request, "games/leaders.html", context, status=200 if form.is_valid() else 404)


def show_stats(stats: PlayerStats, reader: Account | None) -> dict[str, Any]:
    """Return player statistics as the context of a table row."""
    rules = RULES.get(stats.rules)
    return {
        "account": stats.account,
        "named": stats.account is not None and player_stats.may_read(stats.account, reader),
        "title": render_phrase(rules.words.title, {}) if rules else stats.rules,
        "seat_count": stats.seat_count,
        "with_bots": stats.with_bots,
        "games": stats.games,
        "wins": stats.wins,
        "share": percent(stats.wins / stats.games),
        "points": player_stats.points(stats),
        "is_new": stats.games < player_stats.LISTED_FROM,
    }


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
    pages = KeysetPagination(PAGE_SIZE, is_lenient=True)
    results = pages.paginate_queryset(profile.history(player, reader), request)
    context = {
        "place": "leaders",
        "player": player,
        **_stats(player, reader),
        "pages": pages,
        "games": _games(results),
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


def _games(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return the games of a page with the player's results."""
    return [
        {
            "overview": GameOverview(result.game),
            "won": result.won,
            "rating": result.rating,
            "ended_at": result.game.ended_at,
        }
        for result in results
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

"""Players as everybody may know them, and who plays best."""

from typing import Any, Final

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import Account
from accounts.people import blocks
from accounts.web.compression import compressed_for_visitors
from accounts.web.requests import account_of
from games.archive import player_stats
from games.models import Game, PlayerStats
from games.pages.shared.titles import GameOverview
from games.rules.registry import RULES
from games.text.phrases import number, percent, render_phrase
from games.visibility.access import visible

RECENT: Final = 10
"""So many of the last games of a player are listed."""


class Board(forms.Form):
    """The board to look at."""

    rules = forms.ChoiceField(label=pgettext_lazy("label of a field", "Game"))
    seat_count = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players"), required=False, coerce=int, empty_value=""
    )
    with_bots = forms.TypedChoiceField(
        label=gettext_lazy("Kind of game"),
        required=False,
        coerce=lambda value: value == "yes",
        empty_value="",
        choices=[("", gettext_lazy("of people only")), ("yes", gettext_lazy("with bots"))],
    )

    def __init__(self, asked: Any) -> None:
        most = max(max(rules.players) for rules in RULES.values())
        super().__init__({"rules": next(iter(RULES)), **asked})
        fields: Any = self.fields
        fields["rules"].choices = [(name, render_phrase(rules.words.title, {})) for name, rules in RULES.items()]
        fields["seat_count"].choices = [("", _("any number")), *((each, number(each)) for each in range(2, most + 1))]


@require_safe
@compressed_for_visitors
def leaders(request: HttpRequest) -> HttpResponse:
    """The best players of one game at tables of one kind."""
    form = Board(request.GET.dict())
    board: list[dict[str, Any]] = []
    if form.is_valid():
        asked = form.cleaned_data
        found = player_stats.leaders(asked["rules"], asked["seat_count"] or 0, with_bots=bool(asked["with_bots"]))
        board = [_shown(stats, account_of(request)) for stats in found]
    shown = {"place": "leaders", "form": form, "board": board, "least": player_stats.LISTED_FROM}
    return render(request, "games/leaders.html", shown, status=200 if form.is_valid() else 404)


@require_safe
@compressed_for_visitors
def one(request: HttpRequest, name: str) -> HttpResponse:
    """Return what a player has played, and their last games that the reader may see."""
    player, reader = player_stats.player(name), account_of(request)
    if player is None or not player_stats.may_read(player, reader):
        if reader is None:
            return redirect_to_login(request.get_full_path())
        raise Http404
    every = sorted(player.player_stats.all(), key=lambda each: (each.rules, each.with_bots, each.seat_count))
    reliable = player_stats.reliability(every)
    finished = visible(reader).filter(seats__account=player, state=Game.State.OVER).order_by("-ended_at")
    games = [(GameOverview(game), game) for game in finished.prefetch_related("results")[:RECENT]]
    shown = {
        "place": "leaders",
        "player": player,
        "player_stats": [_shown(stats, reader) for stats in every],
        "reliability": None if reliable is None else percent(reliable),
        "games": [(named, game, _won(game, player)) for named, game in games],
        "least": player_stats.LISTED_FROM,
        "blocked": reader is not None and blocks.has_blocked(reader.pk, player.pk),
        "muted": reader is not None and blocks.has_muted(reader.pk, player.pk),
    }
    return render(request, "games/player.html", shown)


def _won(game: Game, player: Account) -> bool:
    return any(result.won for result in game.results.all() if result.account_id == player.pk)


def _shown(stats: PlayerStats, reader: Account | None) -> dict[str, Any]:
    """Player stats as a line of a table."""
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

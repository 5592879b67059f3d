"""Leaderboards, and player statistics as table rows."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import Account
from accounts.web.compression import compressed_for_visitors
from accounts.web.requests import account_of
from games.archive import player_stats
from games.models import PlayerStats
from games.rules.registry import RULES
from games.seeks import arena
from games.text.phrases import number, percent, render_phrase


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
        choices=[("", gettext_lazy("of people only")), ("yes", gettext_lazy("with bots"))],
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
        board = [show_stats(stats, account_of(request)) for stats in rows]
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

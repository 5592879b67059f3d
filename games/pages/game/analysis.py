"""The analysis of a game that is over, on a page: one player's decisions, and what would have been better."""

from dataclasses import dataclass
from itertools import groupby
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.archive.analysis.making import open_analysis
from games.archive.analysis.report import Decided, report
from games.engine import EVERYONE, SeatNumber
from games.event_log.log_store import UnknownRules
from games.pages.shared.titles import GameOverview
from games.pages.shared.views import refusal_text, visible_game
from games.refusals import Refusal
from games.text.phrases import player
from games.visibility.access import Sight
from games.visibility.player_view import PlayerView

_LOOK_AFTER: Final = 3
"""The page reloads after this number of seconds while the analysis is being made."""


@dataclass(frozen=True)
class Stretch:
    """Decisions in a row that are shown alike: one that something is said of, or some that were good enough."""

    decided: list[Decided]
    is_plain: bool


@require_safe
@login_required
def page(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """The decisions of one player, the reader's own unless another is asked for."""
    at = visible_game(request, game)
    seat = _asked_seat(at, request.GET.get("seat", ""))
    try:
        analysis = open_analysis(at.game, seat, request.user, database_clock.now())
    except UnknownRules:
        raise Http404 from None
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
        return redirect("pages:game", at.game.pk)
    found = report(analysis, PlayerView(at.game, at.seat, at.account, EVERYONE))
    groups = [(plain, list(group)) for plain, group in groupby(found.decided, key=lambda each: each.better is None)]
    context = {
        "place": "games",
        "game": at.game,
        "overview": GameOverview(at.game),
        "report": found,
        "stretches": [Stretch(decided, plain) for plain, decided in groups],
        "own": seat == at.seat,
        "name": player(seat, at.names),
        "players": [(number, player(number, at.names)) for number in sorted(at.names)],
        "bluffs": [(player(bluff.seat, at.names), bluff) for bluff in found.bluffs],
        "look_after": 0 if found.is_done else _LOOK_AFTER,
    }
    return render(request, "games/analysis.html", context)


def _asked_seat(at: Sight, asked: str) -> SeatNumber:
    """Return whose decisions are asked for: without a word the reader's own, or those of the first seat."""
    if not asked:
        return at.seat or SeatNumber(1)
    if not (asked.isascii() and asked.isdigit() and len(asked) < 4):
        raise Http404
    return SeatNumber(int(asked))

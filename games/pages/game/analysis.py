"""The page with the analysis of a finished game: the decisions of one player, and better ones."""

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
from config.core import clock
from games.archive.analyses import Decided, open_analysis, report
from games.engine import EVERYONE, SeatNumber
from games.event_log.log_store import UnknownRules
from games.pages.shared.titles import GameOverview
from games.pages.shared.views import refusal_text, visible_game
from games.refusals import Refusal
from games.text.phrases import player
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView

_LOOK_AFTER: Final = 3
"""The page reloads after this number of seconds while the analysis is being made."""


@dataclass(frozen=True)
class Stretch:
    """Consecutive decisions that are shown in the same way: all with a better alternative, or all without one."""

    decided: list[Decided]
    is_plain: bool


@require_safe
@login_required
def analysis_page(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Show the decisions of one player: by default those of the reader."""
    access = visible_game(request, game)
    seat = _selected_seat(access, request.GET.get("seat", ""))
    try:
        analysis = open_analysis(access.game, seat, request.user, clock.now())
    except UnknownRules:
        raise Http404 from None
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
        return redirect("pages:game", access.game.pk)
    result = report(analysis, PlayerView(access.game, access.seat, access.account, EVERYONE))
    groups = [
        (plain, list(group)) for plain, group in groupby(result.decided, key=lambda decision: decision.better is None)
    ]
    context = {
        "place": "games",
        "game": access.game,
        "overview": GameOverview(access.game),
        "report": result,
        "stretches": [Stretch(decided, plain) for plain, decided in groups],
        "own": seat == access.seat,
        "name": player(seat, access.names),
        "players": [(number, player(number, access.names)) for number in sorted(access.names)],
        "bluffs": [(player(bluff.seat, access.names), bluff) for bluff in result.bluffs],
        "look_after": 0 if result.is_done else _LOOK_AFTER,
    }
    return render(request, "games/analysis.html", context)


def _selected_seat(access: GameAccess, parameter: str) -> SeatNumber:
    """Return the seat of the query parameter. The default is the reader's seat, or the first one."""
    if not parameter:
        return access.seat or SeatNumber(1)
    if not (parameter.isascii() and parameter.isdigit() and len(parameter) < 4):
        raise Http404
    return SeatNumber(int(parameter))

"""Pauses on the page of a game: their status, and forms to propose, accept, decline and end a pause."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.away import pausing
from games.models import Game
from games.pages.lobby.struct_fields import PERIODS
from games.pages.shared.views import PAGE, game_action, posted_text
from games.text.phrases import period, player
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView


@dataclass(frozen=True)
class PauseView:
    """The status of pauses as the page shows it."""

    on: bool
    proposed: bool
    ends_at: datetime | None
    length: timedelta | None
    agreed: list[str]
    missing: list[str]
    """The names of the players who have not agreed yet."""
    may_vote: bool
    """The reader may vote, and has not agreed yet."""
    may_decline: bool
    lengths: list[tuple[str, str]]
    """The lengths of pauses that the reader may propose, with labels."""


def pause_of(access: GameAccess, player_view: PlayerView) -> PauseView | None:
    """Return the status of pauses in a running game, or None if there is nothing to show or do."""
    if access.game.state != Game.State.RUNNING or player_view.state is None:
        return None
    status = pausing.pause_status(access.game, player_view.position, clock.now())
    has_say, pause = access.seat in status.people, status.pause
    lengths = [(name, period(length)) for name, length in PERIODS.items() if length <= status.longest]
    if pause is None:
        return PauseView(False, False, None, None, [], [], False, False, lengths) if has_say and lengths else None
    return PauseView(
        on=pause.on,
        proposed=not pause.on,
        ends_at=pause.ends_at,
        length=pause.length,
        agreed=[player(seat, player_view.names) for seat in pause.agreed],
        missing=[player(seat, player_view.names) for seat in status.missing],
        may_vote=has_say and access.seat not in pause.agreed,
        may_decline=has_say and not pause.on,
        lengths=[],
    )


@game_action
def propose_pause(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Propose a pause."""
    pausing.propose(access.game.pk, access.account, PERIODS.get(posted_text(request, "length", 10)), PAGE, clock.now())
    messages.success(request, _("We asked the others for a pause."))
    return redirect("pages:game", access.game.pk)


@game_action
def agree_to_pause(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Agree to a pause."""
    pausing.agree(access.game.pk, access.account, PAGE, clock.now())
    messages.success(request, _("You agree to the pause."))
    return redirect("pages:game", access.game.pk)


@game_action
def decline_pause(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Decline a pause."""
    pausing.decline(access.game.pk, access.account, clock.now())
    messages.success(request, _("There is no pause. We do not tell who did not agree."))
    return redirect("pages:game", access.game.pk)


@game_action
def end_pause(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Agree to end a pause."""
    pausing.resume(access.game.pk, access.account, PAGE, clock.now())
    messages.success(request, _("You agree to go on with the game."))
    return redirect("pages:game", access.game.pk)

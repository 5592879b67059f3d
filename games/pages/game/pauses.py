"""Pauses on a table's page: how it stands with one, and the buttons to propose it, agree, decline and go on."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.away import pausing
from games.models import Game
from games.pages.lobby.struct_fields import PERIODS
from games.pages.shared.views import PAGE, game_action, posted_text
from games.text.phrases import period, player
from games.visibility.access import Sight
from games.visibility.player_view import PlayerView


@dataclass(frozen=True)
class OnPage:
    """Pauses as a page shows them."""

    on: bool
    proposed: bool
    ends_at: datetime | None
    length: timedelta | None
    agreed: list[str]
    missing: list[str]
    """The names of the players whose yes is still needed."""
    may_vote: bool
    """The reader has a say, and has not said yes."""
    may_decline: bool
    lengths: list[tuple[str, str]]
    """The pauses that the reader may propose."""


def pause_of(at: Sight, player_view: PlayerView) -> OnPage | None:
    """Return the status of pauses in a running game, or None if there is nothing to show or do."""
    if at.game.state != Game.State.RUNNING or player_view.state is None:
        return None
    stands = pausing.pause_status(at.game, player_view.position, database_clock.now())
    has_say, pause = at.seat in stands.people, stands.pause
    lengths = [(name, period(length)) for name, length in PERIODS.items() if length <= stands.longest]
    if pause is None:
        return OnPage(False, False, None, None, [], [], False, False, lengths) if has_say and lengths else None
    return OnPage(
        on=pause.on,
        proposed=not pause.on,
        ends_at=pause.ends_at,
        length=pause.length,
        agreed=[player(seat, player_view.names) for seat in pause.agreed],
        missing=[player(seat, player_view.names) for seat in stands.missing],
        may_vote=has_say and at.seat not in pause.agreed,
        may_decline=has_say and not pause.on,
        lengths=[],
    )


@game_action
def propose(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Propose a pause."""
    pausing.propose(at.game.pk, at.account, PERIODS.get(posted_text(request, "length", 10)), PAGE, database_clock.now())
    messages.success(request, _("We asked the others for a pause."))
    return redirect("pages:game", at.game.pk)


@game_action
def agree(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Say yes to a pause."""
    pausing.agree(at.game.pk, at.account, PAGE, database_clock.now())
    messages.success(request, _("You agree to the pause."))
    return redirect("pages:game", at.game.pk)


@game_action
def decline(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Say no to a pause."""
    pausing.decline(at.game.pk, at.account, database_clock.now())
    messages.success(request, _("There is no pause. We do not tell who did not agree."))
    return redirect("pages:game", at.game.pk)


@game_action
def resume(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Say that the clocks may go on."""
    pausing.resume(at.game.pk, at.account, PAGE, database_clock.now())
    messages.success(request, _("You agree to go on with the game."))
    return redirect("pages:game", at.game.pk)

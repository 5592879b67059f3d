"""Stand-ins and absence on a game's page: coming back, naming a stand-in, and seats that are offered."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.profile import names
from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.away import stand_ins
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import Game
from games.pages.shared.views import game_action, posted_text, resolve_now
from games.play import absence
from games.refusals import Refusal
from games.text.phrases import player
from games.visibility.access import Sight


@dataclass(frozen=True)
class Answering:
    """The stand-ins that the reader has a part in."""

    away: bool
    """A bot sits in for the reader."""
    replaceable: bool
    """True if another player may take over the reader's seat."""
    owner: str
    """The player for whom the reader may answer, or blank."""
    stand_in: str
    """The name of the reader's stand-in, or blank."""
    until: datetime | None
    may_name: bool
    offered: list[tuple[int, str]]
    """The seats to which the reader may invite a new player, with the names of their players."""


def answering(at: Sight) -> Answering | None:
    """Return the stand-ins as a player of a running game sees them, or None for other readers."""
    if at.game.state != Game.State.RUNNING or at.plays is None:
        return None
    seat = next(seat for seat in at.game.seats.all() if seat.number == at.plays)
    stand_in = seat.stand_in if seat.stand_in_id else None
    mine = at.seat is not None
    return Answering(
        away=mine and seat.away and not seat.returning,
        replaceable=mine and seat.offered,
        owner="" if mine else player(SeatNumber(seat.number), at.names),
        stand_in=stand_in.account.name if mine and stand_in is not None and stand_in.account else "",
        until=None if stand_in is None else stand_in.until,
        may_name=mine and not at.game.arena,
        offered=[
            (seat.number, player(SeatNumber(seat.number), at.names))
            for seat in at.game.seats.all()
            if mine and seat.offered and seat.number != at.seat
        ],
    )


@game_action
def back(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Answer for oneself again."""
    absence.come_back(at.game.pk, at.account, database_clock.now())
    messages.success(request, _("You answer for yourself again."))
    return redirect("pages:game", at.game.pk)


@game_action
def name(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Name a stand-in for one's seat."""
    now = database_clock.now()
    stand_in = stand_ins.find_account(posted_text(request, "name", names.LONGEST))
    stand_ins.name_stand_in(
        at.game.pk, at.account, stand_in, _until(posted_text(request, "until", 40), at.account.time_zone), now
    )
    resolve_now(at.game, now)
    messages.success(request, _("%(name)s is your stand-in.") % {"name": stand_in.name})
    return redirect("pages:game", at.game.pk)


def _until(written: str, zone: str) -> datetime:
    """Return a time from a form, in the time zone of its reader. Raises Refusal(malformed)."""
    try:
        until = parse_datetime(written)
    except ValueError:
        until = None
    if until is None:
        raise Refusal("malformed", Phrase(gettext_noop("Say until when, by day and time.")), "until")
    return until if until.tzinfo else until.replace(tzinfo=ZoneInfo(zone))


@game_action
def end(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """End a stand-in, as either of the two."""
    stand_ins.withdraw(at.game.pk, at.account, database_clock.now())
    if at.seat is None:
        messages.success(request, _("You are no longer a stand-in in this game."))
        return redirect("pages:games")
    messages.success(request, _("You no longer have a stand-in."))
    return redirect("pages:game", at.game.pk)

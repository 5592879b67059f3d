"""Stand-ins and absence on the page of a game: coming back, naming a stand-in, and seats that are offered."""

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
from config.core import clock
from games.away import stand_ins
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import Game
from games.pages.shared.views import game_action, posted_text, resolve_now
from games.play import absence
from games.refusals import Refusal
from games.text.phrases import player
from games.visibility.access import GameAccess


@dataclass(frozen=True)
class Answering:
    """The reader's part in stand-ins: as player, or as the stand-in of another player."""

    away: bool
    """A bot answers for the reader."""
    replaceable: bool
    """Another player may take over the reader's seat."""
    owner: str
    """The name of the player, if the reader is their stand-in, otherwise an empty string."""
    stand_in: str
    """The name of the reader's stand-in, or an empty string."""
    until: datetime | None
    may_name: bool
    offered: list[tuple[int, str]]
    """The seats to which the reader may invite a new player, with the names of their players."""


def answering(access: GameAccess) -> Answering | None:
    """Return the stand-ins as a player of a running game sees them, or None for other readers."""
    if access.game.state != Game.State.RUNNING or access.plays is None:
        return None
    seat = next(seat for seat in access.game.seats.all() if seat.number == access.plays)
    stand_in = seat.stand_in if seat.stand_in_id else None
    is_player = access.seat is not None
    return Answering(
        away=is_player and seat.away and not seat.returning,
        replaceable=is_player and seat.offered,
        owner="" if is_player else player(SeatNumber(seat.number), access.names),
        stand_in=stand_in.account.name if is_player and stand_in is not None and stand_in.account else "",
        until=None if stand_in is None else stand_in.until,
        may_name=is_player and not access.game.arena,
        offered=[
            (seat.number, player(SeatNumber(seat.number), access.names))
            for seat in access.game.seats.all()
            if is_player and seat.offered and seat.number != access.seat
        ],
    )


@game_action
def come_back(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """End the bot's answers for the reader's seat."""
    absence.come_back(access.game.pk, access.account, clock.now())
    messages.success(request, _("You answer for yourself again."))
    return redirect("pages:game", access.game.pk)


@game_action
def name_stand_in(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Name a stand-in for the reader's seat."""
    now = clock.now()
    stand_in = stand_ins.find_account(posted_text(request, "name", names.LONGEST))
    stand_ins.name_stand_in(
        access.game.pk,
        access.account,
        stand_in,
        _posted_time(posted_text(request, "until", 40), access.account.time_zone),
        now,
    )
    resolve_now(access.game, now)
    messages.success(request, _("%(name)s is your stand-in.") % {"name": stand_in.name})
    return redirect("pages:game", access.game.pk)


def _posted_time(text: str, zone: str) -> datetime:
    """Return the time of a form field in the reader's time zone. Raises Refusal(malformed)."""
    try:
        until = parse_datetime(text)
    except ValueError:
        until = None
    if until is None:
        raise Refusal("malformed", Phrase(gettext_noop("Say until when, by day and time.")), "until")
    return until if until.tzinfo else until.replace(tzinfo=ZoneInfo(zone))


@game_action
def end_stand_in(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """End a stand-in. Both the player and the stand-in may do it."""
    stand_ins.withdraw(access.game.pk, access.account, clock.now())
    if access.seat is None:
        messages.success(request, _("You are no longer a stand-in in this game."))
        return redirect("pages:games")
    messages.success(request, _("You no longer have a stand-in."))
    return redirect("pages:game", access.game.pk)

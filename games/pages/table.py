"""The table on the page of a game: chat, group chat, pauses, stand-ins and absence.

The host can connect a group chat of another app, where the game posts its news.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts import names
from accounts.idempotency import Effect
from accounts.models import Account
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.announcements import table_channels
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import GOING, LONGEST_HANDLE, ClubChannel, Game, TableChannel
from games.pages.form_fields import PERIODS
from games.pages.game_views import game_action
from games.pages.posted_forms import PAGE, once_only, posted_text, resolve_now
from games.phrases import period, player
from games.play import absence
from games.refusals import Refusal
from games.tables import pausing, stand_ins
from games.tables.chat import MAX_LENGTH, send_message
from games.visibility import table
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView
from notifications.channels import registry
from notifications.channels.base import ForbiddenHandle, ForbiddenSecret
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL
from notifications.outgoing import ForbiddenAddress


def channel_of(access: GameAccess) -> dict[str, Any] | None:
    """Return the context for the chat of a game, or None if there is none and the reader may not connect one."""
    channel = TableChannel.objects.filter(game=access.game).first()
    may_connect = access.reader is not None and access.game.host_id == access.account.pk and access.game.state in GOING
    if channel is None and not may_connect:
        return None
    names = app_names()
    return {
        "app": names.get(channel.app, channel.app) if channel else "",
        "works": channel is not None and channel.stopped_at is None,
        "handle": handle_field(channel, access.account) if channel and access.seat else None,
        "may_connect": may_connect,
        "apps": names,
    }


@game_action
def connect_chat(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Connect a chat to the game."""
    now = clock.now()
    connect_posted_chat(
        request,
        lambda app, address, secret: table_channels.connect(access.game, access.account, app, address, secret, now),
    )
    return redirect("pages:game", access.game.pk)


@game_action
def disconnect_chat(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Disconnect the chat from the game."""
    table_channels.disconnect(access.game, access.account)
    messages.success(request, _("The chat is disconnected."))
    return redirect("pages:game", access.game.pk)


@game_action
def set_handle(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Set the handle by which reminders in the chat mention the reader."""
    channel = TableChannel.objects.filter(game=access.game).first()
    if channel is None or access.seat is None:
        raise Http404
    give_posted_handle(request, channel, access.account)
    return redirect("pages:game", access.game.pk)


def handle_field(channel: TableChannel | ClubChannel, account: Account) -> dict[str, str]:
    """Return an account's handle in a chat, and the help text for its field."""
    app = registry.chat_apps().get(channel.app)
    return {"value": table_channels.own_handle(channel, account), "help": str(app.handle_help) if app else ""}


def give_posted_handle(request: HttpRequest, channel: TableChannel | ClubChannel, account: Account) -> None:
    """Set the posted handle, and add a message about the result."""
    try:
        table_channels.give_handle(channel, account, posted_text(request, "handle", LONGEST_HANDLE).strip())
    except ForbiddenHandle as error:
        messages.error(request, str(error))
    else:
        messages.success(request, pgettext("message", "Saved."))


def app_names() -> dict[str, str]:
    """Return the chat apps that can be connected, with their names."""
    return {name: app.app for name, app in registry.personal().items() if name in registry.chat_apps()}


def connect_posted_chat(request: HttpRequest, connect: Callable[[str, str, str], object]) -> None:
    """Connect a chat with the posted app, address and secret, and add a message about the result. Raises Refusal."""
    app = posted_text(request, "app", 20)
    address, secret = posted_text(request, "address", LONGEST_URL), posted_text(request, "secret", LONGEST_SECRET)
    if app not in registry.chat_apps() or not secret:
        messages.error(request, _("Choose an app, and fill in its webhook or token."))
        return
    try:
        connect(app, address, secret)
    except (ForbiddenAddress, ForbiddenSecret) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The chat is connected. We post the first message within a minute."))


SHOWN: Final = 100
"""The number of the last messages that are shown."""


_UNSENT: Final = "chat:unsent"
"""The session key of a refused message, so that its author need not type it again."""


@dataclass(frozen=True)
class MessageView:
    """A chat message as the page shows it."""

    id: UUID
    at: datetime
    by: str
    to: str
    """The recipient of a private message, or an empty string for a message to all."""
    mine: bool
    text: str | None


@dataclass(frozen=True)
class ChatView:
    """The messages of a chat, and the possible recipients of private messages."""

    messages: list[MessageView]
    readers: list[tuple[int, str]]
    """The players to which the reader may write private messages."""


def view_chat(access: GameAccess) -> ChatView | None:
    """Return the chat as the reader may see it, or None if the reader does not play or the game has no chat."""
    game = access.game
    if (
        access.seat is None
        or game.terms.chat == "none"
        or game.state in (Game.State.OPEN, Game.State.STARTING, Game.State.CANCELLED)
    ):
        return None
    names = game.names()
    messages = [
        table.visible_message(message)
        for message in table.visible_messages(game, access.account).order_by("-id")[:SHOWN]
    ]
    people = [seat for seat in game.seats.all() if seat.account_id and seat.number != access.seat]
    return ChatView(
        messages=[
            MessageView(
                message.id,
                message.at,
                player(message.seat, names),
                player(message.to, names) if message.to else "",
                message.seat == access.seat,
                message.text,
            )
            for message in reversed(messages)
        ],
        readers=[(seat.number, player(SeatNumber(seat.number), names)) for seat in people]
        if game.terms.chat == "all"
        else [],
    )


def unsent(request: HttpRequest, game: Game) -> str:
    """Return the reader's refused message of this game, to fill the form again."""
    return str(request.session.get(_UNSENT, {}).get(str(game.pk), ""))


@game_action
def post_message(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Send a message to all players, or a private one to one seat."""
    now, to, text = clock.now(), posted_text(request, "to", 10), posted_text(request, "text", 2 * MAX_LENGTH)
    request.session[_UNSENT] = {str(access.game.pk): text}
    if to and not (to.isascii() and to.isdigit() and len(to) < 4):
        raise Refusal("malformed", Phrase(gettext_noop("There’s no seat with that number in this game.")), "to")
    reader = SeatNumber(int(to)) if to else None

    def effect() -> Effect:
        send_message(access.game, access.account, reader, text, now)
        return Effect(f"{reverse('pages:game', args=[access.game.pk])}#chat", access.game.pk)

    address = once_only(request, effect, now)
    del request.session[_UNSENT]
    return redirect(address)


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
    """True if the reader may vote, and has not agreed yet."""
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
    messages.success(request, _("There won’t be a pause. We don’t say who didn’t agree."))
    return redirect("pages:game", access.game.pk)


@game_action
def end_pause(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Agree to end a pause."""
    pausing.resume(access.game.pk, access.account, PAGE, clock.now())
    messages.success(request, _("You agree to go on with the game."))
    return redirect("pages:game", access.game.pk)


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
    messages.success(request, _("You’re answering for yourself again."))
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
        raise Refusal("malformed", Phrase(gettext_noop("Enter the day and time when it ends.")), "until")
    return until if until.tzinfo else until.replace(tzinfo=ZoneInfo(zone))


@game_action
def end_stand_in(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """End a stand-in. Both the player and the stand-in may do it."""
    stand_ins.withdraw(access.game.pk, access.account, clock.now())
    if access.seat is None:
        messages.success(request, _("You’re no longer a stand-in in this game."))
        return redirect("pages:games")
    messages.success(request, _("You no longer have a stand-in."))
    return redirect("pages:game", access.game.pk)

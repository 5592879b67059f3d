"""The group chat of a game on its page: the host connects a chat, and the game posts its news there."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import Account
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.announcements import table_channels
from games.models import GOING, LONGEST_HANDLE, ClubChannel, TableChannel
from games.pages.shared.views import game_action, posted_text
from games.visibility.access import GameAccess
from notifications.channels import registry
from notifications.channels.base import ForbiddenHandle, ForbiddenSecret
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL
from notifications.outgoing.address_policy import ForbiddenAddress


def channel_of(access: GameAccess) -> dict[str, Any] | None:
    """Return the context for the chat of a game, or None if there is none and the reader may not connect one."""
    channel = TableChannel.objects.filter(game=access.game).first()
    may_connect = access.reader is not None and access.game.host_id == access.account.pk and access.game.state in GOING
    if channel is None and not may_connect:
        return None
    names = app_names()
    return {
        "app": names.get(channel.app, channel.app) if channel else "",
        "works": channel is not None and channel.next_attempt_at is not None,
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
        messages.success(request, _("The chat is connected. The first message comes within a minute."))

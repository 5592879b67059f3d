"""The chat on the page of a game."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.limits.idempotency import Effect
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import Game
from games.pages.shared.views import game_action, once_only, posted_text
from games.refusals import Refusal
from games.social.chat import MAX_LENGTH, send_message
from games.text.phrases import player
from games.visibility import visible_chat
from games.visibility.access import GameAccess

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
        visible_chat.visible_message(message)
        for message in visible_chat.visible_messages(game, access.account).order_by("-id")[:SHOWN]
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
        raise Refusal("malformed", Phrase(gettext_noop("There is no seat of that number in this game.")), "to")
    reader = SeatNumber(int(to)) if to else None

    def effect() -> Effect:
        send_message(access.game, access.account, reader, text, now)
        return Effect(f"{reverse('pages:game', args=[access.game.pk])}#chat", access.game.pk)

    address = once_only(request, effect, now)
    del request.session[_UNSENT]
    return redirect(address)

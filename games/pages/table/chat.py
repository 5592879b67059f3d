"""The talk of a table on its page."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.limits.idempotency import Effect
from config.database import database_clock
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import Game
from games.pages.shared.views import acting, once_only, typed
from games.refusals import Refusal
from games.social.chat import LONGEST, say
from games.text.phrases import player
from games.visibility import visible_chat
from games.visibility.access import Sight

SHOWN: Final = 100
"""So many of the last remarks are shown."""


_UNSENT: Final = "talk:unsent"
"""Where the session keeps a remark that was refused, so that it need not be written again."""


@dataclass(frozen=True)
class Said:
    """A remark as the page shows it."""

    id: UUID
    at: datetime
    by: str
    to: str
    """Whom a letter is for; blank where all may hear it."""
    mine: bool
    text: str | None


@dataclass(frozen=True)
class Conversation:
    """What was said, and to whom one may write."""

    said: list[Said]
    readers: list[tuple[int, str]]
    """Who may be written to in private."""


def conversation(at: Sight) -> Conversation | None:
    """The talk as this account may hear it; None for who does not sit there, and where there is none."""
    game = at.game
    if at.seat is None or game.talk == Game.Talk.NONE or game.state in (Game.State.OPEN, Game.State.CANCELLED):
        return None
    names = game.names()
    latest = [visible_chat.heard(each) for each in visible_chat.audible(game, at.account).order_by("-id")[:SHOWN]]
    people = [seat for seat in game.seats.all() if seat.account_id and seat.number != at.seat]
    return Conversation(
        said=[
            Said(
                each.id,
                each.at,
                player(each.seat, names),
                player(each.to, names) if each.to else "",
                each.seat == at.seat,
                each.text,
            )
            for each in reversed(latest)
        ],
        readers=[(seat.number, player(SeatNumber(seat.number), names)) for seat in people]
        if game.talk == Game.Talk.ALL
        else [],
    )


def unsent(request: HttpRequest, game: Game) -> str:
    """What somebody wanted to say at this table and was refused."""
    return str(request.session.get(_UNSENT, {}).get(str(game.pk), ""))


@acting
def talk(request: HttpRequest, at: Sight) -> HttpResponse:
    """Say something to all, or to one seat."""
    now, to, text = database_clock.now(), typed(request, "to", 10), typed(request, "text", 2 * LONGEST)
    request.session[_UNSENT] = {str(at.game.pk): text}
    if to and not (to.isascii() and to.isdigit() and len(to) < 4):
        raise Refusal("malformed", Phrase(gettext_noop("There is no seat of that number at the table.")), "to")
    reader = SeatNumber(int(to)) if to else None

    def effect() -> Effect:
        say(at.game, at.account, reader, text, now)
        return Effect(f"{reverse('pages:table', args=[at.game.pk])}#talk", at.game.pk)

    address = once_only(request, effect, now)
    del request.session[_UNSENT]
    return redirect(address)

"""Posted forms: their fields, keys that give a form one effect even if it is sent twice, refusals as text,
and the resolution of games, so that the next page shows the result.
"""

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.http import HttpRequest

from accounts.idempotency import Effect, IdempotencyConflict, Request, run_once
from accounts.web.requests import AccountHttpRequest
from games.engine import Phrase
from games.models import Game, Move
from games.phrases import render_phrase
from games.play import bots, resolve
from games.refusals import Refusal
from games.tables.new_game import Seeding, seeding_of


def refusal_text(refusal: Refusal) -> str:
    """Return the reason of a refusal in the active language."""
    return render_phrase(refusal.phrase, {})


def posted_text(request: HttpRequest, field: str, most: int) -> str:
    """Return the text of a field without control characters, cut to ``most`` characters."""
    return request.POST.get(field, "").replace("\0", "").strip()[:most]


def posted_notation(request: HttpRequest, most: int) -> str:
    """Return the notation from the field ``text``, or from a filled form."""
    text = posted_text(request, "text", most) or posted_text(request, "begins", most)
    words = (word.replace("\0", "").strip() for word in request.POST.getlist("word"))
    return " ".join(filter(None, (text, *words)))[:most]


def posted_seeding(request: HttpRequest) -> Seeding:
    """Return the reader's part of the game's seed: a commitment from the browser, or the digest of typed words."""
    commitment, words = posted_text(request, "seed_commitment", 64), posted_text(request, "words", 200)
    return Seeding(commitment=commitment) if commitment else seeding_of(words)


def new_key() -> str:
    """Return a new idempotency key for a form."""
    return str(uuid.uuid4())


def once_only(request: AccountHttpRequest, effect: Callable[[], Effect], now: datetime) -> str:
    """Run the effect of a form once for each key, and return the address to redirect to. Raises Refusal."""
    key, filled = posted_text(request, "key", 80), request.POST.urlencode().encode()
    # Forms of one page may share a key, and lead to several addresses.
    name = f"form:{request.path[:100]}:{key}" if key else ""
    try:
        return run_once(Request(request.user, "POST", request.path[:200], name, filled), effect, now).location
    except IdempotencyConflict as refusal:
        raise Refusal(refusal.code, Phrase(refusal.sentence)) from None


PAGE: Final = Move.Via.PAGE.value
PATIENCE: Final = timedelta(seconds=1)
"""The longest time for which a view waits for a move to be resolved."""


def resolve_now(game: Game, now: datetime) -> None:
    """Resolve a move and let bots answer. If another process has locked the game, a worker does it later."""
    if resolve.resolve_now(game.pk, now, PATIENCE) is not None:
        bots.try_to_play(game.pk, now)

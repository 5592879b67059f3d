"""The door for moves: shape and authority are looked at here, and nothing else; then the move is stored.

Every door (API, mail, page) comes through here. What the move does is decided by ``games.play.resolve``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import msgspec

from accounts.models import Account
from config.core.database.rows import insert
from games.engine import AnyRules, Phrase, RuleViolation, gettext_noop
from games.event_log import log_store
from games.event_log.encoding import decode
from games.event_log.enqueue import enqueue
from games.models import Game, Move, Seat, StandIn
from games.play.resignation import is_resignation
from games.refusals import Refusal, not_seated

LONGEST: Final = 500
NOT_ON: Final = (Game.State.OPEN, Game.State.STARTING, Game.State.CANCELLED)
"""No move is taken for a table in one of these states."""


@dataclass(frozen=True)
class Written:
    """A move as it came in: notation, or JSON; and the id of the question it answers."""

    question: str
    text: str | None = None
    move: Any = None


def submit(
    game: Game,
    account: Account,
    written: Written,
    via: str,
    received_at: datetime,
    seat: int | None = None,
    *,
    enqueue_task: bool = True,
) -> Move:
    """Store a move of whoever sits at this table, or may answer for somebody who does; its task is sent once it is
    committed, unless the caller (no ``enqueue_task``) is to resolve it or send it. ``seat`` is where the account
    sits, if the caller has just looked.

    Refusal ``malformed`` (its shape), ``forbidden`` or ``not-found`` (not yours), ``conflict`` (no game is on).
    """
    seat = seat or _seat(game, account, written, received_at)
    if game.state in NOT_ON:
        raise Refusal("conflict", Phrase(gettext_noop("The game has not begun.")))
    move = Move(
        game=game,
        seat=seat,
        account=account,
        question=written.question,
        text=text_of(written),
        body=body_of(written, lambda: log_store.rules_of(game)),
        via=via,
        received_at=received_at,
    )
    insert([move])
    if enqueue_task:
        enqueue("games.tasks.resolve_moves")
    return move


def _seat(game: Game, account: Account, written: Written, received_at: datetime) -> int:
    """The seat that somebody moves for: their own, or the one whose player has named them until then."""
    own = Seat.objects.filter(game=game, account=account).values_list("number", flat=True).first()
    if own is not None:
        return own
    live = StandIn.objects.filter(game=game, account=account, ended_at=None, until__gte=received_at)
    stand_in_seat = live.values_list("seat", flat=True).first()
    if stand_in_seat is None or game.state != Game.State.RUNNING:
        raise not_seated(private=game.private)
    if written.text is not None and is_resignation(written.text):
        raise Refusal("forbidden", Phrase(gettext_noop("Only the player whose seat it is can resign.")))
    return stand_in_seat


def text_of(written: Written) -> str | None:
    """Its notation, where it came as that. Refusal ``malformed``."""
    if (written.text is None) == (written.move is None):
        raise Refusal("malformed", Phrase(gettext_noop("Send a move either as text or as JSON.")), "move")
    if written.text is not None and not 0 < len(written.text) <= LONGEST:
        sentence = gettext_noop("A move's text has from 1 to %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST}), "text")
    return written.text


def body_of(written: Written, rules: Callable[[], AnyRules]) -> str | None:
    """Its JSON, where it came as that. Refusal ``malformed`` if it is none that the game knows at all."""
    if written.move is None:
        return None
    body = msgspec.json.encode(written.move).decode()
    try:
        decode(rules().move_type, body, written.question)
    except RuleViolation as violation:
        raise Refusal("malformed", violation.phrase, "move") from violation
    return body

"""Stores moves from the API, email and pages.

Only the form of the move and the permission of its sender are checked here. ``games.play.resolve`` applies the move.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import msgspec

from accounts.models import Account
from config.core.database.rows import insert
from config.core.tasks import enqueue
from games.engine import AnyRules, Phrase, RuleViolation, gettext_noop
from games.engine.reading import Vocabulary, fold
from games.engine.validation import MALFORMED
from games.event_log import log_store
from games.event_log.log_store import decode
from games.models import Game, Move
from games.refusals import Refusal, not_seated
from games.visibility import seats

MAX_TEXT_LENGTH: Final = 500
STATES_WITHOUT_MOVES: Final = (Game.State.OPEN, Game.State.STARTING, Game.State.CANCELLED)
"""The states of a game in which it takes no moves."""


@dataclass(frozen=True)
class WrittenMove:
    """A move as its sender wrote it, in notation or JSON, and the id of the question that it answers."""

    question: str
    text: str | None = None
    move: Any = None


def store_move(
    game: Game,
    account: Account,
    written_move: WrittenMove,
    via: str,
    received_at: datetime,
    seat: int | None = None,
    *,
    enqueue_task: bool = True,
) -> Move:
    """Store a move of a player or their stand-in, and enqueue its resolution on commit.

    Pass ``enqueue_task=False`` to resolve the move yourself, and ``seat`` if the account's own seat is known already.
    Raises Refusal(malformed), Refusal(forbidden) or Refusal(not-found) if the account may not move, and
    Refusal(conflict) if the game has not begun or was cancelled.
    """
    seat = seat or _seat_for(game, account, written_move, received_at)
    if game.state in STATES_WITHOUT_MOVES:
        raise Refusal("conflict", Phrase(gettext_noop("The game hasn’t started.")))
    move = Move(
        game=game,
        seat=seat,
        account=account,
        question=written_move.question,
        text=check_text(written_move),
        body=encode_move(written_move, lambda: log_store.rules_of(game)),
        via=via,
        received_at=received_at,
    )
    insert([move])
    if enqueue_task:
        enqueue("games.tasks.resolve_moves")
    return move


def _seat_for(game: Game, account: Account, written_move: WrittenMove, received_at: datetime) -> int:
    """Return the account's own seat, or the seat for which it is a stand-in."""
    if own_seat := seats.seat_of(game, account.pk):
        return own_seat
    stand_in = seats.stand_in_of(game, account.pk)
    if stand_in is None or stand_in.until < received_at:
        raise not_seated(private=game.private)
    if written_move.text is not None and _resign_words(written_move.text) in (_UNCONFIRMED, _CONFIRMED):
        raise Refusal("forbidden", Phrase(gettext_noop("Only the player whose seat it is can resign.")))
    return stand_in.seat


def check_text(written_move: WrittenMove) -> str | None:
    """Return the text of a move, or None if it was sent as JSON. Raises Refusal(malformed)."""
    if (written_move.text is None) == (written_move.move is None):
        raise Refusal("malformed", Phrase(gettext_noop("Send a move either as text or as JSON.")), "move")
    if written_move.text is not None and not 0 < len(written_move.text) <= MAX_TEXT_LENGTH:
        sentence = gettext_noop("A move’s text must have from 1 to %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": MAX_TEXT_LENGTH}), "text")
    return written_move.text


def encode_move(written_move: WrittenMove, rules: Callable[[], AnyRules]) -> str | None:
    """Return the move as JSON, or None if it was sent as text. Raises Refusal(malformed) for an unknown move."""
    if written_move.move is None:
        return None
    body = msgspec.json.encode(written_move.move).decode()
    try:
        decode(rules().move_type, body, written_move.question)
    except RuleViolation as violation:
        raise Refusal("malformed", violation.phrase, "move") from violation
    return body


HOW_TO_RESIGN: Final = gettext_noop("To resign for good, answer “resign yes”. Nothing has changed.")
_RESIGN_WORDS: Final = Vocabulary({"resign": "resign", "yes": "yes", "انصراف": "resign", "بله": "yes"})
_UNCONFIRMED: Final = ("resign",)
_CONFIRMED: Final = ("resign", "yes")


def is_resignation(text: str) -> bool:
    """Return True for "resign yes". Raises RuleViolation ``malformed`` for "resign" alone."""
    words = _resign_words(text)
    if words == _UNCONFIRMED:
        raise RuleViolation(MALFORMED, Phrase(HOW_TO_RESIGN))
    return words == _CONFIRMED


def _resign_words(text: str) -> tuple[str, ...] | None:
    return _RESIGN_WORDS.tokens(fold(text), {})

"""A game's moves as JSON, without the question that stands beside them."""

from functools import cache
from typing import Any

import msgspec

from games.engine.errors import MALFORMED, RuleViolation
from games.engine.phrases import Phrase, gettext_noop


@cache
def decoder(of: Any) -> Any:
    """Return what reads this type from JSON, made once: to make it takes longer than to read."""
    return msgspec.json.Decoder(of)


def encode(answer: Any) -> str:
    """A game's move as JSON, without the question it answers."""
    return msgspec.json.encode(msgspec.structs.replace(answer, question="")).decode()


def decode(move_type: Any, body: str, question: str) -> Any:
    """A game's move from JSON, as the answer to a question. RuleViolation ``malformed`` where it is none."""
    try:
        answer = decoder(move_type).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sentence = gettext_noop("This is not a move of this game: %(why)s.")
        raise RuleViolation(MALFORMED, Phrase(sentence, {"why": str(error)[:200]})) from error
    if answer.question:
        raise RuleViolation(MALFORMED, Phrase(gettext_noop("Send the question beside the move, not inside it.")))
    return msgspec.structs.replace(answer, question=question)

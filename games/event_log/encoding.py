"""A game's moves as JSON, without the question that stands beside them."""

from functools import cache
from typing import Any

import msgspec

from games.engine.phrases import Phrase, gettext_noop
from games.engine.validation import MALFORMED, RuleViolation


@cache
def decoder(of: Any) -> Any:
    """Return a JSON decoder for this type. Decoders are cached, because creating one takes longer than decoding."""
    return msgspec.json.Decoder(of)


def encode(answer: Any) -> str:
    """A game's move as JSON, without the question it answers."""
    return msgspec.json.encode(msgspec.structs.replace(answer, question="")).decode()


def decode(move_type: Any, body: str, question: str) -> Any:
    """Decode a game's move from JSON, as the answer to a question. Raises RuleViolation(malformed)."""
    try:
        answer = decoder(move_type).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sentence = gettext_noop("This is not a move of this game: %(why)s.")
        raise RuleViolation(MALFORMED, Phrase(sentence, {"why": str(error)[:200]})) from error
    if answer.question:
        raise RuleViolation(MALFORMED, Phrase(gettext_noop("Send the question beside the move, not inside it.")))
    return msgspec.structs.replace(answer, question=question)

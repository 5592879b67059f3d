"""Lines of the log of a game, and their JSON."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any

import msgspec

from games.engine.phrases import Phrase, gettext_noop
from games.engine.types import EVERYONE, Event, SeatNumber, Viewer
from games.engine.validation import MALFORMED, RuleViolation
from games.event_log.table_events import TableEvent


class ChainedLine(msgspec.Struct, frozen=True):
    """An event and its envelope, in the form of the chain and of a game's record."""

    number: int
    event: Event
    at: datetime
    via: str
    seat: SeatNumber | None = None
    """The seat whose move led to the event."""
    move: uuid.UUID | None = None
    draws: tuple[tuple[int, int], ...] = ()
    """The draws of a decision, on its first line: pairs of the number of options and the chosen index."""


class Line(ChainedLine, frozen=True):
    """A line of a game's log, with counts that are derived from the lines before it."""

    shown: tuple[int, ...] = ()
    """For a spectator and each seat, the number of lines up to this one that they are shown. Empty if nothing is
    hidden.
    """

    def number_for(self, viewer: Viewer) -> int:
        """Return the number of this line among those that a viewer is shown, or of the last one before it."""
        return self.shown[viewer] if self.shown and viewer != EVERYONE else self.number

    def chained(self) -> ChainedLine:
        """Return the line without its counts."""
        *chained, _ = msgspec.structs.astuple(self)
        return ChainedLine(*chained)


def events_of(lines: Iterable[ChainedLine]) -> list[Event]:
    """Return the events of the game itself, without those of its table."""
    return [line.event for line in lines if not isinstance(line.event, TableEvent)]


@cache
def decoder(of: Any) -> Any:
    """Return a JSON decoder for this type. Decoders are cached, because creating one takes longer than decoding."""
    return msgspec.json.Decoder(of)


def encode(answer: Any) -> str:
    """Return a move as JSON, without the id of its question."""
    return msgspec.json.encode(msgspec.structs.replace(answer, question="")).decode()


def decode(move_type: Any, body: str, question: str) -> Any:
    """Decode a game's move from JSON, as the answer to a question. Raises RuleViolation(malformed)."""
    try:
        answer = decoder(move_type).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sentence = gettext_noop("This isn’t a move of this game: %(why)s.")
        raise RuleViolation(MALFORMED, Phrase(sentence, {"why": str(error)[:200]})) from error
    if answer.question:
        raise RuleViolation(MALFORMED, Phrase(gettext_noop("Send the question beside the move, not inside it.")))
    return msgspec.structs.replace(answer, question=question)

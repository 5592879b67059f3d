"""Readers of pictures that use plain English, and names if they know them."""

from collections.abc import Mapping
from typing import Any

from games.engine import Phrase, SeatName, SeatNumber
from games.engine.phrases import plain


class PlainReader:
    """A reader of English, for both directions of the script."""

    def __init__(
        self, names: Mapping[int, str] | None = None, right_to_left: bool = False, seat: int | None = None
    ) -> None:
        self.names = names or {}
        self.right_to_left = right_to_left
        self.asked_beside = False
        self.seat = seat

    def say(self, phrase: Phrase) -> str:
        """The phrase in English."""
        return phrase.text % {key: self._value(value) for key, value in phrase.values.items()}

    def _value(self, value: Any) -> str:
        match value:
            case Phrase():
                return self.say(value)
            case SeatName(seat):
                return self.names.get(seat, str(Phrase("%(seat)s", {"seat": SeatName(SeatNumber(seat))})))
            case tuple():
                return ", ".join(map(self._value, value))
            case _:
                return plain(value)

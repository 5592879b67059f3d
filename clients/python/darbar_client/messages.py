"""Messages of the event stream, read line by line (server-sent events)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Message:
    """A message of the stream."""

    kind: str
    """``question``, ``closed``, ``event``, ``game``, ``chat``, ``presence``, ``ready``, ``reset``, or a kind that is
    not known yet."""
    data: dict[str, Any]
    id: str
    """The id from which the stream continues after an interruption."""


@dataclass
class MessageReader:
    """A reader that joins lines to messages, and remembers the position in the stream."""

    last: str = ""
    _kind: str = "message"
    _id: str = ""
    _data: list[str] = field(default_factory=list)

    def read(self, line: str) -> Iterator[Message]:
        """Yield the message that this line ends, if any."""
        if not line:
            if self._data:
                self.last = self._id or self.last
                yield Message(self._kind, json.loads("\n".join(self._data)), self.last)
            self.interrupt()
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self._kind = value
            case "data":
                self._data.append(value)
            case "id":
                self._id = value

    def interrupt(self) -> None:
        """Forget an incomplete message."""
        self._kind, self._id, self._data = "message", "", []

    def headers(self) -> dict[str, str]:
        """Return the headers with the position in the stream."""
        return {"Accept": "text/event-stream", **({"Last-Event-ID": self.last} if self.last else {})}

"""Messages of the event stream, read line by line (server-sent events)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Message:
    """One message of the stream."""

    kind: str
    """``question``, ``closed``, ``event``, ``game``, ``chat``, ``presence``, ``ready``, ``reset``, or one that is
    not known yet."""
    data: dict[str, Any]
    id: str
    """The place at which to go on after an interruption."""


@dataclass
class MessageReader:
    """Puts lines together to messages, and remembers where the stream is."""

    last: str = ""
    _kind: str = "message"
    _id: str = ""
    _data: list[str] = field(default_factory=list)

    def read(self, line: str) -> Iterator[Message]:
        """Yield the message that this line ends, if it ends one."""
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
        """Forget a message that was cut off."""
        self._kind, self._id, self._data = "message", "", []

    def headers(self) -> dict[str, str]:
        """Return the headers that say to the server where to go on."""
        return {"Accept": "text/event-stream", **({"Last-Event-ID": self.last} if self.last else {})}

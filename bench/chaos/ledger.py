"""The ledger of everything that the server acknowledged or sent, as recorded by players and receivers."""

import hashlib
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """A move or mail that the server acknowledged."""

    key: str
    """The id of a move, or the recipient of a mail."""
    at: float
    """The time of the acknowledgement, in seconds since 1970."""
    outcome: str = ""
    """The state of a move, if the answer contained it."""


@dataclass
class Message:
    """A message of the server, which may have arrived several times."""

    at: float
    contents: set[str] = field(default_factory=set)
    times: int = 0


class Ledger:
    """The facts that the database must agree with at the end of a run. Many threads write to the ledger."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.moves: dict[str, Entry] = {}
        self.mails: dict[str, Entry] = {}
        self.relayed: dict[str, Message] = {}
        """Mails of the server by their Message-ID."""
        self.posted: dict[str, Message] = {}
        """Messages to webhooks by account and ``webhook-id``."""
        self.signals: dict[str, Message] = {}
        """Events of streams by account and id, without the epoch."""
        self.resets: dict[str, float] = {}
        """The time of the last ``reset`` event of each account's stream."""
        self.refused = 0
        """The number of players' answers that were refused with a reason."""
        self.rolled_back = 0
        """The number of entries after a backup, which its restore has undone."""

    def move(self, id: str, outcome: str = "") -> None:
        """Record an acknowledged move."""
        with self._lock:
            self.moves[id] = Entry(id, time.time(), outcome)

    def mail(self, recipient: str) -> None:
        """Record an accepted mail."""
        with self._lock:
            self.mails[recipient] = Entry(recipient, time.time())

    def refuse(self) -> None:
        """Count a refused answer."""
        with self._lock:
            self.refused += 1

    def record_arrival(self, messages: dict[str, Message], key: str, content: str) -> None:
        """Record the arrival of a message of the server."""
        with self._lock:
            message = messages.setdefault(key, Message(time.time()))
            message.times += 1
            message.contents.add(hashlib.sha256(content.encode()).hexdigest())

    def reset(self, account: str) -> None:
        """Record a ``reset`` event of an account's stream."""
        with self._lock:
            self.resets[account] = time.time()

    def roll_back(self, backup: float) -> None:
        """Remove the entries after a restored backup.

        The contents of messages are forgotten, too: a message may be sent again with another content.
        """
        with self._lock:
            for entries in (self.moves, self.mails):
                late = [key for key, entry in entries.items() if entry.at > backup]
                self.rolled_back += len(late)
                for key in late:
                    del entries[key]
            for messages in (self.relayed, self.posted, self.signals):
                for message in messages.values():
                    message.contents.clear()

    def with_two_contents(self) -> Iterable[tuple[str, float]]:
        """Yield the keys of messages that arrived with several contents, and the times of their first arrival."""
        for messages in (self.relayed, self.posted, self.signals):
            yield from ((key, message.at) for key, message in messages.items() if len(message.contents) > 1)

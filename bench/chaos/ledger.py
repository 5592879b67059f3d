"""Everything that the server acknowledged or sent, as the players and receivers wrote it down."""

import hashlib
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """Something that the server said yes to."""

    key: str
    """The id of a move, or the address to which a mail was sent."""
    at: float
    """The time at which the yes came; seconds since 1970."""
    outcome: str = ""
    """The state of a move, where the answer told it."""


@dataclass
class Sent:
    """One message of the server, as it came: once or several times."""

    at: float
    contents: set[str] = field(default_factory=set)
    times: int = 0


class Ledger:
    """The facts that must be true of the database in the end. Many threads write to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.moves: dict[str, Entry] = {}
        self.mails: dict[str, Entry] = {}
        self.relayed: dict[str, Sent] = {}
        """Mails of the server by their Message-ID."""
        self.posted: dict[str, Sent] = {}
        """Messages to webhooks by account and ``webhook-id``."""
        self.signals: dict[str, Sent] = {}
        """Events of streams by account and id, without the epoch."""
        self.resets: dict[str, float] = {}
        """The time at which an account's stream was last told ``reset``."""
        self.refused = 0
        """Answers of a player that were refused with a reason."""
        self.rolled_back = 0
        """Entries that a restore took back: they came after the backup."""

    def move(self, id: str, outcome: str = "") -> None:
        """A move was acknowledged."""
        with self._lock:
            self.moves[id] = Entry(id, time.time(), outcome)

    def mail(self, recipient: str) -> None:
        """A mail to this address was accepted."""
        with self._lock:
            self.mails[recipient] = Entry(recipient, time.time())

    def refuse(self) -> None:
        """A player's answer was refused."""
        with self._lock:
            self.refused += 1

    def came(self, where: dict[str, Sent], key: str, content: str) -> None:
        """A message of the server came."""
        with self._lock:
            sent = where.setdefault(key, Sent(time.time()))
            sent.times += 1
            sent.contents.add(hashlib.sha256(content.encode()).hexdigest())

    def reset(self, account: str) -> None:
        """A stream of this account was told to read everything again."""
        with self._lock:
            self.resets[account] = time.time()

    def back_to(self, backup: float) -> None:
        """Forget what came after a backup that was restored; what was sent before it may be sent again, and differ."""
        with self._lock:
            for entries in (self.moves, self.mails):
                late = [key for key, entry in entries.items() if entry.at > backup]
                self.rolled_back += len(late)
                for key in late:
                    del entries[key]
            for sent in (self.relayed, self.posted, self.signals):
                for row in sent.values():
                    row.contents.clear()

    def with_two_contents(self) -> Iterable[tuple[str, float]]:
        """The messages of the server that came with one id and two contents, and when they came first."""
        for sent in (self.relayed, self.posted, self.signals):
            yield from ((key, item.at) for key, item in sent.items() if len(item.contents) > 1)

"""The choice of the next question, without asking the server more often than is needed."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from darbar_client._generated import types as t

QUICK_LOOK: Final = 1
"""Seconds of the first look after an answer; where nothing comes, it is time to see whether the games are over."""


ENDED: Final = ("over", "cancelled")


def key_of(question: t.Question) -> tuple[str, str]:
    """Return what tells a question apart."""
    return question["game"], question["id"]


@dataclass
class Waiting:
    """Somebody who waits for questions of some games, or of all."""

    games: Collection[str] = ()
    open: set[tuple[str, str]] = field(default_factory=set)
    """The questions that were given out and not answered yet."""
    etag: str | None = None
    over: set[str] = field(default_factory=set)
    """The games that ask nothing more."""
    quiet: bool = False
    """True where the last look brought nothing new."""

    def headers(self, longest: int) -> dict[str, str]:
        """Return the headers of the next look. Where all is answered, it waits until something is asked."""
        wait = QUICK_LOOK if self.games and not self.quiet else longest
        return {"Prefer": f"wait={wait}", **({"If-None-Match": self.etag} if self.open and self.etag else {})}

    def taken(self, asked: list[t.Question], etag: str | None) -> list[t.Question]:
        """Return the questions that are new and belong here."""
        ours = [each for each in asked if not self.games or each["game"] in self.games]
        new = [each for each in ours if key_of(each) not in self.open]
        self.open = {key_of(each) for each in ours}
        self.etag, self.quiet = etag, not new
        return new

    def answered(self, question: t.Question) -> None:
        """Note that a question is open no more."""
        self.open.discard(key_of(question))

    def next_to_check(self) -> str | None:
        """Return a game of which it is not known that it is over; None where all are."""
        return next((game for game in self.games if game not in self.over), None)

    def is_over(self, game: t.Game) -> bool:
        """Return whether a game will ask nothing more, and note it."""
        if game["state"] in ENDED:
            self.over.add(game["id"])
        return game["id"] in self.over

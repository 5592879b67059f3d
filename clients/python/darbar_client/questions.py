"""The choice of the next question, without asking the server more often than is needed."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from darbar_client._generated import types as t

QUICK_LOOK: Final = 1
"""The seconds of the first request after an answer. Without news, the client then checks whether the games are over."""


ENDED: Final = ("over", "cancelled")


def key_of(question: t.Question) -> tuple[str, str]:
    """Return the key that identifies a question."""
    return question["game"], question["id"]


@dataclass
class Waiting:
    """The state of a client that waits for questions of some games, or of all."""

    games: Collection[str] = ()
    open: set[tuple[str, str]] = field(default_factory=set)
    """The questions that were returned and to which no move has been sent."""
    etag: str | None = None
    over: set[str] = field(default_factory=set)
    """The games without further questions."""
    quiet: bool = False
    """True if the last request brought no new question."""

    def headers(self, longest: int) -> dict[str, str]:
        """Return the headers of the next request. If all questions are answered, it waits for the next one."""
        wait = QUICK_LOOK if self.games and not self.quiet else longest
        return {"Prefer": f"wait={wait}", **({"If-None-Match": self.etag} if self.open and self.etag else {})}

    def new_questions(self, questions: list[t.Question], etag: str | None) -> list[t.Question]:
        """Return the new questions of the client's games."""
        ours = [question for question in questions if not self.games or question["game"] in self.games]
        new = [question for question in ours if key_of(question) not in self.open]
        self.open = {key_of(question) for question in ours}
        self.etag, self.quiet = etag, not new
        return new

    def answered(self, question: t.Question) -> None:
        """Remove a question from the open ones. If the server still lists it, it is returned again."""
        self.open.discard(key_of(question))

    def next_to_check(self) -> str | None:
        """Return a game that may still be running, or None if all are over."""
        return next((game for game in self.games if game not in self.over), None)

    def is_over(self, game: t.Game) -> bool:
        """Return whether a game is over, and remember it."""
        if game["state"] in ENDED:
            self.over.add(game["id"])
        return game["id"] in self.over

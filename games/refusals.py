"""Refusals: errors for requests that are not possible, raised before the rules of a game are applied."""

from typing import Literal

from games.engine import Phrase, gettext_noop

RefusalCode = Literal[
    "malformed", "not-found", "forbidden", "conflict", "key-busy", "key-reused", "limit-reached", "rate-limited"
]


class Refusal(Exception):
    """A request that is refused; nothing has changed.

    ``code`` is for programs: ``malformed`` (cannot be read), ``not-found`` (does not exist, or not for you),
    ``forbidden`` (not yours to do), ``conflict`` (not as things stand), ``key-busy`` (a request with
    this idempotency key is being processed), ``key-reused`` (the key belongs to another request), ``limit-reached``
    (there are as many of these as there may be), ``rate-limited`` (too much in a short time; may be tried again
    after ``wait`` seconds).
    ``phrase`` says it to a person; ``field`` names the wrong field, if it is a single one. ``mistake`` is the code of
    the error in it.
    """

    def __init__(
        self, code: RefusalCode, phrase: Phrase, field: str = "", wait: int = 0, mistake: str = "malformed"
    ) -> None:
        super().__init__(code, phrase, field, wait)
        self.code: RefusalCode = code
        self.phrase = phrase
        self.field = field
        self.wait = wait
        self.mistake = mistake

    def __str__(self) -> str:
        return f"{self.code}: {self.phrase}"


def not_found() -> Refusal:
    return Refusal("not-found", Phrase(gettext_noop("This doesn’t exist, or you don’t have access.")))


def not_seated(*, private: bool = False) -> Refusal:
    """Return the refusal for an account that does not play in a game. It does not reveal that a private game exists."""
    return not_found() if private else Refusal("forbidden", Phrase(gettext_noop("You’re not playing in this game.")))

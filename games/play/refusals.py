"""What the doors say when something is not to be had: before any rule of a game is asked."""

from typing import Literal

from games.engine import Phrase

RefusalCode = Literal["malformed", "not-found", "forbidden", "conflict", "key-reused", "rate-limited"]


class Refusal(Exception):
    """A request that is refused; nothing has changed.

    ``code`` is for programs: ``malformed`` (cannot be read), ``not-found`` (does not exist, or not for you),
    ``forbidden`` (not yours to do), ``conflict`` (not as things stand), ``key-reused`` (the idempotency key
    belongs to another request), ``rate-limited`` (too much; may be tried again after ``wait`` seconds).
    ``phrase`` says it to a person; ``field`` names what was wrong, if one thing was.
    """

    def __init__(self, code: RefusalCode, phrase: Phrase, field: str = "", wait: int = 0) -> None:
        super().__init__(code, phrase, field, wait)
        self.code: RefusalCode = code
        self.phrase = phrase
        self.field = field
        self.wait = wait

    def __str__(self) -> str:
        return f"{self.code}: {self.phrase}"

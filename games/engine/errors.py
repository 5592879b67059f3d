"""The engine's error for a move that it does not accept."""

from typing import Final, Literal

from games.engine.phrases import Phrase

Code = Literal["malformed", "illegal", "not-asked", "question-closed"]

MALFORMED: Final = "malformed"
ILLEGAL: Final = "illegal"
NOT_ASKED: Final = "not-asked"
QUESTION_CLOSED: Final = "question-closed"


class RuleViolation(Exception):
    """A move or option that the rules refuse; nothing has changed.

    ``code`` is for programs: ``malformed`` (cannot be read), ``illegal`` (read, but not allowed
    here), ``not-asked`` (this seat is asked no such question), ``question-closed`` (it was, and it is
    over). ``phrase`` says it to a person.
    """

    def __init__(self, code: Code, phrase: Phrase) -> None:
        super().__init__(code, phrase)
        self.code: Code = code
        self.phrase = phrase

    def __str__(self) -> str:
        return f"{self.code}: {self.phrase}"

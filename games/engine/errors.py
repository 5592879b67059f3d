"""The engine's error for a move that it does not accept, and the refusals that all games share."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Literal

from games.engine.phrases import Phrase, gettext_noop
from games.engine.types import Move, Question, SeatNumber

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


def check_seat_count(players: range, seats: int, ruling: str = "") -> None:
    """Refuse a number of seats that a game is not played with: RuleViolation ``illegal``."""
    if seats not in players:
        sentence = gettext_noop("This game is played by %(least)s to %(most)s, not by %(seats)s.")
        values = {"least": players[0], "most": players[-1], "seats": seats}
        raise RuleViolation(ILLEGAL, Phrase(sentence, {**values}, ruling))


def find_question(asked: Collection[Question], counts: Sequence[int], seat: SeatNumber, wanted: str) -> Question:
    """Of those asked, the question with this id to this seat.

    ``counts`` says how many questions each seat has been asked, from seat 1. RuleViolation ``question-closed`` for one
    that was answered or is over, ``not-asked`` for one that never was.
    """
    for question in asked:
        if question.seat == seat and question.id == wanted:
            return question
    own, _, number = wanted.partition(".")
    named = own == str(seat) and 1 <= seat <= len(counts) and number.isascii() and number.isdigit()
    if named and 1 <= int(number) <= counts[seat - 1]:
        raise RuleViolation(QUESTION_CLOSED, Phrase(gettext_noop("This question has been answered or is over.")))
    raise RuleViolation(
        NOT_ASKED, Phrase(gettext_noop("This question is not for you. Your own are on the list of questions."))
    )


def not_possible(ruling: str = "") -> RuleViolation:
    """The refusal of a move that is not among the legal ones."""
    return RuleViolation(ILLEGAL, Phrase(gettext_noop("This move is not possible here."), {}, ruling))


def check_answer(
    state: Any,
    seat: SeatNumber,
    move: Move,
    questions: Callable[[Any], Collection[Question]],
    legal_moves: Callable[[Any, Question], Collection[Move]],
    counts: Sequence[int],
) -> None:
    """Refuse a move that answers no question of this seat, or that is not among its legal moves."""
    if move not in legal_moves(state, find_question(questions(state), counts, seat, move.question)):
        raise not_possible()


def check_in_game(is_in: bool) -> None:
    """Refuse the resignation of a seat that is out, or after the end: RuleViolation ``not-asked``."""
    if not is_in:
        raise RuleViolation(NOT_ASKED, Phrase(gettext_noop("You are no longer in this game, so you cannot resign.")))

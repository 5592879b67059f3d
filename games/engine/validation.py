"""The error for a refused move or option, the checks that all games share, and the reading of options."""

from collections.abc import Callable, Collection
from typing import Any, Final, Literal

import msgspec

from games.engine.chance import Chance
from games.engine.phrases import Notation, Phrase, gettext_noop
from games.engine.types import Move, Question, SeatNumber

Code = Literal["malformed", "illegal", "question-closed"]

MALFORMED: Final = "malformed"
ILLEGAL: Final = "illegal"
QUESTION_CLOSED: Final = "question-closed"


class RuleViolation(Exception):
    """The rules refuse a move or an option. Nothing has changed.

    ``code`` is for programs: ``malformed`` (cannot be read), ``illegal`` (not allowed here) or ``question-closed``
    (the question is not open to this seat). ``phrase`` is for people.
    """

    def __init__(self, code: Code, phrase: Phrase) -> None:
        super().__init__(code, phrase)
        self.code: Code = code
        self.phrase = phrase

    def __str__(self) -> str:
        return f"{self.code}: {self.phrase}"


def check_seat_count(players: range, seats: int, ruling: str = "") -> None:
    """Raise RuleViolation(illegal) if a game cannot be played with this number of seats."""
    if seats not in players:
        sentence = gettext_noop("This game is played by %(least)s to %(most)s, not by %(seats)s.")
        values = {"least": players[0], "most": players[-1], "seats": seats}
        raise RuleViolation(ILLEGAL, Phrase(sentence, {**values}, ruling))


def question_closed() -> RuleViolation:
    """Return the error for a question that is not open to a seat.

    It is the same for a closed question, another seat's question and no question, because questions may be secret.
    """
    sentence = gettext_noop("You can’t answer this question. It’s been answered, its time is over, or it isn’t yours.")
    return RuleViolation(QUESTION_CLOSED, Phrase(sentence))


def find_question(questions: Collection[Question], seat: SeatNumber, id_: str) -> Question:
    """Return the open question of a seat with this id. Raises RuleViolation(question-closed)."""
    for question in questions:
        if question.seat == seat and question.id == id_:
            return question
    raise question_closed()


def not_possible(ruling: str = "") -> RuleViolation:
    """Return the error for a move that is not legal."""
    return RuleViolation(ILLEGAL, Phrase(gettext_noop("This move isn’t possible here."), {}, ruling))


def check_answer(
    state: Any,
    seat: SeatNumber,
    move: Move,
    questions: Callable[[Any], Collection[Question]],
    legal_moves: Callable[[Any, Question], Collection[Move]],
) -> None:
    """Raise RuleViolation if a move answers no open question of this seat or is not legal."""
    if move not in legal_moves(state, find_question(questions(state), seat, move.question)):
        raise not_possible()


def check_in_game(is_in: bool) -> None:
    """Raise RuleViolation(illegal) if a seat that wants to resign is out, or the game is over."""
    if not is_in:
        raise RuleViolation(ILLEGAL, Phrase(gettext_noop("You’re no longer in this game, so you can’t resign.")))


FILLED_IN: Final = "previous_winners"
"""The name of the option that the server fills in for a rematch: the seats that won."""
STARTER: Final = "starting_player"
"""The name of the option that ``choose_starter`` reads. It may be the number of a seat."""
NOT_OFFERED: Final = "prompts"
"""The name of an option for measurements. Players cannot choose it for a game."""

STARTER_WORDS: Final[dict[str, Phrase]] = {
    STARTER: Phrase(gettext_noop("Who starts")),
    f"{STARTER}.random": Phrase(gettext_noop("at random")),
    f"{STARTER}.previous_winner": Phrase(gettext_noop("the winner of the last game")),
}
"""Labels for a form with the option that ``choose_starter`` reads."""
_SHORT: Final = 80


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game without options."""


def read_options(kind: Any) -> Callable[..., Any]:
    """Return an ``options`` function for a struct of options. It raises RuleViolation(malformed) for a wrong option."""

    def options(**choices: Any) -> Any:
        for name, value in choices.items():
            if name not in kind.__struct_fields__:
                names = tuple(Notation(field) for field in kind.__struct_fields__)
                sentence = gettext_noop("%(name)s isn’t an option. Choose from: %(known)s.")
                raise RuleViolation(MALFORMED, Phrase(sentence, {"name": Notation(name[:_SHORT]), "known": names}))
            try:
                msgspec.convert({name: value}, kind)
            except msgspec.ValidationError as error:
                raise wrong_option(name, value) from error
        return msgspec.convert(choices, kind)

    return options


def wrong_option(name: str, value: object) -> RuleViolation:
    """Return the error for an option that cannot have this value."""
    sentence = gettext_noop("The option %(name)s can’t be %(value)s.")
    return RuleViolation(MALFORMED, Phrase(sentence, {"name": Notation(name), "value": Notation(str(value)[:_SHORT])}))


def choose_starter(options: Any, seats: int, chance: Chance, ruling: str = "") -> SeatNumber:
    """Return the seat that starts: the one in ``options.starting_player``, a previous winner, or a random one.

    Raises RuleViolation(illegal) for a seat that does not exist.
    """
    starter = options.starting_player
    if isinstance(starter, int):
        if not 1 <= starter <= seats:
            sentence = gettext_noop("There’s no seat %(seat)s. Choose a seat from 1 to %(seats)s.")
            raise RuleViolation(ILLEGAL, Phrase(sentence, {"seat": starter, "seats": seats}, ruling))
        return SeatNumber(starter)
    winners = [seat for seat in options.previous_winners if 1 <= seat <= seats]
    if starter == "previous_winner" and winners:
        return SeatNumber(winners[0] if len(winners) == 1 else chance.choose(winners))
    return SeatNumber(chance.choose(range(1, seats + 1)))

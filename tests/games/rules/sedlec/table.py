"""A table of Skulls of Sedlec for tests: a scripted deal, moves as people write them, positions made to order."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from games.engine import Question, RuleViolation, ScriptedChance, SeatNumber, SeededChance, replay
from games.rules.sedlec import RULES
from games.rules.sedlec.events import TurnBegan
from games.rules.sedlec.game import setup
from games.rules.sedlec.pyramid import DECK
from games.rules.sedlec.state import State


class Table:
    """A game in progress. ``deal`` names the first cards dealt, from the top of pile 1; the others follow as listed."""

    def __init__(self, seats: int = 2, deal: str = "", pile: int = 1, starter: int = 1, deck: Sequence = DECK) -> None:
        first = deal.split()
        rest = list(deck)
        for card in first:
            rest.remove(card)
        self.chance = ScriptedChance([*first, *rest, pile])
        self.log = list(setup(RULES.options(starting_player=starter), seats, self.chance, deck))
        self.state: State = replay(RULES, self.log)

    def play(self, *lines: str) -> "Table":
        """Moves one after another, each ``<seat> <notation>``."""
        for line in lines:
            number, text = line.split(maxsplit=1)
            move = RULES.parse(self.state, self.question(int(number)), text, {})
            self.happen(RULES.decide(self.state, SeatNumber(int(number)), move, self.chance))
        return self

    def play_with_luck(self, line: str, number: int = 0) -> "Table":
        """A move after which chance plays for forfeited seats."""
        self.chance = SeededChance(number.to_bytes(32, "big"), line)
        return self.play(line)

    def happen(self, events: Iterable) -> None:
        """Take note of events."""
        for event in events:
            self.log.append(event)
            self.state = RULES.evolve(self.state, event)

    def question(self, seat: int) -> Question:
        """Return the open question of a seat."""
        questions = [question for question in RULES.questions(self.state) if question.seat == seat]
        assert questions, f"seat {seat} is not asked"
        return questions[0]

    @property
    def asked(self) -> dict[int, str]:
        """Return the kinds of the open questions by seat."""
        return {question.seat: question.kind for question in RULES.questions(self.state)}

    def offered(self, seat: int) -> list[str]:
        """The canonical texts of the answers that a seat has."""
        return [RULES.text(move) for move in RULES.legal_moves(self.state, self.question(seat))]

    def refused(self, line: str) -> str:
        """The code with which a line is refused."""
        before = self.state
        try:
            self.play(line)
        except RuleViolation as violation:
            assert self.state == before
            return violation.code
        raise AssertionError(f"{line} was accepted")


def rows(*text: str) -> tuple[tuple[str | None, ...], ...]:
    """A pyramid from its rows, the highest first, as one writes it down; ``-`` is a gap."""
    lines = [tuple(None if card == "-" else card for card in row.split()) for row in reversed(text)]
    bottom = len(lines[0])
    while len(lines) < 3:
        lines.append((None,) * max(0, bottom - len(lines)))
    for row, line in enumerate(lines):
        assert len(line) == max(0, bottom - row), f"row {row + 1} has {len(line)} places"
    return tuple(lines)


def position(
    seats: int = 2,
    turn: int = 1,
    hands: Sequence[str] = (),
    pyramids: Sequence = (),
    face_up: Sequence[str | None] = (),
    face_down: Sequence[str] = (),
    forfeited: Sequence[int] = (),
) -> Table:
    """A table where the turn of ``turn`` has just begun in a position that no deal need lead to."""
    table = Table(seats)
    table.state = replace(
        table.state,
        hands=_filled([tuple(hand.split()) for hand in hands], seats, ()),
        pyramids=_filled(list(pyramids), seats, ((), (), ())),
        face_up=_filled(list(face_up), 6, None),
        face_down=_filled([tuple(pile.split()) for pile in face_down], 6, ()),
        forfeited=tuple(forfeited),
    )
    laid = tuple(sum(card is not None for row in pyramid for card in row) for pyramid in table.state.pyramids)
    table.state = replace(table.state, laid=laid)
    table.happen([TurnBegan(seat=SeatNumber(turn))])
    return table


def _filled(items: list, length: int, blank) -> tuple:
    return (*items, *[blank] * (length - len(items)))

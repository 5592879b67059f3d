"""Matches of the arena: their players and options, and the counted results."""

import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any, Final

import msgspec

from bench.arena.archetypes import ARCHETYPES, Player
from bench.bots import PlainChance
from games.engine import Chance, Event, Question, SeatNumber, know, replay
from games.engine import play as go_on
from games.engine.search import answer
from games.engine.types import LEVEL_NAMES
from games.rules.coup import RULES
from games.rules.coup import moves as m
from games.rules.coup.game import law_of
from games.rules.coup.state import State

ENDLESS: Final = 3000
"""The number of moves after which a game counts as a game without a winner."""

OPTION_SETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "classic": {},
    "dealt": {"two_player_setup": "dealt"},
    "sealed": {"answers": "sealed"},
    "inquisitor": {"inquisitor": True},
    "reformation": {"reformation": True},
    "anarchist": {"anarchist": True},
    "inquisitor and reformation": {"inquisitor": True, "reformation": True},
    "everything": {"inquisitor": True, "reformation": True, "anarchist": True},
}
"""The named sets of options."""

NO_OUTSIDERS: Final[Mapping[str, Player]] = {}

MIXTURE: Final = "mixture"
"""The name of rivals that are random archetypes."""


class Tally(msgspec.Struct):
    """The results of one bot against rivals of one kind."""

    games: int = 0
    won: float = 0.0
    thought: float = 0.0
    """Seconds of processor time for all answers."""
    answers: int = 0
    memory: int = 0
    """The bytes that the first answer on a turn allocated. The time of this answer is not counted."""
    lies: int = 0
    """Untrue claims of actions that the bot could challenge. A rival's first five claims are not counted."""
    doubted: int = 0
    """The challenged lies."""
    truths: int = 0
    """True claims of actions that the bot could challenge."""
    wronged: int = 0
    """The challenged truths."""


@dataclass(frozen=True)
class Match:
    """A bot of a level, or from outside, against rivals of one kind, or a mixture, on all other seats."""

    level: str
    rival: str
    seats: int
    options: str

    def __str__(self) -> str:
        return f"{self.level} / {self.rival} / {self.seats} / {self.options}"

    @property
    def key(self) -> str:
        """Return the key of the results. It contains the version of the bots."""
        return f"{self} / {RULES.bot_version}"


def matches(sizes: Sequence[int], sets: Sequence[str], outside: Sequence[str] = ()) -> Iterator[Match]:
    """Yield every match of these sizes and options: against archetypes, and each level against those below.

    Bots from outside meet all levels and archetypes.
    """
    rivals = {level: (*LEVEL_NAMES[:place], *outside) for place, level in enumerate(LEVEL_NAMES)}
    rivals |= {name: (*LEVEL_NAMES, *(other for other in outside if other != name)) for name in outside}
    for options in sets:
        for seats in sizes:
            for name, others in rivals.items():
                for rival in (*ARCHETYPES, MIXTURE, *others):
                    yield Match(name, rival, seats, options)


def rival_of(name: str, chance: Chance) -> Player:
    if name == MIXTURE:
        choose: Player = chance.choose([*ARCHETYPES.values()])
        return choose
    return ARCHETYPES.get(name) or bot_of(name)


def bot_of(level: str) -> Player:

    def play(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
        return answer(RULES, know(RULES, state, question.seat, lambda: log), question, moves, chance, level)

    return play


class Game:
    """A game of a match. Its number determines the seat of the bot and the random numbers."""

    def __init__(self, match: Match, number: int, tally: Tally, outside: Mapping[str, Player] = NO_OUTSIDERS) -> None:
        self.tally, self.seat = tally, SeatNumber(number % match.seats + 1)
        self.chance = PlainChance(f"{match}/{number}")
        rivals = [outside.get(match.rival) or rival_of(match.rival, self.chance) for _ in range(match.seats)]
        self.players = {SeatNumber(seat): rival for seat, rival in enumerate(rivals, 1)}
        self.players[self.seat] = outside.get(match.level) or bot_of(match.level)
        self.log = list(RULES.setup(RULES.options(**OPTION_SETS[match.options]), match.seats, self.chance))
        self.law = law_of(RULES.options(**OPTION_SETS[match.options]), match.seats)
        self.claims: dict[SeatNumber, int] = {}

    def play(self) -> None:
        """Play the game to its end and count its result."""
        state = replay(RULES, self.log)
        for _ in range(ENDLESS):
            outcome = RULES.outcome(state)
            if outcome is not None:
                break
            question = self.chance.choose(RULES.questions(state))
            moves = RULES.legal_moves(state, question)
            move = self._move(state, question, moves)
            self._note(state, question, moves, move)
            events, state = go_on(RULES, state, question.seat, move, self.chance)
            self.log += events
        self.tally.games += 1
        self.tally.won += outcome is not None and self.seat in outcome.winners

    def _move(self, state: State, question: Question, moves: Sequence[Any]) -> Any:
        """Return the move of a player. Count the costs of an answer of the bot."""
        player = self.players[question.seat]
        if len(moves) == 1:
            return moves[0]
        if question.seat != self.seat:
            return player(state, question, moves, self.chance, self.log)
        if question.kind == "turn" and not self.tally.memory:
            tracemalloc.start()
            move = player(state, question, moves, self.chance, self.log)
            self.tally.memory = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return move
        began = process_time()
        move = player(state, question, moves, self.chance, self.log)
        self.tally.thought += process_time() - began
        self.tally.answers += 1
        return move

    def _note(self, state: State, question: Question, moves: Sequence[Any], move: Any) -> None:
        """Count the bot's decision on a claim of an action, and whether the claim is true."""
        claim = state.claim
        if question.kind == "turn" and self.law.actions[m.VERBS[type(move)]].claims:
            self.claims[question.seat] = self.claims.get(question.seat, 0) + 1
        if claim is None or question.kind != "challenge" or question.seat != self.seat or claim.seat == self.seat:
            return
        doubts = isinstance(move, m.Challenge)
        if (claim.character in state.hands[claim.seat - 1]) != claim.denies:
            self.tally.truths += 1
            self.tally.wronged += doubts
        elif self.claims.get(claim.seat, 0) > 5:
            self.tally.lies += 1
            self.tally.doubted += doubts

"""Matches of the arena: who meets whom, by which options, and what is counted."""

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
"""The number of moves after which a game is taken for one that nobody wins."""

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

NOBODY: Final[Mapping[str, Player]] = {}

MIXTURE: Final = "mixture"
"""Rivals who differ: each of them is an archetype by lot."""


class Tally(msgspec.Struct):
    """The results of one bot against rivals of one kind."""

    games: int = 0
    won: float = 0.0
    thought: float = 0.0
    """Seconds of processor time, and for how many answers."""
    answers: int = 0
    memory: int = 0
    """The memory that its first answer at a turn took, in bytes. That one's time is not counted."""
    lies: int = 0
    """Rivals' untrue claims to an action, from each rival's sixth claim on, that the bot could challenge."""
    doubted: int = 0
    truths: int = 0
    """All their true claims, and how many of them it challenged."""
    wronged: int = 0


@dataclass(frozen=True)
class Match:
    """One bot of a level, or from outside, against rivals of one kind, or a mixture, at all other seats."""

    level: str
    rival: str
    seats: int
    options: str

    def __str__(self) -> str:
        return f"{self.level} / {self.rival} / {self.seats} / {self.options}"

    @property
    def key(self) -> str:
        """The name of its results. Other versions of the bots have results of their own."""
        return f"{self} / {RULES.bot_version}"


def matches(sizes: Sequence[int], sets: Sequence[str], outside: Sequence[str] = ()) -> Iterator[Match]:
    """Yield every match of these sizes and options: against archetypes, and each level against those below.

    Bots from outside meet everybody, and everybody meets them.
    """
    rivals = {level: (*LEVEL_NAMES[:place], *outside) for place, level in enumerate(LEVEL_NAMES)}
    rivals |= {name: (*LEVEL_NAMES, *(other for other in outside if other != name)) for name in outside}
    for options in sets:
        for seats in sizes:
            for name, others in rivals.items():
                for rival in (*ARCHETYPES, MIXTURE, *others):
                    yield Match(name, rival, seats, options)


def rival_of(name: str, chance: Chance) -> Player:
    """Return a rival of this name as a player."""
    if name == MIXTURE:
        choose: Player = chance.choose([*ARCHETYPES.values()])
        return choose
    return ARCHETYPES.get(name) or bot_of(name)


def bot_of(level: str) -> Player:
    """Return the bot of a level as a player."""

    def play(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
        return answer(RULES, know(RULES, state, question.seat, lambda: log), question, moves, chance, level)

    return play


class Game:
    """One game of a match; its number says which seat the bot has and what is drawn."""

    def __init__(self, match: Match, number: int, tally: Tally, outside: Mapping[str, Player] = NOBODY) -> None:
        self.tally, self.seat = tally, SeatNumber(number % match.seats + 1)
        self.chance = PlainChance(f"{match}/{number}")
        rivals = [outside.get(match.rival) or rival_of(match.rival, self.chance) for _ in range(match.seats)]
        self.players = {SeatNumber(seat): rival for seat, rival in enumerate(rivals, 1)}
        self.players[self.seat] = outside.get(match.level) or bot_of(match.level)
        self.log = list(RULES.setup(RULES.options(**OPTION_SETS[match.options]), match.seats, self.chance))
        self.law = law_of(RULES.options(**OPTION_SETS[match.options]), match.seats)
        self.claims: dict[SeatNumber, int] = {}

    def play(self) -> None:
        """Play it to its end and count it."""
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
        """Let a player answer; what the bot's answer costs is counted."""
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
        """Note whether the bot doubts a claim to an action, and whether it is true."""
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

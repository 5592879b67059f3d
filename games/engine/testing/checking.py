"""Plays games, runs all checks of the contract, and collects the faults."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from games.engine.rules import AnyRules, same_world
from games.engine.testing import (
    contract,
    forms,
    gate,
    leaving,
    notation,
    pictures,
    plans,
    questions,
    windows,
    words,
    worlds,
)
from games.engine.testing.playing import LONGEST, Decision, EndlessGameError, Examiner, RandomGame, described
from games.engine.types import Move

GAMES: Final = 24
"""The number of random games that are played."""
DECISIONS: Final = 160
"""The number of decisions of one game that are examined. The rest of the game is only played."""
MOST: Final = 12
"""The highest number of sentences in an error."""
_VALUES: Final = re.compile(r"“[^”]*”|`[^`]*`|[\d.]+|\b(?:a spectator|seat)\b", re.IGNORECASE)
"""The parts of a sentence that differ between two faults of the same kind."""
_TOLD_APART: Final = 40


class ContractBroken(AssertionError):
    """A game does not keep the contract. ``faults`` are the sentences."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        sentences = "\n".join(f"- {fault}" for fault in faults[:MOST])
        super().__init__(f"The rules of “{name}” do not keep the contract of a game:\n{sentences}")
        self.faults = faults


class NotExamined(UserWarning):
    """A part of a game that ``check`` could not examine."""


class Report(NamedTuple):
    """The result of an examination, in sentences."""

    faults: tuple[str, ...]
    """The first fault of each kind."""
    not_examined: tuple[str, ...]


def check(rules: AnyRules, games: int = GAMES, catalogues: Iterable[Path] = ()) -> None:
    """Check a game. Raises ContractBroken, whose sentences describe the faults, and warns about parts that could not be
    examined.

    ``games`` random games are played. ``catalogues`` are compiled catalogues (``.mo``) that must translate every
    phrase.
    """
    faults, not_examined = examine(rules, games, catalogues)
    if faults:
        raise ContractBroken(rules.name, faults)
    for sentence in not_examined:
        warnings.warn(f"{rules.name}: {sentence}", NotExamined, stacklevel=2)


def find_faults(rules: AnyRules, games: int = GAMES, catalogues: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return the faults of a game as sentences."""
    return examine(rules, games, catalogues).faults


def examine(rules: AnyRules, games: int = GAMES, catalogues: Iterable[Path] = ()) -> Report:
    """Return the faults of a game, and the parts that could not be examined."""
    report = _Report()
    spoken = words.Spoken(catalogues)
    reader = notation.TextChecker()
    report.take("contract", "", contract.declared, rules)
    report.take("words", "", words.declared, rules, spoken)
    moves: dict[str, Move] = {}
    coverage = _Coverage(rules)
    for number in range(games):
        if report.endless:
            break
        watch = _Watch(rules, spoken, reader, moves)
        _play(rules, number, watch, report)
        coverage.add(watch)
    for sentence in coverage.faults():
        if not report.sentences:
            report.add("worlds", sentence)
    return Report(tuple(report.sentences.values()), tuple(coverage.not_examined()))


class _Coverage:
    """The viewers with hidden facts, and the viewers with a second state of the same view."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.hidden_from: set[bool] = set()
        """True for seats, False for spectators."""
        self.compared: set[bool] = set()
        self.without_twin = 0
        self.examined = 0

    def add(self, watch: "_Watch") -> None:
        """Add the figures of one game."""
        self.hidden_from |= {viewer > 0 for viewer in watch.gate.hidden_from}
        self.compared |= {viewer > 0 for viewer in watch.worlds.compared}
        self.examined += watch.worlds.examined
        self.without_twin += watch.worlds.without_twin

    def faults(self) -> Iterator[str]:
        """Yield a fault if no states were compared although something is hidden."""
        if self.hidden_from and not self.compared:
            yield "Events are hidden, but no other state was found that looks the same: give `worlds`."
        elif True in self.hidden_from - self.compared:
            yield (
                "Events are hidden from seats, but no other state was found that looks the same to a seat: give "
                "`worlds`."
            )

    def not_examined(self) -> Iterator[str]:
        """Yield the comparisons that were not possible."""
        # In a few positions there may be no other state.
        if self.rules.worlds is same_world and self.without_twin * 10 > self.examined:
            yield (
                f"not examined: in {self.without_twin} of {self.examined} positions no other state was found that "
                "looks the same to a viewer, so that refusals, offers and words were not compared there. Give `worlds`."
            )


class _Watch:
    """All checks of one game, each with its interval in decisions."""

    def __init__(
        self, rules: AnyRules, spoken: words.Spoken, reader: notation.TextChecker, moves: dict[str, Move]
    ) -> None:
        self.gate = gate.Gate(rules)
        self.worlds = worlds.Worlds(rules, self.gate.folds, moves)
        self.every: tuple[tuple[int, str, Examiner], ...] = (
            (1, "gate", self.gate.examine),
            (1, "forms", forms.fillable),
            (1, "questions", questions.QuestionChecker(rules).examine),
            (1, "decisions", questions.Decided(rules).examine),
            (1, "windows", windows.Windows(rules).examine),
            (1, "notation", reader.examine),
            (2, "worlds", self.worlds.examine),
            (2, "leaving", leaving.resigned),
            (2, "timing out", leaving.timed_out),
            (3, "stored", gate.stored),
            (3, "in pieces", gate.in_pieces),
            (4, "words", partial(words.phrases, spoken=spoken)),
            (8, "pictures", pictures.picture),
            (8, "plans", partial(plans.plans, spoken=spoken)),
        )


def _play(rules: AnyRules, number: int, watch: _Watch, report: "_Report") -> None:
    """Play one game and examine it."""
    game: RandomGame | None = None
    try:
        game = RandomGame(rules, number)
        for count, decision in enumerate(game.decisions()):
            if count < DECISIONS:
                _examine(game, decision, number + count, watch, report)
    except EndlessGameError:
        report.endless = True
        report.add("end", f"A random game has not ended after {LONGEST} decisions.")
    except Exception as error:
        where = "" if game is None else f" ({described(game)})"
        report.add(f"played {type(error).__name__}", f"A random game broke off: {error!r}{where}.")


def _examine(game: RandomGame, decision: Decision, turn: int, watch: _Watch, report: "_Report") -> None:
    for period, kind, examiner in watch.every:
        if turn % period == 0:
            report.take(kind, described(game), examiner, game, decision)


class _Report:
    """The first fault of each kind."""

    def __init__(self) -> None:
        self.sentences: dict[tuple[str, str], str] = {}
        self.endless = False

    def take(self, kind: str, where: str, examiner: Callable[..., Iterator[str]], *of: object) -> None:
        """Add the faults that a check yields, or that it could not run."""
        try:
            for sentence in examiner(*of):
                self.add(kind, sentence, where)
        except Exception as error:
            self.add(kind, f"The {kind} could not be examined: {error!r}.", where)

    def add(self, kind: str, sentence: str, where: str = "") -> None:
        """Add a fault, unless there is one of the same kind. Each faulty text is a kind of its own."""
        alike = sentence if kind == "words" else _VALUES.sub("", sentence)[:_TOLD_APART]
        self.sentences.setdefault((kind, alike), f"{sentence} ({where})" if where else sentence)

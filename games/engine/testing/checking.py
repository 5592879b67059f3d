"""Plays games, has each part of the contract examined, and gathers what is wrong."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from games.engine.rules import AnyRules
from games.engine.testing import contract, gate, leaving, notation, pictures, plans, questions, windows, words, worlds
from games.engine.testing.playing import LONGEST, Decision, EndlessGameError, Examiner, RandomGame, named

GAMES: Final = 24
"""The number of random games that are played."""
DECISIONS: Final = 160
"""Of one game so many decisions are examined; the rest is played to its end."""
MOST: Final = 12
"""The most sentences that are given."""
_VALUES: Final = re.compile(r"“[^”]*”|`[^`]*`|[\d.]+|\b(?:a spectator|seat)\b", re.IGNORECASE)
"""The parts of a sentence in which two of one kind differ."""
_TOLD_APART: Final = 40


class ContractBroken(AssertionError):
    """A game does not keep the contract; ``faults`` are the sentences."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        said = "\n".join(f"- {fault}" for fault in faults[:MOST])
        super().__init__(f"The rules of “{name}” do not keep the contract of a game:\n{said}")
        self.faults = faults


def check(rules: AnyRules, games: int = GAMES, catalogues: Iterable[Path] = ()) -> None:
    """Check a game. ContractBroken says in sentences what is wrong with it.

    ``games`` random games are played. ``catalogues`` are compiled catalogues (``.mo``) that have to translate every
    phrase.
    """
    if faults := find_faults(rules, games, catalogues):
        raise ContractBroken(rules.name, faults)


def find_faults(rules: AnyRules, games: int = GAMES, catalogues: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return what is wrong with a game, a sentence each; of each kind of fault the first that was found."""
    found = _Found()
    spoken = words.Spoken(catalogues)
    read = notation.Read()
    found.take("contract", "", contract.declared, rules)
    found.take("words", "", words.declared, rules, spoken)
    hides, other_worlds = False, False
    for number in range(games):
        if found.endless:
            break
        watch = _Watch(rules, spoken, read)
        _play(rules, number, watch, found)
        hides, other_worlds = hides or watch.gate.hides, other_worlds or watch.worlds.found
    if hides and not other_worlds and not found.sentences:
        found.add("worlds", "Events are hidden, but no other state was found that looks the same: give `worlds`.")
    return tuple(found.sentences.values())


class _Watch:
    """All that examines one game, each with how many decisions pass between its looks."""

    def __init__(self, rules: AnyRules, spoken: words.Spoken, read: notation.Read) -> None:
        self.gate, self.worlds = gate.Gate(rules), worlds.Worlds(rules)
        self.every: tuple[tuple[int, str, Examiner], ...] = (
            (1, "gate", self.gate.examine),
            (1, "questions", questions.Asked(rules).examine),
            (1, "decisions", questions.Decided(rules).examine),
            (1, "windows", windows.Windows(rules).examine),
            (1, "notation", read.examine),
            (2, "worlds", self.worlds.examine),
            (2, "leaving", leaving.resigned),
            (2, "timing out", leaving.timed_out),
            (3, "stored", gate.stored),
            (3, "in pieces", gate.in_pieces),
            (4, "words", partial(words.told, spoken=spoken)),
            (8, "pictures", pictures.drawn),
            (8, "plans", partial(plans.planned, spoken=spoken)),
        )


def _play(rules: AnyRules, number: int, watch: _Watch, found: "_Found") -> None:
    """Play one game and examine it."""
    game: RandomGame | None = None
    try:
        game = RandomGame(rules, number)
        for count, decision in enumerate(game.decisions()):
            if count < DECISIONS:
                _examine(game, decision, number + count, watch, found)
    except EndlessGameError:
        found.endless = True
        found.add("end", f"A random game has not ended after {LONGEST} decisions.")
    except Exception as error:
        where = "" if game is None else f" ({named(game)})"
        found.add(f"played {type(error).__name__}", f"A random game broke off: {error!r}{where}.")


def _examine(game: RandomGame, decision: Decision, turn: int, watch: _Watch, found: "_Found") -> None:
    for period, kind, examiner in watch.every:
        if turn % period == 0:
            found.take(kind, named(game), examiner, game, decision)


class _Found:
    """The sentences so far: of each kind of fault the first."""

    def __init__(self) -> None:
        self.sentences: dict[tuple[str, str], str] = {}
        self.endless = False

    def take(self, kind: str, where: str, examiner: Callable[..., Iterator[str]], *of: object) -> None:
        """Note what an examiner yields, or that it could not look."""
        try:
            for sentence in examiner(*of):
                self.add(kind, sentence, where)
        except Exception as error:
            self.add(kind, f"The {kind} could not be examined: {error!r}.", where)

    def add(self, kind: str, sentence: str, where: str = "") -> None:
        """Note a fault, where none like it was found. Each text that is amiss is one of its own."""
        alike = sentence if kind == "words" else _VALUES.sub("", sentence)[:_TOLD_APART]
        self.sentences.setdefault((kind, alike), f"{sentence} ({where})" if where else sentence)

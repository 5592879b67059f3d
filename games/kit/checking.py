"""Checks a game against the contract by playing it.

``check(RULES)`` plays random games and looks at every part of the contract. It fails with sentences that name the fault
and its place. It needs only the engine, so a game of your own package can call it in its tests::

    from games.kit.checking import check

    def test_it_keeps_the_contract():
        check(RULES, catalogues=[Path("locale/fa/LC_MESSAGES/django.mo")])

All random numbers follow from the numbers of the games, so every run is the same.

Secrets are examined by comparing states that look the same to a viewer: offers, refusals, words and pictures must be
the same in both. A game without ``worlds`` is played a second time with some draws exchanged. ``check`` warns
(``NotExamined``) if too few such states were found; ``examine`` returns these sentences beside the faults.
"""

import re
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from games.engine.chance import SeededChance
from games.engine.rules import AnyRules, same_world
from games.engine.types import Event, Move, Outcome, SeatNumber
from games.engine.validation import FILLED_IN, ILLEGAL, MALFORMED, RuleViolation
from games.kit import notation, questions, shown_events, words, worlds
from games.kit.random_games import LONGEST, Decision, EndlessGameError, Examiner, RandomGame, described, option_sets

GAMES: Final = 24
"""The number of random games that are played."""
DECISIONS: Final = 160
"""The number of decisions of one game that are examined. The rest of the game is only played."""
MOST: Final = 12
"""The highest number of sentences in an error."""
_VALUES: Final = re.compile(r"“[^”]*”|`[^`]*`|[\d.]+|\b(?:a spectator|seat)\b", re.IGNORECASE)
"""The parts of a sentence that differ between two faults of the same kind."""
_TOLD_APART: Final = 40
_ENGINE: Final = Path(__file__).parents[1]
"""The folder of the engine and of the kit, of which no line is that of a game outside the server."""


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
    report.take("contract", "", declared, rules)
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
        self.gate = shown_events.Gate(rules)
        self.worlds = worlds.Worlds(rules, self.gate.folds, moves)
        self.every: tuple[tuple[int, str, Examiner], ...] = (
            (1, "gate", self.gate.examine),
            (1, "forms", questions.fillable),
            (1, "questions", questions.QuestionChecker(rules).examine),
            (1, "decisions", questions.Decided(rules).examine),
            (1, "windows", shown_events.Windows(rules).examine),
            (1, "notation", reader.examine),
            (2, "worlds", self.worlds.examine),
            (2, "leaving", questions.resigned),
            (2, "timing out", questions.timed_out),
            (3, "stored", shown_events.stored),
            (3, "in pieces", shown_events.in_pieces),
            (4, "words", partial(words.phrases, spoken=spoken)),
            (8, "pictures", words.picture),
            (8, "plans", partial(notation.plans, spoken=spoken)),
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
        where = "" if game is None else described(game)
        report.add(f"played {type(error).__name__}", f"A random game broke off: {error!r}{_place(error)}.", where)


def _examine(game: RandomGame, decision: Decision, turn: int, watch: _Watch, report: "_Report") -> None:
    for period, kind, examiner in watch.every:
        if turn % period == 0:
            report.take(kind, described(game), examiner, game, decision)


def _place(error: Exception) -> str:
    """Return the line of an error in words. The line is that of the game, if the game called the engine wrongly."""
    frames = traceback.extract_tb(error.__traceback__)
    game_frames = [frame for frame in frames if not Path(frame.filename).is_relative_to(_ENGINE)]
    frame = (game_frames or frames)[-1]
    return f", in `{frame.name}`, {Path(frame.filename).name} line {frame.lineno}"


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
            self.add(kind, f"The {kind} could not be examined: {error!r}{_place(error)}.", where)

    def add(self, kind: str, sentence: str, where: str = "") -> None:
        """Add a fault, unless there is one of the same kind. Each faulty text is a kind of its own."""
        alike = sentence if kind == "words" else _VALUES.sub("", sentence)[:_TOLD_APART]
        self.sentences.setdefault((kind, alike), f"{sentence} ({where})" if where else sentence)


def declared(rules: AnyRules) -> Iterator[str]:
    """Yield the faults in the names, types and options of a game."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,19}", rules.name):
        yield f"The name {rules.name!r} has to be a lower-case word: it stands in addresses and mail."
    if rules.version < 1:
        yield "The version counts from 1."
    if not rules.players or rules.players[0] < 2 or rules.players[-1] > 10:
        yield f"It is played by {rules.players}, but a table has 2 to 10 seats."
    yield from _types(rules)
    yield from _options(rules)
    yield from _set_up(rules)
    for word in rules.paces.values():
        if word not in ("turn", "reaction", "choice"):
            yield f"The pace {word!r} has to be `turn`, `reaction` or `choice`."


def ended(outcome: Outcome, seats: int) -> Iterator[str]:
    """Yield the faults in the outcome of a game with this number of seats."""
    first = tuple(seat for seat in range(1, seats + 1) if outcome.place(SeatNumber(seat)) == 1)
    if outcome.winners != tuple(sorted(set(outcome.winners) & set(range(1, seats + 1)))):
        yield f"The winners {outcome.winners} have to be seats in ascending order."
    elif outcome.places and (len(outcome.places) != seats or first != outcome.winners):
        yield f"The places {outcome.places} have to be one for each seat, 1 for the winners {outcome.winners} alone."
    elif outcome.scores and len(outcome.scores) != seats:
        yield f"The scores {outcome.scores} have to be one for each seat."
    elif outcome.teams and sorted(seat for team in outcome.teams for seat in team) != [*range(1, seats + 1)]:
        yield f"Each seat has to be in one of the teams {outcome.teams}."
    elif any(len({outcome.place(seat) for seat in team}) > 1 for team in outcome.teams):
        yield f"The seats of a team have to share a place: {outcome}."


def _types(rules: AnyRules) -> Iterator[str]:
    kinds = {"option": rules.option_type, "state": rules.state_type, "view": rules.view_type}
    for name, kind in (kinds | {"event": rules.event_type, "move": rules.move_type}).items():
        try:
            msgspec.json.schema(kind)
        except TypeError as error:
            yield f"The {name} type has no JSON Schema: {error}."
        if name in kinds and not kind.__struct_config__.frozen:
            yield f"The {name} type has to be frozen."
    for kind, base in ((rules.event_type, Event), (rules.move_type, Move)):
        for subtype in getattr(kind, "__args__", (kind,)):
            if not issubclass(subtype, base):
                yield f"`{subtype.__name__}` has to subclass `{base.__name__}`."


def _options(rules: AnyRules) -> Iterator[str]:
    fields = rules.option_type.__struct_fields__
    for name, value in {"no-such-option": 1, **dict.fromkeys(set(fields) - {FILLED_IN}, object())}.items():
        try:
            rules.options(**{name: value})
            yield f"The option {name} is accepted with {value!r}; it should be refused as `{MALFORMED}`."
        except RuleViolation as violation:
            if violation.code != MALFORMED:
                yield f"A wrong option {name} is refused as `{violation.code}`, and should be as `{MALFORMED}`."
    for choices in option_sets(rules)[:64]:
        options = rules.options(**choices)
        if msgspec.json.decode(msgspec.json.encode(options), type=rules.option_type) != options:
            yield f"The options {options!r} do not come back from JSON as they were."


def _set_up(rules: AnyRules) -> Iterator[str]:
    for seats in (rules.players[0] - 1, rules.players[-1] + 1):
        try:
            rules.setup(rules.options(), seats, SeededChance(bytes(32)))
            yield f"It is set up for {seats} seats, which it is not played by; `setup` should refuse as `{ILLEGAL}`."
        except RuleViolation as violation:
            if violation.code != ILLEGAL:
                yield f"`setup` refuses {seats} seats as `{violation.code}`, and should as `{ILLEGAL}`."
    one, two = (_begun(rules) for _ in range(2))
    if one != two:
        yield "`setup` gives other events with the same luck the second time."


def _begun(rules: AnyRules) -> tuple[Any, ...]:
    return tuple(rules.setup(rules.options(), rules.players[0], SeededChance(bytes(32))))

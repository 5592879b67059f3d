"""Golden games: whole games as readable text files, which a test plays again line by line.

A file begins with ``rules``, ``seats``, ``options`` (``name=value``) and ``chance`` (the results of the draws in order,
to which later lines may add). Then come ``setup`` and a line for each move, ``<seat> <notation>``. ``<seat> timeout``
is the clock's move for a seat, and with ``<seat> resign yes`` a seat gives up. The indented lines below a move are its
story. A sentence that only some players see is listed with their seats. ``outcome`` names the winners. ``#`` begins a
comment.

To write a new game, write the lines that are not indented. ``python -m tests.games.rules.golden FILE`` adds the others.
"""

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from games.engine import SPECTATOR, AnyRules, Event, RuleViolation, ScriptedChance, SeatNumber, Viewer
from games.rules.registry import RULES

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def files(rules: str) -> list[Path]:
    """The golden games of a game."""
    return sorted((PLAYTHROUGHS / rules).glob("*.txt"))


def played(text: str) -> str:
    """``text`` with every indented line and the outcome as the rules have it. ValueError for draws left over."""
    playthrough = Playthrough()
    output = "".join(f"{line}\n" for line in playthrough.lines(text))
    if playthrough.chance.script:
        raise ValueError(f"draws left over: {playthrough.chance.script}")
    return output


class Playthrough:
    """A golden game as far as it has been played."""

    def __init__(self) -> None:
        self.rules: AnyRules
        self.seats = 0
        self.options: dict[str, Any] = {}
        self.chance = ScriptedChance()
        self.state: Any = None

    def lines(self, text: str) -> Iterator[str]:
        """The lines of the file as they ought to be."""
        for line in text.splitlines():
            head, colon, rest = line.partition(":")
            if line.startswith("outcome:"):
                yield f"outcome: {self.outcome()}"
            elif not line.startswith((" ", "\t")):
                yield line
                if colon and head.isalpha():
                    self.header(head, rest.strip())
                elif line and not line.startswith("#"):
                    yield from (f"    {sentence}" for sentence in self.step(line.partition("#")[0].strip()))

    def header(self, head: str, rest: str) -> None:
        """Read a line that sets up the game."""
        match head:
            case "rules":
                self.rules = RULES[rest]
            case "seats":
                self.seats = int(rest)
            case "options":
                self.options = {
                    name: _value(value) for name, _, value in (part.partition("=") for part in rest.split())
                }
            case "chance":
                self.chance.script += shlex.split(rest, comments=True)
            case _:
                raise ValueError(f"unknown line: {head}")

    def step(self, line: str) -> Iterator[str]:
        """Play a line, and yield the story of its events."""
        try:
            events = self.events(line)
        except RuleViolation as violation:
            yield f"refused: {violation.code}"
            return
        for event in events:
            self.state = self.rules.evolve(self.state, event)
        yield from self.story(events)

    def events(self, line: str) -> tuple[Event, ...]:
        """Return the events of a line without a change of the state."""
        if line == "setup":
            self.state = None
            return self.rules.setup(self.rules.options(**self.options), self.seats, self.chance)
        number, text = line.split(maxsplit=1)
        seat = SeatNumber(int(number))
        if text == "resign yes":
            return self.rules.resign(self.state, seat, self.chance)
        questions = [question for question in self.rules.questions(self.state) if question.seat == seat]
        if not questions:
            raise ValueError(f"{line}: seat {seat} is not asked anything")
        question = questions[0]
        if text == "timeout":
            move = self.rules.default_move(self.state, question, self.chance)
        else:
            move = self.rules.parse(self.state, question, text, {})
        return self.rules.decide(self.state, seat, move, self.chance)

    def story(self, events: Sequence[Event]) -> Iterator[str]:
        """Yield the story of events. Viewers with the same sentence share a line."""
        viewers: list[Viewer] = [*(SeatNumber(seat) for seat in range(1, self.seats + 1)), SPECTATOR]
        viewers_by_sentence: dict[tuple[int, str], list[str]] = {}
        for viewer in viewers:
            visible_events = [
                (at, event)
                for at, event_of_log in enumerate(events)
                if (event := self.rules.show(event_of_log, viewer))
            ]
            for index, phrase in self.rules.words.story([event for _, event in visible_events], None):
                viewer_names = viewers_by_sentence.setdefault((visible_events[index][0], str(phrase)), [])
                viewer_names.append("spectator" if viewer == SPECTATOR else str(viewer))
        for (_, sentence), names in sorted(viewers_by_sentence.items(), key=lambda entry: entry[0][0]):
            yield f"{'all' if len(names) == len(viewers) else ', '.join(names)}: {sentence}"

    def outcome(self) -> str:
        """Return the winners in the notation of the file."""
        outcome = self.rules.outcome(self.state)
        if outcome is None:
            return "open"
        return " ".join(map(str, outcome.winners)) or "nobody"


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


if __name__ == "__main__":
    sys.stdout.write(played(Path(sys.argv[1]).read_text(encoding="utf-8")))

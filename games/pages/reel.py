"""The log of a finished game as the moments at which its replay stops, with a graph of everyone's chances."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.http import Http404
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.archive.analyses import Decided
from games.engine import SPECTATOR, AnyRules, SeatNumber
from games.event_log import log_store
from games.event_log.log_store import Line, Position
from games.event_log.table_events import PositionCopied, TableEvent
from games.models import Game
from games.phrases import percent, player, render_phrase

_LEAST_STOPS: Final = 3
"""A replay with fewer stops has no graph."""
_MARKS: Final = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
"""The mark of each grade of mistake, as on chess servers."""


@dataclass
class Reel:
    """The log of a finished game, and the lines at which a replay stops."""

    game: Game
    rules: AnyRules
    lines: list[Line]
    stops: list[int]
    """The numbers of the lines that have a sentence in the story, after the deal."""

    @staticmethod
    def of(game: Game) -> "Reel":
        """Return the replay of a whole game."""
        rules, lines = log_store.rules_of(game), log_store.read(game)
        first = _first_question_line(rules, lines)
        stops = [line.number for line in lines if line.number > first and _has_sentence(rules, line)]
        return Reel(game, rules, lines, [first, *stops])

    @property
    def has_record(self) -> bool:
        """Return whether the game has a record. A practice game has none."""
        return not any(isinstance(line.event, PositionCopied) for line in self.lines)

    def highlights(self) -> list[int]:
        """Return the stops, counted from 1, that the rules call highlights."""
        numbers = enumerate(self.stops, 1)
        return [stop for stop, line in numbers if isinstance(self.lines[line - 1].event, self.rules.highlights)]

    def before(self, stop: int) -> int:
        """Return the number of lines of the log before the new ones at a stop."""
        return self.stops[stop - 2] if stop > 1 else 0

    def at(self, stop: int) -> tuple[list[Line], Any]:
        """Return the log up to a stop, counted from 1, and the state of the game there. Raises Http404 for an unknown
        stop.
        """
        if not 1 <= stop <= len(self.stops):
            raise Http404
        return self.lines[: self.stops[stop - 1]], self.states[stop - 1]

    @cached_property
    def states(self) -> list[Any]:
        """Return the state of the game at each stop."""
        position, states = Position(), {}
        for line in self.lines:
            position = log_store.fold(self.rules, position, line.event)
            states[line.number] = position.state
        return [states[stop] for stop in self.stops]

    def stop_at(self, line: int) -> int:
        """Return the first stop, counted from 1, that shows this line of the log."""
        return min(1 + bisect_left(self.stops, line), len(self.stops))


def _first_question_line(rules: AnyRules, lines: list[Line]) -> int:
    """Return the number of the line with the first question. The cards are dealt before it."""
    position = Position()
    for line in lines:
        position = log_store.fold(rules, position, line.event)
        if position.state is not None and rules.questions(position.state):
            return line.number
    return len(lines)


def _has_sentence(rules: AnyRules, line: Line) -> bool:
    return not isinstance(line.event, TableEvent) and any(rules.words.story([line.event], None))


@dataclass(frozen=True)
class Mistake:
    """A decision for which an analysis has found a better move."""

    seat: SeatNumber
    line: int
    """The number of the line of the log."""
    grade: str
    sentence: str
    """The better move, with the name of the player."""

    @property
    def mark(self) -> str:
        """Return the mark that chess players use."""
        return _MARKS[self.grade]

    @property
    def label(self) -> str:
        """Return the grade in the active language."""
        labels = {
            "blunder": pgettext("grade of a move", "Blunder"),
            "mistake": pgettext("grade of a move", "Mistake"),
            "inaccuracy": pgettext("grade of a move", "Inaccuracy"),
        }
        return labels[self.grade]


def mistakes_of(seat: SeatNumber, decided: list[Decided], names: Mapping[SeatNumber, str]) -> Iterator[Mistake]:
    """Yield the mistakes among the decisions of a seat."""
    for decision in decided:
        if decision.better is not None:
            values = {"player": player(seat, names), "move": decision.better.move}
            sentence = _("Better for %(player)s: %(move)s") % values
            yield Mistake(seat, decision.line, decision.better.grade, sentence)


@dataclass(frozen=True)
class Chances:
    """A graph of each seat's share of the game over all stops."""

    lines: SafeString
    dots: SafeString
    """A link at each mistake."""
    width: int
    present: int
    """The place of the present stop."""
    players: list[tuple[SeatNumber, str, str]]
    """The seats with their players and their shares at the present stop."""

    @staticmethod
    def of(reel: Reel, stop: int, names: Mapping[SeatNumber, str], mistakes: Sequence[Mistake]) -> "Chances | None":
        """Return the graph, or None if the rules cannot tell the shares."""
        share = reel.rules.search.share
        if share is None or len(reel.stops) < _LEAST_STOPS:
            return None
        heights = {seat: [100 - 100 * share(state, seat) for state in reel.states] for seat in sorted(names)}
        lines = format_html_join(
            "",
            '<polyline class="seat-{}" points="{}"/>',
            (
                (seat, " ".join(f"{index},{height:.1f}" for index, height in enumerate(values)))
                for seat, values in heights.items()
            ),
        )
        places = [(mistake, reel.stop_at(mistake.line)) for mistake in mistakes]
        # A line without a length and with a round cap is a dot, also in a graph that is stretched.
        dots = format_html_join(
            "",
            '<a href="?step={0}&amp;as=" aria-label="{6} {2}"><path class="dot {1} seat-{3}" d="M{4} {5}h0"/></a>',
            (
                (
                    place,
                    mistake.grade,
                    mistake.sentence,
                    mistake.seat,
                    place - 1,
                    f"{heights[mistake.seat][place - 1]:.1f}",
                    mistake.label,
                )
                for mistake, place in places
            ),
        )
        players = [
            (seat, player(seat, names), percent((100 - values[stop - 1]) / 100)) for seat, values in heights.items()
        ]
        return Chances(lines, dots, len(reel.stops) - 1, stop - 1, players)


@dataclass(frozen=True)
class Knowledge:
    """The facts about the table that a player knew at a moment and a spectator did not, as lines of text."""

    seat: SeatNumber
    name: str
    lines: list[str]


def private_knowledge(rules: AnyRules, state: Any, names: Mapping[SeatNumber, str]) -> list[Knowledge]:
    """Return the facts about the table that spectators did not know, for each player."""
    public = rules.words.table(rules.view(state, SPECTATOR))
    return [
        Knowledge(
            seat,
            player(seat, names),
            [
                render_phrase(phrase, names)
                for phrase in rules.words.table(rules.view(state, seat))
                if phrase not in public
            ],
        )
        for seat in sorted(names)
    ]

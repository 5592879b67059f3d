"""The analysis of a game in words, for one reader: decisions, turning points, and bluffs that were believed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.archive.analysis.making import AnalysedDecision, analysed_decisions
from games.engine import Phrase, SeatName, SeatNumber, gettext_noop
from games.engine.analysis import swings
from games.engine.hindsight import Claims
from games.event_log.table_events import TableEvent
from games.models import Analysis
from games.text.phrases import render_phrase
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import takeovers
from games.visibility.story import story

_CHANCES = gettext_noop("The chances of %(player)s went from %(before)s to %(after)s in 100.")


@dataclass(frozen=True)
class BetterMove:
    """A move that would have been better, in readable numbers."""

    move: str
    means: str
    """The meaning of the move: that it is a bluff, or its cost. May be blank."""
    gain: int
    """The number of additional wins in 100 such games."""
    error: int
    """Twice the standard error of ``gain``."""


@dataclass(frozen=True)
class Decided:
    """A decision of the seat."""

    line: int
    """The number of the log line."""
    asked: str
    chosen: str
    move: Any
    """The move as JSON."""
    better: BetterMove | None
    likely: list[str]
    """The probability of statements about the hidden cards, in sentences."""


@dataclass(frozen=True)
class Turned:
    """A turning point of the game."""

    line: int
    told: str
    """The line of the story to which it belongs."""
    why: str


@dataclass(frozen=True)
class Bluffed:
    """The numbers of a player's claims and lies."""

    seat: SeatNumber
    claims: int
    bluffs: int
    believed: int
    """The number of lies for which the player was not caught."""


@dataclass(frozen=True)
class Report:
    """An analysis so far."""

    seat: SeatNumber
    is_done: bool
    decisions: int
    """The number of all decisions, including those that have not been analysed yet."""
    decided: list[Decided]
    turning_points: list[Turned]
    bluffs: list[Bluffed]

    @property
    def worth_a_word(self) -> list[Decided]:
        """Return the decisions for which a better move exists."""
        return [decision for decision in self.decided if decision.better is not None]


def report(analysis: Analysis, player_view: PlayerView) -> Report:
    """Return the analysis in the active language, for the reader of ``player_view``."""
    return Report(
        seat=SeatNumber(analysis.seat),
        is_done=analysis.done_at is not None,
        decisions=analysis.decisions,
        decided=[
            decision
            for analysed in analysed_decisions(analysis)
            if (decision := _decided(analysed, player_view)) is not None
        ],
        turning_points=list(_turning_points(player_view, SeatNumber(analysis.seat))),
        bluffs=_bluffs(player_view.statistics.claims),
    )


def _decided(analysed: AnalysedDecision, player_view: PlayerView) -> Decided | None:
    """Return a decision in words, or None if its evaluation failed."""
    finding, names = analysed.finding, player_view.names
    if finding is None:
        return None
    better = None
    if finding.better is not None:
        move, means = (
            render_phrase(finding.better.move, names),
            [render_phrase(mean, names) for mean in finding.better.means],
        )
        gain, error = round(100 * finding.better.gain), max(1, round(200 * finding.better.error))
        better = BetterMove(move, " ".join(means), gain, error)
    question, answer = render_phrase(finding.asked, names), render_phrase(finding.chosen, names)
    likely = [render_phrase(guess, names) for guess in finding.guesses]
    return Decided(analysed.line, question, answer, analysed.move, better, likely)


def _turning_points(player_view: PlayerView, analysed: SeatNumber) -> Iterator[Turned]:
    """Yield the greatest swings of the game, or the turning point of its rules if they cannot tell the shares."""
    rules, log = player_view.rules, player_view.log
    of_game = [index for index, line in enumerate(log) if not isinstance(line.event, TableEvent)]
    events = [log[index].event for index in of_game]
    if rules.search.share is None:
        turning_point = rules.turning_point(events)
        points = [] if turning_point is None else [(turning_point.event, turning_point.why)]
    else:
        points = [
            (swing.event, _chances(swing.seat, swing.before, swing.after))
            for swing in swings(rules, events, player_view.game.seat_count)
        ]
    for event, why in points:
        sentence = _line(player_view, analysed, of_game, event)
        yield Turned(log[of_game[event]].number, sentence, render_phrase(why, player_view.names))


def _chances(seat: SeatNumber, before: float, after: float) -> Phrase:
    values = {"player": SeatName(seat), "before": round(100 * before), "after": round(100 * after)}
    return Phrase(_CHANCES, values)  # type: ignore[arg-type]  # a dict of a narrower type


def _line(player_view: PlayerView, analysed: SeatNumber, of_game: Sequence[int], event: int) -> str:
    """Return the line of the story that begins with this event, or its part up to the event."""
    log = player_view.log
    begins = [index for index in of_game if log[index].event.begins_line and index > of_game[event]]
    end = begins[0] if log[of_game[event]].event.begins_line and begins else of_game[event] + 1
    reader = player_view.seat if player_view.seat == analysed else None  # “you” is the player whose decisions these are
    sentences = story(player_view.rules, player_view.names, log[:end], reader, taken_over=takeovers(log))
    return sentences[-1] if sentences else ""


def _bluffs(claims: Sequence[Claims]) -> list[Bluffed]:
    seats = sorted({claim.seat for claim in claims})
    return [_bluffed(seat, [claim for claim in claims if claim.seat == seat]) for seat in seats]


def _bluffed(seat: SeatNumber, claims: Sequence[Claims]) -> Bluffed:
    lies = sum(claim.lies for claim in claims)
    believed = sum(max(0, claim.lies - claim.fallen) for claim in claims)
    return Bluffed(seat, sum(claim.made for claim in claims), lies, believed)

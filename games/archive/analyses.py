"""Analyses of finished games: the value of each decision of a seat, and the result in words for one reader.

An analysis is made when a viewer first opens it. The process in which bots think ahead evaluates one decision after
another, and stores each result in the row of the analysis. A running game has no analysis.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp
from typing import Any, Final

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Account
from accounts.rate_limits import DAY, Policy
from config.core.logs import describe_error
from config.core.tasks import app, enqueue
from games.archive.records import require_over
from games.engine import Phrase, SeatName, SeatNumber, gettext_noop, show_all
from games.engine.analysis import Finding, can_be_analysed, swings
from games.engine.chance import analysis_seed
from games.engine.hindsight import Claims
from games.event_log import log_store
from games.event_log.log_store import Line, decode
from games.event_log.table_events import TableEvent
from games.models import Analysis, Game, Move
from games.phrases import render_phrase
from games.play import game_caps, thinker
from games.play.bots import THINKER
from games.play.resolve import playable
from games.refusals import Refusal, not_found
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import line_texts, story_lines, takeovers

logger = logging.getLogger(__name__)

DAILY_ANALYSES: Final = Policy("analyses", 20, DAY)
"""The number of analyses that an account may start in a day. Each is of the decisions of one player."""
MAKE: Final = "games.tasks.make_analyses"
"""The name of the task that continues analyses."""
PIECE: Final = timedelta(seconds=10)
"""The time after which the task ends and is enqueued again, so that other work gets a worker."""


class AnalysedDecision(msgspec.Struct, frozen=True):
    """A decision and its evaluation."""

    line: int
    """The number of the log line of the decision."""
    move: Any
    """The move as JSON."""
    finding: Finding | None
    """The finding, or None if the process failed."""


def is_analysed(game: Game) -> bool:
    """Return whether the game can be analysed: it is over, and its rules have possible worlds for a seat."""
    return game.state == Game.State.OVER and can_be_analysed(log_store.rules_of(game))


def open_analysis(game: Game, seat: SeatNumber, reader: Account, now: datetime) -> Analysis:
    """Return the analysis of a seat. The first call starts it.

    Raises Refusal(conflict) if the game is not over or its rules do not support an analysis, Refusal(not-found) for an
    unknown seat, and Refusal(rate-limited) if the reader has started too many.
    """
    require_over(game)
    if not is_analysed(game):
        raise Refusal("conflict", Phrase(gettext_noop("We don’t analyse games of this kind.")))
    if not 1 <= seat <= game.seat_count:
        raise not_found()
    analysis = Analysis.objects.filter(game=game, seat=seat).first()
    if analysis is not None:
        return analysis
    sentence = gettext_noop("You can have the decisions of at most %(most)s players analysed a day. Try again later.")
    defaults = {"asked_at": now, "decisions": _answers(game, seat).count()}
    with transaction.atomic():
        game_caps.enforce_rate(reader, DAILY_ANALYSES, sentence, now)
        analysis, _ = Analysis.objects.get_or_create(game=game, seat=seat, defaults=defaults)
        enqueue(MAKE)
    return analysis


def analysed_decisions(analysis: Analysis) -> list[AnalysedDecision]:
    """Return the evaluated decisions."""
    return msgspec.convert(analysis.findings, list[AnalysedDecision])


def waiting(now: datetime) -> Iterable[QuerySet[Analysis]]:
    """Return the unfinished analyses."""
    return [_unmade()]


def _unmade() -> QuerySet[Analysis]:
    return Analysis.objects.filter(playable(), done_at=None, game__state=Game.State.OVER).order_by("asked_at", "id")


def make(clock: Callable[[], datetime]) -> None:
    """Continue the oldest unfinished analysis. If two processes do this at the same time, the results of the faster one
    are replaced.
    """
    until, passed = clock() + PIECE, set[int]()
    while not _is_enough(clock, until):
        # Every analysis is taken once, so that one that fails keeps no other waiting.
        analysis = _unmade().exclude(pk__any=passed).select_related("game").first()
        if analysis is None:
            return
        passed.add(analysis.pk)
        try:
            _go_on(analysis, clock, until)
        except Exception as error:
            logger.error("the analysis of game %s was passed by: %s", analysis.game_id, describe_error(error))
    enqueue(MAKE)


def _go_on(analysis: Analysis, clock: Callable[[], datetime], until: datetime) -> None:
    for finding in _rest(analysis):
        if not _keep(analysis, finding) or _is_enough(clock, until):
            return
    Analysis.objects.filter(pk=analysis.pk).update(done_at=clock())


def _is_enough(clock: Callable[[], datetime], until: datetime) -> bool:
    """Return whether the task should end: its time is up, or the worker is stopping."""
    return app.is_ending or clock() >= until


def _rest(analysis: Analysis) -> Iterator[AnalysedDecision]:
    """Yield the analyses of the remaining decisions."""
    for line, task in list(_tasks(analysis.game, SeatNumber(analysis.seat)))[len(analysis.findings) :]:
        yield AnalysedDecision(line, msgspec.structs.replace(task.answer, question=""), THINKER.analyse(task))


@transaction.atomic
def _keep(analysis: Analysis, finding: AnalysedDecision) -> bool:
    """Store a result. Return False if another process has stored one in the meantime."""
    row = Analysis.objects.select_for_update().filter(pk=analysis.pk).first()
    if row is None or len(row.findings) != len(analysis.findings):
        return False
    row.findings.append(msgspec.json.decode(msgspec.json.encode(finding)))
    row.save(update_fields=["findings"])
    analysis.findings = row.findings
    return True


def _answers(game: Game, seat: SeatNumber) -> QuerySet[Move]:
    """Return the answers of a seat without its default moves."""
    answers = game.moves.filter(state=Move.State.APPLIED, seat=seat, body__isnull=False)
    return answers.exclude(question="").exclude(via=Move.Via.TIMEOUT)


def _tasks(game: Game, seat: SeatNumber) -> Iterator[tuple[int, thinker.Analysis]]:
    """Yield each decision of a seat with the events it had been shown, and the number of its log line."""
    rules, moves = log_store.rules_of(game), {move.id: move for move in _answers(game, seat)}
    state, shown_events = None, list[Any]()
    for line in _of_game(log_store.read(game)):
        if line.move and (move := moves.pop(line.move, None)) is not None:
            question = next(
                question for question in rules.questions(state) if (question.seat, question.id) == (seat, move.question)
            )
            yield (
                line.number,
                thinker.Analysis(
                    rules=rules.name,
                    rules_version=rules.version,
                    events=[*shown_events],
                    question=question,
                    moves=list(rules.legal_moves(state, question)),
                    seed=analysis_seed(bytes(game.seed), str(game.id), question.id).hex(),
                    game=str(game.id),
                    answer=decode(rules.move_type, move.body or "", move.question),
                ),
            )
        state = rules.evolve(state, line.event)
        shown_events += show_all(rules, [line.event], seat)


def _of_game(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if not isinstance(line.event, TableEvent)]


_CHANCES = gettext_noop("The chances of %(player)s went from %(before)s to %(after)s in 100.")


@dataclass(frozen=True)
class BetterMove:
    """A move that would have been better, in readable numbers."""

    move: str
    means: str
    """The meaning of the move: that it is a bluff, or its cost. May be blank."""
    wins: int
    """The number of wins in 100 such games with this move."""
    chosen_wins: int
    """The number of wins with the move that was chosen."""
    error: int
    """Twice the standard error of ``gain``."""

    @property
    def gain(self) -> int:
        return self.wins - self.chosen_wins

    @property
    def grade(self) -> str:
        """Return the name of the mistake by its cost, as on chess servers."""
        return next(grade for grade, least in GRADES.items() if self.gain >= least)


GRADES: Final = {"blunder": 20, "mistake": 10, "inaccuracy": 0}
"""The least number of wins in 100 games that each kind of mistake costs."""


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
    """An analysis so far, in words."""

    seat: SeatNumber
    is_done: bool
    decisions: int
    """The number of all decisions, including those that have not been analysed yet."""
    decided: list[Decided]

    @property
    def accuracy(self) -> int | None:
        """Return the mean accuracy of all decisions in percent, or None before the analysis is done.

        A decision without a better move counts 100. The accuracy falls with the cost of a mistake by lichess's formula.
        """
        if not self.is_done or not self.decided:
            return None
        mistakes = [decision.better for decision in self.decided if decision.better is not None]
        lost = sum(min(100.0, 103.2 * (1 - exp(-0.0435 * better.gain))) for better in mistakes)
        return round(100 - lost / len(self.decided))

    def count(self, grade: str) -> int:
        """Return the number of mistakes of this grade."""
        return sum(decision.better is not None and decision.better.grade == grade for decision in self.decided)


def report(analysis: Analysis, names: Mapping[SeatNumber, str]) -> Report:
    """Return the analysis in the active language. “You” in its questions is the player whose decisions these are."""
    decided = (_decided(analysed, names) for analysed in analysed_decisions(analysis))
    return Report(
        seat=SeatNumber(analysis.seat),
        is_done=analysis.done_at is not None,
        decisions=analysis.decisions,
        decided=[decision for decision in decided if decision is not None],
    )


def _decided(analysed: AnalysedDecision, names: Mapping[SeatNumber, str]) -> Decided | None:
    """Return a decision in words, or None if its evaluation failed."""
    finding = analysed.finding
    if finding is None:
        return None
    better = None
    if finding.better is not None:
        move, means = (
            render_phrase(finding.better.move, names),
            [render_phrase(mean, names) for mean in finding.better.means],
        )
        wins, gain = round(100 * finding.better.share), round(100 * finding.better.gain)
        better = BetterMove(move, " ".join(means), wins, wins - gain, max(1, round(200 * finding.better.error)))
    question, answer = render_phrase(finding.asked, names), render_phrase(finding.chosen, names)
    likely = [render_phrase(guess, names) for guess in finding.guesses]
    return Decided(analysed.line, question, answer, analysed.move, better, likely)


def turning_points(player_view: PlayerView, reader: SeatNumber | None) -> Iterator[Turned]:
    """Yield the greatest swings of the game, or the turning point of its rules if they cannot tell the shares.

    ``reader`` is the seat that the sentences call “you”.
    """
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
        sentence = _line(player_view, reader, of_game, event)
        yield Turned(log[of_game[event]].number, sentence, render_phrase(why, player_view.names))


def _chances(seat: SeatNumber, before: float, after: float) -> Phrase:
    values = {"player": SeatName(seat), "before": round(100 * before), "after": round(100 * after)}
    return Phrase(_CHANCES, values)  # type: ignore[arg-type]  # a dict of a narrower type


def _line(player_view: PlayerView, reader: SeatNumber | None, of_game: Sequence[int], event: int) -> str:
    """Return the line of the story that begins with this event, or its part up to the event."""
    log = player_view.log
    begins = [index for index in of_game if log[index].event.begins_line and index > of_game[event]]
    end = begins[0] if log[of_game[event]].event.begins_line and begins else of_game[event] + 1
    story = story_lines(player_view.rules, player_view.names, log[:end], reader, taken_over=takeovers(log))
    return "".join(line_texts(story[-1:]))


def bluffs(claims: Sequence[Claims]) -> list[Bluffed]:
    """Return the numbers of each player who has claimed something."""
    seats = sorted({claim.seat for claim in claims})
    return [_bluffed(seat, [claim for claim in claims if claim.seat == seat]) for seat in seats]


def _bluffed(seat: SeatNumber, claims: Sequence[Claims]) -> Bluffed:
    lies = sum(claim.lies for claim in claims)
    believed = sum(max(0, claim.lies - claim.fallen) for claim in claims)
    return Bluffed(seat, sum(claim.made for claim in claims), lies, believed)

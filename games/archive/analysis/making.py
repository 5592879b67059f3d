"""Analyses of finished games: the value of each decision of a seat, given what the seat could know at that time.

An analysis is made when a viewer first opens it. The process in which bots think ahead evaluates one decision after
another, and stores each result in the row of the analysis. A running game has no analysis.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from accounts.limits.rate_limits import DAY, Policy
from accounts.models import Account
from config.core.logs import describe_error
from config.core.tasks import app
from games.archive.replay import require_over
from games.engine import Phrase, SeatNumber, gettext_noop, show_all
from games.engine.analysis import Finding, can_be_analysed
from games.engine.chance import analysis_seed
from games.event_log import log_store
from games.event_log.encoding import decode
from games.event_log.enqueue import enqueue
from games.event_log.lines import Line
from games.event_log.table_events import TableEvent
from games.models import Analysis, Game, Move
from games.play import game_caps, thinker
from games.play.batch import playable
from games.play.bots import THINKER
from games.refusals import Refusal, not_found

logger = logging.getLogger(__name__)

DAILY: Final = Policy("analyses", 20, DAY)
"""The number of analyses that an account may have made."""
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
    """None if the process failed."""


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
        raise Refusal("conflict", Phrase(gettext_noop("Games of this kind are not analysed.")))
    if not 1 <= seat <= game.seat_count:
        raise not_found()
    analysis = Analysis.objects.filter(game=game, seat=seat).first()
    if analysis is not None:
        return analysis
    sentence = gettext_noop("You may have at most %(most)s games analysed a day. Try again later.")
    defaults = {"asked_at": now, "decisions": _answers(game, seat).count()}
    with transaction.atomic():
        game_caps.enforce_rate(reader, DAILY, sentence, now)
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
    """Continue the oldest unfinished analysis. If two processes do so at the same time, the results of one are lost."""
    until, passed = clock() + PIECE, set[int]()
    while not _is_enough(clock, until):
        # Every analysis is taken once, so that one that fails keeps no other waiting.
        analysis = _unmade().exclude(pk__in=passed).select_related("game").first()
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
        yield AnalysedDecision(line, msgspec.structs.replace(task.chosen, question=""), THINKER.analyse(task))


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
                    chosen=decode(rules.move_type, move.body or "", move.question),
                ),
            )
        state = rules.evolve(state, line.event)
        shown_events += show_all(rules, [line.event], seat)


def _of_game(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if not isinstance(line.event, TableEvent)]

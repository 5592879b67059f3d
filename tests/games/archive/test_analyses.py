"""The analysis of a finished game: made once when it is opened, from what its seat had been shown, never before."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from accounts.models import Account
from config.core.tasks import app
from games.archive import analyses as analyses
from games.archive.analyses import BetterMove, report
from games.engine import EVERYONE, SeatNumber, show_all
from games.engine.analysis import Better, Finding
from games.engine.phrases import Phrase
from games.event_log import log_store
from games.event_log.log_store import events_of
from games.models import Analysis, Game, Move
from games.play import bots, thinker
from games.refusals import Refusal
from games.visibility.player_view import PlayerView
from tests.games.finished import begun, finished
from tests.third_game.table import LATER, with_fist

__all__ = ["with_fist"]
pytestmark = pytest.mark.django_db
FIRST = SeatNumber(1)
HOUR = timedelta(hours=1)


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A game of Coup in which Maryam, on the first seat, has the first turn."""
    return finished([maryam, sepideh, bahareh], starting_player=1)


@pytest.fixture
def long_game(maryam: Account, sepideh: Account) -> Game:
    """A game in which each has several turns, however the cards lie."""
    return finished([maryam, sepideh], "sedlec")


@pytest.fixture
def analysed_tasks(monkeypatch: pytest.MonkeyPatch) -> list[thinker.Analysis]:
    """Return the tasks that the process receives. It answers immediately that no move was better."""
    tasks: list[thinker.Analysis] = []

    def analyse(task: thinker.Analysis) -> Finding:
        tasks.append(task)
        return Finding(Phrase("It’s your turn."), Phrase("Take income: 1 coin"))

    monkeypatch.setattr(bots.THINKER, "analyse", analyse)
    return tasks


@pytest.fixture
def ends() -> Iterator[None]:
    """The process is ended after the test."""
    yield
    bots.THINKER.end()


def test_an_analysis_is_made_once_a_decision_at_a_time(
    long_game: Game, maryam: Account, sepideh: Account, analysed_tasks: list[thinker.Analysis]
) -> None:
    opened = analyses.open_analysis(long_game, FIRST, maryam, LATER)
    assert (opened.done_at, opened.findings) == (None, [])
    answers = Move.objects.filter(game=long_game, seat=1, state="applied").exclude(via="timeout").exclude(body=None)
    assert opened.decisions == answers.count() > 5
    analyses.make(lambda: LATER)
    analysis = analyses.open_analysis(long_game, FIRST, sepideh, LATER + HOUR)
    assert (analysis.pk, analysis.done_at, len(analysis.findings)) == (opened.pk, LATER, opened.decisions)
    assert [decision.line for decision in analyses.analysed_decisions(analysis)] == sorted(
        answers.values_list("first_event", flat=True)
    )
    analyses.make(lambda: LATER)
    assert len(analysed_tasks) == opened.decisions


def test_a_task_that_ends_early_goes_on_where_it_was(
    long_game: Game, maryam: Account, analysed_tasks: list[thinker.Analysis]
) -> None:
    opened = analyses.open_analysis(long_game, FIRST, maryam, LATER)
    moments = iter([LATER, LATER, *[LATER + analyses.PIECE] * 2])
    analyses.make(lambda: next(moments))
    assert len(Analysis.objects.get().findings) == len(analysed_tasks) == 1
    analyses.make(lambda: LATER)
    assert len(Analysis.objects.get().findings) == len(analysed_tasks) == opened.decisions


def test_a_worker_that_is_told_to_end_leaves_the_rest_to_another(
    long_game: Game, maryam: Account, analysed_tasks: list[thinker.Analysis], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, analyse = analyses.open_analysis(long_game, FIRST, maryam, LATER), bots.THINKER.analyse

    def told_meanwhile(task: thinker.Analysis) -> Finding | None:
        monkeypatch.setattr(app, "is_ending", True)
        return analyse(task)

    monkeypatch.setattr(bots.THINKER, "analyse", told_meanwhile)
    analyses.make(lambda: LATER)
    assert len(Analysis.objects.get().findings) == len(analysed_tasks) == 1 < opened.decisions


def test_two_workers_at_once_keep_each_finding_once(
    long_game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = analyses.open_analysis(long_game, FIRST, maryam, LATER)
    nothing = Finding(Phrase("It’s your turn."), Phrase("Take income: 1 coin"))

    def interrupted(task: thinker.Analysis) -> Finding:
        monkeypatch.setattr(bots.THINKER, "analyse", lambda task: nothing)
        analyses.make(lambda: LATER)
        return nothing

    monkeypatch.setattr(bots.THINKER, "analyse", interrupted)
    analyses.make(lambda: LATER)
    analysis = Analysis.objects.get()
    assert len(analysis.findings) == opened.decisions
    assert analysis.done_at == LATER


def test_each_decision_is_judged_by_what_its_seat_had_been_shown(
    game: Game, maryam: Account, analysed_tasks: list[thinker.Analysis]
) -> None:
    rules, lines = log_store.rules_of(game), log_store.read(game)
    analysis = analyses.open_analysis(game, FIRST, maryam, LATER)
    analyses.make(lambda: LATER)
    for task, decision in zip(analysed_tasks, analyses.analysed_decisions(fresh_analysis(analysis)), strict=True):
        before = show_all(rules, events_of(lines[: decision.line - 1]), FIRST)
        assert msgspec.json.encode(task.events) == msgspec.json.encode(before)
        assert task.question.seat == 1
        state = log_store.fold(rules, log_store.Position(), before[0]).state
        for event in before[1:]:
            state = rules.evolve(state, event)
        assert all(card is None for hand in state.hands[1:] for card in hand), "another's card was handed over"
        assert msgspec.structs.replace(task.answer, question="") in [
            msgspec.structs.replace(move, question="") for move in task.moves
        ]


def fresh_analysis(analysis: Analysis) -> Analysis:
    return Analysis.objects.get(pk=analysis.pk)


def test_nothing_of_a_running_game_is_analysed(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    running = begun([maryam, sepideh, bahareh])
    with pytest.raises(Refusal) as refused:
        analyses.open_analysis(running, FIRST, maryam, LATER)
    assert refused.value.code == "conflict"
    Analysis.objects.create(game=running, seat=1, asked_at=LATER, decisions=3)
    assert [list(rows) for rows in analyses.waiting(LATER)] == [[]]
    assert not analyses.is_analysed(running)


def test_a_game_that_hides_nothing_in_its_state_is_not_analysed(maryam: Account, sepideh: Account) -> None:
    game = finished([maryam, sepideh], "fist")
    with pytest.raises(Refusal) as refused:
        analyses.open_analysis(game, FIRST, maryam, LATER)
    assert refused.value.code == "conflict"
    assert not Analysis.objects.exists()


def test_there_is_no_analysis_of_a_seat_that_is_not_there(game: Game, maryam: Account) -> None:
    for seat in (0, 4):
        with pytest.raises(Refusal) as refused:
            analyses.open_analysis(game, SeatNumber(seat), maryam, LATER)
        assert refused.value.code == "not-found"


def test_a_person_may_have_so_many_made_a_day_and_open_all_that_are_there(
    game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "DAILY_ANALYSES", analyses.Policy("analyses", 1, analyses.DAY))
    analyses.open_analysis(game, FIRST, maryam, LATER)
    analyses.open_analysis(game, FIRST, maryam, LATER)
    with pytest.raises(Refusal) as refused:
        analyses.open_analysis(game, SeatNumber(2), maryam, LATER)
    assert refused.value.code == "rate-limited"
    assert Analysis.objects.count() == 1


def test_a_decision_at_which_the_process_fails_is_passed_by(
    game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots.THINKER, "analyse", lambda task: None)
    analyses.open_analysis(game, FIRST, maryam, LATER)
    analyses.make(lambda: LATER)
    analysis = Analysis.objects.get()
    assert analysis.done_at is not None
    assert report(analysis, game.names()).decided == []


@pytest.mark.slow
def test_the_process_that_thinks_finds_what_the_engine_does(game: Game, maryam: Account, ends: None) -> None:
    rules = log_store.rules_of(game)
    # The last decision has the shortest roll-outs, and the process has the lowest priority.
    task = [task for _, task in analyses._tasks(game, FIRST) if len(task.moves) > 1][-1]
    finding = bots.THINKER.analyse(task)
    assert finding is not None
    assert finding.chosen == rules.words.label(task.answer)
    assert thinker.result_of(task) == msgspec.json.encode(finding)


def test_a_report_says_what_would_have_been_better_and_who_bluffed(
    game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = Finding(
        Phrase("It’s your turn. What do you do?"),
        Phrase("Take income: 1 coin"),
        Better(Phrase("Collect tax with the duke: 3 coins"), (Phrase("A bluff."),), 0.4912, 0.0612, 0.0014),
    )
    monkeypatch.setattr(bots.THINKER, "analyse", lambda task: finding)
    analyses.open_analysis(game, FIRST, maryam, LATER)
    analyses.make(lambda: LATER)
    analysis_report = report(Analysis.objects.get(), game.names())
    assert analysis_report.is_done
    better: Any = analysis_report.decided[0].better
    assert better == BetterMove("Collect tax with the duke: 3 coins", "A bluff.", wins=49, chosen_wins=43, error=1)
    assert better.grade == "inaccuracy"
    grades = [BetterMove("", "", wins, 40, 1).grade for wins in (49, 50, 59, 60, 100)]
    assert grades == ["inaccuracy", "mistake", "mistake", "blunder", "blunder"]
    assert analysis_report.accuracy == 76, "each of the decisions lost 6 of 100 games"
    view = PlayerView(game, FIRST, maryam, EVERYONE)
    points, rows = list(analyses.turning_points(view, FIRST)), analyses.bluffs(view.statistics.claims)
    assert len(points) <= 3
    assert all(point.told and point.why for point in points)
    assert [bluff.seat for bluff in rows] == sorted(bluff.seat for bluff in rows)
    assert all(0 <= bluff.believed <= bluff.bluffs <= bluff.claims for bluff in rows)

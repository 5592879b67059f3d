"""Many games in one transaction: the same as each alone, and one with which it goes wrong stops no other."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.archive import game_audit
from games.engine import SeatNumber
from games.event_log import log_store
from games.event_log.log_store import Line
from games.event_log.table_events import Left
from games.models import Game, Heartbeat, Move
from games.play import resolve, timeouts
from games.play.resolve import resolve_waiting
from games.rules.registry import RULES
from notifications.models import Notification
from tests.third_game import fist
from tests.third_game.table import LATER, NOON, create_fist, fresh, sent, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


@pytest.fixture
def games(maryam: Account, bahareh: Account) -> list[Game]:
    """Five tables at which it is Maryam's turn."""
    return [create_fist(maryam, bahareh) for _ in range(5)]


def states(moves: list[Move]) -> list[str]:
    for move in moves:
        move.refresh_from_db()
    return [str(move.state) for move in moves]


def break_for(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the rules fail in this game, which is told from the others by the numbers it was dealt."""
    dealt = log_store.position(fresh(game)).state.numbers

    def questions(state: Any) -> Any:
        if state.numbers == dealt:
            raise KeyError("broken")
        return fist.RULES.questions(state)

    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, questions=questions))


def test_the_moves_of_many_games_are_resolved_and_each_log_is_whole(games: list[Game]) -> None:
    before = Notification.objects.filter(reason="question").count()
    moves = [sent(game, 1, "claim 3") for game in games]
    resolve_waiting(LATER)
    assert states(moves) == ["applied"] * 5
    assert Notification.objects.filter(reason="question").count() == before + 5
    for game in games:
        assert game_audit.find_faults(fresh(game)) == []


def test_the_game_that_waits_longest_is_resolved_first_whatever_else_was_sent_there(games: list[Game]) -> None:
    for minutes, game in ((3, games[0]), (1, games[1]), (2, games[2]), (4, games[1])):
        sent(game, 1, "claim 3", NOON + timedelta(minutes=minutes))
    assert resolve.games_with_moves(9, LATER) == [games[1].id, games[2].id, games[0].id]
    assert resolve.games_with_moves(9, NOON + timedelta(minutes=2)) == [games[1].id, games[2].id]
    assert resolve.games_with_moves(1, LATER, [games[1].id]) == [games[2].id]


def test_a_move_that_a_process_with_a_faster_clock_has_stored_is_resolved_at_once(games: list[Game]) -> None:
    move = sent(games[0], 1, "claim 3", NOON + timedelta(milliseconds=5))
    resolve_waiting(NOON)
    assert states([move]) == ["applied"]


def test_a_batch_of_many_games_needs_no_more_statements_than_one_game(
    games: list[Game], django_assert_max_num_queries: Any
) -> None:
    sent(games[0], 1, "claim 3")
    with django_assert_max_num_queries(30) as one:
        resolve_waiting(LATER)
    for game in games[1:]:
        sent(game, 1, "claim 3")
    with django_assert_max_num_queries(len(one)):
        resolve_waiting(LATER)


def test_a_game_that_cannot_be_resolved_stops_no_other_and_leaves_no_trace(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = [sent(game, 1, "claim 3") for game in games]
    version = fresh(games[2]).version
    break_for(games[2], monkeypatch)
    same = [log_store.position(fresh(game)).state.numbers for game in games]
    broken = [numbers == same[2] for numbers in same]
    resolve_waiting(LATER)
    assert states(moves) == ["received" if is_broken else "applied" for is_broken in broken]
    assert fresh(games[2]).version == version
    assert [fresh(game).stalled_since for game in games] == [LATER if is_broken else None for is_broken in broken]


def test_what_the_database_refuses_of_one_game_is_stored_of_all_others(games: list[Game]) -> None:
    moves = [sent(game, 1, "claim 3") for game in games]
    line = Line(fresh(games[2]).version + 1, Left(seat=SeatNumber(2)), NOON, "api")
    log_store.append({games[2].id: [line]})
    resolve_waiting(LATER)
    assert states(moves) == ["received" if game is games[2] else "applied" for game in games]
    assert [move.attempts for move in moves] == [int(game is games[2]) for game in games]
    assert [game_audit.find_faults(fresh(game)) for game in games if game is not games[2]] == [[]] * 4


def test_the_clock_closes_the_windows_of_many_games_but_not_of_one_that_is_broken(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    due = NOON + timedelta(days=5)
    Heartbeat.objects.create(at=due)
    break_for(games[2], monkeypatch)
    same = [log_store.position(fresh(game)).state.numbers for game in games]
    timeouts.sweep(due)
    played = [Move.objects.filter(game=game, via="timeout").exists() for game in games]
    assert played == [numbers != same[2] for numbers in same]

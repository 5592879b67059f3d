"""Two workers, two requests, two sweeps at the same moment: real threads with connections of their own."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from accounts import idempotency
from accounts.idempotency import Effect, IdempotencyConflict, Request, Run
from accounts.models import Account, IdempotencyKey
from games.announcements import notify
from games.archive import game_audit
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved
from games.models import Game, Heartbeat, Move, Seek
from games.play import bots, resolve, timeouts
from games.play.locked_game import lock_game, lock_games, store
from games.tables import matching, rematch
from games.tables.joining import join_game
from games.tables.rematch import accept_rematch
from games.tables.seeks import NewSeek, create_seek, join_search, searched_game
from notifications.models import Notification, State
from tests.third_game.table import LATER, NOON, create_fist, fresh, lie, open_question, play, sent, state, with_fist

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["with_fist"]

THREADS = 6


@pytest.fixture(autouse=True)
def alive(transactional_db: None) -> None:
    Heartbeat.objects.create(at=NOON)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls at the same moment on separate connections. Return their results and errors."""
    gate = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        connection.ensure_connection()
        gate.wait(10)
        try:
            results[place] = call()
        except Exception as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=numbered_call) for numbered_call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return results


@pytest.fixture
def game(maryam: Account, bahareh: Account, dariush: Account) -> Game:
    return create_fist(maryam, bahareh, dariush)


def test_two_challengers_at_once_are_one_applied_and_one_told(game: Game) -> None:
    play(game, 1, f"claim {lie(game, 1)}")
    challenges = [partial(play, game, seat, "doubt", question=open_question(game, seat)) for seat in (2, 3)]
    moves = at_once(*challenges)
    assert sorted((move.state, move.code) for move in moves) == [("applied", ""), ("rejected", "question-closed")]
    (first,) = [move for move in moves if move.state == Move.State.APPLIED]
    assert state(game).winners == (first.seat,)
    assert game_audit.find_faults(fresh(game)) == []


def test_many_workers_resolve_the_same_moves_once(game: Game) -> None:
    sent(game, 1, "claim 3")
    results = at_once(*[lambda: resolve.resolve(game.id, LATER)] * THREADS)
    # ``resolve`` logs an error and returns None where it had to try the moves one by one.
    assert [result for result in results if result is None or isinstance(result, Exception)] == []
    assert fresh(game).version == game.version + 1
    assert game_audit.find_faults(fresh(game)) == []


def test_many_sweeps_at_once_play_each_default_once(game: Game) -> None:
    due = game.open_questions.get().due_at + timedelta(seconds=10)
    Heartbeat.objects.update(at=due)
    assert at_once(*[lambda: timeouts.sweep(due)] * THREADS) == [None] * THREADS
    assert fresh(game).version == game.version + 1
    assert {row.asked_at for row in game.open_questions.all()} == {due}
    assert game_audit.find_faults(fresh(game)) == []


def test_many_clocks_that_wake_at_once_give_downtime_back_once(game: Game) -> None:
    due = game.open_questions.get().due_at
    back = NOON + timedelta(hours=2)
    at_once(*[lambda: timeouts.sweep(back)] * THREADS)
    assert game.open_questions.get().due_at == due + timedelta(hours=2)
    moved = [line for line in log_store.read(fresh(game)) if isinstance(line.event, DeadlinesMoved)]
    assert len(moved) == 1


def test_many_clocks_remind_once(game: Game) -> None:
    half = NOON + timedelta(days=1)
    Heartbeat.objects.update(at=half)
    at_once(*[lambda: timeouts.sweep(half)] * THREADS)
    assert Notification.objects.filter(reason="reminder").count() == 1


def test_a_move_and_the_sweep_at_once_leave_a_whole_game(game: Game) -> None:
    due = game.open_questions.get().due_at
    move = sent(game, 1, "claim 3", due)
    Heartbeat.objects.update(at=due)
    at_once(lambda: resolve.resolve(game.id, due), lambda: timeouts.sweep(due + timedelta(seconds=10)))
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert fresh(game).version == game.version + 1


def test_bots_answer_once_however_many_bells_ring(maryam: Account) -> None:
    game = create_fist(maryam, bots=3)
    play(game, 1, "claim 3")
    at_once(*[lambda: bots.play(game.id, LATER)] * THREADS)
    answered = list(Move.objects.filter(game=game, via="bot").values_list("seat", "question"))
    assert len(answered) == len(set(answered))
    assert game_audit.find_faults(fresh(game)) == []


def test_the_last_seat_is_taken_once(maryam: Account, bahareh: Account, dariush: Account, sepideh: Account) -> None:
    game = create_fist(maryam, bahareh, seat_count=3)
    results = at_once(
        lambda: join_game(game.id, dariush, "", "api", LATER), lambda: join_game(game.id, sepideh, "", "api", LATER)
    )
    assert sorted(type(result).__name__ for result in results) == ["Game", "Refusal"]
    assert game_audit.find_faults(fresh(game)) == []


def test_a_request_repeated_in_parallel_has_its_effect_once(game: Game, maryam: Account) -> None:
    request = Request(maryam, "POST", "/moves", "key", b"{}")
    question = open_question(game, 1)

    def effect() -> Effect:
        return Effect(str(sent(game, 1, "claim 3", question=question).id), game.id)

    results = at_once(*[lambda: idempotency.run_once(request, effect, LATER)] * THREADS)
    locations = {result.location for result in results if isinstance(result, Run)}
    refused = [result for result in results if isinstance(result, IdempotencyConflict)]
    assert len(locations) == 1
    assert all(refusal.code == "key-busy" for refusal in refused)
    assert Move.objects.filter(game=game).count() == IdempotencyKey.objects.count() == 1


def test_while_a_request_is_at_work_its_repetition_is_told_so(game: Game, maryam: Account) -> None:
    request = Request(maryam, "POST", "/moves", "key", b"{}")
    begun, repeated = threading.Event(), threading.Event()

    def slow() -> Effect:
        begun.set()
        repeated.wait(10)
        return Effect("/made")

    def repeat() -> Run:
        begun.wait(10)
        try:
            return idempotency.run_once(request, slow, LATER)
        finally:
            repeated.set()

    first, second = at_once(lambda: idempotency.run_once(request, slow, LATER), repeat)
    assert first == Run("/made")
    assert isinstance(second, IdempotencyConflict)
    assert second.code == "key-busy"


def test_a_game_that_somebody_holds_is_passed_by(game: Game) -> None:
    due = game.open_questions.get().due_at + timedelta(seconds=10)
    holding, event = threading.Event(), threading.Event()

    def hold() -> None:
        with lock_game(game.id, due):
            holding.set()
            event.wait(20)

    def strike() -> bool:
        holding.wait(10)
        try:
            with lock_game(game.id, due, skip_locked=True) as locked:
                return locked is not None
        finally:
            event.set()

    assert at_once(hold, strike) == [None, False]


def test_games_that_somebody_held_are_resolved_together_as_soon_as_nobody_does(
    maryam: Account, bahareh: Account
) -> None:
    games = [create_fist(maryam, bahareh) for _ in range(5)]
    holding, commits = threading.Event(), list[str]()

    def hold() -> None:
        with lock_games([game.id for game in games], LATER):
            holding.set()
            wait_for_a_lock()

    def resolve_all() -> None:
        holding.wait(10)
        with CaptureQueriesContext(connection) as queries:
            resolve.resolve_waiting(LATER)
        commits.extend(query["sql"] for query in queries if query["sql"] == "COMMIT")

    moves = [sent(game, 1, "claim 3") for game in games]
    assert at_once(hold, resolve_all) == [None, None]
    assert [fresh(game).version for game in games] == [game.version + 1 for game in games]
    assert set(Move.objects.filter(pk__in=[move.pk for move in moves]).values_list("state", flat=True)) == {"applied"}
    assert len(commits) == 3, "nobody to hold; the one that was waited for; the other four"


def wait_for_a_lock() -> None:
    """Wait until a connection waits for a lock."""
    with connection.cursor() as cursor:
        for _ in range(100):
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
            time.sleep(0.1)
    raise AssertionError("nobody waits")


def test_a_sweep_of_seeks_and_a_game_that_begins_lock_them_in_one_order(maryam: Account, bahareh: Account) -> None:
    last, first = UUID(int=2), UUID(int=1)
    usual: dict[str, Any] = {"rules": "fist", "least": 2, "most": 2, "speed": "live", "until": LATER}
    for pk, account in ((last, maryam), (first, bahareh)):
        Seek.objects.create(pk=pk, account=account, created_at=NOON, look_at=NOON, **usual)
    holding = threading.Event()

    def begin() -> None:
        with transaction.atomic():
            Seek.objects.select_for_update().get(pk=first)
            holding.set()
            wait_for_a_lock()
            Seek.objects.select_for_update().get(pk=last)

    def look() -> int:
        holding.wait(10)
        return len(matching._find_matches("fist", "live", NOON))

    assert at_once(begin, look) == [None, 1]


def test_a_search_that_is_joined_twice_at_once_is_one_search(maryam: Account, bahareh: Account) -> None:
    entry = searched_game(create_seek(maryam, NewSeek("fist", 2, 2), NOON)).id
    results = at_once(*[partial(join_search, bahareh, entry, NOON)] * 3)
    assert sorted(getattr(result, "code", "") for result in results) == ["", "conflict", "conflict"]
    assert Seek.objects.filter(account=bahareh).count() == 1


def won(game: Game) -> Game:
    """Return a game of Fist after its first two players have resigned."""
    for seat in (1, 2):
        play(game, seat, "resign yes", question="")
    return fresh(game)


def test_two_offers_of_a_rematch_at_once_are_one(maryam: Account, bahareh: Account, dariush: Account) -> None:
    over = won(create_fist(maryam, bahareh, dariush))
    results = at_once(*(partial(accept_rematch, over.pk, account, {}, "api", LATER) for account in (maryam, bahareh)))
    assert [result.state for result in results] == ["offered", "offered"]
    assert [answer.seat for answer in fresh(over).rematch_offer.answers.order_by("seat")] == [1, 2]


def test_the_last_answers_at_once_start_one_game_and_rematches_of_the_same_players_wait_for_one_another(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    games = [won(create_fist(maryam, bahareh, dariush)) for _ in range(2)]
    for game in games:
        accept_rematch(game.pk, dariush, {}, "api", LATER)
    answers = [
        partial(accept_rematch, game.pk, account, {}, "api", LATER) for game in games for account in (maryam, bahareh)
    ]
    results = at_once(*answers, partial(rematch.sweep, LATER))
    assert not any(isinstance(result, Exception) for result in results), results
    assert Game.objects.filter(state=Game.State.RUNNING).count() == 2


def test_whoever_answers_does_not_wait_for_a_notification_that_is_being_composed(game: Game) -> None:
    locked, composing, answered = threading.Event(), threading.Event(), threading.Event()

    def hold() -> bool:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE games_chatmessage")  # The text is parsed for a notification, not for a move.
            locked.set()
            wait_for_a_lock()
            composing.set()
            return answered.wait(20)

    def write() -> None:
        locked.wait(10)
        notify.write_due(NOON)

    def answer() -> str:
        composing.wait(20)
        move = play(game, 1, "claim 3")
        answered.set()
        return move.state

    assert at_once(hold, write, answer) == [True, None, "applied"]
    assert Notification.objects.get(reason="question", question="1.1").state == State.DROPPED


def test_a_worker_that_dies_in_mid_transaction_leaves_the_work_to_the_next(game: Game) -> None:
    move = sent(game, 1, "claim 3")

    def die() -> None:
        with lock_game(game.id, LATER) as locked:
            assert locked is not None
            resolve.resolve_locked(locked)
            store([locked], LATER)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                connection.connection.close()

    at_once(die)
    assert fresh(game).version == game.version
    resolve.resolve(game.id, LATER)
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert game_audit.find_faults(fresh(game)) == []

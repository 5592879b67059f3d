"""Moves that are waited for: those that come while others are judged are judged together, in one transaction."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, connections

from accounts.models import Account
from games.api.judging import Judges
from games.models import Game, Move
from games.play import audit
from tests.third_game.table import fresh, open_table, sent

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = timedelta(seconds=10)


@pytest.fixture
def games(maryam: Account, bahareh: Account) -> list[Game]:
    """Four tables at which it is Maryam's turn."""
    return [open_table(maryam, bahareh) for _ in range(4)]


def begun(judges: Judges, game: Game, refused: list[Any], patience: timedelta = PATIENCE) -> threading.Thread:
    """Somebody who has a game judged, on a connection of their own."""

    def judge() -> None:
        try:
            judges.judge(game.id, patience)
        except OperationalError as error:
            refused.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=judge)
    thread.start()
    return thread


@contextmanager
def turn_taken(judges: Judges) -> Iterator[None]:
    """Somebody judges so long."""
    judges._taken = True
    yield
    with judges._changed:
        judges._taken = False
        judges._changed.notify_all()


def transactions(games: list[Game]) -> list[int]:
    """Which transactions wrote the last lines of these games."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT event.xmin::text::bigint FROM games_event AS event JOIN games_game AS game"
            " ON game.id = game_id WHERE game.id = ANY(%s) AND number = game.version",
            [[game.id for game in games]],
        )
        return [row[0] for row in cursor]


@pytest.mark.parametrize("patience", [PATIENCE, timedelta(milliseconds=20)])
def test_what_came_while_others_were_judged_is_judged_together(games: list[Game], patience: timedelta) -> None:
    judges, refused = Judges(), list[Any]()
    moves = [sent(game, 1, "claim 3") for game in games]
    with turn_taken(judges):
        threads = [begun(judges, game, refused, patience) for game in games]
        while len(judges._brought) < len(games):
            time.sleep(0.01)
        time.sleep(0.1)
    for thread in threads:
        thread.join(30)
    assert refused == []
    assert {Move.objects.get(pk=move.pk).state for move in moves} == {Move.State.APPLIED}
    assert len(transactions(games)) == 1
    assert [audit.faults(fresh(game)) for game in games] == [[], [], [], []]


def test_a_game_that_somebody_holds_keeps_nobody_else_waiting(games: list[Game], lie_in_wait: Any) -> None:
    judges, refused = Judges(), list[Any]()
    moves = [sent(game, 1, "claim 3") for game in games]
    with lie_in_wait(games[0]):
        with turn_taken(judges):
            threads = [begun(judges, game, refused, timedelta(seconds=2)) for game in games]
            while len(judges._brought) < len(games):
                time.sleep(0.01)
        for thread in threads:
            thread.join(30)
    assert [type(error) for error in refused] == [OperationalError]
    states = [Move.objects.get(pk=move.pk).state for move in moves]
    assert states == [Move.State.RECEIVED] + [Move.State.APPLIED] * 3


def test_who_does_not_get_the_turn_in_time_judges_alone(games: list[Game]) -> None:
    judges, move = Judges(), sent(games[0], 1, "claim 3")
    with turn_taken(judges):
        judges.judge(games[0].id, timedelta(milliseconds=20))
    assert Move.objects.get(pk=move.pk).state == Move.State.APPLIED


def test_whoever_has_the_turn_waits_a_little_for_moves_that_are_on_their_way(games: list[Game]) -> None:
    judges, refused = Judges(gathering=PATIENCE), list[Any]()
    moves = [sent(game, 1, "claim 3") for game in games]
    all_come = threading.Barrier(len(games))

    def come(game: Game, late: float) -> None:
        try:
            with judges.expected():
                all_come.wait(10)
                time.sleep(late)
                judges.judge(game.id, PATIENCE)
        except OperationalError as error:
            refused.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=come, args=(game, 0.05 * at)) for at, game in enumerate(games)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert refused == []
    assert {Move.objects.get(pk=move.pk).state for move in moves} == {Move.State.APPLIED}
    assert len(transactions(games)) == 1


def test_nobody_waits_long_for_a_move_that_does_not_come(games: list[Game]) -> None:
    judges = Judges()
    move = sent(games[0], 1, "claim 3")
    stays, goes = threading.Event(), threading.Event()

    def stay_away() -> None:
        with judges.expected():
            stays.set()
            goes.wait(30)

    other = threading.Thread(target=stay_away)
    other.start()
    assert stays.wait(10)
    began = time.monotonic()
    judges.judge(games[0].id, PATIENCE)
    assert time.monotonic() - began < PATIENCE.total_seconds()
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    goes.set()
    other.join(30)
    assert not judges._coming, "who has gone is not waited for"

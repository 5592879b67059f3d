"""Bots that search ahead, in a separate process and without locking the game."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from accounts.models import Account
from config.core.tasks import app
from games.archive import game_audit, records
from games.engine import SeatNumber
from games.engine.record import undecided
from games.event_log.table_events import StandInNamed
from games.models import Bot, Game
from games.models import Move as StoredMove
from games.play import bots
from games.play.thinker import Task
from games.rules.registry import RULES
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.third_game.table import LATER, NOON, fresh, sent

pytestmark = pytest.mark.django_db
MANY = 20
"""Tasks that take longer together than a process to end."""


@pytest.fixture(autouse=True)
def ends() -> Iterator[None]:
    """The process is ended after each test."""
    yield
    bots.THINKER.end()


def duel(host: Account, level: str = "strong", style: str = "bold") -> Game:
    """A game against one bot, who moves first."""
    options = {"two_player_setup": "dealt", "starting_player": 2}
    new_game = NewGame(rules="coup", seat_count=2, bots=(Bot(level, style),), options=options)
    return create_game(host, new_game, "api", NOON)


@pytest.mark.slow
def test_a_bot_that_thinks_ahead_is_left_to_the_worker_and_answers_there(maryam: Account) -> None:
    game = duel(maryam)
    assert bots.play(game.id, LATER)
    assert not StoredMove.objects.filter(game=game).exists()
    assert [row.seat for rows in bots.search_questions_due(LATER) for row in rows] == [2]
    assert [row.seat for rows in bots.questions_due(LATER) for row in rows] == []
    bots.think_in_all(lambda: LATER)
    move = StoredMove.objects.get(game=game)
    assert (move.seat, move.via, move.state) == (2, "bot", "applied")
    assert game_audit.find_faults(fresh(game)) == []


def test_a_bot_thinks_again_where_something_happened_meanwhile(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = duel(maryam)
    thought: list[int] = []
    think = bots.THINKER.think

    def interrupted(task: Task) -> bots.Thought:
        thought.append(task.version)
        if len(thought) == 1:
            with bots.lock_game(game.id, LATER) as locked:
                assert locked is not None, "the game is held while a bot thinks"
                locked.add_table_event(StandInNamed(seat=SeatNumber(1)))
        return think(task)

    monkeypatch.setattr(bots.THINKER, "think", interrupted)
    bots.think_in_all(lambda: LATER)
    assert thought == [thought[0], thought[0] + 1]
    assert StoredMove.objects.get(game=game).state == "applied"


def test_a_worker_that_is_told_to_end_leaves_the_next_question_to_another(
    maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, think = duel(maryam), bots.THINKER.think

    def told_meanwhile(task: Task) -> bots.Thought:
        monkeypatch.setattr(app, "is_ending", True)
        return think(task)

    monkeypatch.setattr(bots.THINKER, "think", told_meanwhile)
    bots.think_in_all(lambda: LATER)
    assert not StoredMove.objects.filter(game=game).exists()
    monkeypatch.undo()
    bots.think_in_all(lambda: LATER)
    assert StoredMove.objects.get(game=game).state == "applied"


@pytest.mark.slow
def test_the_process_comes_behind_all_others_and_ends_with_its_worker(maryam: Account) -> None:
    with bots.lock_game(duel(maryam).id, LATER) as locked:
        assert locked is not None
        (row,) = locked.due_bot_questions()
        task = msgspec.json.encode(bots.build_task(locked, row)) + b"\n"
    command = [sys.executable, "-m", "games.play.thinker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as thinker:
        assert thinker.stdin is not None
        assert thinker.stdout is not None
        thinker.stdin.write(task * MANY)
        thinker.stdin.flush()
        assert json.loads(thinker.stdout.readline())
        assert os.getpriority(os.PRIO_PROCESS, thinker.pid) == 19
        assert os.getsid(thinker.pid) == thinker.pid
        if (group := Path(f"/proc/{thinker.pid}/autogroup")).exists():
            assert group.read_text().endswith(" nice 19\n")
        thinker.stdin.close()
        assert len(thinker.stdout.readlines()) < MANY - 1, "it does not think to the end"


def test_the_process_that_fails_leaves_the_default_move(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    game = duel(maryam)
    monkeypatch.setattr(bots, "MAX_SECONDS", 0.0)
    bots.think_in_all(lambda: LATER)
    assert StoredMove.objects.get(game=game).via == "timeout"


def test_the_record_of_a_game_decides_again_what_a_bot_thought_of(maryam: Account) -> None:
    game = duel(maryam, "strong", "scholar")
    bots.think_in_all(lambda: LATER)
    sent(game, 1, "resign yes", LATER)
    bots.play(game.id, LATER)
    over = fresh(game)
    assert over.state == Game.State.OVER
    record = records.export_record(over)
    assert next(line.event["level"] for line in record.events if line.event.get("bot")) == "strong"
    assert list(undecided(RULES["coup"], record)) == []

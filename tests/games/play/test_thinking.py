"""Bots that think ahead: in a process of their own, while nobody holds the game."""

from collections.abc import Iterator

import pytest

from accounts.models import Account
from games.archive import audit, records
from games.engine import SeatNumber
from games.engine.thinking.asking_again import undecided
from games.event_log.table_events import StandInNamed
from games.lobby.create import create_game
from games.lobby.new_game import NewGame
from games.models import Bot, Game
from games.models import Move as StoredMove
from games.play import bots
from games.play.thinking import process
from games.play.thinking.thinker import Task
from games.rules.registry import RULES
from tests.third_game.table import LATER, NOON, fresh, sent

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ends() -> Iterator[None]:
    """The process is ended after each test."""
    yield
    process.THINKER.end()


def duel(host: Account, level: str = "strong", style: str = "bold") -> Game:
    """A game against one bot, who moves first."""
    options = {"two_player_setup": "dealt", "starting_player": 2}
    chosen = NewGame(rules="coup", seat_count=2, bots=(Bot(level, style),), options=options)
    return create_game(host, chosen, "api", NOON)


def test_a_bot_that_thinks_ahead_is_left_to_the_worker_and_answers_there(maryam: Account) -> None:
    game = duel(maryam)
    assert bots.play(game.id, LATER)
    assert not StoredMove.objects.filter(game=game).exists()
    assert [row.seat for rows in bots.waiting_to_think(LATER) for row in rows] == [2]
    assert [row.seat for rows in bots.waiting(LATER) for row in rows] == []
    bots.think(lambda: LATER)
    move = StoredMove.objects.get(game=game)
    assert (move.seat, move.via, move.state) == (2, "bot", "applied")
    assert audit.find_faults(fresh(game)) == []


def test_a_bot_thinks_again_where_something_happened_meanwhile(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = duel(maryam)
    thought: list[int] = []
    think = process.THINKER.think

    def interrupted(task: Task) -> process.Thought:
        thought.append(task.version)
        if len(thought) == 1:
            with bots.lock_game(game.id, LATER) as locked:
                assert locked is not None, "the game is held while a bot thinks"
                locked.tell(StandInNamed(seat=SeatNumber(1)))
        return think(task)

    monkeypatch.setattr(process.THINKER, "think", interrupted)
    bots.think(lambda: LATER)
    assert thought == [thought[0], thought[0] + 1]
    assert StoredMove.objects.get(game=game).state == "applied"


def test_the_process_that_fails_leaves_the_default_move(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    game = duel(maryam)
    monkeypatch.setattr(process, "LONGEST", 0.0)
    bots.think(lambda: LATER)
    assert StoredMove.objects.get(game=game).via == "timeout"


def test_the_record_of_a_game_decides_again_what_a_bot_thought_of(maryam: Account) -> None:
    game = duel(maryam, "strong", "scholar")
    bots.think(lambda: LATER)
    sent(game, 1, "resign yes", LATER)
    bots.play(game.id, LATER)
    over = fresh(game)
    assert over.state == Game.State.OVER
    record = records.export_record(over)
    assert next(line.event["level"] for line in record.events if line.event.get("bot")) == "strong"
    assert list(undecided(RULES["coup"], record)) == []

"""Bots: they see their seat's view, win no race, and keep a game going."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.archive import game_audit
from games.engine import Chance, Move, Question
from games.event_log import log_store
from games.models import Game, Heartbeat
from games.models import Move as StoredMove
from games.play import bots, resolve, timeouts
from games.rules.registry import RULES
from tests.third_game import fist
from tests.third_game.table import LATER, NOON, create_fist, fresh, lie, play, sent, state, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


def always(monkeypatch: pytest.MonkeyPatch, text: str) -> list[Any]:
    """Let bots give this answer if possible, otherwise the first move. Return their knowledge and questions."""
    calls = []

    def bot_move(knowledge: Any, question: Question, moves: tuple[Move, ...], chance: Chance) -> Move:
        calls.append((question.seat, knowledge.view, knowledge.events()))
        return next((move for move in moves if fist.RULES.text(move) == text), moves[0])

    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, bot_move=bot_move))
    return calls


def test_a_table_for_one_person_begins_at_once(maryam: Account) -> None:
    game = create_fist(maryam, bots=3)
    assert game.state == Game.State.RUNNING
    assert [seat.bot for seat in game.seats.all()] == [False, True, True, True]
    players = [seat.player for seat in game.seats.all()]
    assert len(set(players)) == 4
    assert all(players)


def test_bots_are_due_at_once_where_no_person_is_asked(maryam: Account) -> None:
    game = create_fist(maryam, bots=2)
    play(game, 1, f"claim {truth(game, 1)}")
    rows = game.open_questions.all()
    assert {row.seat for row in rows} == {2, 3}
    assert all(row.bot and row.due_at == LATER for row in rows)


def test_bots_play_at_once_though_the_clock_was_set_back_since_they_were_asked(
    maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(monkeypatch, "allow")
    game = create_fist(maryam, bots=2)
    play(game, 1, f"claim {truth(game, 1)}")
    bots.sweep(LATER - timedelta(hours=1))
    assert [row.seat for row in game.open_questions.filter(bot=False)] == [1]


def test_bots_play_until_a_person_is_asked(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    always(monkeypatch, "allow")
    game = create_fist(maryam, bots=2)
    play(game, 1, f"claim {truth(game, 1)}")
    bots.sweep(LATER)
    assert [row.seat for row in game.open_questions.filter(bot=False)] == [1]
    lines = log_store.read(fresh(game))
    assert {line.via for line in lines[-4:]} == {"bot"}
    assert game_audit.find_faults(fresh(game)) == []


def test_a_game_with_one_person_goes_to_its_end_without_being_told(maryam: Account) -> None:
    game = create_fist(maryam, bots=3)
    Heartbeat.objects.create(at=NOON)
    for day in range(2, 200, 2):
        now = NOON + timedelta(days=day, minutes=day)
        bots.sweep(now)
        Heartbeat.objects.update(at=now)
        timeouts.sweep(now)
    assert fresh(game).state == Game.State.OVER
    assert game_audit.find_faults(fresh(game)) == []


def test_a_bot_sees_its_own_seats_view_and_nothing_else(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = always(monkeypatch, "allow")
    game = create_fist(maryam, bots=1)
    play(game, 1, "claim 3")
    bots.play(game.id, LATER)
    view = calls[0][1]
    assert view.number == truth(game, 2)
    assert view.numbers == (None, truth(game, 2)), "its own alone"


def test_a_bot_is_told_what_its_seat_was_shown_up_to_its_question(
    maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = always(monkeypatch, "allow")
    game = create_fist(maryam, bots=2)
    play(game, 1, f"claim {truth(game, 1)}")
    bots.play(game.id, LATER)
    event_types = {seat: [type(event).__name__ for event in events] for seat, _, events in calls[:2]}
    assert event_types[2] == ["Dealt", "Claimed"]
    assert event_types[3] == ["Dealt", "Claimed"], "seat 2 has answered in the open window since"
    assert [event.numbers for _, _, events in calls[:2] for event in events[:1]] == [
        (None, truth(game, 2), None), (None, None, truth(game, 3)),
    ]  # fmt: skip


def test_a_machine_wins_no_race(maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    always(monkeypatch, "doubt")
    game = create_fist(maryam, bahareh, bots=1)
    play(game, 1, f"claim {lie(game, 1)}")
    bots.sweep(LATER + timedelta(hours=20))
    assert state(game).winners is None
    play(game, 2, "doubt", LATER + timedelta(hours=21))
    assert state(game).winners == (2,)


def test_a_bot_answers_once_the_people_have(maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    always(monkeypatch, "doubt")
    game = create_fist(maryam, bahareh, bots=1)
    play(game, 1, f"claim {lie(game, 1)}")
    play(game, 2, "allow")
    bots.sweep(LATER)
    assert state(game).winners == (3,)


def test_a_bot_answers_when_the_peoples_time_is_over(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(monkeypatch, "doubt")
    game = create_fist(maryam, bahareh, bots=1)
    play(game, 1, f"claim {lie(game, 1)}")
    due = LATER + timedelta(days=1)
    bots.sweep(due - timedelta(seconds=1))
    assert state(game).winners is None
    bots.sweep(due)
    assert state(game).winners == (3,)


def test_a_move_that_is_waiting_comes_before_the_bots(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(monkeypatch, "doubt")
    game = create_fist(maryam, bahareh, bots=1)
    play(game, 1, f"claim {lie(game, 1)}")
    due = LATER + timedelta(days=1)
    sent(game, 2, "doubt", due - timedelta(seconds=1))
    bots.sweep(due)
    assert state(game).winners == (2,)


@pytest.mark.parametrize("fault", ["raises", "illegal"])
def test_where_a_bot_fails_the_clock_answers_for_it(
    maryam: Account, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def broken(knowledge: Any, question: Question, moves: tuple[Move, ...], chance: Chance) -> Move:
        if fault == "raises":
            raise KeyError("duke")
        return fist.Claim(number=77)

    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, bot_move=broken))
    game = create_fist(maryam, bots=1)
    play(game, 1, f"claim {truth(game, 1)}")
    bots.sweep(LATER)
    assert state(game).claims == (truth(game, 1), truth(game, 2))
    assert log_store.read(fresh(game))[-1].via == "timeout"
    assert game_audit.find_faults(fresh(game)) == []


def test_the_chance_of_the_bots_is_its_own(maryam: Account) -> None:
    game = create_fist(maryam, bots=2)
    play(game, 1, f"claim {truth(game, 1)}")
    bots.play(game.id, LATER)
    assert fresh(game).draws == game.draws
    assert StoredMove.objects.filter(game=game, via="bot").exists()
    resolve.resolve(game.id, LATER)
    assert game_audit.find_faults(fresh(game)) == []


@pytest.mark.parametrize("rules", ["coup", "sedlec"])
def test_a_person_who_resigns_leaves_the_bots_to_finish(maryam: Account, rules: str) -> None:
    seats = {"coup": 4, "sedlec": 3}[rules]
    game = create_fist(maryam, rules=rules, seat_count=seats, bots=seats - 1)
    play(game, 1, "resign yes", question="")
    bots.sweep(LATER)
    assert fresh(game).state == Game.State.OVER
    assert not game.open_questions.exists()
    assert game_audit.find_faults(fresh(game)) == []

"""Celery tasks: when they are enqueued, and that a broken broker stops nothing."""

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Account
from games import tasks
from games.models import Game, Move
from games.rules.registry import RULES
from tests.third_game import fist
from tests.third_game.table import create_fist, fresh, sent, state, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


def test_a_stored_move_rings_and_says_nothing(
    maryam: Account, bahareh: Account, sent_tasks: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    game = create_fist(maryam, bahareh)
    with django_capture_on_commit_callbacks(execute=True):
        sent(game, 1, "claim 3")
    assert sent_tasks == [("games.tasks.resolve_moves",)]


def test_a_question_to_a_bot_rings_for_it(
    maryam: Account, sent_tasks: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    game = create_fist(maryam, bots=1, now=timezone.now())
    move = sent(game, 1, f"claim {truth(game, 1)}", timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        tasks.resolve_moves()
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert ("games.tasks.play_bots", str(game.id)) in sent_tasks
    tasks.play_bots(str(game.id))
    assert state(game).turn == 2 or fresh(game).state == Game.State.OVER


def test_every_bell_of_the_clock_may_ring_at_any_time(maryam: Account, bahareh: Account) -> None:
    create_fist(maryam, bahareh, now=timezone.now() - timedelta(days=1))
    current_app.loader.import_default_modules()
    for _ in range(2):
        for entry in current_app.conf.beat_schedule.values():
            if entry["task"].startswith("games."):
                current_app.tasks[entry["task"]]()


def test_a_broker_that_is_down_fails_no_request(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def down(*_: Any, **__: Any) -> None:
        raise OperationalError("nobody answers")

    monkeypatch.setattr(current_app, "send_task", down)
    game = create_fist(maryam, bahareh)
    with django_capture_on_commit_callbacks(execute=True):
        assert sent(game, 1, "claim 3").state == Move.State.RECEIVED


def test_what_goes_wrong_is_logged_without_what_it_says(
    maryam: Account, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = create_fist(maryam, bots=1, now=timezone.now())

    def broken(*_: Any) -> None:
        raise KeyError("canary: the duke of seat 2")

    sent(game, 1, "claim 3", timezone.now())
    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, questions=broken))
    tasks.resolve_moves()
    tasks.play_bots(str(game.id))
    tasks.sweep()
    assert "KeyError in broken" in caplog.text
    assert "canary" not in caplog.text

"""Work that changes nothing: each loop of a tick ends all the same, and does the work of all other games."""

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Account
from games import tasks
from games.announcements import notify
from games.archive import analyses, ratings
from games.models import Analysis, Game, Move, OpenQuestion
from games.play import bots, resolve, timeouts
from games.tables import stand_ins, starting
from notifications.models import Notification
from tests.third_game.table import create_fist, fresh, play, sent, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

DAY = timedelta(days=1)


@pytest.fixture
def now() -> datetime:
    now = timezone.now()
    timeouts.record_heartbeat(now)
    return now


@pytest.fixture
def games(maryam: Account, bahareh: Account, now: datetime) -> list[Game]:
    """Two games in which Maryam is asked."""
    return [create_fist(maryam, bahareh, now=now - DAY) for _ in range(2)]


@pytest.fixture
def worked_on() -> list[uuid.UUID]:
    """The games on which work was done, in that order."""
    return []


def change_nothing(worked_on: list[uuid.UUID], *, result: Any = True) -> Callable[..., Any]:
    """Return work that notes its game, changes nothing and claims to be done."""

    def work(game: Any, *_: Any, **__: Any) -> Any:
        worked_on.append(getattr(getattr(game, "game", game), "id", game))
        assert len(worked_on) < 50, "it does not end"
        return result

    return work


def once(games: list[Game], worked_on: list[uuid.UUID]) -> bool:
    return sorted(worked_on) == sorted(game.pk for game in games)


def test_a_pause_that_does_not_end(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.update(paused_until=now)
    monkeypatch.setattr(timeouts, "end_pause", change_nothing(worked_on))
    timeouts.sweep(now)
    assert once(games, worked_on)


def test_a_pause_of_which_the_log_knows_nothing_stops_no_default_move(games: list[Game], now: datetime) -> None:
    Game.objects.filter(pk=games[0].pk).update(paused_until=now)
    OpenQuestion.objects.filter(game=games[1], bot=False).update(due_at=now - timeouts.GRACE)
    tasks.tick()
    assert Move.objects.filter(game=games[1], via=Move.Via.TIMEOUT).exists()


@pytest.mark.parametrize("claims", [True, False])
def test_a_question_that_stays_overdue(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch, claims: bool
) -> None:
    OpenQuestion.objects.update(due_at=now - timeouts.GRACE)
    monkeypatch.setattr(timeouts, "_time_out", change_nothing(worked_on, result=claims))
    timeouts.sweep(now)
    assert set(worked_on) == {game.pk for game in games}
    assert len(worked_on) <= 2 * len(games), "together, and then alone"


def test_a_reminder_that_stays_due(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    OpenQuestion.objects.update(remind_at=now)
    monkeypatch.setattr(timeouts, "BATCH", 1)
    monkeypatch.setattr(
        notify, "remind", lambda rows, at: [change_nothing(worked_on)(row.game_id) for row in rows] and None
    )
    timeouts.sweep(now)
    assert once(games, worked_on)


def test_a_reminder_that_fails_keeps_no_other_back(
    games: list[Game], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    OpenQuestion.objects.update(remind_at=now)
    remind = notify.remind

    def fail_for_one(rows: list[OpenQuestion], at: datetime) -> None:
        if any(row.game_id == games[0].pk for row in rows):
            raise ValueError
        remind(rows, at)

    monkeypatch.setattr(notify, "remind", fail_for_one)
    timeouts.sweep(now)
    reminded = Notification.objects.filter(reason="reminder").values_list("topic", flat=True)
    assert [topic.endswith(str(games[1].pk)) for topic in reminded] == [True]


def test_a_plan_that_does_not_answer(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    OpenQuestion.objects.update(planned_at=now)
    monkeypatch.setattr(timeouts, "_answer_locked", change_nothing(worked_on))
    timeouts.answer_all(now)
    assert once(games, worked_on)


def test_a_move_that_stays_as_it_came(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in games:
        sent(game, 1, "claim 3", now)
    monkeypatch.setattr(resolve, "resolve_locked", change_nothing(worked_on, result=1))
    resolve.resolve_waiting(now)
    assert once(games, worked_on)
    worked_on.clear()
    monkeypatch.setattr(resolve, "_MAX_SINGLE_MOVES", 3)
    resolve._resolve_one_by_one(games[0].pk, now)
    assert len(worked_on) == 3


def test_a_bot_that_does_not_answer(
    maryam: Account, worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [create_fist(maryam, bots=1, now=now) for _ in range(2)]
    for game in games:
        play(game, 1, "claim 3", now)
    monkeypatch.setattr(bots, "play", change_nothing(worked_on))
    bots.sweep(now)
    assert once(games, worked_on)


def test_a_game_that_does_not_start(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.update(state=Game.State.STARTING, start_check_at=now)
    monkeypatch.setattr(starting, "_go_on", change_nothing(worked_on))
    starting.sweep(now)
    assert once(games, worked_on)


def test_a_stand_in_who_stays(
    games: list[Game],
    maryam: Account,
    sepideh: Account,
    worked_on: list[uuid.UUID],
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for game in games:
        stand_ins.name_stand_in(game.pk, maryam, sepideh, now + DAY, now)
    monkeypatch.setattr(stand_ins, "_end_expired", change_nothing(worked_on))
    stand_ins.sweep(now + 2 * DAY)
    assert once(games, worked_on)


def test_a_game_that_is_not_counted(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in games:
        play(game, 1, "resign yes", now)
        assert fresh(game).state == Game.State.OVER
    monkeypatch.setattr(ratings, "count", change_nothing(worked_on))
    ratings.count_all(now)
    assert once(games, worked_on)


def test_an_analysis_that_fails_keeps_no_other_back(
    games: list[Game], worked_on: list[uuid.UUID], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in games:
        play(game, 1, "resign yes", now)
        Analysis.objects.create(game=game, seat=1, asked_at=now, decisions=1)
    note = change_nothing(worked_on)

    def fail(analysis: Analysis) -> Any:
        note(analysis.game_id)
        raise ValueError

    monkeypatch.setattr(analyses, "_rest", fail)
    analyses.make(lambda: now)
    assert once(games, worked_on)

"""Tests of what goes wrong with time: the server is down, its clock jumps, mails lie about, one game among many is
broken."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import Account
from bench.game_copies import copies
from games.archive import game_audit
from games.deadlines.clock_skew import ClockSkewDetector
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game, Heartbeat, Move, OpenQuestion
from games.play import bots, timeouts
from games.rules.registry import RULES
from notifications.models import Notification, RawMail
from tests.games.seated import question_address
from tests.long import LONG
from tests.third_game import fist
from tests.third_game.table import LATER, NOON, create_fist, fresh, play, sent, state, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
TICK = timedelta(seconds=20)


class Machine:
    """A machine with a clock that can be set, and workers that tick on it."""

    def __init__(self, workers: int = 1) -> None:
        self.now = NOON
        self.steady = 0.0
        self.detectors = [ClockSkewDetector(lambda: self.steady) for _ in range(workers)]

    def run(self, length: timedelta) -> None:
        """Let time pass with a tick every twenty seconds."""
        for _ in range(round(length / TICK)):
            self.now += TICK
            self.steady += TICK.total_seconds()
            self.tick()

    def tick(self) -> None:
        for detector in self.detectors:
            timeouts.sweep(self.now, detector.step(self.now))

    def set_clock(self, by: timedelta) -> None:
        self.now += by


@pytest.fixture
def machine() -> Machine:
    machine = Machine(workers=2)
    Heartbeat.objects.create(at=NOON)
    machine.tick()
    return machine


def given_back(game: Game) -> list[int]:
    """The seconds that were given back, one number for each time."""
    return [line.event.seconds for line in log_store.read(fresh(game)) if isinstance(line.event, DeadlinesMoved)]


def left(machine: Machine, game: Game) -> timedelta:
    """Return the time until the deadline of the open question, by the machine's present clock."""
    return game.open_questions.get().due_at - machine.now


def small_table(maryam: Account, bahareh: Account) -> Game:
    return create_fist(maryam, bahareh, turn_limit=10 * MINUTE, reaction_limit=10 * MINUTE)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    return small_table(maryam, bahareh)


@pytest.mark.parametrize("step", [8 * SECOND, 40 * SECOND, 4 * MINUTE, HOUR, DAY], ids=str)
def test_no_window_closes_early_where_the_clock_is_set_forward(machine: Machine, step: timedelta, game: Game) -> None:
    machine.run(MINUTE)
    machine.set_clock(step)
    machine.tick()
    machine.tick()
    assert len(given_back(game)) == (0 if step < timeouts.GRACE else 1)
    assert 9 * MINUTE <= left(machine, game) + timeouts.GRACE <= 10 * MINUTE
    assert game_audit.find_faults(fresh(game)) == []


def test_the_clock_answers_when_the_promised_time_has_passed_in_truth(machine: Machine, game: Game) -> None:
    machine.set_clock(4 * MINUTE)
    machine.tick()
    version = fresh(game).version
    machine.run(9 * MINUTE + TICK)
    assert fresh(game).version == version
    machine.run(3 * TICK)
    assert fresh(game).version > version


@pytest.mark.parametrize("step", [8 * SECOND, 4 * MINUTE, HOUR], ids=str)
def test_no_window_closes_early_where_the_clock_is_set_back_and_forward_again(
    machine: Machine, step: timedelta, game: Game
) -> None:
    version = fresh(game).version
    for by in (-step, step):
        machine.set_clock(by)
        machine.tick()
        assert left(machine, game) + timeouts.GRACE >= 9 * MINUTE
        machine.run(TICK)
    assert fresh(game).version - version == len(given_back(game))
    assert game_audit.find_faults(fresh(game)) == []


@pytest.mark.parametrize("back", [DAY, DAY + HOUR, DAY - HOUR], ids=str)
def test_a_step_that_was_given_back_is_not_given_back_again_where_it_is_taken_back(
    machine: Machine, back: timedelta, game: Game
) -> None:
    for by in (DAY, -back):
        machine.set_clock(by)
        machine.tick()
        machine.run(TICK)
    machine.set_clock(-HOUR)
    machine.run(2 * MINUTE)
    assert given_back(game) == [DAY.total_seconds()]
    assert game_audit.find_faults(fresh(game)) == []


@pytest.mark.parametrize("back", [5 * SECOND, 2 * MINUTE, 4 * MINUTE], ids=str)
def test_of_a_step_that_is_taken_back_before_anybody_acted_the_rest_is_given_back(
    machine: Machine, back: timedelta, game: Game
) -> None:
    for by in (4 * MINUTE, -back):
        machine.set_clock(by)
        steps = [detector.step(machine.now) for detector in machine.detectors]
    for step in steps:
        timeouts.sweep(machine.now, step)
    assert given_back(game) == ([] if back == 4 * MINUTE else [(4 * MINUTE - back).total_seconds()])


def test_what_is_answered_while_the_clock_is_wrong_counts(machine: Machine, game: Game) -> None:
    machine.set_clock(-HOUR)
    machine.tick()
    assert play(game, 1, "claim 3", machine.now).state == Move.State.APPLIED
    machine.set_clock(HOUR + DAY)
    machine.tick()
    assert play(game, 2, "allow", machine.now).state == Move.State.APPLIED
    assert game_audit.find_faults(fresh(game)) == []


def test_nothing_waits_for_a_clock_that_was_set_back_to_come_there_again(
    machine: Machine, maryam: Account, bahareh: Account, django_capture_on_commit_callbacks: Any
) -> None:
    """Set the clock back while a notification, a mail and a move are on their way."""
    game = small_table(maryam, bahareh)
    machine.run(MINUTE)
    at = machine.now + SECOND
    move = sent(game, 1, "claim 3", at)
    receive(b"\n", "maryam@example.org", [question_address(game)], at)
    Notification.objects.update(next_attempt_at=at)
    later = Notification.objects.create(key="later", account=maryam, reason="", created_at=at, next_attempt_at=at + DAY)
    machine.set_clock(-HOUR)
    with django_capture_on_commit_callbacks(execute=True):
        machine.tick()
    for row in (*Notification.objects.exclude(pk=later.pk), *RawMail.objects.all()):
        assert row.next_attempt_at <= machine.now
    later.refresh_from_db()
    assert later.next_attempt_at == at + DAY
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED


@pytest.mark.parametrize("answered", [-SECOND, SECOND], ids=["just before", "just after"])
def test_a_bot_does_not_wait_for_a_clock_that_was_set_back(
    machine: Machine, maryam: Account, bahareh: Account, answered: timedelta
) -> None:
    game = create_fist(maryam, bahareh, bots=1)
    play(game, 1, f"claim {truth(game, 1)}", machine.now)
    if answered < timedelta():
        play(game, 2, "allow", machine.now)
    machine.set_clock(-HOUR)
    machine.tick()
    if answered > timedelta():
        play(game, 2, "allow", machine.now)
    (row,) = game.open_questions.all()
    assert (row.seat, row.bot) == (3, True)
    bots.sweep(machine.now)
    assert 3 not in game.open_questions.values_list("seat", flat=True)
    assert game_audit.find_faults(fresh(game)) == []


def test_time_is_given_back_once_however_many_workers_saw_the_step(maryam: Account, bahareh: Account) -> None:
    machine = Machine(workers=5)
    Heartbeat.objects.create(at=NOON)
    machine.tick()
    game = small_table(maryam, bahareh)
    machine.set_clock(2 * MINUTE)
    machine.run(2 * MINUTE)
    assert given_back(game) == [120]


def test_what_others_are_told_of_deadlines_moves_with_them(maryam: Account, bahareh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    game = create_fist(maryam, bahareh)
    due = game.open_questions.get().due_at
    timeouts.sweep(NOON + 6 * DAY)
    assert game.open_questions.get().due_at == due + 6 * DAY
    assert fresh(game).due_at == due + 6 * DAY


def test_mails_that_lay_six_hours_count_as_of_when_they_came(maryam: Account, bahareh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    games = [create_fist(maryam, bahareh, turn_limit=HOUR) for _ in range(8)]
    for number, game in enumerate(games):
        raw = f"From: maryam@example.org\nMessage-ID: <{number}@example.org>\n\nclaim 3\n".encode()
        at = NOON + HOUR + (SECOND if number == 7 else -SECOND)
        receive(raw, "maryam@example.org", [question_address(game)], at)
    for minutes in range(0, 360, 30):
        Heartbeat.objects.update(at=LATER + minutes * MINUTE)
        timeouts.sweep(LATER + minutes * MINUTE + 10 * SECOND)
    assert [state(game).claims for game in games[:7]] == [()] * 7
    mail_tasks.read_due(NOON + 7 * HOUR)
    applied = list(Move.objects.filter(via="mail").values_list("state", flat=True))
    assert applied == ["applied"] * 7
    assert Move.objects.get(game=games[7]).via == "timeout"


@pytest.mark.long
def test_one_poisoned_game_among_ten_thousand_stops_no_other(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    Heartbeat.objects.create(at=NOON)
    games = copies(create_fist(maryam, bahareh), 10_000 if LONG else 500, [maryam.pk, bahareh.pk])
    bad = Game.objects.get(pk=games[len(games) // 2])
    position = log_store.position(bad)
    marked = fist.replace(position.state, numbers=(*position.state.numbers[:1], 99))
    log_store.keep([(bad, log_store.Position(position.version, position.table, marked))])
    honest = fist.default_move

    def poisoned(state: fist.State, *rest: Any) -> Any:
        if 99 in state.numbers:
            raise ZeroDivisionError("a fault in the rules")
        return honest(state, *rest)

    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, default_move=poisoned))
    late = sweep_late(NOON + 2 * DAY + 10 * SECOND)
    overdue = OpenQuestion.objects.filter(due_at__lte=late - timeouts.GRACE)
    assert [row.game_id for row in overdue] == [bad.id]


def sweep_late(now: datetime) -> datetime:
    Heartbeat.objects.update(at=now)
    timeouts.sweep(now)
    return now

"""Tests of what time does: defaults, reminders, downtime."""

from datetime import timedelta

import pytest

from accounts.models import Account
from games.announcements.notify import write_due
from games.archive import game_audit
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved
from games.models import Game, Heartbeat, Move, OpenQuestion
from games.play import resolve, timeouts
from games.rules.registry import RULES
from notifications.email.message import message
from notifications.models import Notification, Preferences
from tests.games.seated import sweep
from tests.third_game import fist
from tests.third_game.table import LATER, NOON, create_fist, fresh, lie, play, sent, state, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def alive(db: None) -> None:
    """The clock has not been down, however far apart a test's moments are."""
    Heartbeat.objects.create(at=NOON)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    return create_fist(maryam, bahareh)


def test_the_clock_waits_ten_seconds_then_answers_as_the_rules_say(game: Game) -> None:
    due = game.open_questions.get().due_at
    sweep(due + 9 * SECOND)
    assert fresh(game).version == game.version
    sweep(due + 10 * SECOND)
    assert state(game).claims == (truth(game, 1),)
    line = log_store.read(fresh(game))[-1]
    assert (line.via, line.seat) == ("timeout", 1)
    assert Move.objects.get(pk=line.move).state == Move.State.APPLIED
    assert game_audit.find_faults(fresh(game)) == []


def test_a_sweep_that_runs_twice_or_late_changes_nothing_twice(game: Game) -> None:
    late = game.open_questions.get().due_at + timedelta(hours=3)
    sweep(late)
    version = fresh(game).version
    sweep(late)
    sweep(late + SECOND)
    assert fresh(game).version == version
    assert game.open_questions.get().due_at == late + DAY


def test_everybody_silent_in_a_window_is_answered_for_at_once(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    game = create_fist(maryam, bahareh, dariush)
    play(game, 1, f"claim {lie(game, 1)}")
    play(game, 3, "allow", LATER + SECOND)
    sweep(LATER + DAY + 10 * SECOND)
    assert state(game).turn == 2
    assert [row.seat for row in game.open_questions.all()] == [2]


def test_a_game_that_nobody_answers_is_played_to_its_end_by_the_clock(game: Game) -> None:
    now = NOON
    while question := game.open_questions.order_by("due_at").last():
        now = question.due_at + 10 * SECOND
        sweep(now)
    assert fresh(game).state == Game.State.OVER
    assert game_audit.find_faults(fresh(game)) == []


def test_a_move_whose_bell_was_lost_is_found_by_the_sweep(game: Game) -> None:
    move = sent(game, 1, "claim 3")
    sweep(LATER + SECOND)
    move.refresh_from_db()
    assert move.state == Move.State.RECEIVED
    sweep(LATER + 3 * SECOND)
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED


def test_a_bad_game_stops_neither_the_sweep_nor_its_own_moves_for_ever(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = create_fist(maryam, bahareh), create_fist(maryam, bahareh)
    honest = fist.decide

    def poisoned(state: fist.State, seat: int, answer: fist.Move, chance: object) -> object:
        if state.numbers == bad_numbers:
            raise ZeroDivisionError("a fault in the rules")
        return honest(state, seat, answer, chance)

    bad_numbers = (*state(bad).numbers[:1], 99)
    snapshot = log_store.position(bad)
    monkeypatch.setitem(RULES, "fist", replaced(decide=poisoned))
    poison(bad, snapshot, bad_numbers)
    failing, waiting = sent(bad, 1, "claim 3"), sent(good, 1, "claim 3")
    for tries, hours in enumerate((0, 3, 7), start=1):
        sweep(LATER + timedelta(hours=hours, seconds=3))
        failing.refresh_from_db()
        waiting.refresh_from_db()
        assert (waiting.state, failing.attempts) == (Move.State.APPLIED, tries)
    assert failing.state == Move.State.FAILED
    notifications = Notification.objects.filter(reason="failed").latest("created_at")
    assert notifications.account == maryam
    assert "Something went wrong" in repr(notifications.content())
    sweep(LATER + 3 * DAY)
    assert state(good).turn == 2


def replaced(**changes: object) -> object:
    """The third game with some of its functions changed."""
    return fist.replace(fist.RULES, **changes)


def poison(game: Game, position: log_store.Position, numbers: tuple[int, ...]) -> None:
    """Make a game stand as the poisoned rules cannot bear it."""
    changed = fist.replace(position.state, numbers=numbers)
    log_store.keep([(fresh(game), log_store.Position(position.version, position.table, changed))])


def test_each_player_is_reminded_once_at_each_step_of_their_ladder(maryam: Account, game: Game) -> None:
    reminders = Notification.objects.filter(reason="reminder")
    hour = timedelta(hours=1)
    for step, reminded in ((DAY / 2, 1), (DAY, 2), (1.6 * DAY, 3), (2 * DAY - hour, 4), (2 * DAY - SECOND, 4)):
        for around in (-SECOND, 0 * SECOND, 0 * SECOND, SECOND):
            sweep(min(NOON + step + around, NOON + 2 * DAY - SECOND))
        assert [notification.account for notification in reminders.all()] == [maryam] * reminded
    assert OpenQuestion.objects.get(game=game).remind_at is None


@pytest.mark.parametrize("other_answers", [False, True])
def test_whoever_is_left_in_a_window_is_reminded_as_if_nobody_had_answered(
    maryam: Account, bahareh: Account, dariush: Account, other_answers: bool
) -> None:
    game = create_fist(maryam, bahareh, dariush)
    play(game, 1, "claim 3")
    if other_answers:
        play(game, 3, "allow")
        assert not game.open_questions.filter(seat=3).exists()
    row = game.open_questions.get(seat=2)
    assert (row.alone, row.remind_at) == (False, row.asked_at + DAY / 2)
    sweep(row.remind_at)
    write_due(row.remind_at)
    reminder = Notification.objects.get(reason="reminder", account=bahareh)
    assert "You haven’t answered yet.\n" in message(reminder).body


def test_whoever_does_not_want_it_is_reminded_no_earlier_when_everybody_waits_for_them(maryam: Account) -> None:
    maryam.preferences = Preferences.objects.create(account=maryam, reminders=["50%"])
    assert create_fist(maryam, bots=1).open_questions.get(seat=1).remind_at == NOON + DAY


def test_who_has_answered_is_not_reminded(bahareh: Account, game: Game) -> None:
    play(game, 1, "claim 3")
    sweep(NOON + DAY)
    assert [notification.account for notification in Notification.objects.filter(reason="reminder")] == [bahareh]


def test_downtime_moves_every_deadline_back_once(maryam: Account, bahareh: Account) -> None:
    first, second = create_fist(maryam, bahareh), create_fist(bahareh, maryam)
    due = first.open_questions.get().due_at
    back = NOON + timedelta(hours=3)
    timeouts.sweep(back)
    timeouts.sweep(back + SECOND)
    timeouts.record_heartbeat(back + 30 * SECOND)
    for game in (first, second):
        assert game.open_questions.get().due_at == due + timedelta(hours=3)
        moved = [line for line in log_store.read(fresh(game)) if isinstance(line.event, DeadlinesMoved)]
        assert [(line.event.seconds, line.at) for line in moved] == [(3 * 3600, back)]
        assert game_audit.find_faults(fresh(game)) == []
    play(first, 1, "claim 3", back)
    assert game_audit.find_faults(fresh(first)) == []


def test_a_deadline_that_passed_in_downtime_is_given_back_before_the_clock_plays(game: Game) -> None:
    timeouts.sweep(NOON + 3 * DAY)
    assert state(game).claims == ()
    assert game.open_questions.get().due_at == NOON + 5 * DAY


def test_a_pause_of_five_minutes_is_no_downtime(game: Game) -> None:
    timeouts.sweep(NOON + timedelta(minutes=5))
    assert game.open_questions.get().due_at == NOON + 2 * DAY


def test_the_sweep_needs_no_more_queries_for_more_quiet_games(
    maryam: Account, bahareh: Account, django_assert_max_num_queries: object
) -> None:
    for _ in range(5):
        create_fist(maryam, bahareh)
    with django_assert_max_num_queries(10):
        timeouts.sweep(NOON + SECOND)


def test_resolving_a_move_takes_a_bounded_number_of_queries(django_assert_max_num_queries: object, game: Game) -> None:
    sent(game, 1, "claim 3")
    with django_assert_max_num_queries(20):
        resolve.resolve(game.id, LATER)

"""Deadlines of questions in games: lengths, sleep, vacations, time banks, and what others are told of them."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.announcements import notify
from games.archive import game_audit
from games.deadlines import calculation
from games.engine import SeatNumber
from games.event_log import log_store
from games.event_log.table_events import DueLater, TimeBankChanged
from games.models import Game, Heartbeat, OpenQuestion
from games.play import timeouts
from games.play.locked_game import lock_game
from games.refusals import Refusal
from games.tables import pausing, vacations
from games.terms import WEEKDAYS, Schedule, TimeBank
from games.visibility import seats
from notifications.models import Notification
from tests.games.seated import NOON, agree, begin, play, sweep
from tests.third_game import table as fist
from tests.third_game.table import LATER, create_fist, fresh, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]
HOUR, DAY, MINUTE, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1)


@pytest.fixture(autouse=True)
def alive(db: None) -> None:
    """The clock has not been down."""
    Heartbeat.objects.create(at=NOON)


def due(game: Game, seat: int) -> datetime:
    return game.open_questions.get(seat=seat).due_at


def codes(game: Game, seat: int) -> list[str]:
    return [reason["code"] for reason in game.open_questions.get(seat=seat).why]


def asleep(account: Account, falls: int, wakes: int) -> None:
    """Set the hours in which an account sleeps, in its time zone."""
    account.sleep_from, account.sleep_to = time(falls), time(wakes)
    account.save()


def away(account: Account, first: date, last: date, now: datetime = NOON) -> vacations.Vacation:
    return vacations.announce(account, first, last, now)


def later(game: Game) -> list[int]:
    return [line.event.seconds for line in log_store.read(fresh(game)) if isinstance(line.event, DueLater)]


# Lengths.


def test_turns_windows_and_small_choices_have_lengths_of_their_own(maryam: Account, bahareh: Account) -> None:
    game = begin([maryam, bahareh, None])
    agree(game, open_limit=6 * HOUR, choice_limit=2 * HOUR)
    assert due(game, 1) == NOON + 2 * DAY
    play(game, "1 tax", at=LATER)
    assert due(game, 2) == LATER + 6 * HOUR
    play(game, "2 challenge", at=LATER + HOUR)
    assert (game.open_questions.get(seat=1).kind, due(game, 1)) == ("proof", LATER + 3 * HOUR)


def test_a_reaction_is_longer_where_it_is_aimed_at_whoever_is_asked_and_others_read_the_latest_moment_alone(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    game = begin([maryam, bahareh, dariush])
    agree(game, reaction_limit=2 * DAY, open_limit=8 * HOUR)
    play(game, "1 steal 2", at=LATER)
    assert (due(game, 2), due(game, 3)) == (LATER + 2 * DAY, LATER + 8 * HOUR)
    assert fresh(game).due_at == LATER + 2 * DAY
    play(game, "2 allow", at=LATER + HOUR)
    assert fresh(game).due_at == LATER + 2 * DAY


def test_silence_where_anybody_may_speak_up_is_no_missed_question(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    game = begin([maryam, bahareh, dariush])
    agree(game, open_limit=8 * HOUR)
    play(game, "1 steal 2", at=LATER)
    sweep(LATER + DAY + MINUTE)
    assert log_store.position(fresh(game)).state.turn == 2, "nobody has answered, and the steal went through"
    assert {seat.number: seat.spared for seat in game.seats.all()} == {1: False, 2: True, 3: False}


def test_each_seat_s_question_has_a_deadline_of_its_own_and_the_window_ends_with_the_last(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    asleep(dariush, 8, 16)
    game = create_fist(maryam, bahareh, dariush)
    fist.play(game, 1, f"claim {fist.lie(game, 1)}")
    assert (due(game, 2), due(game, 3)) == (LATER + DAY, LATER + DAY + 3 * HOUR)
    sweep(LATER + DAY + 10 * SECOND)
    assert [row.seat for row in game.open_questions.all()] == [3]
    assert fist.state(game).turn == 1
    sweep(LATER + DAY + 3 * HOUR + 10 * SECOND)
    assert fist.state(game).turn == 2
    assert game_audit.find_faults(fresh(game)) == []


def test_a_bot_answers_after_the_last_of_the_people(maryam: Account, dariush: Account) -> None:
    asleep(dariush, 8, 16)
    game = begin([maryam, dariush, None])
    play(game, "1 tax", at=LATER)
    assert due(game, 3) == due(game, 2) == LATER + DAY + 3 * HOUR


# What others are told.


def test_the_latest_moment_tells_neither_who_sleeps_nor_who_has_answered(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    asleep(dariush, 8, 16)
    game = create_fist(maryam, bahareh, dariush)
    assert fresh(game).due_at == NOON + 2 * DAY
    fist.play(game, 1, f"claim {fist.lie(game, 1)}")
    latest = fresh(game).due_at
    assert latest == LATER + DAY + 3 * HOUR
    fist.play(game, 3, "allow", LATER + SECOND)
    assert fresh(game).due_at == latest
    fist.play(game, 2, "allow", LATER + 2 * SECOND)
    assert fresh(game).due_at == LATER + 2 * SECOND + 2 * DAY


# Vacations.


def test_a_vacation_moves_what_is_open_and_the_log_says_neither_whose_nor_why(
    maryam: Account, bahareh: Account
) -> None:
    game = create_fist(maryam, bahareh)
    away(maryam, date(2026, 3, 24), date(2026, 3, 26))
    assert due(game, 1) == NOON + 5 * DAY == fresh(game).due_at
    assert codes(game, 1) == ["turn", "vacation"]
    (event,) = [line for line in log_store.read(fresh(game)) if isinstance(line.event, DueLater)]
    assert (event.event, event.seat, event.via) == (DueLater(seconds=3 * 86400), None, "server")
    assert OpenQuestion.objects.get(game=game).remind_at == NOON + 1.25 * DAY
    assert game_audit.find_faults(fresh(game)) == []


def test_a_vacation_of_one_who_is_not_waited_for_longest_is_told_to_nobody(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    for person in (bahareh, dariush):
        Account.objects.filter(pk=person.pk).update(time_zone="UTC")
        person.refresh_from_db()
    away(bahareh, date(2026, 3, 24), date(2026, 3, 30), NOON)
    game = create_fist(maryam, bahareh, dariush, now=NOON)
    fist.play(game, 1, f"claim {fist.lie(game, 1)}", NOON + DAY)
    version = fresh(game).version
    away(dariush, date(2026, 3, 24), date(2026, 3, 25), NOON + 11 * HOUR)
    assert due(game, 3) == NOON + 4 * DAY
    assert (later(game), fresh(game).version) == ([], version)
    assert fresh(game).due_at == NOON + 9 * DAY


def test_what_is_asked_later_is_due_as_if_the_vacation_were_not_there(maryam: Account, bahareh: Account) -> None:
    away(maryam, date(2026, 3, 24), date(2026, 3, 26))
    game = create_fist(maryam, bahareh)
    assert due(game, 1) == NOON + 5 * DAY
    assert later(game) == []


def test_a_vacation_that_has_moved_a_deadline_is_taken_back_only_after_the_answer(
    maryam: Account, bahareh: Account
) -> None:
    game = create_fist(maryam, bahareh)
    vacation = away(maryam, date(2026, 3, 24), date(2026, 3, 26))
    with pytest.raises(Refusal, match="conflict"):
        vacations.withdraw(maryam, vacation.id, NOON)
    fist.play(game, 1, f"claim {fist.lie(game, 1)}")
    vacations.withdraw(maryam, vacation.id, LATER)
    assert vacations.list_vacations(maryam) == []
    with pytest.raises(Refusal, match="not-found"):
        vacations.withdraw(maryam, vacation.id, LATER)


@pytest.mark.parametrize(
    ("first", "last", "field"),
    [
        (date(2026, 3, 23), date(2026, 3, 24), "first"),
        (date(2026, 3, 26), date(2026, 3, 25), "last"),
        (date(2026, 4, 1), date(2026, 5, 1), "last"),
        (date(2026, 6, 10), date(2026, 6, 11), "first"),
        (date(2027, 4, 1), date(2027, 4, 2), "last"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused_by_the_day_that_is_wrong(
    maryam: Account, first: date, last: date, field: str
) -> None:
    away(maryam, date(2026, 6, 1), date(2026, 6, 10))
    with pytest.raises(Refusal) as refused:
        away(maryam, first, last)
    assert (refused.value.code, refused.value.field) == ("malformed", field)
    assert len(vacations.list_vacations(maryam)) == 1


def test_a_year_has_thirty_days_of_vacation_each_year_its_own(maryam: Account) -> None:
    now = datetime(2026, 12, 1, 12, tzinfo=UTC)
    away(maryam, date(2026, 12, 20), date(2027, 1, 15), now)
    assert (vacations.days_left(maryam, 2026), vacations.days_left(maryam, 2027)) == (18, 15)
    with pytest.raises(Refusal) as refused:
        away(maryam, date(2027, 2, 1), date(2027, 2, 16), now)
    assert refused.value.phrase.values == {"year": "2027", "left": 15, "most": 30}


def test_the_vacations_of_persian_readers_are_counted_by_jalali_years(sepideh: Account) -> None:
    now = datetime(2026, 12, 1, 12, tzinfo=UTC)
    away(sepideh, date(2026, 12, 20), date(2027, 1, 15), now)
    away(sepideh, date(2027, 3, 19), date(2027, 3, 24), now)
    assert (vacations.days_left(sepideh, 1405), vacations.days_left(sepideh, 1406)) == (1, 26)
    with pytest.raises(Refusal) as refused:
        away(sepideh, date(2027, 2, 1), date(2027, 2, 2), now)
    assert refused.value.phrase.values == {"year": "1405", "left": 1, "most": 30}
    away(sepideh, date(2027, 3, 1), date(2027, 3, 1), datetime(2027, 1, 20, 12, tzinfo=UTC))
    assert vacations.days_left(sepideh, 1405) == 0


# Sleep, moved deadlines, reminders.


def test_new_sleeping_hours_hold_for_what_is_asked_from_then_on(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh)
    asleep(maryam, 10, 20)
    with lock_game(game.id, NOON) as locked:
        assert locked is not None
    assert due(game, 1) == NOON + 2 * DAY


def test_a_deadline_that_is_moved_does_not_come_to_stand_in_the_night(maryam: Account, bahareh: Account) -> None:
    asleep(maryam, 23, 7)
    game = create_fist(maryam, bahareh)
    with lock_game(game.id, NOON) as locked:
        assert locked is not None
        locked.postpone(12 * HOUR)
    row = game.open_questions.get()
    assert row.due_at.astimezone(UTC) == datetime(2026, 3, 25, 3, 30, tzinfo=UTC)
    assert [reason.code for reason in calculation.why(row, game, "turn")] == ["turn", "moved"]


def test_downtime_is_given_back_without_a_deadline_in_the_night(maryam: Account, bahareh: Account) -> None:
    asleep(maryam, 23, 7)
    game, other = create_fist(maryam, bahareh), create_fist(bahareh, maryam)
    timeouts.record_heartbeat(NOON + 12 * HOUR)
    assert due(game, 1) == fresh(game).due_at == datetime(2026, 3, 25, 3, 30, tzinfo=UTC)
    assert due(other, 1) == fresh(other).due_at == NOON + 2.5 * DAY


def test_a_held_notification_goes_out_two_hours_before_its_own_deadline(maryam: Account, dariush: Account) -> None:
    asleep(maryam, 15, 23)
    game = begin([maryam, dariush, None])
    row = game.open_questions.get()
    assert row.due_at == NOON + 2 * DAY + timedelta(hours=7, minutes=30)
    Notification.objects.all().delete()
    notify.notify_players([notify.GameUpdate(game.id, [*seats.seats_of([game.id])], questions=[row])], NOON)
    assert Notification.objects.get().latest_at == row.due_at - 2 * HOUR


# Banks of time.

WITH_TIME_BANKS = Schedule(time_bank=TimeBank(3 * DAY, 6 * HOUR))


def banked(maryam: Account, bahareh: Account, **fields: Any) -> Game:
    return create_fist(maryam, bahareh, schedule=WITH_TIME_BANKS, **fields)


def test_a_bank_is_used_up_by_turns_and_gets_more_with_each_answer(maryam: Account, bahareh: Account) -> None:
    game = banked(maryam, bahareh)
    assert due(game, 1) == NOON + 3 * DAY
    fist.play(game, 1, f"claim {fist.lie(game, 1)}", NOON + DAY)
    assert game.seats.get(number=1).time_bank == 2 * DAY + 6 * HOUR
    assert due(game, 2) == NOON + 2 * DAY, "a window keeps its length"
    fist.play(game, 2, "allow", NOON + DAY + HOUR)
    assert game.seats.get(number=2).time_bank is None
    assert due(game, 2) == NOON + DAY + HOUR + 3 * DAY


def test_where_a_bank_is_empty_the_clock_answers_and_the_next_time_is_the_increment(
    maryam: Account, bahareh: Account
) -> None:
    game = banked(maryam, bahareh)
    sweep(NOON + 3 * DAY + 10 * SECOND)
    assert [line.via for line in log_store.read(fresh(game))[-2:]] == ["timeout", "server"]
    assert game.seats.get(number=1).time_bank == 6 * HOUR


def test_a_vacation_takes_nothing_from_a_bank(maryam: Account, bahareh: Account) -> None:
    away(maryam, date(2026, 3, 24), date(2026, 3, 25))
    game = banked(maryam, bahareh)
    assert due(game, 1) == NOON + 5 * DAY
    fist.play(game, 1, f"claim {fist.lie(game, 1)}", NOON + 4 * DAY)
    assert game.seats.get(number=1).time_bank == DAY + 6 * HOUR


def test_downtime_takes_nothing_from_a_bank(maryam: Account, bahareh: Account) -> None:
    game = banked(maryam, bahareh)
    with lock_game(game.id, NOON) as locked:
        assert locked is not None
        locked.postpone(DAY)
    fist.play(game, 1, f"claim {fist.lie(game, 1)}", NOON + 2 * DAY)
    assert game.seats.get(number=1).time_bank == 2 * DAY + 6 * HOUR


def test_what_is_left_in_a_bank_stands_in_the_log_and_the_audit_sees_where_its_row_says_otherwise(
    maryam: Account, bahareh: Account
) -> None:
    game = banked(maryam, bahareh)
    fist.play(game, 1, f"claim {fist.lie(game, 1)}", NOON + DAY + timedelta(seconds=0.5))
    fist.play(game, 2, "allow", NOON + DAY + HOUR)
    fist.play(game, 2, f"claim {fist.lie(game, 2)}", NOON + DAY + 3 * HOUR)
    events = [line.event for line in log_store.read(fresh(game)) if isinstance(line.event, TimeBankChanged)]
    seconds = [int(length.total_seconds()) for length in (2 * DAY + 6 * HOUR, 3 * DAY + 4 * HOUR)]
    assert events == [
        TimeBankChanged(seat=SeatNumber(1), seconds=seconds[0]),
        TimeBankChanged(seat=SeatNumber(2), seconds=seconds[1]),
    ]
    assert game_audit.find_faults(fresh(game)) == []
    game.seats.filter(number=2).update(time_bank=3 * DAY)
    assert game_audit.find_faults(fresh(game)) == ["what is left in the time banks is not what the log says"]


def test_an_answer_in_a_pause_has_taken_from_the_bank_what_passed_before_it(maryam: Account, bahareh: Account) -> None:
    game = banked(maryam, bahareh)
    pausing.propose(game.id, maryam, 2 * DAY, "api", NOON + 10 * HOUR)
    pausing.agree(game.id, bahareh, "api", NOON + 10 * HOUR)
    fist.play(game, 1, f"claim {fist.lie(game, 1)}", NOON + 12 * HOUR)
    assert game.seats.get(number=1).time_bank == 3 * DAY - 10 * HOUR + 6 * HOUR


# Terms.


def test_a_rematch_has_the_same_terms(maryam: Account, bahareh: Account) -> None:
    schedule = Schedule(zone="Asia/Tehran", closes_at=(time(20),), days_off=("friday",), sleep=8)
    game = create_fist(maryam, bahareh, schedule=schedule, choice_limit=3 * HOUR)
    assert fresh(game).terms.schedule == schedule
    assert fresh(game).terms.choice_limit == 3 * HOUR
    local = due(game, 1).astimezone(UTC)
    assert local == datetime(2026, 3, 24, 16, 30, tzinfo=UTC)
    assert codes(game, 1) == ["turn", "fixed-hour"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (Schedule(zone="Mars/Base"), "schedule.zone"),
        (Schedule(sleep=13), "schedule.sleep"),
        (Schedule(vacation=31), "schedule.vacation"),
        (Schedule(days_off=WEEKDAYS), "schedule.days_off"),
        (Schedule(closes_at=(time(20, 0, 1),)), "schedule.closes_at"),
        (Schedule(time_bank=TimeBank(SECOND, HOUR)), "schedule.time_bank.time"),
        (Schedule(time_bank=TimeBank(DAY, SECOND)), "schedule.time_bank.increment"),
        (Schedule(time_bank=TimeBank(DAY, HOUR), closes_at=(time(20),)), "schedule.time_bank"),
    ],
)
def test_terms_that_cannot_be_are_refused_by_name_and_open_no_table(
    maryam: Account, wrong: Schedule, field: str
) -> None:
    with pytest.raises(Refusal) as refused:
        create_fist(maryam, seat_count=2, schedule=wrong)
    assert (refused.value.code, refused.value.field) == ("malformed", field)
    assert not Game.objects.exists()


def test_a_table_without_terms_asks_nothing_more_of_the_database(
    maryam: Account, bahareh: Account, django_assert_max_num_queries: Any
) -> None:
    asleep(maryam, 23, 7)
    game = create_fist(maryam, bahareh, schedule=Schedule(days_off=("friday",)))
    with django_assert_max_num_queries(10), lock_game(game.id, NOON) as locked:
        assert locked is not None
        (row,) = locked.open.values()
        seat = locked.seats[row.seat]
        with django_assert_max_num_queries(0):
            calculation.set_due(row, locked.game, seat, "turn", NOON)

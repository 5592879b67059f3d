"""Private plans answer as late as their owner, and other players do not see that the answer was planned."""

from datetime import timedelta
from threading import Thread

import pytest

from accounts.models import Account
from games import tasks
from games.announcements import notify
from games.api.questions import questions_marker
from games.deadlines import reminder_schedule
from games.deadlines.clock_skew import ClockSkewDetector
from games.engine import Notation
from games.event_log import log_store
from games.models import Game, Heartbeat, Move, OpenQuestion, Plan
from games.play import absence, plans, questions, resolve, timeouts
from games.play.locked_game import lock_game
from games.tables import stand_ins
from games.tables.joining import replace_with_bot
from notifications.endpoints import StreamEvent
from notifications.models import Notification
from tests.games.api.conftest import client
from tests.games.seated import NOON, absent, agree, begin, play
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db
SOON = NOON + timedelta(minutes=5)
Cast = tuple[Account, Account, Account]


@pytest.fixture
def cast(maryam: Account, sepideh: Account, bahareh: Account) -> Cast:
    return maryam, sepideh, bahareh


def give(game: Game, account: Account, *texts: str) -> list[Plan]:
    return [Plan.objects.get(pk=plans.store_plan(game.id, account, Notation(text), NOON)) for text in texts]


def open_question(game: Game, seat: int) -> OpenQuestion:
    return game.open_questions.get(seat=seat)


def by_plan(game: Game) -> list[tuple[int, str]]:
    moves = Move.objects.filter(game=game, plan__isnull=False).order_by("first_event")
    return [(move.seat, move.body or "") for move in moves]


def questions_sent(account: Account) -> int:
    return Notification.objects.filter(account=account, reason="question").count()


def test_games_are_private_unless_their_host_says_otherwise(cast: Cast) -> None:
    assert begin(cast).terms.plans == "private"


@pytest.fixture
def game(cast: Cast) -> Game:
    return begin(cast)


def test_plans_wait_whoever_they_are_about(cast: Cast, game: Game) -> None:
    give(game, cast[1], "allow steal")
    give(game, cast[2], "allow all")
    play(game, "1 steal 2", at=SOON)
    assert by_plan(game) == []
    rows = {seat: open_question(game, seat) for seat in (2, 3)}
    moments = {row.planned_at: seat for seat, row in rows.items() if row.planned_at}
    assert all(SOON < at < rows[seat].due_at for at, seat in moments.items())
    for at, seat in sorted(moments.items()):
        before = by_plan(game)
        timeouts.answer_all(at - timedelta(microseconds=1))
        assert by_plan(game) == before
        timeouts.answer_all(at)
        assert by_plan(game) == [*before, (seat, '{"type":"allow"}')]
        move = Move.objects.get(game=game, seat=seat, plan__isnull=False)
        assert move.received_at == at.replace(microsecond=0)
        assert log_store.read(fresh(game))[(move.first_event or 0) - 1].at == move.received_at


@pytest.mark.parametrize(
    ("people", "waiting", "plan"),
    [
        (2, "hidden", "allow all"),
        (3, "hidden", "challenge duke"),
        (3, "hidden", "allow all"),
        (3, "number", "allow all"),
        (3, "public", "challenge duke"),
    ],
)
def test_a_plan_about_what_another_does_shows_at_no_table(cast: Cast, people: int, waiting: str, plan: str) -> None:
    game = begin(cast[:people], two_player_setup="dealt", waiting=waiting)
    for account in cast[1:people]:
        give(game, account, plan)
    play(game, "1 tax", at=SOON)
    assert by_plan(game) == []
    assert [row.planned_at is not None for row in game.open_questions.all()] == [True] * (people - 1)
    timeouts.time_out_game(game.pk, SOON + timedelta(days=3))
    assert by_plan(game)


def test_a_plan_waits_for_a_bots_action_too(cast: Cast) -> None:
    game = begin([None, *cast[1:]])
    give(game, cast[1], "challenge duke")
    bot = game.open_questions.get(seat=1)
    game.moves.create(seat=1, question=bot.question, text="tax", via="bot", received_at=SOON)
    resolve.resolve(game.pk, SOON)
    assert by_plan(game) == []
    assert open_question(game, 2).planned_at is not None


def test_a_plan_answers_immediately_where_all_others_are_bots(cast: Cast) -> None:
    game = begin([None, cast[1], None])
    give(game, cast[1], "challenge duke")
    bot = game.open_questions.get(seat=1)
    game.moves.create(seat=1, question=bot.question, text="tax", via="bot", received_at=SOON)
    resolve.resolve(game.pk, SOON)
    assert by_plan(game) == [(2, '{"type":"challenge"}')]


def test_a_plan_waits_for_a_stand_in_even_where_all_others_are_bots(cast: Cast, dariush: Account) -> None:
    game = begin([None, cast[1], None])
    give(game, cast[1], "challenge duke")
    stand_ins.name_stand_in(game.pk, cast[1], dariush, NOON + timedelta(days=9), NOON)
    bot = game.open_questions.get(seat=1)
    game.moves.create(seat=1, question=bot.question, text="tax", via="bot", received_at=SOON)
    resolve.resolve(game.pk, SOON)
    assert by_plan(game) == []
    assert open_question(game, 2).planned_at is not None


def test_an_answer_that_waits_keeps_its_time_when_the_last_opponent_leaves(cast: Cast) -> None:
    game = begin([cast[0], cast[1], None])
    give(game, cast[1], "challenge duke")
    play(game, "1 tax", at=SOON)
    planned_at = open_question(game, 2).planned_at
    assert planned_at is not None
    replace_with_bot(game.pk, cast[0], SOON)
    resolve.resolve(game.pk, SOON)
    with lock_game(game.pk, SOON) as locked:
        assert locked is not None
        plans.answer_questions(locked)
    assert by_plan(game) == []
    timeouts.answer_all(planned_at)
    assert Move.objects.get(game=game, plan__isnull=False).received_at == planned_at.replace(microsecond=0)


def test_no_time_that_players_are_shown_has_a_fraction_of_a_second(cast: Cast, game: Game) -> None:
    give(game, cast[1], "allow steal")
    play(game, "1 steal 2", at=SOON + timedelta(microseconds=345_678))
    planned_at = open_question(game, 2).planned_at
    assert planned_at
    assert planned_at.microsecond, "it comes at any moment of its second"
    timeouts.answer_all(planned_at)
    play(game, "3 allow", at=planned_at + timedelta(microseconds=1))
    lines = log_store.read(fresh(game))
    times = [line.at for line in lines]
    times += Move.objects.filter(game=game).values_list("received_at", flat=True)
    times += Move.objects.filter(game=game).values_list("asked_at", flat=True)
    times += game.open_questions.values_list("asked_at", flat=True)
    times += game.open_questions.values_list("due_at", flat=True)
    assert {at.microsecond for at in times if at} == {0}
    assert times[: len(lines)] == sorted(times[: len(lines)])
    recorded = client(cast[0]).get(f"/api/v1/games/{game.pk}/events/").json()
    assert not [event["at"] for event in recorded["results"] if "." in event["at"]]


def test_a_worker_has_one_timer_for_the_next_answer_by_plan(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    Heartbeat.objects.create(at=NOON)
    timers: list[float] = []

    def timer(seconds: float, *_: object) -> Thread:
        timers.append(seconds)
        return Thread()

    monkeypatch.setattr("games.tasks.CLOCK_SKEW", ClockSkewDetector())
    monkeypatch.setattr("config.core.clock.now", lambda: NOON)
    monkeypatch.setattr("games.tasks.threading.Timer", timer)
    for seconds in (7, 5, 2, 3):
        game = begin(cast)
        game.open_questions.update(planned_at=NOON + timedelta(seconds=seconds))
    tasks.answer_planned()
    assert timers == [2]
    OpenQuestion.objects.filter(planned_at__lt=NOON + timedelta(seconds=6)).update(planned_at=None)
    tasks.answer_planned()
    assert timers == [2], "the next tick comes before the answer"


def test_nobody_is_asked_what_a_plan_will_answer_and_its_owner_alone_is_told_when(cast: Cast, game: Game) -> None:
    give(game, cast[1], "allow steal")
    play(game, "1 steal 2", at=SOON)
    (open_question,) = client(cast[1]).get(f"/api/v1/games/{game.pk}/questions/").json()["results"]
    assert open_question["planned_at"] is not None
    assert "planned_at" not in client(cast[0]).get(f"/api/v1/games/{game.pk}/").content.decode()
    game.open_questions.update(planned_at=NOON + timedelta(hours=23))
    timeouts.sweep(NOON + timedelta(hours=20))
    assert not Notification.objects.filter(account=cast[1], reason__in=["question", "reminder"]).exists()


def test_waiting_for_questions_tells_a_stand_in_of_no_plan_and_their_number_neither(
    cast: Cast, dariush: Account
) -> None:
    game, readers = begin(cast), (cast[1], dariush)
    stand_ins.name_stand_in(game.pk, cast[1], dariush, NOON + timedelta(days=9), NOON)
    (plan,) = give(game, cast[1], "allow steal")
    play(game, "1 steal 2", at=SOON)
    planned_for = [questions_marker(account) for account in readers]
    assert [questions.count_questions(account) for account in readers] == [0, 1]
    plans.withdraw(plan, SOON)
    by_hand = [questions_marker(account) for account in readers]
    assert planned_for[0] != by_hand[0]
    assert planned_for[1] == by_hand[1] != []
    assert [questions.count_questions(account) for account in readers] == [1, 1]


def test_a_planned_turn_is_played_at_once_as_it_answers_nobody(cast: Cast, game: Game) -> None:
    give(game, cast[1], "next-turn income")
    play(game, "1 income", at=SOON)
    (move,) = Move.objects.filter(game=game, plan__isnull=False)
    assert (move.seat, move.received_at) == (2, SOON)
    assert open_question(game, 3).planned_at is None


def test_an_answer_by_hand_comes_before_the_plan(cast: Cast, game: Game) -> None:
    (plan,) = give(game, cast[1], "allow steal")
    play(game, "1 steal 2", "2 challenge", at=SOON)
    timeouts.answer_all(NOON + timedelta(days=2))
    plan.refresh_from_db()
    assert (by_plan(game), plan.times, plan.done_at) == ([], 0, None)


def test_where_the_window_closes_before_nothing_is_answered_by_plan(cast: Cast, game: Game) -> None:
    give(game, cast[1], "block steal captain")
    play(game, "1 steal 2", "3 challenge", "1 concede contessa", at=SOON)
    timeouts.answer_all(NOON + timedelta(days=2))
    assert by_plan(game) == []


def test_whoever_takes_their_plan_back_is_asked_and_reminded(cast: Cast, game: Game) -> None:
    (plan,) = give(game, cast[1], "allow steal")
    play(game, "1 steal 2", at=SOON)
    assert questions_sent(cast[1]) == 0
    plans.withdraw(plan, SOON)
    row = open_question(game, 2)
    assert row.planned_at is None
    assert row.remind_at is not None
    notify.write_due(SOON + timedelta(minutes=1))
    assert questions_sent(cast[1]) == 1


def test_nobody_is_asked_a_question_that_is_closed_as_it_is_handed_back(cast: Cast, game: Game) -> None:
    give(game, cast[1], "allow steal")
    play(game, "1 steal 2", at=SOON)
    planned_for, other = open_question(game, 2), open_question(game, 3)
    game.moves.create(seat=3, question=other.question, text="challenge", via="api", received_at=SOON)
    with lock_game(game.pk, SOON) as locked:
        assert locked is not None
        locked.release_from_plan(locked.open[planned_for.question])
        resolve.resolve_locked(locked)
        assert planned_for.question not in locked.open
    events = StreamEvent.objects.filter(account=cast[1], data__question=planned_for.question)
    assert [event.kind for event in events] == ["closed"]
    assert questions_sent(cast[1]) == 0


def test_a_plan_given_for_what_is_asked_already_waits_too(cast: Cast, game: Game) -> None:
    play(game, "1 steal 2", at=SOON)
    plans.store_plan(game.id, cast[1], Notation("allow steal"), SOON + timedelta(hours=20))
    row = open_question(game, 2)
    assert row.planned_at is not None
    assert SOON + timedelta(hours=20) < row.planned_at < row.due_at


def test_the_clock_plays_nothing_that_a_plan_answers_in_time(cast: Cast, game: Game) -> None:
    give(game, cast[1], "block steal captain")
    play(game, "1 steal 2", at=SOON)
    timeouts.time_out_game(game.id, SOON + timedelta(days=3))
    assert by_plan(game) == [(2, '{"type":"block","character":"captain"}')]


def test_time_that_is_given_back_moves_the_answer_of_a_plan_too(cast: Cast, game: Game) -> None:
    give(game, cast[1], "allow steal")
    play(game, "1 steal 2", at=SOON)
    before = open_question(game, 2)
    timeouts.give_time_back(timedelta(hours=1), SOON)
    after = open_question(game, 2)
    assert before.planned_at
    assert after.planned_at
    assert after.planned_at - before.planned_at == after.due_at - before.due_at == timedelta(hours=1)


def test_an_answer_by_plan_that_waited_counts_like_one_by_hand(cast: Cast, game: Game) -> None:
    give(game, cast[1], "allow steal")
    game.seats.filter(number=2).update(missed=2)
    play(game, "1 steal 2", at=SOON)
    timeouts.answer_all(open_question(game, 2).planned_at or NOON)
    assert game.seats.get(number=2).missed == 0


def test_no_plan_answers_for_a_player_for_whom_a_bot_sits_in(cast: Cast, game: Game) -> None:
    absent(game, 1, NOON)
    give(game, cast[0], "if-challenged prove else concede duke", "allow all")
    assert open_question(game, 1).bot
    assert by_plan(game) == []


def test_who_comes_back_in_an_open_window_is_announced_once_it_is_closed(cast: Cast) -> None:
    game = begin(cast, answers="sealed")
    play(game, "1 tax", at=SOON)
    absent(game, 2, SOON)
    play(game, "2 allow", at=SOON)
    tags = [line.event.__struct_config__.tag for line in log_store.read(fresh(game))]
    assert "table.returned" not in tags
    assert game.seats.get(number=2).away
    play(game, "3 allow", at=SOON + timedelta(hours=1))
    lines = [line.event.__struct_config__.tag for line in log_store.read(fresh(game))]
    assert lines[-1] == "table.returned" or "table.returned" in lines[len(tags) :]
    assert not game.seats.get(number=2).away
    assert not open_question(game, 2).bot


def test_who_says_that_they_are_back_in_an_open_window_answers_themselves_and_is_announced_later(cast: Cast) -> None:
    game = begin(cast, answers="sealed")
    play(game, "1 tax", at=SOON)
    absent(game, 2, SOON)
    before = fresh(game).version
    absence.come_back(game.pk, cast[1], SOON)
    assert fresh(game).version == before
    assert not open_question(game, 2).bot
    play(game, "2 allow", "3 allow", at=SOON)
    assert not game.seats.get(number=2).away


def test_earlier_answers_are_those_by_hand_in_games_as_quick(cast: Cast) -> None:
    slow, quick = begin(cast), begin(cast)
    agree(quick, turn_limit=timedelta(minutes=5))
    play(slow, "1 income", at=SOON)
    play(quick, "1 income", at=SOON)
    Move.objects.update(account=cast[0])
    (earlier,) = reminder_schedule.earlier_answers(cast[0].pk, slow)
    assert (earlier.asked_at, earlier.answered_at) == (NOON, SOON)

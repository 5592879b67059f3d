"""Games whose moves cannot be resolved: they are tried with growing pauses, then set aside, without delaying others."""

from datetime import datetime, timedelta
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import Account
from games.archive import game_audit
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved
from games.models import Game, Heartbeat, Move, Stall
from games.operations import health, retrying
from games.play import outages, resolve, timeouts
from games.play.submit import WrittenMove, store_move
from games.rules.registry import RULES
from games.terms import Schedule, TimeBank
from notifications import set_aside
from notifications.models import Notification
from notifications.set_aside import SetAside
from tests.games.seated import sweep
from tests.third_game import fist
from tests.third_game.table import LATER, NOON, create_fist, fresh, open_question, play, sent, state, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture(autouse=True)
def alive(db: None) -> None:
    Heartbeat.objects.create(at=NOON)


def sweep_until(end: datetime) -> list[datetime]:
    """Sweep at the time of each attempt up to a moment, and return these times."""
    tried = list[datetime]()
    while (stall := Stall.objects.filter(try_at__lte=end).first()) is not None:
        tried.append(stall.try_at)
        sweep(stall.try_at)
    return tried


def fresh_state(move: Move) -> str:
    move.refresh_from_db()
    return str(move.state)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    """A game in which it is Maryam's turn."""
    return create_fist(maryam, bahareh)


@pytest.fixture
def failing(game: Game, monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Make the rules fail for claims of these numbers."""
    poisoned: set[int] = {3}

    def decide(state: Any, seat: Any, answer: Any, chance: Any) -> Any:
        if getattr(answer, "number", None) in poisoned:
            raise ZeroDivisionError("the hand is 3")
        return fist.decide(state, seat, answer, chance)

    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, decide=decide))
    return poisoned


def moved(game: Game) -> list[int]:
    return [line.event.seconds for line in log_store.read(fresh(game)) if isinstance(line.event, DeadlinesMoved)]


@pytest.fixture
def move(game: Game) -> Move:
    return sent(game, 1, "claim 3")


def test_a_move_that_fails_is_tried_with_growing_pauses(game: Game, failing: set[int], move: Move) -> None:
    resolve.resolve_waiting(LATER)
    seconds = [int((time - LATER).total_seconds()) for time in sweep_until(LATER + 2 * HOUR)]
    assert seconds[:8] == [5, 15, 35, 75, 155, 315, 635, 1235]
    assert {later - earlier for earlier, later in pairwise(seconds[7:])} == {600}
    assert (fresh_state(move), move.attempts) == ("received", len(seconds) + 1)
    failing.clear()
    sweep_until(LATER + 3 * HOUR)
    assert fresh_state(move) == "applied"
    assert game_audit.find_faults(fresh(game)) == []


def test_nobody_else_who_asks_tries_it_sooner(game: Game, failing: set[int], move: Move) -> None:
    for _ in range(5):
        resolve.resolve(game.pk, LATER)
        resolve.resolve_waiting(LATER)
        assert not timeouts.time_out_game(game.pk, LATER)
    assert (fresh_state(move), move.attempts) == ("received", 1)


def test_meanwhile_no_time_passes_and_later_moves_wait_in_their_order(game: Game, failing: set[int]) -> None:
    due = game.open_questions.get().due_at
    first = sent(game, 1, "claim 3", due - HOUR)
    resolve.resolve_waiting(due - HOUR)
    sweep_until(due + HOUR)
    second = sent(game, 1, "claim 4", due + HOUR)
    sweep_until(due + 2 * HOUR)
    assert [fresh_state(move) for move in (first, second)] == ["received", "received"]
    assert state(game).claims == ()
    assert game.open_questions.get().due_at == due
    failing.clear()
    (back,) = sweep_until(due + 2 * HOUR + 11 * MINUTE)
    assert [fresh_state(move) for move in (first, second)] == ["applied", "rejected"]
    assert state(game).claims == (3,)
    assert moved(game) == [int((back - due + HOUR).total_seconds())]
    assert fresh(game).stalled_since is None
    assert game_audit.find_faults(fresh(game)) == []


def test_who_has_not_answered_yet_has_all_the_time_that_was_left(
    maryam: Account, bahareh: Account, dariush: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = create_fist(maryam, bahareh, dariush)
    play(game, 1, "claim 2")
    before = {row.seat: row.due_at for row in game.open_questions.all()}
    with monkeypatch.context() as patched:
        patched.setitem(RULES, "fist", fist.replace(fist.RULES, questions=broken))
        late = sent(game, 2, "allow", LATER + MINUTE)
        resolve.resolve_waiting(LATER + MINUTE)
        in_the_stall = sent(game, 3, "allow", max(before.values()) + HOUR)
    back = LATER + MINUTE + 2 * HOUR
    Stall.objects.update(try_at=back)
    Move.objects.filter(pk=in_the_stall.pk).delete()
    sweep(back)
    assert fresh_state(late) == "applied"
    assert game.open_questions.get(seat=3).due_at == before[3] + 2 * HOUR
    assert fresh(game).due_at == before[3] + 2 * HOUR


def broken(state: Any) -> Any:
    raise KeyError("broken")


def test_what_came_in_the_stall_is_in_time_and_what_was_late_before_it_is_late(game: Game, failing: set[int]) -> None:
    due = game.open_questions.get().due_at
    first = sent(game, 1, "claim 3", due - SECOND)
    resolve.resolve_waiting(due - SECOND)
    in_time = sent(game, 1, "claim 4", due + HOUR)
    failing.clear()
    Move.objects.filter(pk=first.pk).update(text="no such answer")
    Stall.objects.update(try_at=due + 2 * HOUR)
    sweep(due + 2 * HOUR)
    assert [fresh_state(move) for move in (first, in_time)] == ["rejected", "applied"]
    late = create_fist(*(seat.account for seat in game.seats.all()))
    due = late.open_questions.get().due_at
    too_late = sent(late, 1, "claim 3", due + SECOND)
    failing.add(3)
    outages.begin(late.pk, KeyError(), due + 2 * SECOND)
    sweep(due + HOUR)
    assert fresh_state(too_late) == "rejected"
    assert too_late.code == "question-closed"


def test_a_bank_pays_for_no_time_of_the_stall(maryam: Account, bahareh: Account, failing: set[int]) -> None:
    terms = Schedule(time_bank=TimeBank(time=2 * HOUR, increment=MINUTE))
    game = create_fist(maryam, bahareh, schedule=terms)
    began = game.open_questions.get().asked_at
    move = sent(game, 1, "claim 3", began + 30 * MINUTE)
    resolve.resolve_waiting(began + 30 * MINUTE)
    sweep_until(began + 3 * HOUR)
    failing.clear()
    sweep_until(began + 4 * HOUR)
    assert fresh_state(move) == "applied"
    assert game.seats.get(number=1).time_bank == HOUR + 31 * MINUTE


@pytest.mark.parametrize("gap", [9 * SECOND, 11 * SECOND])
def test_a_stall_shorter_than_the_grace_moves_nothing(
    game: Game, failing: set[int], gap: timedelta, move: Move
) -> None:
    resolve.resolve_waiting(LATER)
    failing.clear()
    sweep(LATER + gap)
    assert fresh_state(move) == "applied"
    assert moved(game) == ([] if gap < timeouts.GRACE else [11])


def test_after_six_hours_the_move_is_set_aside_and_the_next_is_tried(
    game: Game, failing: set[int], maryam: Account
) -> None:
    first = sent(game, 1, "claim 3")
    second = sent(game, 1, "claim 4", LATER + SECOND)
    resolve.resolve_waiting(LATER + SECOND)
    sweep_until(LATER + 6 * HOUR)
    assert [fresh_state(move) for move in (first, second)] == ["received", "received"]
    sweep_until(LATER + 6 * HOUR + 12 * MINUTE)
    assert [fresh_state(move) for move in (first, second)] == ["failed", "applied"]
    (row,) = set_aside.unsettled()
    assert (row.kind, row.subject, row.about) == ("move", str(first.pk), f"game:{game.pk}")
    assert row.error.startswith("ZeroDivisionError in decide, ")
    assert "hand" not in row.error
    assert game_audit.find_faults(fresh(game)) == []


def test_no_other_game_notices(game: Game, failing: set[int], maryam: Account, bahareh: Account) -> None:
    others = [create_fist(maryam, bahareh) for _ in range(3)]
    sent(game, 1, "claim 3")
    moves = [sent(other, 1, "claim 4", LATER + SECOND) for other in others]
    resolve.resolve_waiting(LATER + SECOND)
    assert [fresh_state(move) for move in moves] == ["applied"] * 3
    sweep(LATER + 3 * HOUR)
    assert [moved(other) for other in others] == [[]] * 3


def test_a_missing_column_stalls_and_loses_nothing(game: Game, maryam: Account, bahareh: Account) -> None:
    games = [game, *(create_fist(maryam, bahareh) for _ in range(3))]
    moves = [sent(game, 1, "claim 3") for game in games]
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_seat RENAME COLUMN spared TO spared_no_more")
        for seconds in range(0, 20, 5):
            resolve.resolve_waiting(LATER + seconds * SECOND)
            sweep(LATER + seconds * SECOND)
        assert {fresh_state(move) for move in moves} == {"received"}
        cursor.execute("ALTER TABLE games_seat RENAME COLUMN spared_no_more TO spared")
    sweep(LATER + MINUTE)
    assert {fresh_state(move) for move in moves} == {"applied"}
    assert not SetAside.objects.exists()
    assert [game_audit.find_faults(fresh(game)) for game in games] == [[]] * 4


def test_a_game_whose_rules_are_not_here_is_left_alone(game: Game, monkeypatch: pytest.MonkeyPatch, move: Move) -> None:
    with monkeypatch.context() as patched:
        patched.delitem(RULES, "fist")
        resolve.resolve(game.pk, LATER)
        assert (fresh_state(move), move.attempts) == ("received", 0)
        outages.begin(game.pk, KeyError(), LATER)
        sweep(LATER + 7 * HOUR)
    assert fresh_state(move) == "received"
    sweep(LATER + 7 * HOUR + MINUTE)
    assert fresh_state(move) == "applied"


def notifications(account: Account) -> list[str]:
    rows = Notification.objects.filter(reason="failed", account=account).order_by("created_at")
    return [notification.content().headline for notification in rows]


def test_the_sender_is_told_once_that_it_waits_and_when_it_is_resolved(
    failing: set[int], maryam: Account, bahareh: Account, move: Move
) -> None:
    resolve.resolve_waiting(LATER)
    sweep_until(LATER + 5 * MINUTE)
    assert notifications(maryam) == []
    sweep_until(LATER + 2 * HOUR)
    assert notifications(maryam) == ["We have your answer, but playing it is taking longer than usual."]
    failing.clear()
    sweep(LATER + 2 * HOUR + 11 * MINUTE)
    assert fresh_state(move) == "applied"
    assert notifications(maryam) == [
        "We have your answer, but playing it is taking longer than usual.",
        "Your move has now been played.",
    ]
    assert notifications(bahareh) == []


def test_a_short_stall_is_not_worth_a_notification_but_to_whoever_wrote_by_mail(
    failing: set[int], maryam: Account, move: Move
) -> None:
    Move.objects.filter(pk=move.pk).update(via="mail")
    resolve.resolve_waiting(LATER)
    failing.clear()
    sweep(LATER + 5 * SECOND)
    assert notifications(maryam) == ["Your move has now been played."]


@pytest.fixture
def given_up(game: Game, failing: set[int]) -> Move:
    """A move that was set aside, in a game that goes on."""
    move = sent(game, 1, "claim 3")
    resolve.resolve_waiting(LATER)
    Stall.objects.update(try_at=LATER + 6 * HOUR + 12 * MINUTE)  # as if it had been tried every ten minutes until then
    sweep_until(LATER + 6 * HOUR + 12 * MINUTE)
    assert fresh_state(move) == "failed"
    return move


def red(now: datetime) -> set[str]:
    Heartbeat.objects.update(at=now)
    about = {"moves", "sweep", "stalled-games", "failed-moves", "failed-mails"}
    return about & {sign.name for sign in health.signs(now, timedelta(days=9)) if sign.red}


AFTER = LATER + 7 * HOUR


def test_what_was_set_aside_is_resolved_as_of_when_it_came_once_the_operator_has_it_tried_again(
    given_up: Move, failing: set[int], game: Game, maryam: Account
) -> None:
    assert red(AFTER) == {"failed-moves"}
    failing.clear()
    assert retrying.retry(set_aside.unsettled(), AFTER) == (1, 0)
    assert red(AFTER) == {"moves"}
    resolve.resolve_waiting(AFTER)
    assert fresh_state(given_up) == "applied"
    assert notifications(maryam)[-1] == "Your move has now been played."
    assert red(AFTER) == set()
    assert [row.outcome for row in SetAside.objects.all()] == ["retried"]


def test_what_was_answered_since_is_refused_and_its_sender_told(
    given_up: Move, failing: set[int], game: Game, maryam: Account
) -> None:
    play(game, 1, "claim 4", AFTER)
    failing.clear()
    retrying.retry(set_aside.unsettled(), AFTER)
    resolve.resolve_waiting(AFTER)
    assert fresh_state(given_up) == "rejected"
    assert notifications(maryam)[-1] == "Your answer was refused."


def test_what_fails_again_is_set_aside_again(given_up: Move, game: Game, maryam: Account) -> None:
    retrying.retry(set_aside.unsettled(), AFTER)
    resolve.resolve_waiting(AFTER)
    sweep_until(AFTER + 7 * HOUR)
    assert fresh_state(given_up) == "failed"
    assert set_aside.unsettled().count() == 1
    assert notifications(maryam).count("Something went wrong: your answer wasn’t played.") == 2


def test_what_is_acknowledged_is_red_no_longer(given_up: Move) -> None:
    assert retrying.acknowledge(set_aside.unsettled(), AFTER) == 1
    assert red(AFTER) == set()
    assert retrying.acknowledge(SetAside.objects.all(), AFTER) == 0
    assert fresh_state(given_up) == "failed"


def command(*words: str) -> str:
    output = StringIO()
    call_command("set_aside", *words, stdout=output)
    return output.getvalue()


def test_the_command_lists_retries_and_acknowledges(given_up: Move, failing: set[int], maryam: Account) -> None:
    (row,) = set_aside.unsettled()
    listed = command()
    assert f"{row.pk}  2026-03-22 " in listed
    assert f"move {given_up.pk} of game:{given_up.game_id}: ZeroDivisionError in decide" in listed
    assert "1 set aside, 0 games stalled." in listed
    assert not any(word in listed for word in ("claim", "hand", maryam.email, maryam.name))
    for words in (("retry",), ("acknowledge", str(row.pk), "--all"), ("retry", str(row.pk + 1))):
        with pytest.raises(CommandError):
            command(*words)
    assert command("acknowledge", str(row.pk)) == "1 acknowledged.\n"
    assert command("retry", "--all") == "0 will be tried again, 0 no longer exist; 0 stalled games will be tried now.\n"


def test_the_command_lists_stalled_games_and_has_them_tried_now(game: Game, failing: set[int], move: Move) -> None:
    resolve.resolve_waiting(LATER)
    sweep_until(LATER + HOUR)
    assert f"game {game.pk} is stalled, " in command("list")
    assert red(LATER + HOUR) == {"stalled-games"}
    failing.clear()
    assert "1 stalled games will be tried now." in command("retry", "--all")
    resolve.retry_stalled(game.pk, LATER + HOUR + SECOND)
    assert fresh_state(move) == "applied"


def test_a_retried_move_that_was_deleted_is_said_to_be_gone(given_up: Move) -> None:
    given_up.delete()
    assert retrying.retry(set_aside.unsettled(), AFTER) == (0, 1)
    assert [row.outcome for row in SetAside.objects.all()] == ["gone"]


def test_two_who_find_the_fault_at_once_note_it_once(game: Game, failing: set[int], move: Move) -> None:
    for _ in range(2):
        outages.begin(game.pk, KeyError(), LATER)
    assert Stall.objects.get().tries == 1
    assert (fresh_state(move), move.attempts) == ("received", 1)


def test_a_game_that_cannot_even_be_read_is_tried_for_ever_and_goes_on_when_it_can(
    game: Game, monkeypatch: pytest.MonkeyPatch, maryam: Account, move: Move
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(log_store, "positions", lambda games: 1 / 0)
        resolve.resolve_waiting(LATER)
        sweep_until(LATER + 8 * HOUR)
        assert fresh_state(move) == "failed"
        store_move(fresh(game), maryam, WrittenMove(open_question(game, 1), "claim 4"), "api", LATER + 8 * HOUR)
        sweep_until(LATER + 8 * HOUR + 20 * MINUTE)
        assert red(LATER + 9 * HOUR) == {"failed-moves", "stalled-games"}
    sweep(LATER + 9 * HOUR)
    assert state(game).claims == (4,)
    assert red(LATER + 9 * HOUR) == {"failed-moves"}

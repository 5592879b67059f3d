"""Pauses by agreement: votes, deadlines during a pause, and protection against misuse."""

from datetime import datetime, timedelta

import pytest

from accounts.models import Account
from games.announcements import notify
from games.archive import game_audit
from games.engine import SeatNumber
from games.event_log import log_store
from games.event_log.table_events import Paused, PauseDeclined, Resumed, TableEvent
from games.models import Game, Heartbeat, Move
from games.play import timeouts
from games.refusals import Refusal
from games.tables import pausing
from games.tables.pausing import PauseStatus
from games.visibility.player_view import PlayerView
from notifications import preferences
from notifications.models import Notification
from tests.games.seated import begin, sweep
from tests.third_game.table import LATER, NOON, create_fist, fresh, play, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def game(maryam: Account, bahareh: Account, dariush: Account) -> Game:
    """Three play; Maryam is to move until two days after noon."""
    Heartbeat.objects.create(at=NOON)
    return create_fist(maryam, bahareh, dariush)


def propose(game: Game, account: Account, length: timedelta | None = 3 * DAY, now: datetime = LATER) -> None:
    pausing.propose(game.id, account, length, "api", now)


def agree(game: Game, *accounts: Account, now: datetime = LATER) -> None:
    for account in accounts:
        pausing.agree(game.id, account, "api", now)


def status_of(game: Game, now: datetime = LATER) -> PauseStatus:
    game_row = Game.objects.prefetch_related("seats__account").get(pk=game.pk)
    return pausing.pause_status(game_row, log_store.position(game_row), now)


def due(game: Game, seat: int = 1) -> datetime:
    return game.open_questions.get(seat=seat).due_at


def pause_events(game: Game) -> list[TableEvent]:
    """Return the events of the log about pauses."""
    kinds = ("pause", "resum")
    return [
        line.event
        for line in log_store.read(fresh(game))
        if any(kind in str(type(line.event)).lower() for kind in kinds)
    ]


def code(vote: object, *arguments: object) -> str:
    """The code with which a vote is refused."""
    with pytest.raises(Refusal) as refused:
        vote(*arguments)
    return refused.value.code


def test_with_the_last_yes_every_deadline_moves_by_the_length_of_the_pause(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    before = due(game)
    propose(game, bahareh)
    agree(game, dariush)
    assert due(game) == before
    assert status_of(game).missing == [1]
    agree(game, maryam)
    assert due(game) == before + 3 * DAY
    assert fresh(game).paused_until == LATER + 3 * DAY
    assert game_audit.find_faults(fresh(game)) == []


def test_silence_is_not_a_yes_and_a_proposal_lapses(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    propose(game, bahareh)
    agree(game, dariush)
    late = LATER + 2 * DAY
    assert status_of(game, late).pause is None
    with pytest.raises(Refusal, match="No pause is proposed"):
        agree(game, maryam, now=late)
    assert due(game) == NOON + 2 * DAY


def test_the_clock_answers_for_nobody_in_a_pause_which_ends_by_itself(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    propose(game, maryam, 7 * DAY)
    agree(game, bahareh, dariush)
    version = fresh(game).version
    sweep(LATER + 7 * DAY - SECOND)
    assert fresh(game).version == version
    sweep(LATER + 7 * DAY)
    assert pause_events(game)[-1] == Resumed(seconds=7 * 86400)
    assert fresh(game).paused_until is None
    sweep(NOON + 9 * DAY - SECOND)
    assert fresh(game).version == version + 1
    sweep(NOON + 9 * DAY + 10 * SECOND)
    assert fresh(game).version > version + 1
    assert game_audit.find_faults(fresh(game)) == []


def test_what_is_answered_in_a_pause_counts_and_what_is_asked_then_has_its_whole_time_after_it(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    propose(game, maryam)
    agree(game, bahareh, dariush)
    move = play(game, 1, "claim 3", LATER + DAY)
    assert move.state == Move.State.APPLIED
    assert due(game, 2) == due(game, 3) == LATER + 3 * DAY + DAY
    assert game.open_questions.get(seat=2).remind_at > LATER + 3 * DAY


def test_a_pause_ends_early_only_where_everybody_wants_it(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    before = due(game)
    propose(game, maryam)
    agree(game, bahareh, dariush)
    for who in (maryam, bahareh):
        pausing.resume(game.id, who, "api", LATER + DAY)
    assert due(game) == before + 3 * DAY
    assert status_of(game, LATER + DAY).missing == [3]
    pausing.resume(game.id, dariush, "api", LATER + DAY + HOUR)
    assert due(game) == before + DAY + HOUR
    assert pause_events(game)[-1] == Resumed(seconds=86400 + 3600)
    assert status_of(game, LATER + 2 * DAY).left == 14 * DAY - DAY - HOUR
    assert game_audit.find_faults(fresh(game)) == []


def test_a_table_has_so_much_time_for_pauses_and_no_more(maryam: Account, bahareh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    game = create_fist(
        maryam, bahareh, pauses=4 * DAY, longest_pause=3 * DAY, turn_limit=30 * DAY, reaction_limit=30 * DAY
    )
    assert code(propose, game, maryam, 3 * DAY + SECOND) == "malformed"
    assert code(propose, game, maryam, timedelta(seconds=59)) == "malformed"
    propose(game, maryam, None)
    agree(game, bahareh)
    sweep(LATER + 3 * DAY)
    now = LATER + 3 * DAY
    play(game, 1, "claim 3", now)
    play(game, 2, "allow", now)
    assert status_of(game, now).longest == DAY
    assert code(propose, game, maryam, 2 * DAY, now) == "malformed"
    propose(game, maryam, DAY, now)
    agree(game, bahareh, now=now)
    sweep(now + DAY)
    assert status_of(game, now + DAY).longest == timedelta()
    play(game, 2, "claim 3", now + DAY)
    play(game, 1, "allow", now + DAY)
    assert code(propose, game, maryam, HOUR, now + DAY) == "conflict"


def test_in_one_turn_one_pause_may_be_proposed(game: Game, maryam: Account, bahareh: Account, dariush: Account) -> None:
    propose(game, maryam)
    pausing.decline(game.id, dariush, LATER)
    assert code(propose, game, bahareh) == "conflict"
    play(game, 1, "claim 3")
    assert code(propose, game, bahareh) == "conflict"
    play(game, 2, "allow")
    play(game, 3, "allow")
    propose(game, bahareh)
    assert status_of(game).pause is not None


def test_nobody_learns_who_did_not_agree(game: Game, maryam: Account, dariush: Account) -> None:
    propose(game, maryam)
    pausing.decline(game.id, dariush, LATER)
    line = log_store.read(fresh(game))[-1]
    assert (line.event, line.seat, line.via) == (PauseDeclined(), None, "server")
    assert status_of(game).pause is None


def test_a_table_that_chose_no_pauses_has_none(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh, pauses=timedelta())
    assert code(propose, game, maryam) == "conflict"


def test_bots_and_seats_that_somebody_else_answers_for_hold_no_pause_up(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh, bots=1)
    propose(game, maryam)
    assert status_of(game).missing == [2]
    game.seats.filter(account=bahareh).update(away=True)
    assert status_of(game).missing == []
    agree(game, maryam)
    assert fresh(game).paused_until == LATER + 3 * DAY
    pausing.resume(game.id, bahareh, "api", LATER)
    assert fresh(game).paused_until is not None


def test_who_is_out_of_the_game_has_no_say_and_holds_nothing_up(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    game = begin([maryam, bahareh, dariush])
    propose(game, maryam)
    agree(game, bahareh)
    play(game, 3, "resign yes", question="")
    assert code(propose, game, dariush) == "forbidden"
    assert fresh(game).paused_until == LATER + 3 * DAY


def test_strangers_have_no_say(game: Game, sepideh: Account, maryam: Account, bahareh: Account) -> None:
    assert code(propose, game, sepideh) == "forbidden"
    assert code(propose, create_fist(maryam, bahareh, private=True), sepideh) == "not-found"


def test_downtime_in_a_pause_is_given_back_too(game: Game, maryam: Account, bahareh: Account, dariush: Account) -> None:
    before = due(game)
    propose(game, maryam)
    agree(game, bahareh, dariush)
    Heartbeat.objects.update(at=LATER)
    timeouts.sweep(LATER + 4 * DAY)
    assert due(game) == before + 3 * DAY + 4 * DAY
    assert fresh(game).paused_until is None


def test_everybody_is_written_to_and_who_has_agreed_is_not_asked(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    propose(game, maryam)
    notify.write_due(LATER)
    notifications = Notification.objects.filter(reason="pause-proposed", rendered__isnull=False)
    assert {notification.account for notification in notifications} == {bahareh, dariush}
    assert "No answer means no" in repr(notifications[0].content())
    agree(game, bahareh, dariush)
    notify.write_due(LATER)
    paused = Notification.objects.filter(reason="paused", rendered__isnull=False)
    assert {notification.account for notification in paused} == {maryam, bahareh, dariush}
    assert any(isinstance(event, Paused) for event in pause_events(game))
    sweep(LATER + 3 * DAY)
    notify.write_due(LATER + 3 * DAY)
    resumed = Notification.objects.filter(reason="resumed", rendered__isnull=False)
    assert resumed.count() == 3
    assert notifications[0].content().marker
    assert paused[0].content().marker, "it says what a reply of “resume” does"
    assert not resumed[0].content().marker, "nothing is asked"


def test_a_notification_that_waits_for_a_digest_goes_out_in_time_where_a_pause_ends_early(
    maryam: Account, bahareh: Account
) -> None:
    preferences.change(bahareh, {"digest": "daily"}, NOON)
    game = create_fist(maryam, bahareh, turn_limit=4 * HOUR, reaction_limit=4 * HOUR)
    propose(game, maryam)
    agree(game, bahareh)
    play(game, 1, "claim 3", LATER)
    notification = Notification.objects.get(account=bahareh, reason="question")
    assert notification.next_attempt_at > LATER + 3 * HOUR
    for who in (maryam, bahareh):
        pausing.resume(game.id, who, "api", LATER + HOUR)
    notification.refresh_from_db()
    assert notification.next_attempt_at <= due(game, 2) - 2 * HOUR


def test_the_story_tells_of_a_pause(game: Game, maryam: Account, bahareh: Account, dariush: Account) -> None:
    propose(game, maryam)
    agree(game, bahareh, dariush)
    game_row = Game.objects.prefetch_related("seats__account").get(pk=game.pk)
    history = PlayerView(game_row, SeatNumber(2), bahareh).history(10)
    assert [line for line in history if "pause" in line] == [
        "Maryam asked for a pause.",
        "Everyone agreed to a pause: the game is paused.",
    ]


def test_a_game_may_end_in_a_pause(game: Game, maryam: Account, bahareh: Account, dariush: Account) -> None:
    propose(game, maryam)
    agree(game, bahareh, dariush)
    for seat in (1, 2, 3):
        if fresh(game).state == Game.State.RUNNING:
            play(game, seat, "resign yes", LATER + HOUR, question="")
    assert fresh(game).state == Game.State.OVER
    assert fresh(game).paused_until is None
    assert game_audit.find_faults(fresh(game)) == []

"""Tests of what programs are told while a game goes on: what its own seat may know, when it may know it."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from config.core.clock import write_moment
from games.announcements.stream_events import follow
from games.api.shared import events as api_events
from games.engine import EVERYONE, SPECTATOR, SeatNumber
from games.event_log import log_store
from games.models import Game, Move
from games.play.locked_game import lock_game
from games.play.resolve import resolve
from games.play.timeouts import play_default_move
from games.visibility.access import access_to_game
from games.visibility.shown_events import show_log
from notifications import stream_events, webhooks
from notifications.endpoints import StreamEvent, Webhook
from tests.games.seated import NOON, begin, hear, play
from tests.games.unseen import world

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=1)


def stream_events_of(account: Account, after: int = 0) -> list[tuple[str, Any]]:
    """Return the stream events of an account: kind, and the question, number or state."""
    rows = StreamEvent.objects.filter(account=account).order_by("xid", "id")
    return [
        (row.kind, next(value for key, value in row.data.items() if key not in ("game", "due_at")))
        for row in rows[after:]
    ]


def number(game: Game, seat: int) -> int:
    """Return how many lines a seat is shown."""
    game.refresh_from_db()
    return len(show_log(log_store.rules_of(game), log_store.read(game), SeatNumber(seat)))


def test_a_game_that_begins_tells_everybody_at_it_and_who_is_asked(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    assert stream_events_of(maryam) == [("game", "running"), ("event", number(game, 1)), ("question", "1.1")]
    assert stream_events_of(sepideh) == [("game", "running"), ("event", number(game, 2))]
    event = StreamEvent.objects.get(account=maryam, kind="question")
    assert event.data == {
        "game": str(game.id), "question": "1.1", "due_at": write_moment(game.open_questions.get().due_at),
    }  # fmt: skip
    assert event.at == NOON


def test_a_move_closes_its_question_and_asks_the_others(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh, bahareh])
    before = len(stream_events_of(maryam)), len(stream_events_of(sepideh))
    play(game, "1 tax")
    assert stream_events_of(maryam, before[0]) == [("event", number(game, 1)), ("closed", "1.1")]
    assert stream_events_of(sepideh, before[1]) == [("event", number(game, 2)), ("question", "2.1")]


@pytest.mark.parametrize("waiting", ["hidden", "number", "public"])
def test_an_answer_in_an_open_window_tells_nobody_else(
    maryam: Account, sepideh: Account, bahareh: Account, waiting: str
) -> None:
    game = begin([maryam, sepideh, bahareh], waiting=waiting)
    play(game, "1 tax")
    before = {account: len(stream_events_of(account)) for account in (maryam, sepideh, bahareh)}
    play(game, "2 allow")
    assert stream_events_of(sepideh, before[sepideh])[-1] == ("closed", "2.1")
    assert stream_events_of(maryam, before[maryam]) == stream_events_of(bahareh, before[bahareh]) == []
    play(game, "3 allow")
    for seat, player in enumerate((maryam, sepideh, bahareh), start=1):
        assert ("event", number(game, seat)) in stream_events_of(player, before[player])


def test_numbers_are_those_of_the_list_of_events_at_every_step(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None], waiting="hidden")
    for line in ("1 income", "2 income", "3 income", "1 tax", "2 allow", "3 allow"):
        play(game, line)
        latest = [data for kind, data in stream_events_of(maryam) if kind == "event"][-1]
        assert latest == number(game, 1)
    assert game.shown == [number(game, viewer) for viewer in (SPECTATOR, 1, 2, 3)]
    for viewer in (SPECTATOR, 1, 2, 3):
        numbers = [
            event.number for event in show_log(log_store.rules_of(game), log_store.read(game), SeatNumber(viewer))
        ]
        assert numbers == list(range(1, number(game, viewer) + 1)), viewer


def test_at_the_end_everybody_is_told_and_shown_everything(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh])
    before = len(stream_events_of(sepideh)), len(stream_events_of(maryam))
    resign(game, 1)
    game.refresh_from_db()
    assert ("event", game.version) in stream_events_of(sepideh, before[0])
    assert stream_events_of(sepideh)[-1] == stream_events_of(maryam)[-1] == ("game", "over")
    assert access_to_game(sepideh, game.id).viewer == EVERYONE


def test_who_is_not_asked_any_more_is_told_so(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh, bahareh])
    play(game, "1 tax", "2 challenge")
    assert [data for kind, data in stream_events_of(bahareh) if kind == "closed"] == ["3.1"]


def test_a_move_that_is_refused_tells_nobody(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    before = StreamEvent.objects.count()
    with pytest.raises(AssertionError):
        play(game, "1 steal 1")
    assert StreamEvent.objects.count() == before


def resign(game: Game, seat: int) -> None:
    Move.objects.create(game=game, seat=seat, text="resign yes", via=Move.Via.API, received_at=LATER)
    resolve(game.id, LATER)


def test_a_page_from_anywhere_is_what_the_whole_list_has_there(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account
) -> None:
    game = begin([maryam, sepideh, bahareh], waiting="hidden")
    play(game, "1 tax", "2 allow")
    with lock_game(game.id, LATER) as locked:  # the first of these lines is hidden, and the others do not tell of it
        assert locked is not None
        play_default_move(locked, next(row for row in locked.open.values() if row.seat == 3))
    play(game, "2 income", "3 tax", "1 allow")
    game.refresh_from_db()
    for account in (maryam, sepideh, bahareh, dariush):
        access = access_to_game(account, game.id)
        whole = show_log(log_store.rules_of(game), log_store.read(game), access.viewer)
        events = [api_events.serialize_event(access, line) for line in whole]
        for after in range(len(events) + 2):
            assert api_events.shown_lines(access, after, 3) == (events[after : after + 3], len(events) > after + 3)


@pytest.fixture
def kaveh(db: None) -> Account:
    """A spectator with an open page."""
    account = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    hear([account])
    return account


def test_who_looks_on_at_a_public_game_hears_what_a_spectator_is_shown(maryam: Account, kaveh: Account) -> None:
    game = begin([maryam, None, None])
    assert stream_events_of(kaveh) == []
    assert follow(game, kaveh.pk, NOON)
    play(game, "1 income", at=NOON + timedelta(minutes=1))
    assert stream_events_of(kaveh) == [("event", number(game, SPECTATOR))]
    play(game, "2 income", at=NOON + timedelta(minutes=11))  # the page is not open any more
    assert len(stream_events_of(kaveh)) == 1


def test_a_private_game_tells_nobody_who_does_not_play_it(maryam: Account, kaveh: Account) -> None:
    game = begin([maryam, None, None])
    assert follow(game, kaveh.pk, NOON)
    Game.objects.filter(pk=game.pk).update(private=True)
    game.refresh_from_db()
    assert not follow(game, kaveh.pk, NOON)
    play(game, "1 income", at=NOON + timedelta(minutes=1))
    assert stream_events_of(kaveh) == []


def test_who_looks_on_hears_of_the_end_and_a_player_who_looked_on_before_hears_things_once(
    maryam: Account, sepideh: Account, kaveh: Account
) -> None:
    game = begin([maryam, sepideh], two_player_setup="dealt")
    follow(game, kaveh.pk, LATER)
    follow(game, sepideh.pk, LATER)
    before = len(stream_events_of(sepideh))
    resign(game, 1)
    assert stream_events_of(kaveh)[-1] == ("game", "over")
    assert len(stream_events_of(sepideh)[before:]) == len(set(stream_events_of(sepideh)[before:]))


@pytest.mark.parametrize("hidden", ["2 allow", "3 allow", "2 challenge"])
def test_an_answer_in_an_open_window_tells_nobody_who_looks_on(
    maryam: Account, sepideh: Account, bahareh: Account, kaveh: Account, hidden: str
) -> None:
    game = begin([maryam, sepideh, bahareh], waiting="hidden", answers="sealed")
    follow(game, kaveh.pk, NOON)
    play(game, "1 tax", at=NOON + timedelta(minutes=1))
    before = stream_events_of(kaveh)
    play(game, hidden, at=NOON + timedelta(minutes=2))
    assert stream_events_of(kaveh) == before


def test_two_hands_that_differ_tell_who_looks_on_the_same(
    maryam: Account, sepideh: Account, bahareh: Account, kaveh: Account
) -> None:
    worlds = []
    for hands in (["duke", "duke", "captain", "contessa"], ["duke", "assassin", "duke", "ambassador"]):
        with world():
            game = begin([maryam, sepideh], hands, two_player_setup="dealt")
            follow(game, kaveh.pk, NOON)
            play(game, "1 income", "2 tax", at=NOON + timedelta(minutes=1))
            worlds.append(stream_events_of(kaveh))
    assert worlds[0] == worlds[1] != []


def test_a_webhook_of_who_looks_on_is_told_nothing(maryam: Account, kaveh: Account) -> None:
    webhook = Webhook.objects.create(account=kaveh, url="https://kaveh.example/", kinds=["event"], created_at=NOON)
    game = begin([maryam, None, None])
    follow(game, kaveh.pk, NOON)
    play(game, "1 income", at=NOON + timedelta(minutes=1))
    assert stream_events_of(kaveh)
    assert not webhooks.messages(webhook).exists()


def test_only_so_many_follow_one_game_and_their_time_is_forgotten(
    maryam: Account, kaveh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_events, "MOST_FOLLOWERS", 1)
    first, second = begin([maryam, None, None]), begin([maryam, None, None])
    assert follow(first, kaveh.pk, NOON)
    assert follow(first, kaveh.pk, NOON + timedelta(minutes=9)), "again, by the same"
    other = Account.objects.create_user("dariush@example.org", name="Dariush")
    assert not follow(first, other.pk, NOON)
    assert not follow(second, kaveh.pk, NOON), "an account follows so many at most, too"
    stream_events.forget(NOON + timedelta(minutes=20))
    assert follow(second, kaveh.pk, NOON + timedelta(minutes=20))

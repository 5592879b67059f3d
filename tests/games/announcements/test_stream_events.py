"""What programs are told while a game goes on: what its own seat may know, when it may know it."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from config.moments import write_moment
from games.api.play import outcomes
from games.engine import EVERYONE, SPECTATOR, SeatNumber
from games.event_log import log_store
from games.models import Game, Move
from games.play.resolve import resolve
from games.visibility.access import sight
from games.visibility.shown_events import shown
from notifications.endpoints import StreamEvent
from tests.games.seated import NOON, begin, play

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=1)


def told(account: Account, after: int = 0) -> list[tuple[str, Any]]:
    """What this account's programs were told: kind, and the question, number or state."""
    rows = StreamEvent.objects.filter(account=account).order_by("xid", "id")
    return [
        (row.kind, next(value for key, value in row.data.items() if key not in ("game", "due_at")))
        for row in rows[after:]
    ]


def number(game: Game, seat: int) -> int:
    """How many lines a seat is shown."""
    game.refresh_from_db()
    return len(shown(log_store.rules_of(game), log_store.read(game), SeatNumber(seat)))


def test_a_game_that_begins_tells_everybody_at_it_and_who_is_asked(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    assert told(maryam) == [("game", "running"), ("event", number(game, 1)), ("question", "1.1")]
    assert told(sepideh) == [("game", "running"), ("event", number(game, 2))]
    asked = StreamEvent.objects.get(account=maryam, kind="question")
    assert asked.data == {
        "game": str(game.id), "question": "1.1", "due_at": write_moment(game.open_questions.get().due_at),
    }  # fmt: skip
    assert asked.at == NOON


def test_a_move_closes_its_question_and_asks_the_others(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh, bahareh])
    before = len(told(maryam)), len(told(sepideh))
    play(game, "1 tax")
    assert told(maryam, before[0]) == [("event", number(game, 1)), ("closed", "1.1")]
    assert told(sepideh, before[1]) == [("event", number(game, 2)), ("question", "2.1")]


@pytest.mark.parametrize("waiting", ["hidden", "number", "public"])
def test_an_answer_in_an_open_window_tells_nobody_else(
    maryam: Account, sepideh: Account, bahareh: Account, waiting: str
) -> None:
    game = begin([maryam, sepideh, bahareh], waiting=waiting)
    play(game, "1 tax")
    before = {each: len(told(each)) for each in (maryam, sepideh, bahareh)}
    play(game, "2 allow")
    assert told(sepideh, before[sepideh])[-1] == ("closed", "2.1")
    assert told(maryam, before[maryam]) == told(bahareh, before[bahareh]) == []
    play(game, "3 allow")
    for seat, player in enumerate((maryam, sepideh, bahareh), start=1):
        assert ("event", number(game, seat)) in told(player, before[player])


def test_numbers_are_those_of_the_list_of_events_at_every_step(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None], waiting="hidden")
    for line in ("1 income", "2 income", "3 income", "1 tax", "2 allow", "3 allow"):
        play(game, line)
        latest = [data for kind, data in told(maryam) if kind == "event"][-1]
        assert latest == number(game, 1)
    assert game.shown == [number(game, viewer) for viewer in (SPECTATOR, 1, 2, 3)]
    for viewer in (SPECTATOR, 1, 2, 3):
        numbers = [each.number for each in shown(log_store.rules_of(game), log_store.read(game), SeatNumber(viewer))]
        assert numbers == list(range(1, number(game, viewer) + 1)), viewer


def test_at_the_end_everybody_is_told_and_shown_everything(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh])
    before = len(told(sepideh)), len(told(maryam))
    resign(game, 1)
    game.refresh_from_db()
    assert ("event", game.version) in told(sepideh, before[0])
    assert told(sepideh)[-1] == told(maryam)[-1] == ("game", "over")
    assert sight(sepideh, game.id).viewer == EVERYONE


def test_who_is_not_asked_any_more_is_told_so(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh, bahareh])
    play(game, "1 tax", "2 challenge")
    assert [data for kind, data in told(bahareh) if kind == "closed"] == ["3.1"]


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
    for line in ("1 tax", "2 allow", "3 allow", "2 income", "3 tax", "1 allow"):
        play(game, line)
    game.refresh_from_db()
    for account in (maryam, sepideh, bahareh, dariush):
        seen = sight(account, game.id)
        whole = shown(log_store.rules_of(game), log_store.read(game), seen.viewer)
        told = [outcomes.told_line(seen, line) for line in whole]
        for after in range(len(told) + 2):
            assert outcomes.shown_lines(seen, after, 3) == (told[after : after + 3], len(told) > after + 3)

"""Tests of what others may learn from the envelope of an event."""

from datetime import timedelta

import pytest

from accounts.models import Account
from games.engine import EVERYONE, SPECTATOR, SeatNumber, Viewer
from games.event_log import log_store
from games.models import Game
from games.play import timeouts
from games.rules.registry import RULES
from games.visibility.shown_events import ShownEvent, show_log
from tests.third_game import fist
from tests.third_game.table import LATER, NOON, create_fist, fresh, lie, play, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

MARYAM, BAHAREH, DARIUSH = (SeatNumber(number) for number in (1, 2, 3))
MINUTE = timedelta(minutes=1)


@pytest.fixture
def game(maryam: Account, bahareh: Account, dariush: Account) -> Game:
    """Maryam has claimed; Bahareh has allowed it, Dariush is still asked."""
    game = create_fist(maryam, bahareh, dariush)
    play(game, 1, f"claim {lie(game, 1)}")
    play(game, 2, "allow", LATER + MINUTE)
    return game


def shown_events(game: Game, viewer: Viewer) -> list[ShownEvent]:
    return show_log(RULES[game.rules], log_store.read(fresh(game)), viewer)


def test_an_answer_in_an_open_window_is_known_to_nobody_else(game: Game) -> None:
    own_events = shown_events(game, BAHAREH)
    assert isinstance(own_events[-1].event, fist.Allowed)
    assert (own_events[-1].at, own_events[-1].via, own_events[-1].seat) == (LATER + MINUTE, "api", 2)
    for viewer in (MARYAM, DARIUSH, SPECTATOR):
        assert isinstance(shown_events(game, viewer)[-1].event, fist.Claimed)


def test_numbers_have_no_gaps_for_anybody(game: Game) -> None:
    play(game, 3, "allow", LATER + 2 * MINUTE)
    for viewer in (MARYAM, BAHAREH, DARIUSH, SPECTATOR, EVERYONE):
        lines = shown_events(game, viewer)
        assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert len(shown_events(game, MARYAM)) < len(shown_events(game, BAHAREH)) < fresh(game).version


def test_where_an_answer_is_shown_it_bears_the_time_at_which_its_window_closed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_handed(event: fist.Event, viewer: Viewer) -> fist.Event:
        return event

    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, show=open_handed))
    answer = shown_events(game, MARYAM)[-1]
    assert isinstance(answer.event, fist.Allowed)
    assert (answer.at, answer.via, answer.seat, answer.move) == (None, None, None, None)
    play(game, 3, "allow", LATER + 5 * MINUTE)
    answers = [line for line in shown_events(game, MARYAM) if isinstance(line.event, fist.Allowed)]
    assert [(line.at, line.via, line.move) for line in answers] == [(LATER + 5 * MINUTE, None, None)] * 2


def test_of_a_move_others_learn_neither_its_id_nor_its_way(game: Game) -> None:
    (claim,) = [line for line in shown_events(game, BAHAREH) if isinstance(line.event, fist.Claimed)]
    assert (claim.at, claim.via, claim.seat, claim.move) == (LATER, None, None, None)
    (own_claim,) = [line for line in shown_events(game, MARYAM) if isinstance(line.event, fist.Claimed)]
    assert (own_claim.via, own_claim.seat) == ("api", 1)
    assert own_claim.move


def test_that_a_turn_was_the_clocks_is_said_but_not_that_an_answer_was(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh)
    timeouts.record_heartbeat(NOON)
    timeouts.time_out_game(game.id, NOON + timedelta(days=3))
    timeouts.time_out_game(game.id, NOON + timedelta(days=6))
    ways = {type(line.event).__name__: line.via for line in shown_events(game, SPECTATOR)}
    assert ways["Claimed"] == "timeout"
    assert ways["Stood"] is None


def test_after_the_end_everything_is_open(game: Game) -> None:
    play(game, 3, "doubt", LATER + 2 * MINUTE)
    lines = shown_events(game, EVERYONE)
    assert len(lines) == fresh(game).version
    assert [line.via for line in lines if isinstance(line.event, fist.Allowed)] == ["api"]
    dealt = next(line.event for line in lines if isinstance(line.event, fist.Dealt))
    assert dealt.numbers[0] == truth(game, 1)

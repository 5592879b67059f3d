"""The turning point of a game: the event after which its winner was ahead for good."""

import pytest

from games.engine import SeatName, SeatNumber
from games.engine.hindsight import lead_for_good
from games.rules.coup import RULES as COUP
from games.rules.coup.events import Lost
from games.rules.sedlec import RULES as SEDLEC
from games.rules.sedlec.pyramid import score
from tests.games.rules.coup.table import Table
from tests.games.rules.sedlec.random_play import RandomGame

DEAL = ["contessa duke", "captain assassin"]


@pytest.mark.parametrize(
    ("standings", "turning_point"),
    [
        ([(2, 2), (2, 1), (1, 1), (1, 0)], 3),
        ([(2, 2), (2, 1), (2, 0)], 1),
        ([(2, 2), (1, 2), (2, 2)], None),
        ([(3, 1, 1), (1, 1, 2)], None),
        ([(1,), (1,)], None),
        ([], None),
    ],
)
def test_a_lead_for_good_begins_after_the_last_moment_without_it(
    standings: list[tuple[int, ...]], turning_point: int
) -> None:
    assert lead_for_good(standings, SeatNumber(1)) == turning_point


def test_coup_turns_where_the_winner_is_ahead_for_good() -> None:
    table = Table(2, DEAL, two_player_setup="dealt").play("1 tax", "2 challenge")
    table.will_draw("duke").play("1 prove").play("2 lose captain", "2 income", "1 tax", "2 allow", "2 income")
    table.play("1 coup 2")
    turning_point = COUP.turning_point(table.log)
    assert turning_point is not None
    assert table.log[turning_point.event] == Lost(seat=SeatNumber(2), card="captain", reason="challenge")
    assert "more influence" in turning_point.why.text
    assert turning_point.why.values == {"winner": SeatName(SeatNumber(1))}
    assert COUP.turning_point(table.log[:-1]) is None


def test_coup_says_where_nobody_was_ahead_until_the_last_card() -> None:
    table = Table(2, DEAL, two_player_setup="dealt")
    table.play("1 steal 2", "2 challenge", "1 concede duke", "2 tax", "1 challenge", "2 concede captain")
    table.play("1 steal 2", "2 challenge", "1 concede")
    turning_point = COUP.turning_point(table.log)
    assert turning_point is not None
    assert "Nobody was ahead" in turning_point.why.text


@pytest.mark.parametrize("number", range(8))
def test_sedlec_turns_where_the_winner_has_the_most_points_for_good(number: int) -> None:
    game = RandomGame(number, 2)
    states = [state for _, state in game.steps()]
    ended = game.log[-1]
    standings = [
        [-1 if seat in state.forfeited else score(state.pyramids[seat - 1]).total for seat in (1, 2)]
        for state in states
    ]
    turning_point = SEDLEC.turning_point(game.log)
    if turning_point is None:
        assert len(ended.winners) != 1 or standings[-1][0] == standings[-1][1]
        return
    winner, other = ended.winners[0] - 1, 2 - ended.winners[0]
    assert all(standing[winner] > standing[other] for standing in standings[turning_point.event :])
    assert standings[turning_point.event - 1][winner] <= standings[turning_point.event - 1][other]

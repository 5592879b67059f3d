"""Tests of who wins: the most points, the tie-break to its fifth comparison, shared wins, and those who gave up
(S10)."""

import pytest

from games.engine import SeededChance
from games.rules.sedlec import RULES
from games.rules.sedlec.pyramid import Score, winners
from tests.games.rules.sedlec.table import Table, position, rows


def scores(*subtotals: tuple[int, int, int, int, int]) -> list[tuple[int, Score]]:
    """The scores of seats 1, 2 and so on."""
    return [(seat, Score(sum(points), *points)) for seat, points in enumerate(subtotals, 1)]


def test_the_most_points_win():
    assert winners(scores((1, 0, 0, 0, 0), (0, 2, 0, 0, 0), (0, 0, 0, 0, 1))) == (2,)


def test_more_points_win_even_against_a_better_best_kind():
    assert winners(scores((0, 0, 0, 12, 0), (5, 3, 2, 0, 3))) == (2,)


@pytest.mark.parametrize(
    ("one", "other", "comparison"),
    [
        ((20, 5, 4, 6, 0), (16, 9, 4, 6, 0), 1),
        ((20, 8, 4, 2, 1), (20, 7, 5, 2, 1), 2),
        ((20, 8, 6, 1, 0), (20, 8, 5, 2, 0), 3),
        ((10, 8, 6, 4, 2), (10, 8, 6, 3, 3), 4),
    ],
)
def test_tied_players_compare_their_best_scoring_kinds_one_after_another(one, other, comparison):
    assert sum(one) == sum(other)
    ranked = sorted(one, reverse=True), sorted(other, reverse=True)
    assert next(place for place, pair in enumerate(zip(*ranked, strict=True), 1) if pair[0] != pair[1]) == comparison
    assert winners(scores(one, other)) == (1,)
    assert winners(scores(other, one)) == (2,)


def test_the_fifth_comparison_decides_nothing_between_equal_totals_and_is_made_all_the_same():
    """With equal totals and four equal kinds the fifth is equal too; only the comparison itself can show it."""
    one, other = Score(20, 8, 5, 4, 2, 1), Score(20, 8, 5, 4, 2, 0)
    assert one.subtotals[:4] == other.subtotals[:4]
    assert winners([(1, one), (2, other)]) == (1,)
    assert len(one.subtotals) == 5


def test_the_kinds_are_compared_by_points_not_by_name():
    assert winners(scores((0, 3, 4, 18, 6), (18, 6, 3, 0, 4))) == (1, 2)


def test_players_who_are_still_tied_win_together():
    assert winners(scores((8, 3, 8, 12, 4), (8, 3, 8, 12, 4))) == (1, 2)
    assert winners(scores((8, 3, 8, 12, 4), (0, 0, 0, 0, 1), (12, 8, 8, 4, 3))) == (1, 3)
    assert winners(scores(*[(1, 2, 3, 4, 5)] * 3)) == (1, 2, 3)


def test_of_three_tied_players_two_may_still_share_the_win():
    assert winners(scores((6, 5, 4, 0, 0), (6, 5, 4, 0, 0), (6, 4, 3, 2, 0))) == (1, 2)


FULL = rows("priest/priest royal/sinner", "peasant/lover lover/sinner royal/royal", " ".join(["peasant/sinner"] * 4))
ALMOST = rows("priest/priest -", "peasant/lover lover/sinner royal/royal", " ".join(["peasant/sinner"] * 4))


def finished(hand: str, full: tuple = FULL, almost: tuple = ALMOST) -> Table:
    """A game of two that ends when seat 1 lays the last card."""
    return position(2, hands=[hand], pyramids=[almost, full]).play(f"1 lay {hand} on 2.2")


def test_a_game_may_end_in_a_shared_win():
    table = finished("royal/sinner")
    assert RULES.outcome(table.state).winners == (1, 2)
    assert table.log[-1].winners == (1, 2)
    assert table.log[-1].scores[0] == table.log[-1].scores[1]


def test_a_game_may_end_in_a_win():
    assert RULES.outcome(finished("royal/royal").state).winners == (1,)
    assert RULES.outcome(finished("lover/sinner").state).winners == (2,)


def test_until_then_there_is_no_outcome():
    assert RULES.outcome(Table().state) is None


def test_s10_a_forfeited_seat_takes_no_part_in_winning():
    table = position(2, hands=["lover/sinner"], pyramids=[ALMOST, FULL], forfeited=[2])
    assert RULES.outcome(table.play("1 lay lover/sinner on 2.2").state).winners == (1,)


def test_s10_a_forfeited_seat_takes_no_part_in_the_tie_break():
    table = position(2, hands=["royal/sinner"], pyramids=[ALMOST, FULL], forfeited=[2])
    assert RULES.outcome(table.play("1 lay royal/sinner on 2.2").state).winners == (1,)


def test_s10_if_every_seat_is_forfeited_nobody_wins():
    table = Table(3)
    for seat in (2, 1, 3):
        assert RULES.outcome(table.state) is None
        table.happen(RULES.resign(table.state, seat, SeededChance(bytes(32))))
    assert RULES.outcome(table.state).winners == ()
    assert table.asked == {}

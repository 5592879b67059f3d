"""Points, standings and the divisions of a league."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from games.tournaments.core import Round, by_points, cut_ladder, earned, exchanges, next_ladder, points

MARYAM, SEPIDEH, BAHAREH, KAVEH = range(1, 5)


def test_whoever_beats_everybody_gets_100_points_and_the_others_lie_evenly_below() -> None:
    assert points({MARYAM: 1, SEPIDEH: 2, BAHAREH: 3, KAVEH: 4}) == {MARYAM: 100, SEPIDEH: 67, BAHAREH: 33, KAVEH: 0}


def test_who_share_a_place_share_its_points() -> None:
    assert points({MARYAM: 1, SEPIDEH: 2, BAHAREH: 2}) == {MARYAM: 100, SEPIDEH: 25, BAHAREH: 25}
    assert points(dict.fromkeys([MARYAM, SEPIDEH, BAHAREH, KAVEH], 1)) == dict.fromkeys(
        [MARYAM, SEPIDEH, BAHAREH, KAVEH], 50
    )


@given(st.lists(st.integers(1, 6), min_size=2, max_size=10))
def test_tables_of_all_sizes_give_50_points_a_seat_on_average(places: list[int]) -> None:
    gained = points(dict(enumerate(places)))
    assert abs(sum(gained.values()) - 50 * len(places)) <= len(places) / 2
    assert all(0 <= points <= 100 for points in gained.values())


def test_a_bye_counts_as_a_win_and_the_first_round_sat_out_as_half_of_one() -> None:
    round = Round((), byes=(MARYAM,), rests=(SEPIDEH, BAHAREH))
    assert earned(round, frozenset({BAHAREH})) == {MARYAM: 100, SEPIDEH: 50, BAHAREH: 0}


def test_of_equals_who_met_the_stronger_stands_higher() -> None:
    rounds = [
        Round(({MARYAM: 1, SEPIDEH: 2}, {BAHAREH: 1, KAVEH: 2})),
        Round(({SEPIDEH: 1, KAVEH: 2},), byes=(MARYAM,), rests=(BAHAREH,)),
    ]
    standings = by_points([MARYAM, SEPIDEH, BAHAREH, KAVEH], rounds)
    assert [(standing.place, standing.entry, standing.points, standing.opponents) for standing in standings] == [
        (1, MARYAM, 200, Fraction(100)),
        (2, BAHAREH, 150, Fraction(0)),
        (3, SEPIDEH, 100, Fraction(100)),
        (4, KAVEH, 0, Fraction(125)),
    ]
    equals = by_points([MARYAM, SEPIDEH, BAHAREH, KAVEH], [Round(({MARYAM: 1, KAVEH: 2}, {BAHAREH: 1, SEPIDEH: 1}))])
    assert [(equal.place, equal.entry) for equal in equals] == [(1, MARYAM), (2, SEPIDEH), (2, BAHAREH), (4, KAVEH)]


def test_the_opponents_part_those_with_equal_points() -> None:
    rounds = [Round(({MARYAM: 1, SEPIDEH: 2}, {BAHAREH: 1, KAVEH: 2})), Round((), byes=(KAVEH,))]
    assert [point.entry for point in by_points([MARYAM, SEPIDEH, BAHAREH, KAVEH], rounds)][:2] == [BAHAREH, KAVEH]


def test_who_has_not_played_stands_with_no_points() -> None:
    (standing,) = by_points([MARYAM], [])
    assert (standing.place, standing.points, standing.games) == (1, 0, 0)


def test_after_a_season_the_last_of_a_division_change_places_with_the_first_of_the_next() -> None:
    assert next_ladder([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], 1) == [1, 2, 3, 5, 4, 6, 7, 9, 8, 10, 11, 12]
    assert list(exchanges([[1, 2, 3, 4], [5, 6, 7]], 2)) == [([4], [5])]
    assert next_ladder([[1, 2, 3]], 1) == [1, 2, 3]


def test_divisions_are_full_but_for_the_last_and_who_goes_up_is_in_a_higher_one() -> None:
    assert [len(division) for division in cut_ladder(range(9), 4, 2)] == [4, 5]
    assert [len(division) for division in cut_ladder(range(10), 4, 2)] == [4, 4, 2]
    assert [len(division) for division in cut_ladder(range(10), 4, 3)] == [4, 6]
    assert [len(division) for division in cut_ladder(range(3), 4, 2)] == [3]


@given(st.integers(2, 60), st.integers(3, 16), st.integers(1, 8))
def test_nobody_is_lost_between_seasons_and_nobody_goes_both_ways(count: int, size: int, moving: int) -> None:
    before = cut_ladder(range(count), size, 2)
    assert all(2 <= len(division) < 2 * size for division in before)
    after = cut_ladder(next_ladder(before, moving), size, 2)
    assert sorted(player for division in after for player in division) == list(range(count))
    division = {member: number for number, members in enumerate(before) for member in members}
    for number, (down, up) in enumerate(exchanges(before, moving)):
        assert all(player in after[number] for player in up)
        assert all(player in after[number + 1] for player in down)
        assert {division[player] for player in up} <= {number + 1}

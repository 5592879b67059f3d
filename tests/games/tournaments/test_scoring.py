"""Points and standings."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from games.tournaments.core.rounds import Round
from games.tournaments.core.scoring import earned, points
from games.tournaments.core.standings import by_points

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
    assert all(0 <= each <= 100 for each in gained.values())


def test_a_bye_counts_as_a_win_and_the_first_round_sat_out_as_half_of_one() -> None:
    round = Round((), byes=(MARYAM,), rests=(SEPIDEH, BAHAREH))
    assert earned(round, frozenset({BAHAREH})) == {MARYAM: 100, SEPIDEH: 50, BAHAREH: 0}


def test_of_equals_who_met_the_stronger_stands_higher() -> None:
    rounds = [
        Round(({MARYAM: 1, SEPIDEH: 2}, {BAHAREH: 1, KAVEH: 2})),
        Round(({SEPIDEH: 1, KAVEH: 2},), byes=(MARYAM,), rests=(BAHAREH,)),
    ]
    standings = by_points([MARYAM, SEPIDEH, BAHAREH, KAVEH], rounds)
    assert [(each.place, each.entry, each.points, each.opponents) for each in standings] == [
        (1, MARYAM, 200, Fraction(100)),
        (2, BAHAREH, 150, Fraction(0)),
        (3, SEPIDEH, 100, Fraction(100)),
        (4, KAVEH, 0, Fraction(125)),
    ]
    equals = by_points([MARYAM, SEPIDEH, BAHAREH, KAVEH], [Round(({MARYAM: 1, KAVEH: 2}, {BAHAREH: 1, SEPIDEH: 1}))])
    assert [(each.place, each.entry) for each in equals] == [(1, MARYAM), (2, SEPIDEH), (2, BAHAREH), (4, KAVEH)]


def test_the_opponents_part_those_with_equal_points() -> None:
    rounds = [Round(({MARYAM: 1, SEPIDEH: 2}, {BAHAREH: 1, KAVEH: 2})), Round((), byes=(KAVEH,))]
    assert [each.entry for each in by_points([MARYAM, SEPIDEH, BAHAREH, KAVEH], rounds)][:2] == [BAHAREH, KAVEH]


def test_who_has_not_played_stands_with_no_points() -> None:
    (standing,) = by_points([MARYAM], [])
    assert (standing.place, standing.points, standing.games) == (1, 0, 0)

"""Formats of tournaments: no player twice in a round, fair tables, and the same rounds from the same seed."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.tournaments.core import (
    MOST_ROUNDS,
    Draw,
    Format,
    KnockOut,
    Lots,
    Round,
    RoundRobin,
    Sizes,
    Swiss,
    commitment,
    met,
)
from tests.long import SCALE

pytestmark = pytest.mark.long
MADE = st.sampled_from(
    [
        lambda lots, sizes: Swiss(lots, sizes, 4),
        lambda lots, sizes: RoundRobin(lots, sizes),
        lambda lots, sizes: KnockOut(lots, sizes, 1),
        lambda lots, sizes: KnockOut(lots, sizes, 2),
    ]
)
SIZES = st.sampled_from([Sizes(2, 2), Sizes(2, 3), Sizes(2, 4), Sizes(3, 3), Sizes(3, 5)])


def lots(seed: int = 1) -> Lots:
    return Lots(seed.to_bytes(32, "big"), "spring")


def by_number(table: Sequence[int]) -> dict[int, int]:
    """Return the places if the earlier entry always wins."""
    return {number: place for place, number in enumerate(sorted(table), start=1)}


def played(
    format: Format,
    entries: Sequence[int],
    places: Callable[[Sequence[int]], dict[int, int]] = by_number,
    absent: Callable[[int, int], bool] = lambda _entry, _round: False,
) -> tuple[list[Draw], list[Round]]:
    """A tournament from its first round to its last."""
    draws: list[Draw] = []
    rounds: list[Round] = []
    for number in range(1, 100):
        present = [entry for entry in entries if not absent(entry, number)]
        draw = format.next_round(entries, rounds, present)
        if draw is None:
            return draws, rounds
        draws.append(draw)
        rests = tuple(entry for entry in entries if entry not in present)
        rounds.append(Round(tuple(places(table) for table in draw.tables), draw.byes, rests))
    raise AssertionError("it does not end")


@settings(max_examples=30 * SCALE, deadline=None)
@given(MADE, SIZES, st.integers(2, 11), st.integers(0, 9), st.sets(st.tuples(st.integers(1, 11), st.integers(1, 5))))
def test_every_tournament_ends_and_seats_everybody_present_once_a_round(
    make_format: Callable[[Lots, Sizes], Format], sizes: Sizes, count: int, seed: int, absences: set[tuple[int, int]]
) -> None:
    entries = range(1, count + 1)
    format = make_format(lots(seed), sizes)
    draws, rounds = played(format, entries, absent=lambda entry, round: (entry, round) in absences)
    assert len(draws) <= MOST_ROUNDS
    for number, draw in enumerate(draws, start=1):
        counter = Counter([*draw.byes, *(entry for table in draw.tables for entry in table)])
        assert set(counter.values()) <= {1}
        assert not [entry for entry in counter if (entry, number) in absences]
        assert all(sizes.least <= len(table) <= sizes.most for table in draw.tables)
        if not isinstance(format, KnockOut):
            assert set(counter) == {entry for entry in entries if (entry, number) not in absences}
    standings = format.standings(entries, rounds)
    assert sorted(standing.entry for standing in standings) == list(entries)
    assert [standing.place for standing in standings] == sorted(standing.place for standing in standings)


@settings(max_examples=20 * SCALE, deadline=None)
@given(MADE, SIZES, st.integers(3, 12), st.integers(0, 9))
def test_the_same_seed_gives_the_same_rounds_in_whatever_order_people_are_listed(
    make_format: Callable[[Lots, Sizes], Format], sizes: Sizes, count: int, seed: int
) -> None:
    entries = list(range(1, count + 1))
    format = make_format(lots(seed), sizes)
    assert played(format, entries)[0] == played(format, entries[::-1])[0]


def test_another_seed_draws_another_first_round() -> None:
    first = {Swiss(lots(seed), Sizes(2, 4), 3).next_round(range(16), [], range(16)) for seed in range(8)}
    assert len(first) == 8


def test_the_beacon_changes_the_draw_and_the_commitment_binds_the_seed_alone() -> None:
    one, other = (Lots(bytes(32), "spring", beacon).order("round 1", range(16)) for beacon in (b"", b"beacon"))
    assert one != other
    assert commitment("spring", bytes(32)) != commitment("autumn", bytes(32))


@given(st.integers(0, 200), SIZES)
def test_tables_are_as_few_and_as_even_as_can_be(count: int, sizes: Sizes) -> None:
    table_sizes = sizes.of(count)
    assert all(sizes.least <= size <= sizes.most for size in table_sizes)
    assert not table_sizes or max(table_sizes) - min(table_sizes) <= 1
    assert list(table_sizes) == sorted(table_sizes, reverse=True)
    if sizes.most > sizes.least:
        assert sum(table_sizes) == count or sizes.most < count < 2 * sizes.least or count < sizes.least


@pytest.mark.parametrize(("count", "table", "rounds"), [(16, 2, 5), (33, 2, 6), (32, 4, 5), (64, 4, 6)])
def test_in_a_swiss_tournament_nobody_meets_the_same_person_twice_while_there_are_others(
    count: int, table: int, rounds: int
) -> None:
    _, drawn_rounds = played(Swiss(lots(), Sizes(2, table), rounds), range(count))
    assert max(met(drawn_rounds).values()) == 1


def test_in_a_swiss_tournament_people_of_equal_points_meet() -> None:
    format = Swiss(lots(), Sizes(2, 4), 2)
    _, rounds = played(format, range(32))
    points = {standing.entry: standing.points for standing in format.standings(range(32), rounds[:1])}
    assert all(len({points[entry] for entry in table}) == 1 for table in rounds[1].tables)


def test_a_bye_goes_to_somebody_else_each_time() -> None:
    _, rounds = played(Swiss(lots(), Sizes(2, 2), 5), range(7))
    assert max(Counter(bye for round in rounds for bye in round.byes).values()) == 1


@pytest.mark.parametrize("count", [2, 5, 8, 13])
def test_in_a_round_robin_of_duels_each_pair_meets_exactly_once(count: int) -> None:
    _, rounds = played(RoundRobin(lots(), Sizes(2, 2)), range(count))
    meetings = met(rounds)
    assert len(meetings) == count * (count - 1) // 2
    assert set(meetings.values()) == {1}
    assert len(rounds) == count - 1 + count % 2


@pytest.mark.parametrize(
    ("count", "table", "most_rounds", "most_meetings"), [(8, 4, 5, 4), (9, 3, 6, 3), (10, 4, 7, 4)]
)
def test_in_a_round_robin_everybody_meets_everybody_about_equally_often(
    count: int, table: int, most_rounds: int, most_meetings: int
) -> None:
    _, rounds = played(RoundRobin(lots(), Sizes(2, table)), range(count))
    meetings = met(rounds)
    assert len(meetings) == count * (count - 1) // 2
    assert max(meetings.values()) <= most_meetings
    assert len(rounds) <= most_rounds


def test_in_a_round_robin_of_duels_the_opponent_of_somebody_absent_has_a_bye() -> None:
    format = RoundRobin(lots(), Sizes(2, 2))
    (table, *_) = format.plan(range(4))[0].tables
    draw = format.next_round(range(4), [], [number for number in range(4) if number != table[0]])
    assert draw is not None
    assert draw.byes == (table[1],)


def test_in_a_round_robin_those_left_at_a_table_join_others() -> None:
    format = RoundRobin(lots(), Sizes(3, 4))
    (first, second) = format.plan(range(7))[0].tables
    draw = format.next_round(range(7), [], {*first[:2], *second})
    assert draw is not None
    assert [len(table) for table in draw.tables] == [4]
    assert len(draw.byes) == 1


def test_in_a_knock_out_the_first_of_each_table_go_on_to_the_final() -> None:
    format = KnockOut(lots(), Sizes(2, 4), 2)
    _, rounds = played(format, range(16))
    assert [len(round.tables) for round in rounds] == [4, 2, 1]
    standings = format.standings(range(16), rounds)
    assert [standing.entry for standing in standings[:2]] == [0, 1]
    assert {standing.entry for standing in standings[:4]} == set(rounds[-1].tables[0])


def test_in_a_knock_out_somebody_goes_out_at_every_table_also_where_all_share_the_place() -> None:
    _, rounds = played(KnockOut(lots(), Sizes(2, 3), 3), range(9), lambda table: dict.fromkeys(table, 1))
    assert [sum(map(len, round.tables)) + len(round.byes) for round in rounds] == [9, 6, 4, 2]


def test_in_a_knock_out_whoever_is_alone_wins() -> None:
    format = KnockOut(lots(), Sizes(2, 2), 1)
    _, rounds = played(format, range(4), absent=lambda entry, round: round > 1 and entry != 3 and entry != 0)
    winner = format.standings(range(4), rounds)[0]
    assert winner.place == 1
    assert winner.entry in (0, 3)

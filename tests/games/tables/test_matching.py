"""Matching of seeks: one game for each account, sizes, oldest first, and accounts that must not meet."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from games.tables.matching import Match, Matcher, Wish

NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MARYAM, SEPIDEH, BAHAREH, KAVEH, DARIUSH = range(1, 6)


def wish(account: int, least: int = 3, most: int = 3, age: int = 0, bots: bool = False, **options: Any) -> Wish:
    """Return a seek that is this many hours old."""
    arrival = NOON - age * HOUR
    return Wish(
        UUID(int=account * 1000 + age), account, least, most, options, arrival, fills_at=arrival if bots else None
    )


def matched(
    *wishes: Wish, gathering: timedelta = timedelta(), apart: tuple[tuple[int, int], ...] = (), odd: bool = True
) -> list[Match]:
    """The matches at noon; with ``odd`` false nothing can be played by an odd number of players."""

    def playable(options: Mapping[str, Any], size: int) -> bool:
        return odd or size % 2 == 0

    return Matcher(NOON, gathering, {frozenset(pair) for pair in apart}, playable).find_matches(wishes)


def people(match: Match) -> list[int]:
    return [wish.account for wish in match.wishes]


def test_three_who_want_a_game_of_three_get_one() -> None:
    (match,) = matched(wish(MARYAM), wish(BAHAREH), wish(KAVEH))
    assert (people(match), match.seat_count, match.bot_count) == ([MARYAM, BAHAREH, KAVEH], 3, 0)


def test_two_of_three_wait() -> None:
    assert not matched(wish(MARYAM), wish(BAHAREH))


def test_whoever_has_waited_longest_is_served_first() -> None:
    (match,) = matched(wish(MARYAM, age=1), wish(BAHAREH, age=3), wish(KAVEH, age=2), wish(DARIUSH))
    assert people(match) == [BAHAREH, KAVEH, MARYAM]


def test_whoever_has_met_less_of_late_sits_down_together() -> None:
    wishes = [wish(MARYAM, 2, 2, 3), wish(BAHAREH, 2, 2, 2), wish(KAVEH, 2, 2, 1), wish(DARIUSH, 2, 2)]
    met = {frozenset((MARYAM, BAHAREH)): 2, frozenset((MARYAM, KAVEH)): 1, frozenset((BAHAREH, KAVEH)): 1}
    matches = Matcher(NOON, timedelta(), (), lambda options, size: True, met).find_matches(wishes)
    assert [people(match) for match in matches] == [[MARYAM, DARIUSH], [BAHAREH, KAVEH]]


def test_as_many_play_as_all_of_them_accept() -> None:
    (match,) = matched(wish(MARYAM, 2, 6), wish(BAHAREH, 2, 4), wish(KAVEH, 2, 6), wish(DARIUSH, 3, 5))
    assert match.seat_count == 4


def test_who_want_an_option_differently_do_not_meet_and_who_does_not_care_joins_either() -> None:
    with_it, without, either = wish(MARYAM, 2, 2, 3, bomb=True), wish(BAHAREH, 2, 2, 2, bomb=False), wish(KAVEH, 2, 2)
    assert not matched(with_it, without)
    (match,) = matched(with_it, without, either)
    assert (people(match), match.options) == ([MARYAM, KAVEH], {"bomb": True})


def test_players_who_are_kept_apart_never_meet_and_keep_no_one_else_waiting() -> None:
    """Bahareh, who came second, may not sit with the others: Maryam still gets her game of three."""
    wishes = [wish(MARYAM, age=4), wish(BAHAREH, age=3), wish(KAVEH, age=2), wish(DARIUSH, age=1)]
    (match,) = matched(*wishes, apart=((BAHAREH, KAVEH), (DARIUSH, BAHAREH)))
    assert people(match) == [MARYAM, KAVEH, DARIUSH]


def test_two_wishes_of_one_person_make_no_game() -> None:
    assert not matched(wish(MARYAM, 2, 2, 1), wish(MARYAM, 2, 2))


def test_what_cannot_be_played_is_not_matched() -> None:
    assert not matched(wish(MARYAM), wish(BAHAREH), wish(KAVEH), odd=False)


def test_players_who_are_enough_wait_a_little_for_more() -> None:
    few = [wish(MARYAM, 2, 3, 2), wish(BAHAREH, 2, 3, 1)]
    assert not matched(*few, gathering=2 * HOUR)
    assert matched(*few, gathering=HOUR)
    assert matched(*few, wish(KAVEH, 2, 3), gathering=2 * HOUR)[0].seat_count == 3


def test_players_who_wait_for_more_are_not_taken_by_others() -> None:
    few = [wish(MARYAM, 2, 4, 3), wish(BAHAREH, 2, 4, 2)]
    assert not matched(*few, wish(KAVEH, 2, 2, 1), gathering=4 * HOUR)


def test_bots_take_the_free_seats_of_who_has_waited_for_them_and_of_nobody_else() -> None:
    (match,) = matched(wish(MARYAM, 4, 6, 3, bots=True), wish(BAHAREH, 4, 6, 2, bots=True), wish(KAVEH, 4, 6, 1))
    assert (people(match), match.seat_count, match.bot_count) == ([MARYAM, BAHAREH], 4, 2)


def test_people_are_preferred_to_bots() -> None:
    (match,) = matched(wish(MARYAM, age=2, bots=True), wish(BAHAREH), wish(KAVEH))
    assert (people(match), match.bot_count) == ([MARYAM, BAHAREH, KAVEH], 0)


WISHES = st.lists(
    st.builds(
        lambda account, least, more, age, bots, options: wish(account, least, least + more, age, bots, **options),
        st.integers(1, 6),
        st.integers(2, 4),
        st.integers(0, 2),
        st.integers(0, 9),
        st.booleans(),
        st.sampled_from([{}, {}, {"bomb": True}, {"bomb": False}]),
    ),
    max_size=8,
    unique_by=lambda item: item.seek,
)
PAIRS = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=4)


@given(WISHES, PAIRS, st.randoms(use_true_random=False))
def test_every_match_is_one_that_all_its_players_want(wishes: list[Wish], apart: Any, shuffler: Any) -> None:
    matches = matched(*wishes, apart=tuple(apart))
    seeks = [wish.seek for match in matches for wish in match.wishes]
    assert len(seeks) == len({*seeks})
    for match in matches:
        assert is_wanted(match, {frozenset(pair) for pair in apart})
    shuffler.shuffle(wishes)
    assert matched(*wishes, apart=tuple(apart)) == matches


def is_wanted(match: Match, apart: set[frozenset[int]]) -> bool:
    sizes = all(wish.least <= match.seat_count <= wish.most for wish in match.wishes)
    options = all(match.options[name] == value for wish in match.wishes for name, value in wish.options.items())
    bots = match.bot_count == 0 or all(wish.takes_bots(NOON) for wish in match.wishes)
    pairs = {frozenset(pair) for pair in combinations(people(match), 2)}
    return sizes and options and bots and not pairs & apart and all(len(pair) == 2 for pair in pairs)


@given(WISHES, PAIRS)
def test_nobody_is_left_who_could_still_play(wishes: list[Wish], apart: Any) -> None:
    matches = matched(*wishes, apart=tuple(apart))
    left = [wish for wish in wishes if all(wish not in match.wishes for match in matches)]
    assert not any(wish.takes_bots(NOON) for wish in left)
    kept_apart = {frozenset(pair) for pair in apart}
    for size in range(2, len(left) + 1):
        for group in combinations(left, size):
            options = {name: value for wish in group for name, value in wish.options.items()}
            assert not is_wanted(Match(group, size, options), kept_apart)


@given(WISHES, PAIRS)
def test_the_oldest_who_can_play_at_all_plays(wishes: list[Wish], apart: Any) -> None:
    """A seek is matched if it could make a game of people with all younger seeks."""
    kept_apart = {frozenset(pair) for pair in apart}
    by_age = sorted(wishes, key=lambda item: (item.created_at, item.seek))
    playing = [wish for match in matched(*wishes, apart=tuple(apart)) for wish in match.wishes]
    if by_age and by_age[0] not in playing:
        for size in range(by_age[0].least, by_age[0].most + 1):
            for others in combinations(by_age[1:], size - 1):
                group = (by_age[0], *others)
                options = {name: value for wish in group for name, value in wish.options.items()}
                assert not is_wanted(Match(group, size, options), kept_apart)


def test_a_crowd_that_does_not_fit_together_is_looked_through_in_bounded_time() -> None:
    """All seeks want a game of ten, and no two accounts may meet if their numbers differ by an odd number."""
    wishes = [wish(number, 10, 10, 60 - number) for number in range(1, 19)]
    apart = tuple((one, other) for one, other in combinations(range(1, 19), 2) if (one - other) % 2)
    assert not matched(*wishes, apart=apart)

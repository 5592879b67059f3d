"""Draws: each can be traced to its seed, each place is equally likely, and a script is followed to the letter."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import Chance, ScriptedChance, SeededChance
from games.engine.chance import DrawWanted, uniform
from tests.games.engine import shuffling
from tests.long import SCALE

SEED = bytes(range(32))
CARDS = ("duke", "assassin", "captain", "ambassador", "contessa") * 3


def draws_of(chance: Chance, times: int) -> list[int]:
    """Return the results of a number of draws out of fifteen."""
    return [chance.choose(range(15)) for _ in range(times)]


def test_known_answers_hold_for_ever() -> None:
    assert draws_of(SeededChance(SEED, "game-1"), 8) == [12, 0, 5, 6, 3, 13, 4, 14]
    players = (b"\xaa" * 4, b"\xbb" * 4)
    assert draws_of(SeededChance(SEED, "game-1", players), 8) == [5, 10, 10, 3, 1, 10, 5, 5]


def test_a_draw_is_the_digest_of_game_number_and_players_seeds_by_the_games_seed() -> None:
    digest = hmac.new(SEED, b"game-1|7|aaaaaaaa|bbbbbbbb", hashlib.sha256).digest()
    chance = SeededChance(SEED, "game-1", (b"\xaa" * 4, b"\xbb" * 4), draw_count=7)
    assert draws_of(chance, 1) == [int.from_bytes(digest, "big") % 15]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 20), st.integers(0, 20))
def test_who_knows_how_many_were_drawn_goes_on_where_another_stopped(seed: bytes, before: int, after: int) -> None:
    whole = draws_of(SeededChance(seed, "g"), before + after)
    assert (
        draws_of(SeededChance(seed, "g"), before) + draws_of(SeededChance(seed, "g", draw_count=before), after) == whole
    )


def test_seed_game_number_and_players_each_make_a_difference() -> None:
    one = draws_of(SeededChance(SEED, "game-1", (b"a", b"b")), 20)
    others = [
        SeededChance(bytes(32), "game-1", (b"a", b"b")),
        SeededChance(SEED, "game-2", (b"a", b"b")),
        SeededChance(SEED, "game-1", (b"b", b"a")),
        SeededChance(SEED, "game-1", (b"a", b"b"), draw_count=1),
    ]
    assert all(draws_of(other, 20) != one for other in others)


def test_each_place_is_equally_likely() -> None:
    counts = Counter(draws_of(SeededChance(SEED, "fair"), 15_000))
    expected = 1000
    chi_square = sum((counts[place] - expected) ** 2 / expected for place in range(15))
    assert chi_square < 36.1, "14 degrees of freedom: one seed in a thousand goes beyond"


def test_what_lies_above_the_last_whole_multiple_is_drawn_again() -> None:
    """Three bits give 0 to 7; of five places 5, 6 and 7 would be thrown away, or 0 to 2 come twice as often."""
    answers = [uniform(SEED, f"game-1|{draw}".encode(), 5, bits=3) for draw in range(12)]
    assert answers == [4, 1, 1, 4, 3, 2, 1, 3, 2, 3, 3, 4]
    digest = hmac.digest(SEED, b"game-1|2", "sha256")
    assert digest[0] >> 5 >= 5, "the third is one that was thrown away"
    assert hmac.digest(SEED, digest, "sha256")[0] >> 5 == 1, "and its digest was the next message"


def test_with_few_bits_each_place_is_still_equally_likely() -> None:
    counts = Counter(uniform(SEED, str(draw).encode(), 5, bits=3) for draw in range(10_000))
    assert all(abs(counts[place] - 2000) < 200 for place in range(5))


@given(st.binary(), st.integers(1, 1000))
def test_a_number_stays_within_its_bound(message: bytes, bound: int) -> None:
    assert 0 <= uniform(SEED, message, bound, bits=10) < bound


def test_taking_puts_nothing_back() -> None:
    chance = SeededChance(SEED, "deal")
    accepted = chance.take(CARDS, 15)
    assert Counter(accepted) == Counter(CARDS)
    assert [bound for bound, _ in chance.draws] == list(range(15, 0, -1))


def test_every_draw_is_noted_with_how_many_it_was_of() -> None:
    chance = SeededChance(SEED, "game-1")
    chance.choose(CARDS)
    chance.take(CARDS[:3], 2)
    bounds, places = zip(*chance.draws, strict=True)
    assert bounds == (15, 3, 2)
    assert places[0] == 12
    assert all(place < bound for bound, place in chance.draws)


def test_a_script_is_followed_by_the_things_themselves_or_their_names() -> None:
    chance = ScriptedChance(["contessa", "2"])
    assert chance.choose(CARDS) == "contessa"
    assert chance.choose([1, 2, 3]) == 2
    assert chance.draws == [(15, 4), (3, 1)]


def test_a_script_that_does_not_fit_says_where() -> None:
    chance = ScriptedChance(["duke", "queen"])
    chance.choose(CARDS)
    with pytest.raises(ValueError, match="draw 2: 'queen' is not one of"):
        chance.choose(CARDS)
    with pytest.raises(DrawWanted, match="draw 1: the script is empty") as error:
        ScriptedChance().take(CARDS, 1)
    assert error.value.options == CARDS


@pytest.mark.long
def test_every_card_falls_as_often_at_every_position_of_a_shuffled_pack() -> None:
    chi_squares = shuffling.chi_squares(15_000 * SCALE)
    assert max(chi_squares) < shuffling.SURPRISING, chi_squares
    assert 8 < sum(chi_squares) / shuffling.CARDS < 20, chi_squares

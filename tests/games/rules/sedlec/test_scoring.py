"""Tests of what a pyramid is worth: every line of the scoring table, the rulebook's figures, lovers in pairs (S7)."""

import random
from itertools import combinations

import pytest

from games.rules.sedlec.pyramid import (
    EMPTY,
    KINDS,
    lay,
    lovers,
    most_pairs,
    neighbours,
    peasants,
    places,
    priests,
    royals,
    score,
    sinners,
    skulls,
)
from tests.games.rules.sedlec.table import rows
from tests.long import SCALE

NOTHING = "sinner/sinner"


def of(kind: str, *text: str) -> int:
    """Return the points of a kind of cards in a pyramid."""
    return getattr(score(rows(*text)), kind)


def test_a_royal_scores_1_for_each_royal_or_peasant_on_any_lower_level():
    assert of("royal", "royal/peasant") == 1
    assert of("royal", "royal/royal") == 1
    assert of("royal", "royal/priest") == 0
    assert of("royal", "royal/royal", "royal/peasant peasant/lover") == 1 + 3 + 4


def test_a_royal_scores_nothing_for_its_own_level_or_the_levels_above():
    assert of("royal", "- -", "royal/sinner royal/sinner peasant/sinner") == 0
    assert of("royal", "peasant/royal") == 0


def test_a_royal_looks_down_on_every_lower_level_not_only_on_what_lies_under_it():
    assert of("royal", "royal/sinner -", "sinner/sinner sinner/sinner sinner/peasant") == 1


def test_a_peasant_scores_1():
    assert of("peasant", "peasant/sinner") == 1
    assert of("peasant", "peasant/peasant", "peasant/sinner sinner/peasant") == 4


def test_priests_score_2_for_each_level_with_at_least_one_of_them():
    assert of("priest", "priest/sinner") == 2
    assert of("priest", "priest/priest") == 4
    assert of("priest", "- -", "priest/sinner priest/sinner priest/sinner") == 2
    assert (
        of("priest", "priest/priest", "priest/priest priest/priest", "priest/priest sinner/priest priest/priest") == 12
    )


def test_lovers_score_6_for_each_adjacent_pair():
    assert of("lover", "lover/lover") == 6
    assert of("lover", "-", "lover/sinner lover/sinner") == 6
    assert of("lover", "sinner/lover", "lover/sinner sinner/sinner") == 6
    assert of("lover", "sinner/lover", "sinner/sinner lover/sinner") == 6


def test_lovers_who_touch_only_at_a_corner_are_no_pair():
    assert of("lover", "-", "lover/sinner sinner/lover") == 0
    assert of("lover", "lover/sinner", "lover/sinner sinner/sinner") == 0
    assert of("lover", "- -", "lover/sinner sinner/sinner lover/sinner") == 0


def test_a_lover_belongs_to_at_most_one_pair():
    assert of("lover", "- -", "lover/sinner lover/sinner lover/sinner") == 6
    assert of("lover", "sinner/lover", "lover/sinner lover/sinner") == 6


def test_s7_lovers_are_paired_so_as_to_make_the_most_pairs():
    """In a row of four, pairing the middle two first would leave the outer two alone."""
    assert of("lover", "- - -", "lover/sinner lover/sinner lover/sinner lover/sinner") == 12


def test_s7_three_skulls_that_touch_one_another_make_one_pair_and_help_a_fourth():
    triangle = ("sinner/lover", "lover/sinner lover/sinner")
    assert of("lover", *triangle) == 6
    assert of("lover", "lover/lover", "lover/sinner lover/sinner") == 12


def random_pyramid(luck: random.Random, kinds: tuple[str, ...]) -> tuple:
    """A pyramid of random size, shape and skulls."""
    pyramid, widest = EMPTY, luck.choice((3, 4))
    for _ in range(luck.randrange(1, 10 if widest == 4 else 7)):
        card = f"{luck.choice(kinds)}/{luck.choice(kinds)}"
        pyramid = lay(pyramid, card, luck.choice(places(pyramid, widest)))
    return pyramid


def most_pairs_by_trying_everything(edges: list[frozenset]) -> int:
    """The most edges that share no end: with or without the first, and so on."""
    if not edges:
        return 0
    first, *rest = edges
    without = most_pairs_by_trying_everything(rest)
    return max(without, 1 + most_pairs_by_trying_everything([edge for edge in rest if not edge & first]))


@pytest.mark.long
@pytest.mark.parametrize("kinds", [KINDS, ("lover", "sinner"), ("lover", "lover", "sinner")])
def test_s7_the_pairing_agrees_with_trying_everything_on_random_pyramids(kinds):
    scores = set()
    for number in range(400 * SCALE):
        bones = skulls(random_pyramid(random.Random(number), kinds))
        spots = [spot for spot, kind in bones.items() if kind == "lover"]
        edges = [frozenset(pair) for pair in combinations(spots, 2) if pair[1] in neighbours(pair[0])]
        if len(edges) <= 16:
            best = most_pairs_by_trying_everything(edges)
            assert lovers(bones) == 6 * best
            scores.add(best)
    assert len(scores) >= 4


def test_s7_a_greedy_pairing_would_be_wrong_on_some_of_them():
    def greedily(bones) -> int:
        spots, pairs = {spot for spot, kind in bones.items() if kind == "lover"}, 0
        for spot in sorted(spots):
            mate = next((near for near in neighbours(spot) if spot in spots and near in spots), None)
            if mate:
                spots -= {spot, mate}
                pairs += 1
        return 6 * pairs

    boards = [skulls(random_pyramid(random.Random(number), ("lover", "sinner"))) for number in range(400)]
    assert any(greedily(bones) < lovers(bones) for bones in boards)
    assert all(greedily(bones) <= lovers(bones) for bones in boards)


def test_s7_a_full_pyramid_of_lovers_makes_nine_pairs():
    assert of("lover", *[" ".join(["lover/lover"] * cards) for cards in (2, 3, 4)]) == 54


def test_s7_pairs_are_found_in_odd_rings():
    ring = {at: [(at - 1) % 7, (at + 1) % 7] for at in range(7)}
    assert most_pairs(ring) == 3


def test_a_sinner_scores_2_beside_a_priest_and_nothing_else():
    assert of("sinner", "sinner/priest") == 2
    assert of("sinner", "sinner/sinner") == 0
    assert of("sinner", "-", "sinner/lover priest/lover") == 2
    assert of("sinner", "lover/sinner", "priest/lover lover/lover") == 2
    assert of("sinner", "lover/priest", "sinner/lover sinner/lover") == 4


def test_several_priests_save_a_sinner_only_once():
    assert of("sinner", "- -", "priest/royal sinner/priest priest/royal") == 2


def test_a_priest_saves_every_sinner_beside_it():
    assert of("sinner", "- -", "sinner/royal priest/sinner sinner/royal") == 6


def test_a_sinner_who_touches_a_priest_only_at_a_corner_is_lost():
    assert of("sinner", "-", "priest/royal royal/sinner") == 0


def test_the_total_is_the_sum_of_the_five_kinds():
    for number in range(200):
        bones = skulls(pyramid := random_pyramid(random.Random(number), KINDS))
        points = [count(bones) for count in (royals, peasants, priests, lovers, sinners)]
        whole = score(pyramid)
        assert [whole.royal, whole.peasant, whole.priest, whole.lover, whole.sinner] == points
        assert whole.total == sum(points)


def test_an_empty_pyramid_is_worth_nothing():
    assert score(EMPTY).total == 0


def bones_of(*levels: str) -> dict:
    """Skulls level by level, the highest first, for the rulebook's figures; only the level counts."""
    lines = [line.split() for line in reversed(levels)]
    return {(level, 10 * at): kind for level, line in enumerate(lines, 1) for at, kind in enumerate(line)}


def test_worked_check_royals_on_levels_5_and_3_score_5_and_3():
    """The royal on 5 has one royal (that on 3) and 4 peasants below; that on 3 has 3 peasants below and no royal."""
    figure = bones_of("royal", "peasant", "royal", "peasant peasant", "peasant")
    assert royals(figure) == 8
    alone = {spot: kind for spot, kind in figure.items() if spot != (5, 0)}
    assert royals(alone) == 3


def test_worked_check_3_peasants_score_3():
    assert peasants(bones_of("peasant", "royal peasant", "peasant lover")) == 3


def test_worked_check_priests_on_levels_1_2_3_and_5_score_8():
    assert priests(bones_of("priest", "royal", "priest priest", "priest", "priest lover")) == 8


def test_worked_check_two_pairs_and_a_lonely_lover_score_12():
    pyramid = ("lover/sinner", "sinner/lover sinner/sinner", "lover/lover sinner/lover sinner/sinner")
    assert of("lover", *pyramid) == 12


def test_worked_check_sinners_on_levels_2_and_5_without_a_priest_score_0_and_two_on_level_3_beside_priests_score_4():
    lonely = ("royal/sinner", "royal/royal royal/royal", "sinner/royal royal/royal royal/royal")
    assert of("sinner", *lonely) == 0
    saved = ("royal/royal", "royal/sinner priest/sinner", "royal/royal priest/royal royal/royal")
    assert of("sinner", *saved) == 4

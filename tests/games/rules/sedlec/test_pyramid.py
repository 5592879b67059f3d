"""Tests of where a card may be laid, and which skulls touch (laying, S6, the words of the rules)."""

import random
from itertools import combinations

import pytest

from games.rules.sedlec.pyramid import DECK, EMPTY, lay, neighbours, places, size, skulls, width
from tests.games.rules.sedlec.table import position, rows

CARD = "royal/royal"


def grown(widest: int, luck: random.Random, cards: int) -> tuple:
    """Return a pyramid of cards at random places."""
    pyramid = EMPTY
    for card in luck.sample(DECK, cards):
        pyramid = lay(pyramid, card, luck.choice(places(pyramid, widest)))
    return pyramid


def test_the_first_card_starts_the_bottom_row():
    assert places(EMPTY, 4) == ("left",)
    assert lay(EMPTY, CARD, "left") == rows(CARD)


def test_later_cards_go_to_the_left_or_right_end_of_the_bottom_row():
    one = rows(CARD)
    assert places(one, 4) == ("left", "right")
    assert lay(one, "lover/lover", "left") == rows("lover/lover royal/royal")
    assert lay(one, "lover/lover", "right") == rows("royal/royal lover/lover")


def test_a_card_of_a_higher_row_lies_above_the_middle_of_two_neighbours():
    two = rows("royal/royal lover/lover")
    assert places(two, 4) == ("left", "right", "on 1.1")
    assert lay(two, CARD, "on 1.1") == rows("royal/royal", "royal/royal lover/lover")


def test_lower_rows_need_not_be_complete_first():
    three = rows("- -", "royal/royal lover/lover priest/priest")
    assert places(three, 4) == ("left", "right", "on 1.1", "on 1.2")
    third = lay(lay(three, CARD, "on 1.1"), CARD, "on 1.2")
    assert places(third, 4) == ("left", "right", "on 2.1")


def test_cards_are_never_turned_round():
    assert lay(EMPTY, "royal/peasant", "left") == (("royal/peasant",), (), ())
    assert skulls(rows("royal/peasant")) == {(1, 0): "peasant", (2, 0): "royal"}


def test_no_card_rests_on_a_single_card_or_on_a_gap():
    assert places(rows("royal/royal - -", " ".join([CARD] * 4)), 4) == ("on 1.2", "on 1.3")
    assert places(rows("royal/royal - lover/lover", " ".join([CARD] * 4)), 4) == ("on 1.2",)


def test_a_place_is_counted_among_the_cards_that_lie_there_now():
    gap = rows("- royal/royal lover/lover", " ".join([CARD] * 4))
    assert places(gap, 4) == ("on 1.1", "on 2.1")
    assert lay(gap, "priest/priest", "on 2.1")[2] == (None, "priest/priest")
    assert lay(gap, "priest/priest", "on 1.1")[1][0] == "priest/priest"


def test_no_card_lies_where_one_lies_already():
    assert places(rows("royal/royal royal/royal", "royal/royal royal/royal royal/royal"), 3) == ("on 2.1",)
    assert places(rows("royal/royal", "royal/royal royal/royal", "royal/royal royal/royal royal/royal"), 3) == ()


@pytest.mark.parametrize(("seats", "widest", "cards"), [(2, 4, 9), (3, 3, 6)])
def test_s6_a_row_does_not_outgrow_its_limit(seats, widest, cards):
    assert (width(seats), size(seats)) == (widest, cards)
    for number in range(200):
        pyramid = grown(widest, random.Random(number), cards)
        assert [len(row) for row in pyramid] == [widest, widest - 1, widest - 2]
        assert all(card is not None for row in pyramid for card in row)
        assert places(pyramid, widest) == ()


@pytest.mark.parametrize("widest", [3, 4])
def test_s6_the_bottom_row_may_grow_at_either_end_while_it_is_shorter_than_its_limit(widest):
    for number in range(300):
        luck = random.Random(number)
        pyramid = grown(widest, luck, luck.randrange(1, 9 if widest == 4 else 6))
        ends = {"left", "right"} & set(places(pyramid, widest))
        assert len(ends) == (2 if len(pyramid[0]) < widest else 0)


def test_s6_there_is_no_row_above_the_third():
    two = rows("royal/royal royal/royal", "royal/royal royal/royal royal/royal", " ".join([CARD] * 4))
    assert places(two, 4) == ()


@pytest.mark.parametrize("widest", [3, 4])
def test_every_card_of_a_higher_row_rests_on_two_neighbours_however_the_bottom_row_grew(widest):
    for number in range(300):
        luck = random.Random(number)
        pyramid = grown(widest, luck, luck.randrange(1, 9 if widest == 4 else 6))
        for row in (1, 2):
            for column, card in enumerate(pyramid[row]):
                assert card is None or None not in pyramid[row - 1][column : column + 2]


@pytest.mark.parametrize("widest", [3, 4])
def test_laying_a_card_leaves_the_others_as_they_lie_to_one_another(widest):
    for number in range(200):
        luck = random.Random(number)
        before = grown(widest, luck, luck.randrange(1, 9 if widest == 4 else 6))
        where = luck.choice(places(before, widest))
        after, moved = skulls(lay(before, CARD, where)), 2 if where == "left" else 0
        shifted = {(level, at + moved): kind for (level, at), kind in skulls(before).items()}
        assert shifted.items() <= after.items()
        assert len(after) == len(shifted) + 2


def test_a_pyramid_always_has_room_until_it_is_full():
    for number in range(300):
        luck = random.Random(number)
        assert places(grown(4, luck, luck.randrange(9)), 4)


def test_skulls_touch_left_and_right_within_a_card_and_across_two_rows():
    pyramid = rows("royal/royal", "lover/lover sinner/sinner")
    bones = skulls(pyramid)
    touching = {frozenset((spot, near)) for spot in bones for near in neighbours(spot) if near in bones}
    assert touching == {
        frozenset(pair)
        for pair in [
            ((1, 0), (1, 2)),
            ((2, 0), (2, 2)),
            ((1, 0), (2, 0)),
            ((1, 2), (2, 2)),
            ((2, 0), (3, 1)),
            ((2, 2), (3, 1)),
            ((3, 1), (4, 1)),
        ]
    }


def test_skulls_touch_exactly_if_their_edges_share_more_than_a_corner():
    """Skulls are squares, two half cards wide. Squares touch if their sides overlap."""
    for number in range(60):
        luck = random.Random(number)
        bones = skulls(grown(4, luck, 9))
        for one, other in combinations(bones, 2):
            apart = abs(one[0] - other[0]), abs(one[1] - other[1])
            assert (other in neighbours(one)) == (apart == (0, 2) or (apart[0] == 1 and apart[1] < 2))
            assert (other in neighbours(one)) == (one in neighbours(other))


def test_the_places_are_offered_to_the_player():
    table = position(hands=["lover/lover priest/priest"], pyramids=[rows("royal/royal", "royal/royal royal/royal")])
    assert table.offered(1) == [
        f"lay {card} {place}" for card in ("lover/lover", "priest/priest") for place in ("left", "right")
    ]
    assert table.refused("1 lay lover/lover on 1.1") == "illegal"
    assert table.refused("1 lay royal/royal left") == "illegal"

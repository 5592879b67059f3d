"""Setting up: players, options, the graveyard, who begins (S2, S3)."""

from collections import Counter

import pytest

from games.engine import RuleViolation, ScriptedChance, SeededChance, replay
from games.rules.sedlec import RULES
from games.rules.sedlec.pyramid import DECK


def begun(seats: int = 2, number: int = 1, **fields: object):
    """A game set up with ordinary luck."""
    return replay(RULES, RULES.setup(RULES.options(**fields), seats, SeededChance(bytes([number] * 32))))


@pytest.mark.parametrize("seats", [0, 1, 4, 10])
def test_sedlec_is_played_by_two_or_three(seats):
    with pytest.raises(RuleViolation) as caught:
        begun(seats)
    assert caught.value.code == "illegal"
    assert str(seats) in str(caught.value)
    assert list(RULES.players) == [2, 3]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_cards_lie_in_six_piles_of_three_and_one_top_card_is_face_up(seats):
    state = begun(seats)
    up = [pile for pile, card in enumerate(state.face_up) if card is not None]
    assert len(up) == 1
    assert [len(pile) for pile in state.face_down] == [2 if pile == up[0] else 3 for pile in range(6)]
    assert sorted([*sum(state.face_down, ()), state.face_up[up[0]]]) == sorted(DECK)


def test_the_cards_are_dealt_pile_by_pile_from_the_top_down():
    log = RULES.setup(RULES.options(), 2, ScriptedChance([*DECK, 4, 2]))
    assert log[0].piles == tuple(DECK[first : first + 3] for first in range(0, 18, 3))
    assert (log[1].pile, log[1].card) == (4, DECK[9])
    assert log[2].seat == 2


def test_everybody_begins_with_an_empty_hand_and_no_pyramid():
    state = begun(3)
    assert state.hands == ((), (), ())
    assert state.pyramids == (((), (), ()),) * 3


def test_s2_the_pile_is_chosen_at_random():
    piles = Counter(next(n for n, card in enumerate(begun(2, number).face_up, 1) if card) for number in range(240))
    assert set(piles) == {1, 2, 3, 4, 5, 6}
    assert max(piles.values()) < 80


@pytest.mark.parametrize("seats", [2, 3])
def test_s3_random_lets_anybody_begin(seats):
    starters = Counter(begun(seats, number).turn for number in range(200))
    assert set(starters) == set(range(1, seats + 1))
    assert min(starters.values()) > 40


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_s3_a_named_seat_begins(seat):
    assert {begun(3, number, starting_player=seat).turn for number in range(10)} == {seat}


def test_s3_the_previous_winner_begins_without_a_draw():
    chance = ScriptedChance([*DECK, 1])
    options = RULES.options(starting_player="previous_winner", previous_winners=[2])
    assert replay(RULES, RULES.setup(options, 3, chance)).turn == 2
    assert len(chance.draws) == 19


def test_s3_of_several_previous_winners_one_begins_at_random():
    starters = {
        begun(3, number, starting_player="previous_winner", previous_winners=(1, 3)).turn for number in range(40)
    }
    assert starters == {1, 3}


@pytest.mark.parametrize("winners", [(), (3,)])
def test_s3_without_a_previous_winner_at_the_table_anybody_begins(winners):
    starters = {begun(2, n, starting_player="previous_winner", previous_winners=winners).turn for n in range(40)}
    assert starters == {1, 2}


def test_s3_previous_winners_count_only_where_the_option_says_so():
    assert {begun(2, number, previous_winners=(2,)).turn for number in range(40)} == {1, 2}


def test_a_seat_that_is_not_at_the_table_cannot_begin():
    with pytest.raises(RuleViolation, match="There’s no seat 3") as caught:
        begun(2, starting_player=3)
    assert caught.value.code == "illegal"


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ({"starting_player": "winner"}, "starting_player can’t be winner"),
        ({"starting_player": 0}, "starting_player can’t be 0"),
        ({"starting_player": 4}, "starting_player can’t be 4"),
        ({"starting_player": "2"}, "starting_player can’t be 2"),
        ({"starting_player": None}, "starting_player can’t be None"),
        ({"previous_winners": 2}, "previous_winners can’t be 2"),
        ({"previous_winners": [0]}, "previous_winners can’t be"),
        ({"colour": "black"}, "colour isn’t an option"),
    ],
)
def test_a_wrong_option_is_refused_by_name(choice, sentence):
    with pytest.raises(RuleViolation, match=sentence) as caught:
        RULES.options(**choice)
    assert caught.value.code == "malformed"


def test_the_options_have_defaults():
    assert RULES.options() == RULES.options(starting_player="random", previous_winners=())


def test_rules_version_options_and_seats_stand_in_the_first_event():
    options = RULES.options(starting_player=2)
    first = RULES.setup(options, 3, SeededChance(bytes(32)))[0]
    assert (first.rules, first.version, first.options, first.seats) == (RULES.name, RULES.version, options, 3)

"""Setting up: cards, coins, options, dealing, the draft of two players (section 1, C1, C2, C24)."""

import pytest

from games.engine import SPECTATOR, RuleViolation, ScriptedChance, SeededChance, replay
from games.rules.coup import RULES
from tests.games.rules.coup.invariants import deck_size
from tests.games.rules.coup.table import CLASSIC, Table

DRAFTS = {name: f"pick {name}" for name in CLASSIC}


def begun(seats: int, seed: int = 1, **fields: object):
    """A game set up with ordinary luck."""
    return replay(RULES, RULES.setup(RULES.options(**fields), seats, SeededChance(bytes([seed] * 32))))


@pytest.mark.parametrize(
    ("seats", "deck"), [(3, 15), (4, 15), (5, 15), (6, 15), (7, 20), (8, 20), (9, 25), (10, 25), (2, 15)]
)
def test_everybody_gets_two_cards_and_the_rest_of_the_deck_is_the_court(seats, deck):
    table = Table(seats, two_player_setup="dealt")
    assert table.cards == (2,) * seats
    assert table.court == deck - 2 * seats


@pytest.mark.parametrize("seats", range(3, 11))
def test_everybody_gets_two_coins_and_the_rest_of_fifty_is_the_treasury(seats):
    table = Table(seats)
    assert table.coins == (2,) * seats
    assert table.treasury == 50 - 2 * seats
    assert table.reserve == 0


@pytest.mark.parametrize(("seats", "copies"), [(6, 3), (7, 4), (8, 4), (9, 5), (10, 5)])
def test_the_deck_holds_as_many_of_each_character_as_the_table_is_large(seats, copies):
    assert Table(seats, ["duke"] * copies).court == deck_size(seats) - 2 * seats
    with pytest.raises(ValueError, match="duke"):
        RULES.setup(RULES.options(starting_player=1), seats, ScriptedChance(["duke"] * (copies + 1)))


def test_the_game_is_played_by_two_to_ten():
    assert RULES.players == range(2, 11)
    for seats in (0, 1, 11):
        with pytest.raises(RuleViolation) as caught:
            RULES.setup(RULES.options(), seats, SeededChance(b"1" * 32))
        assert caught.value.code == "illegal"


def test_c1_every_option_is_off_unless_it_is_named():
    options = RULES.options()
    assert not options.inquisitor
    assert not options.reformation
    assert not options.anarchist
    assert options.two_player_setup == "draft"
    assert options.starting_player == "random"
    assert options.answers == "first"
    assert options.waiting == "hidden"


@pytest.mark.parametrize(
    "wrong",
    [
        {"answers": "fastest"},
        {"waiting": "maybe"},
        {"two_player_setup": "auction"},
        {"starting_player": "oldest"},
        {"inquisitor": "perhaps"},
        {"jester": True},
    ],
)
def test_c1_an_unknown_option_or_value_is_refused_by_name(wrong):
    with pytest.raises(RuleViolation) as caught:
        RULES.options(**wrong)
    assert caught.value.code == "malformed"
    assert next(iter(wrong)) in str(caught.value)


@pytest.mark.parametrize("seat", [0, 4, -1])
def test_c1_a_starting_seat_that_is_not_at_the_table_is_refused(seat):
    with pytest.raises(RuleViolation):
        RULES.setup(RULES.options(starting_player=seat), 3, SeededChance(b"1" * 32))


@pytest.mark.parametrize("starter", [1, 2, 3])
def test_c1_the_named_seat_starts(starter):
    assert Table(3, starter=starter).question_kinds() == {starter: "turn"}


def test_c1_a_random_starter_may_be_anybody():
    starters = {RULES.questions(begun(4, seed))[0].seat for seed in range(60)}
    assert starters == {1, 2, 3, 4}


def test_c1_a_random_starter_is_the_first_thing_drawn():
    chance = ScriptedChance(["3", "duke", "duke", "captain", "captain", "contessa", "contessa"])
    state = replay(RULES, RULES.setup(RULES.options(), 3, chance))
    assert [question.seat for question in RULES.questions(state)] == [3]
    assert RULES.view(state, 1).seats[0].hand == ("duke", "duke")


def test_c1_in_a_rematch_the_previous_winner_may_start():
    for winner in (1, 2, 3):
        state = begun(3, starting_player="previous_winner", previous_winners=(winner,))
        assert [question.seat for question in RULES.questions(state)] == [winner]


def test_c1_the_expansions_are_independent_of_each_other():
    classic = {"income", "foreign-aid", "tax", "steal", "exchange"}
    assert verbs(Table(3)) == classic
    assert verbs(Table(3, inquisitor=True)) == classic | {"examine"}
    assert verbs(Table(3, reformation=True).play("1 empire")) == classic | {"convert"}
    assert verbs(Table(3, anarchist=True)) == classic
    table = Table(3, inquisitor=True, reformation=True, anarchist=True).play("1 empire")
    assert verbs(table) == classic | {"examine", "convert"}


def verbs(table: Table) -> set[str]:
    """The actions offered to seat 1, without their targets."""
    return {text.split()[0] for text in table.offered(1)}


def test_c1_the_inquisitor_replaces_the_ambassador_everywhere():
    table = Table(3, ["inquisitor inquisitor", "inquisitor duke"], inquisitor=True)
    assert table.hand(1) == "inquisitor inquisitor"
    with pytest.raises(ValueError, match="ambassador"):
        RULES.setup(RULES.options(inquisitor=True, starting_player=1), 3, ScriptedChance(["ambassador"]))
    table.play("1 steal 2")
    assert "block inquisitor" in table.offered(2)
    assert "block ambassador" not in table.offered(2)


def test_c1_without_the_option_there_is_no_inquisitor():
    with pytest.raises(ValueError, match="inquisitor"):
        RULES.setup(RULES.options(starting_player=1), 3, ScriptedChance(["inquisitor"]))


def test_c1_seven_and_more_may_play_without_parties():
    table = Table(10)
    assert table.parties == (None,) * 10
    assert table.question_kinds() == {1: "turn"}


@pytest.mark.parametrize("setup", ["draft", "dealt"])
@pytest.mark.parametrize("starter", [1, 2])
def test_c2_of_two_players_the_starter_has_one_coin_and_the_other_two(setup, starter):
    table = Table(2, starter=starter, two_player_setup=setup)
    assert table.coins == ((1, 2) if starter == 1 else (2, 1))
    assert table.treasury == 47


def test_c2_both_choose_at_the_same_time_one_of_each_character():
    table = Table(2)
    assert table.question_kinds() == {1: "draft", 2: "draft"}
    assert sorted(table.offered(1)) == sorted(table.offered(2)) == sorted(DRAFTS.values())


def test_c2_the_inquisitor_stands_in_each_set_when_he_plays():
    table = Table(2, inquisitor=True)
    assert "pick inquisitor" in table.offered(1)
    assert "pick ambassador" not in table.offered(1)


def test_c2_each_keeps_one_and_is_dealt_one_of_the_third_set():
    table = Table(2).play("2 pick duke").will_draw("duke", "captain").play("1 pick contessa")
    assert table.hand(1) == "contessa duke"
    assert table.hand(2) == "captain duke"
    assert table.court == 3
    assert table.question_kinds() == {1: "turn"}


@pytest.mark.parametrize("removed", ["duke", "captain"])
def test_c2_the_other_four_are_out_of_the_game(removed):
    table = Table(2).play("2 pick duke").will_draw("duke", "captain").play("1 pick contessa", "1 exchange")
    with pytest.raises(ValueError, match=removed):
        table.will_draw(removed).play("2 allow")


def test_c2_a_pick_stays_secret():
    table = Table(2)
    mark = table.mark
    table.play("1 pick contessa")
    assert "contessa" not in table.encoded_events(2, mark)
    assert "contessa" not in table.encoded_events(SPECTATOR, mark)
    other = Table(2).play("1 pick duke")
    assert table.encoded_view(2) == other.encoded_view(2)
    assert table.encoded_events(2) == other.encoded_events(2)
    assert table.encoded_view(SPECTATOR) == other.encoded_view(SPECTATOR)
    assert table.question_kinds() == {2: "draft"}


@pytest.mark.parametrize("second", ["duke", "captain"])
def test_c2_what_was_put_out_of_the_game_stays_unseen_by_the_other(second):
    def drafted(first: str) -> Table:
        table = Table(2).play(f"1 pick {first}")
        return table.will_draw("duke", "captain").play(f"2 pick {second}")

    one, other = drafted("contessa"), drafted("assassin")
    assert one.encoded_view(2) == other.encoded_view(2)
    assert one.encoded_events(2) == other.encoded_events(2)
    assert one.encoded_events(SPECTATOR) == other.encoded_events(SPECTATOR)


def test_c2_a_pick_is_final():
    Table(2).play("1 pick contessa").too_late("1 pick duke")


def test_c24_cards_are_dealt_two_to_seat_1_then_two_to_seat_2_whoever_starts():
    chance = ScriptedChance(["duke", "captain", "contessa", "assassin", "ambassador", "duke"])
    state = replay(RULES, RULES.setup(RULES.options(starting_player=2), 3, chance))
    hands = [sorted(RULES.view(state, seat).seats[seat - 1].hand) for seat in (1, 2, 3)]
    assert hands == [["captain", "duke"], ["assassin", "contessa"], ["ambassador", "duke"]]
    assert [bound for bound, _ in chance.draws] == [15, 14, 13, 12, 11, 10]


def test_c24_until_both_have_picked_each_seat_shows_five_cards_and_the_court_five():
    table = Table(2)
    assert table.cards == (5, 5)
    assert table.court == 5
    table.play("1 pick duke")
    assert table.view().court == 5
    assert table.view(2).seats[0].cards == 5


def test_c24_the_third_set_is_dealt_from_seat_1_after_both_picks():
    table = Table(2, starter=2)
    setup_draws = len(table.chance.draws)
    table.play("1 pick duke").will_draw("contessa", "captain").play("2 pick duke")
    assert [bound for bound, _ in table.chance.draws[setup_draws:]] == [5, 4]
    assert (table.hand(1), table.hand(2)) == ("contessa duke", "captain duke")
    assert table.question_kinds() == {2: "turn"}


def test_c24_parties_are_chosen_after_the_draft_and_before_the_first_turn():
    table = Table(2, reformation=True)
    table.play("1 pick duke").will_draw("contessa", "captain").play("2 pick duke")
    assert table.question_kinds() == {1: "party"}
    assert table.play("1 empire").question_kinds() == {1: "turn"}


def test_turns_go_round_in_ascending_order_of_seats():
    table = Table(4, starter=3)
    order = []
    for _ in range(6):
        order.append(table.turn)
        table.play(f"{table.turn} income")
    assert order == [3, 4, 1, 2, 3, 4]

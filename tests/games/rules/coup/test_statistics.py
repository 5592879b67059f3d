"""Tests of who bluffed and who doubted, counted once a game is over."""

from games.engine import SPECTATOR, Event
from games.engine.hindsight import Challenges, Claims
from games.rules.coup import RULES
from games.rules.coup.hindsight import claims, statistics
from tests.examples import for_each
from tests.games.rules.coup.random_play import STRIDE, RandomGame, option_sets
from tests.games.rules.coup.table import Table

HONEST_AND_NOT = ["duke", "contessa", "captain", "assassin", "contessa", "ambassador"]


def test_a_lie_is_a_claim_that_the_cards_do_not_bear_out() -> None:
    table = Table(3, HONEST_AND_NOT)
    table.play("1 tax", "all allow", "2 tax", "all allow")
    assert statistics(table.log).claims == (Claims(1, "duke", False, made=1), Claims(2, "duke", False, made=1, lies=1))
    assert statistics(table.log).challenges == ()


def test_a_challenge_is_right_where_the_claim_falls_and_wrong_where_it_is_proved() -> None:
    table = Table(3, HONEST_AND_NOT).will_draw("duke")
    table.play("1 tax", "2 challenge", "1 prove", "2 lose captain")
    table.play("2 tax", "1 allow", "3 challenge", "2 concede")
    counts = statistics(table.log)
    assert counts.claims == (
        Claims(1, "duke", False, made=1, challenged=1, proved=1),
        Claims(2, "duke", False, made=1, lies=1, challenged=1, fallen=1),
    )
    assert counts.challenges == (Challenges(2, made=1, wrong=1), Challenges(3, made=1, right=1))


def test_a_block_is_a_claim_too() -> None:
    table = Table(3, HONEST_AND_NOT)
    table.play("1 foreign-aid", "2 block duke", "3 allow", "all allow")
    assert statistics(table.log).claims == (Claims(2, "duke", False, made=1, lies=1),)


def test_claims_are_counted_of_what_everybody_is_shown_and_never_say_what_was_a_lie() -> None:
    table = Table(3, HONEST_AND_NOT)
    table.play("1 tax", "2 challenge")
    assert claims(everybody_is_shown(table)) == (Claims(1, "duke", False, made=1, challenged=1),)
    table.will_draw("duke").play("1 prove", "2 lose captain", "2 tax", "1 allow", "3 challenge", "2 concede")
    assert claims(everybody_is_shown(table)) == (
        Claims(1, "duke", False, made=1, challenged=1, proved=1),
        Claims(2, "duke", False, made=1, challenged=1, fallen=1),
    )


def everybody_is_shown(table: Table) -> list[Event]:
    """Return the events of a game that a spectator sees."""
    return [event for event in (RULES.show(event, SPECTATOR) for event in table.log) if event is not None]


@for_each("number", range(12))
def test_what_is_counted_adds_up(number: int) -> None:
    sets = option_sets()
    game = RandomGame(number, *sets[number * STRIDE % len(sets)])
    for _ in game.batches():
        pass
    counts = statistics(game.log)
    for claim in counts.claims:
        assert 0 <= claim.lies <= claim.made
        assert 0 <= claim.fallen + claim.proved <= claim.challenged <= claim.made
    assert sum(claim.challenged for claim in counts.claims) == sum(challenge.made for challenge in counts.challenges)
    assert sum(claim.fallen for claim in counts.claims) == sum(challenge.right for challenge in counts.challenges)
    for claim in counts.challenges:
        assert claim.right + claim.wrong <= claim.made

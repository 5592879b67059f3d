"""Beliefs of Coup's bots about other players' cards, based on the visible events."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from games.engine import SeatNumber, replay, show_all
from games.engine.rules import bots_step, play
from games.engine.search import QuickChance
from games.rules.coup import RULES
from games.rules.coup import moves as m
from games.rules.coup.bot import learning, quick, rollouts
from games.rules.coup.bot.learning import believe
from games.rules.coup.bot.rollouts import DOUBTS, doubts
from games.rules.coup.game import law_of
from tests.games.rules.coup.random_play import option_sets
from tests.games.rules.coup.table import Table

SETS = list(option_sets())


def games(seeds: range) -> Any:
    """Yield logs and states of games by lot, with all options, now and then."""
    for seed in seeds:
        seats, options = random.Random(seed).choice(SETS)
        chance = QuickChance(seed)
        log = list(RULES.setup(RULES.options(**options), seats, chance))
        state, decisions = replay(RULES, log), 0
        while RULES.outcome(state) is None and decisions < 150:
            question = chance.choose(RULES.questions(state))
            events, state = play(RULES, state, question.seat, chance.choose(RULES.legal_moves(state, question)), chance)
            log += events
            decisions += 1
            if decisions % 30 == 0 and RULES.outcome(state) is None and state.asking != "draft":
                yield log, state


@pytest.mark.parametrize("part", range(2))
def test_every_world_looks_as_what_was_shown_and_what_is_true_is_never_ruled_out(part: int) -> None:
    for log, state in games(range(part, 24, 2)):
        seat = RULES.questions(state)[0].seat
        visible_events = show_all(RULES, log, seat)
        beliefs = believe(visible_events, seat)
        for other, table in beliefs.tables.items():
            place = beliefs.hands(other).index(tuple(sorted(state.hands[other - 1])))
            assert sum(row[place] for row in table) > 0
            assert sum(beliefs.kinds(other).values()) == pytest.approx(1)
        for world in RULES.search.worlds(RULES, visible_events, seat, QuickChance(1), 3):
            folded = replay(RULES, visible_events)
            assert RULES.view(world, seat) == RULES.view(folded, seat)
            cards = [*sum(world.hands, ()), *sum(world.lost, ()), *world.drawn, *world.aside]
            assert None not in cards
            assert all(cards.count(card) <= world.pack.count(card) for card in cards)


def test_counted_and_drawn_deals_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(4, deal=["duke captain", "assassin contessa", "captain duke", "contessa ambassador"])
    table.play("1 tax", "all allow", "2 income", "3 income", "4 tax", "all allow", "1 income", "2 steal 3")
    beliefs = believe(show_all(RULES, table.log, 1), 1)
    counted = learning.holds(beliefs, QuickChance(1))
    monkeypatch.setattr(learning, "COUNTED", 0)
    monkeypatch.setattr(learning, "PARTICLES", 6000)
    holds = learning.holds(beliefs, QuickChance(1))
    for seat in (2, 3, 4):
        for card in ("duke", "captain", "contessa"):
            assert counted[seat, card] == pytest.approx(holds[seat, card], abs=0.04)


def test_a_claim_is_remembered() -> None:
    table = Table(deal=["assassin captain", "duke contessa", "captain contessa"]).play(
        "1 income", "2 tax", "all allow", "3 income"
    )
    before = believe(show_all(RULES, table.log, 1), 1).holds(2, "duke")
    table.play("1 income", "2 tax", "all allow", "3 income")
    assert 0.5 < before < believe(show_all(RULES, table.log, 1), 1).holds(2, "duke")


def test_who_was_caught_is_believed_less() -> None:
    lines = ["1 income", "2 tax", "3 challenge", "2 concede contessa", "3 income", "1 income", "2 tax", "3 allow"]
    table = Table(deal=["assassin captain", "captain contessa", "captain contessa"]).play(*lines[:3])
    honest = Table(deal=["assassin captain", "captain contessa", "captain contessa"]).play("1 income", "2 tax")
    table.play(*lines[3:])
    beliefs, others = (believe(show_all(RULES, position.log, 1), 1) for position in (table, honest))
    assert beliefs.kinds(2)["honest"] < 0.1 < others.kinds(2)["honest"]
    assert beliefs.kinds(2)["single-minded"] > others.kinds(2)["single-minded"]


def test_a_card_that_was_proved_went_to_the_court() -> None:
    table = Table(deal=["assassin captain", "duke contessa", "captain contessa"]).play(
        "1 income", "2 tax", "3 challenge"
    )
    assert believe(show_all(RULES, table.log, 1), 1).holds(2, "duke") > 0.5
    table.will_draw("ambassador").play("2 prove")
    beliefs = believe(show_all(RULES, table.log, 1), 1)
    assert beliefs.holds(2, "duke") < 0.5
    assert beliefs.holds(3, "duke") < beliefs.holds(2, "duke") + 0.2


def test_cards_returned_in_an_exchange_are_in_nobodys_hand() -> None:
    table = Table(deal=["assassin ambassador", "duke contessa", "captain contessa"])
    table.play("1 exchange", "2 allow").will_draw("duke", "duke").play("3 allow").play("1 keep ambassador assassin")
    beliefs = believe(show_all(RULES, table.log, 1), 1)
    assert beliefs.holds(2, "duke") < 0.25, "two of three dukes lie in the court"


def test_beliefs_are_the_same_whatever_is_hidden() -> None:
    table = Table(deal=["duke captain", "assassin contessa", "captain duke"]).play(
        "1 tax", "all allow", "2 income", "3 tax"
    )
    other = Table(deal=["duke captain", "ambassador contessa", "assassin duke"]).play(
        "1 tax", "all allow", "2 income", "3 tax"
    )
    one, two = (believe(show_all(RULES, position.log, 1), 1) for position in (table, other))
    assert msgspec.json.encode(one.tables) == msgspec.json.encode(two.tables)


def test_in_roll_outs_every_seat_answers_as_a_normal_bot_that_knows_its_own_hand() -> None:
    table = Table(deal=["contessa contessa", "duke assassin", "captain ambassador"]).play("1 income", "2 income")
    table.play("3 income")
    ends = [rollouts.step(RULES, table.state, QuickChance(seed), {}) for seed in range(400)]
    played_states = []
    for seed in range(400):
        state, chance = table.state, QuickChance(seed)
        while state.asking != "turn" or state.turn == table.state.turn:
            state = bots_step(RULES, state, chance, None)
        played_states.append(state)
    for fate in ("lost", "coins"):
        counts, expected = (Counter(getattr(state, fate) for state in states) for states in (ends, played_states))
        assert all(abs(counts[value] - expected[value]) < 30 for value in {*counts, *expected}), (counts, expected)
    position = rollouts.known_to(table.state, SeatNumber(3))
    assert RULES.view(position, 3).seats == RULES.view(table.state, 3).seats
    assert position.hands[:2] == ((None, None), (None, None))


def test_in_roll_outs_of_four_the_strongest_is_attacked_and_a_fourth_copy_of_a_card_is_challenged() -> None:
    table = Table(4, deal=["duke duke", "captain contessa", "duke assassin", "contessa captain"])
    table.play("1 income", "2 income", "3 steal 1", "1 challenge", "3 concede duke", "4 income", "1 income", "2 tax")
    law, chance, coups = (
        law_of(table.options, 4),
        QuickChance(1),
        [m.Coup(question="", target=SeatNumber(seat)) for seat in (3, 2)],
    )
    assert quick.turn(table.state, SeatNumber(1), coups, chance).target == 2
    reactions = [[quick.react(law, table.state, SeatNumber(seat), chance, 0.0) for _ in range(100)] for seat in (1, 4)]
    assert all(answer is not None and answer.answer == "challenge" for answer in reactions[0])
    assert sum(answer is None for answer in reactions[1]) > 80


def test_in_roll_outs_the_rich_of_the_other_party_are_a_danger_and_fellows_are_none() -> None:
    table = Table(deal=["duke captain", "duke contessa", "assassin contessa"], reformation=True)

    def share(*parties: str, purse: int = 7) -> float:
        return rollouts.share(msgspec.structs.replace(table.state, parties=parties, coins=(2, purse, 2)), SeatNumber(1))

    assert share("empire", "empire", "resistance") > share("empire", "resistance", "empire")
    assert share("empire", "empire", "empire") < share("empire", "empire", "resistance"), "all may strike all then"
    assert share("empire", "empire", "resistance", purse=6) == share("empire", "resistance", "empire", purse=6)


def test_roll_outs_learn_how_readily_each_other_seat_challenges() -> None:
    table = Table(4, deal=["duke captain", "duke contessa", "assassin contessa", "captain ambassador"])
    assert doubts(table.log, 1) == {}
    table.play("1 tax", "all allow")
    let_pass = doubts(table.log, 1)
    assert set(let_pass) == {2, 3, 4}
    assert all(probability < DOUBTS for probability in let_pass.values())
    table.will_draw("duke").play("2 tax", "3 challenge", "2 prove", "3 lose assassin", "3 income", "4 income")
    learned = doubts(table.log, 1)
    assert learned[3] > 4 * DOUBTS
    assert learned[4] == let_pass[4], "a challenge ends the window: 4 was not heard"
    assert 3 not in doubts(table.log, 3), "nobody learns from its own answers how it will decide"


@pytest.mark.parametrize(("readiness", "challenged"), [(0.0, range(1)), (0.5, range(160, 240)), (1.0, range(400, 401))])
def test_in_roll_outs_each_seat_challenges_as_readily_as_it_has_shown(readiness: float, challenged: range) -> None:
    table = Table(deal=["duke captain", "assassin contessa", "captain contessa"]).play("1 tax", "3 allow")
    chance = QuickChance(1)
    ends = [rollouts.step(RULES, table.state, chance, {SeatNumber(2): readiness}) for _ in range(400)]
    assert sum(len(end.hands[1]) == 1 for end in ends) in challenged

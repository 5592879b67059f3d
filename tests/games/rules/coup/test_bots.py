"""The bot of Coup plays legal moves, is pure, uses only its own knowledge, and wins more often than by chance."""

import random
from typing import Any

import msgspec
import pytest

from bench.bots import PlainChance
from games.engine import Knowledge, ScriptedChance, SeatNumber, SeededChance, know, replay, show_all
from games.engine.rules import any_move
from games.rules.coup import RULES
from games.rules.coup.bot.estimates import standing_claims
from tests.games.rules.coup.random_play import option_sets
from tests.games.rules.coup.table import Table
from tests.long import SCALE

SETS = list(option_sets())


def played(seats: int, options: dict[str, Any], seed: int, bot: tuple[int, ...] | None = None) -> tuple[list, int]:
    """A game in which these seats (None: all) are bots and the others move at random: its log and winner."""
    chance = PlainChance(seed)
    log = list(RULES.setup(RULES.options(**options), seats, chance))
    state = replay(RULES, log)
    while RULES.outcome(state) is None:
        question = chance.choose(RULES.questions(state))
        moves = RULES.legal_moves(state, question)
        mind = RULES.bot_move if bot is None or question.seat in bot else any_move
        move = mind(know(RULES, state, question.seat, lambda: log), question, moves, chance)
        assert move in moves
        events = RULES.decide(state, question.seat, move, chance)
        state = replay(RULES, events, state)
        log.extend(events)
        assert len(log) < 5_000
    return log, RULES.outcome(state).winners[0]


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_bots_only_make_legal_moves_and_every_game_ends(part):
    for seed in range(part, 20 * SCALE, 4):
        seats, options = random.Random(seed).choice(SETS)
        played(seats, options, seed)


@pytest.mark.long
def test_a_bot_knows_its_view_and_nothing_else():
    for seed in range(3 * SCALE):
        seats, options = random.Random(seed).choice(SETS)
        log, _ = played(seats, options, seed)
        state = None
        for number, event in enumerate(log, 1):
            state = RULES.evolve(state, event)
            for question in RULES.questions(state) if number % 5 == 0 else ():
                moves = RULES.legal_moves(state, question)
                whole = RULES.view(state, question.seat)
                events = show_all(RULES, log[:number], question.seat)
                shown_view = RULES.view(replay(RULES, events), question.seat)
                assert msgspec.json.encode(whole) == msgspec.json.encode(shown_view)
                first, second = (
                    RULES.bot_move(Knowledge(view, lambda: events), question, moves, SeededChance(bytes(32)))  # noqa: B023
                    for view in (whole, shown_view)
                )
                assert first == second


def answer(table: Table, seat: int, seed: int = 0) -> str:
    question = table.question(seat)
    moves = RULES.legal_moves(table.state, question)
    knowledge = know(RULES, table.state, SeatNumber(seat), lambda: table.log)
    return RULES.text(RULES.bot_move(knowledge, question, moves, SeededChance(seed.to_bytes(32, "big"))))


def test_a_bot_proves_a_claim_that_is_true():
    table = Table(deal=["duke captain", "assassin contessa", "captain contessa"]).play("1 tax", "2 challenge")
    assert {answer(table, 1, seed) for seed in range(20)} == {"prove"}


def test_a_bot_challenges_a_claim_that_cannot_be_true():
    table = Table(deal=["captain contessa", "duke duke", "duke assassin"]).play("1 income", "2 income")
    table.resign(3)
    table.play("1 tax")
    assert {answer(table, 2, seed) for seed in range(20)} == {"challenge"}


def test_a_bot_with_its_last_card_does_not_challenge_a_likely_claim_that_costs_it_nothing():
    table = Table(deal=["duke captain", "assassin contessa", "captain contessa"])
    table.play("1 income", "2 income", "3 income", "1 tax")
    table.play("2 challenge").will_draw("ambassador").play(
        "1 prove", "2 lose assassin", "2 income", "3 income", "1 tax"
    )
    answers = [answer(table, 2, seed) for seed in range(40)]
    assert answers.count("challenge") <= 8


def test_a_bot_launches_the_coup_that_wins_the_game():
    table = Table(deal=["duke captain", "assassin contessa", "captain contessa"])
    chance = ScriptedChance()
    state = msgspec.structs.replace(table.state, coins=(7, 2, 2), hands=(("duke",), ("assassin",), ()), treasury=39)
    question = RULES.questions(state)[0]
    moves = RULES.legal_moves(state, question)
    assert chance.script == []
    texts = {
        RULES.text(
            RULES.bot_move(know(RULES, state, 1, tuple), question, moves, SeededChance(seed.to_bytes(32, "big")))
        )
        for seed in range(20)
    }
    assert texts == {"coup 2"}


def test_a_bot_beats_random_players_in_games_of_four():
    wins = sum(played(4, {}, seed, (seed % 4 + 1,))[1] == seed % 4 + 1 for seed in range(200))
    assert wins >= 120


def answers(table: Table, seat: int, kinds: int = 60) -> set[str]:
    return {answer(table, seat, seed) for seed in range(kinds)}


def test_equal_views_and_equal_chance_give_the_equal_move_and_leave_the_view_as_it_was():
    table = Table(deal=["duke captain", "assassin contessa", "captain contessa"])
    before = table.encoded_view(1)
    assert [answer(table, 1, seed) for seed in range(20)] == [answer(table, 1, seed) for seed in range(20)]
    assert table.encoded_view(1) == before


def test_a_bot_never_claims_a_character_whose_cards_all_lie_face_up():
    table = Table(seats=4, deal=["contessa ambassador", "duke duke", "duke assassin", "captain captain"])
    table.play("1 income", "2 income", "3 income", "4 income")
    table.resign(2)
    table.resign(3)
    assert "tax" in table.offered(1)
    assert "tax" not in answers(table, 1, 200)


def test_a_bot_sometimes_bluffs_and_mostly_does_not():
    table = Table(deal=["contessa contessa", "duke assassin", "captain ambassador"])
    bluffs = sum(answer(table, 1, seed) not in ("income", "foreign-aid") for seed in range(400))
    assert 10 <= bluffs <= 160


def test_a_bot_blocks_an_assassin_with_the_contessa_that_it_holds():
    table = Table(deal=["assassin duke", "contessa captain", "captain ambassador"])
    table.play("1 tax", "all allow", "2 income", "3 income", "1 assassinate 2")
    assert answers(table, 2) == {"block contessa"}


def test_a_bot_does_not_lose_its_last_card_without_a_block_or_challenge():
    table = Table(deal=["assassin duke", "duke captain", "captain ambassador"])
    table.play("1 tax", "2 challenge").will_draw("contessa").play("1 prove", "2 lose duke", "2 income", "3 income")
    table.play("1 assassinate 2")
    assert "allow" not in answers(table, 2)


def test_a_bot_keeps_different_cards_and_loses_the_least_useful_one():
    table = Table(deal=["ambassador ambassador", "duke captain", "captain contessa"])
    table.play("1 exchange").will_draw("duke", "contessa").play("all allow")
    assert answers(table, 1) == {"keep contessa duke"}
    table.play("1 keep ambassador ambassador", "2 tax", "1 challenge").will_draw("assassin").play("2 prove")
    assert answers(table, 1) == {"lose ambassador"}


def test_a_bot_with_a_duke_embezzles_only_as_a_bluff():
    table = Table(deal=["duke captain", "duke assassin", "captain contessa"], reformation=True)
    table.play("1 empire", "1 convert", "2 convert", "3 convert 1")
    assert "embezzle" in table.offered(1)
    bluffs = [answer(table, 1, seed) for seed in range(200)].count("embezzle")
    assert bluffs <= 60


def test_a_bot_hands_the_bomb_on_or_defuses_it_with_the_contessa_that_it_holds():
    table = Table(deal=["duke captain", "contessa assassin", "captain ambassador"], anarchist=True)
    table.play("1 tax", "all allow", "2 income", "3 income", "1 bomb 2")
    assert answers(table, 2) <= {"defuse", "hand 3"}


def blocked_once() -> Table:
    """A table at which seat 1 is to move again, after the duke of seat 3 has blocked its foreign aid."""
    table = Table(deal=["contessa contessa", "captain assassin", "duke ambassador"])
    return table.play("1 foreign-aid", "2 allow", "3 block duke", "1 allow", "2 allow", "2 income", "3 income")


def test_a_bot_does_not_ask_for_foreign_aid_while_a_duke_who_blocked_it_is_still_there():
    unblocked = Table(deal=["contessa contessa", "captain assassin", "duke ambassador"])
    assert "foreign-aid" in answers(unblocked, 1, 100)
    assert "foreign-aid" not in answers(blocked_once(), 1, 100)


def claims_of(table: Table) -> dict[int, set[str]]:
    return {seat: set(claims) for seat, claims in standing_claims(table.log).items() if claims}


def test_a_claim_stands_until_its_card_is_shown_lost_or_exchanged_or_the_claim_is_conceded():
    table = Table(deal=["ambassador assassin", "captain assassin", "duke contessa"])
    table.play("1 exchange").will_draw("captain", "duke").play("all allow")
    assert claims_of(table) == {1: {"ambassador"}}
    table.play("1 keep ambassador duke")
    assert claims_of(table) == {}
    table.play("2 tax", "all allow", "3 tax", "all allow")
    assert claims_of(table) == {2: {"duke"}, 3: {"duke"}}
    table.play("1 foreign-aid", "2 allow", "3 block duke", "1 challenge").will_draw("captain")
    table.play("3 prove", "1 lose ambassador")
    assert claims_of(table) == {2: {"duke"}}
    table.play("2 tax", "1 challenge", "2 concede captain")
    assert claims_of(table) == {}

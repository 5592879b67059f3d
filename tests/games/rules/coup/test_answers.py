"""Tests of when a window closes and whose answer counts: ``first`` and ``sealed`` (C7)."""

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["captain assassin", "duke contessa", "duke duke", "captain contessa"]


def first(**options: object) -> Table:
    return Table(4, DEAL, answers="first", **options)


def sealed(starter: int = 1, **options: object) -> Table:
    return Table(4, DEAL, answers="sealed", starter=starter, **options)


def test_c7_first_a_window_closes_at_the_first_challenge():
    table = first().play("1 tax", "3 challenge")
    assert table.question_kinds() == {1: "proof"}
    assert table.challenger == 3


def test_c7_first_a_second_challenger_comes_too_late():
    table = first().play("1 tax", "3 challenge")
    table.too_late("2 challenge")
    table.too_late("4 allow")


def test_c7_first_the_first_challenger_is_the_one_resolved_first_not_the_next_clockwise():
    assert first().play("1 tax", "4 challenge").challenger == 4
    assert first().play("1 tax", "2 challenge").challenger == 2


def test_c7_first_a_block_window_closes_at_the_first_block():
    table = first().play("1 foreign-aid", "4 block duke")
    assert table.question_kinds() == {1: "challenge-block", 2: "challenge-block", 3: "challenge-block"}
    assert table.blocker == 4
    table.too_late("2 block duke")
    table.too_late("3 allow")


def test_c7_first_a_block_given_in_a_challenge_window_does_not_close_it():
    table = first().play("1 steal 2", "2 block captain")
    assert table.question_kinds() == {3: "challenge", 4: "challenge"}


def test_c7_first_a_challenge_after_a_given_block_counts():
    table = first().play("1 steal 2", "2 block captain", "4 challenge")
    assert table.question_kinds() == {1: "proof"}
    assert table.challenger == 4


@pytest.mark.parametrize("answers", ["first", "sealed"])
def test_c7_a_window_closes_when_everyone_asked_has_answered(answers):
    table = Table(4, DEAL, answers=answers).play("1 tax", "4 allow", "2 allow")
    assert table.question_kinds() == {3: "challenge"}
    assert table.coins == (2, 2, 2, 2)
    table.play("3 allow")
    assert (table.coins, table.turn) == ((5, 2, 2, 2), 2)


@pytest.mark.parametrize("answers", ["first", "sealed"])
def test_c7_silence_is_allow(answers):
    table = Table(4, DEAL, answers=answers).play("1 tax")
    assert [table.clock(seat) for seat in (2, 3, 4)] == ["allow"] * 3
    assert table.coins == (5, 2, 2, 2)


@pytest.mark.parametrize("answers", ["first", "sealed"])
def test_c7_an_answer_is_final_within_its_window(answers):
    table = Table(4, DEAL, answers=answers).play("1 steal 2", "2 allow")
    assert 2 not in table.question_kinds()
    table.too_late("2 challenge")
    table.too_late("2 block captain")
    table.too_late("2 allow")


@pytest.mark.parametrize("answers", ["first", "sealed"])
def test_c7_a_claim_that_was_proved_cannot_be_challenged_again(answers):
    table = Table(4, DEAL, answers=answers, starter=2).play("2 tax", "4 challenge", "rest allow")
    table.will_draw("duke").play("2 prove", "4 lose captain")
    assert (table.coins, table.turn) == ((2, 5, 2, 2), 3)


@pytest.mark.parametrize("answers", ["first", "sealed"])
def test_c7_a_block_that_was_proved_cannot_be_challenged_again(answers):
    table = Table(4, DEAL, answers=answers).play("1 foreign-aid", "2 block duke", "rest allow")
    table.play("4 challenge", "rest allow").will_draw("duke").play("2 prove", "4 lose captain")
    assert (table.coins, table.turn) == ((2, 2, 2, 2), 2)


def test_c7_sealed_a_window_stays_open_after_a_challenge_until_all_have_answered():
    table = sealed().play("1 tax", "3 challenge")
    assert table.question_kinds() == {2: "challenge", 4: "challenge"}
    table.play("2 allow", "4 allow")
    assert table.question_kinds() == {1: "proof"}


@pytest.mark.parametrize(
    ("starter", "challengers", "counted"),
    [
        (1, (4, 3, 2), 2),
        (1, (4, 3), 3),
        (1, (4,), 4),
        (2, (1, 4), 4),
        (2, (1, 3), 3),
        (3, (1, 2), 1),
        (3, (2, 4), 4),
        (4, (3, 1), 1),
    ],
)
def test_c7_sealed_the_challenger_next_clockwise_after_the_claimant_counts(starter, challengers, counted):
    table = sealed(starter).play(f"{starter} tax")
    table.play(*(f"{seat} challenge" for seat in challengers), "all allow")
    assert table.question_kinds() == {starter: "proof"}
    assert table.challenger == counted


@pytest.mark.parametrize(
    ("blocker", "challengers", "counted"), [(3, (1, 2, 4), 4), (3, (2, 1), 1), (2, (4, 3), 3), (4, (3, 2), 2)]
)
def test_c7_sealed_challengers_of_a_block_are_counted_clockwise_from_the_blocker(blocker, challengers, counted):
    table = sealed().play("1 foreign-aid", f"{blocker} block duke", "rest allow")
    table.play(*(f"{seat} challenge" for seat in challengers), "all allow")
    assert table.question_kinds() == {blocker: "proof"}
    assert table.challenger == counted


@pytest.mark.parametrize(
    ("actor", "blockers", "counted"), [(1, (4, 3, 2), 2), (1, (4, 3), 3), (2, (1, 4), 4), (3, (2, 1), 1)]
)
def test_c7_sealed_blockers_are_counted_clockwise_from_the_actor(actor, blockers, counted):
    table = sealed(actor).play(f"{actor} foreign-aid", *(f"{seat} block duke" for seat in blockers), "rest allow")
    assert table.blocker == counted
    assert counted not in table.question_kinds()


@pytest.mark.parametrize("waiting", ["hidden", "number", "public"])
def test_c7_sealed_an_answer_in_an_open_window_is_not_told_from_another(waiting):
    def after(answer: str) -> Table:
        return sealed(waiting=waiting).play("1 tax", f"3 {answer}")

    challenged, allowed = after("challenge"), after("allow")
    assert challenged.question_kinds() == allowed.question_kinds()
    for viewer in (1, 2, 4, SPECTATOR):
        assert challenged.encoded_view(viewer) == allowed.encoded_view(viewer)
        assert challenged.encoded_events(viewer) == allowed.encoded_events(viewer)


def test_c7_sealed_the_answers_that_did_not_count_stay_hidden():
    def after(answer: str) -> Table:
        table = sealed().play("1 tax", f"4 {answer}", "3 challenge", "2 allow")
        return table.play("1 concede captain", "2 income", "3 income")

    challenged, allowed = after("challenge"), after("allow")
    for viewer in (1, 2, 3, SPECTATOR):
        assert challenged.encoded_view(viewer) == allowed.encoded_view(viewer)
        assert challenged.encoded_events(viewer) == allowed.encoded_events(viewer)


def test_c7_sealed_the_blocks_that_did_not_count_stay_hidden():
    def after(answer: str) -> Table:
        table = sealed().play("1 foreign-aid", f"4 {answer}", "3 block duke", "2 allow", "all allow")
        return table.play("2 income")

    blocked, allowed = after("block duke"), after("allow")
    for viewer in (1, 2, 3, SPECTATOR):
        assert blocked.encoded_view(viewer) == allowed.encoded_view(viewer)
        assert blocked.encoded_events(viewer) == allowed.encoded_events(viewer)


def test_c7_sealed_one_challenge_makes_the_given_blocks_lapse():
    table = sealed().play("1 steal 2", "2 block captain", "4 challenge", "3 allow")
    assert table.question_kinds() == {1: "proof"}
    table.will_draw("captain").play("1 prove", "4 lose captain")
    assert table.question_kinds() == {2: "block"}


def test_c7_sealed_the_targets_own_challenge_counts_where_it_stands_in_the_order():
    table = sealed().play("1 steal 3", "3 challenge", "2 challenge", "4 allow")
    assert table.challenger == 2
    table.will_draw("captain").play("1 prove", "2 lose duke")
    assert table.question_kinds() == {3: "block"}
    assert table.cards == (2, 1, 2, 2)


def test_c7_sealed_if_the_counted_block_is_disproved_no_other_comes_up():
    table = sealed().play("1 foreign-aid", "4 block duke", "2 block duke", "3 block duke")
    assert table.blocker == 2
    table = sealed().play("1 foreign-aid", "4 block duke", "3 block duke", "2 allow")
    assert table.blocker == 3
    table = sealed(3).play("3 foreign-aid", "4 block duke", "2 block duke", "1 allow")
    assert table.blocker == 4
    table.play("1 challenge", "rest allow", "4 concede captain")
    assert (table.coins, table.turn) == ((2, 2, 4, 2), 4)


def test_c7_sealed_no_second_challenger_comes_up_when_the_counted_one_has_lost():
    table = sealed(2).play("2 tax", "3 challenge", "4 challenge", "1 challenge")
    assert table.challenger == 3
    table.will_draw("duke").play("2 prove", "3 lose duke")
    assert (table.coins, table.cards, table.turn) == ((2, 5, 2, 2), (2, 2, 1, 2), 3)


def test_c7_sealed_answers_given_in_any_order_lead_to_the_same_table():
    tables = []
    for order in [(2, 3, 4), (4, 3, 2), (3, 4, 2)]:
        answers = {2: "2 allow", 3: "3 challenge", 4: "4 challenge"}
        tables.append(sealed().play("1 tax", *(answers[seat] for seat in order)))
    assert len({table.encoded_view(viewer) for table in tables for viewer in (SPECTATOR,)}) == 1
    assert {table.challenger for table in tables} == {3}


def test_c7_sealed_the_deadline_closes_the_window_with_the_answers_given():
    table = sealed().play("1 tax", "4 challenge")
    table.clock(2)
    table.clock(3)
    assert table.challenger == 4

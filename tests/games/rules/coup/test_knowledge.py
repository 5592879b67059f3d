"""Tests of who may know what, and who is known to be waited for (section 9, C28)."""

import msgspec
import pytest

from games.engine import EVERYONE, SPECTATOR, show_all
from games.rules.coup import RULES
from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "contessa captain", "duke captain", "contessa ambassador"]
OTHERS = (2, 3, 4, SPECTATOR)


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


@pytest.fixture(params=["hidden", "number", "public"])
def waiting(request) -> str:
    return request.param


def alike(one: Table, other: Table, *viewers: int) -> bool:
    """Return whether none of these viewers can tell the two games apart."""
    return all(
        one.encoded_view(viewer) == other.encoded_view(viewer)
        and one.encoded_events(viewer) == other.encoded_events(viewer)
        for viewer in viewers
    )


def test_everyone_sees_their_own_cards_and_how_many_the_others_have():
    table = Table(4, DEAL)
    for viewer in (1, 2, 3, 4, SPECTATOR):
        for seat in table.view(viewer).seats:
            assert seat.cards == 2
            assert (seat.hand is not None) == (seat.seat == viewer)


def test_the_deal_tells_a_seat_nothing_of_the_others_cards():
    one, other = Table(3, DEAL[:3]), Table(3, ["duke assassin", "duke ambassador", "contessa contessa"])
    assert alike(one, other, 1, SPECTATOR)


def test_what_is_public_is_public():
    table = Table(4, DEAL, reformation=True).play("1 empire", "1 convert", "2 steal 3")
    for viewer in (1, 2, 3, 4, SPECTATOR):
        view = table.view(viewer)
        assert [seat.coins for seat in view.seats] == [1, 2, 2, 2]
        assert [seat.party for seat in view.seats] == ["resistance", "resistance", "empire", "resistance"]
        assert (view.reserve, view.treasury, view.court, view.turn) == (1, 42, 7, 2)
        assert (view.action.seat, view.action.verb, view.action.target) == (2, "steal", 3)


def test_claims_blocks_and_challengers_are_public(answers):
    table = Table(4, DEAL, answers=answers).play("1 steal 2", "2 block captain", "3 allow", "4 allow")
    for viewer in (1, 3, 4, SPECTATOR):
        view = table.view(viewer)
        assert (view.block.seat, view.block.character) == (2, "captain")
        assert '"captain"' in table.encoded_events(viewer)
    table.play("4 challenge", "rest allow")
    for viewer in (1, 3, SPECTATOR):
        claim = table.view(viewer).challenge
        assert (claim.seat, claim.character, claim.challenger) == (2, "captain", 4)


def test_what_an_exchange_drew_kept_and_returned_is_for_its_owner_alone(answers):
    def exchanged(drawn_cards: tuple[str, str], keep: str) -> Table:
        table = Table(4, DEAL, answers=answers).play("1 exchange").will_draw(*drawn_cards).play("all allow")
        return table if not keep else table.play(f"1 keep {keep}")

    assert alike(exchanged(("contessa", "captain"), ""), exchanged(("assassin", "duke"), ""), *OTHERS)
    knowledge = exchanged(("contessa", "captain"), "captain contessa")
    assert alike(knowledge, exchanged(("contessa", "captain"), "assassin duke"), *OTHERS)
    assert alike(knowledge, exchanged(("assassin", "ambassador"), "ambassador assassin"), *OTHERS)


def test_what_an_exchange_drew_is_seen_by_its_owner():
    table = Table(4, DEAL).play("1 exchange").will_draw("contessa", "captain").play("all allow")
    assert sorted(table.view(1).drawn) == ["captain", "contessa"]
    assert table.view(2).drawn is None
    assert table.view(SPECTATOR).drawn is None


def test_a_replacement_is_for_its_owner_alone(answers):
    def proved(card: str) -> Table:
        table = Table(4, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow")
        return table.will_draw(card).play("1 prove", "2 lose captain")

    assert alike(proved("duke"), proved("ambassador"), *OTHERS)


def test_an_embezzlers_replacements_are_for_their_owner_alone(answers):
    def proved(*cards: str) -> Table:
        deal = ["captain assassin", *DEAL[1:]]
        table = Table(4, deal, answers=answers, reformation=True).play("1 empire", "1 convert", "2 income", "3 income")
        table.play("4 income", "1 embezzle", "2 challenge", "rest allow").will_draw(*cards).play("1 prove")
        return table

    assert alike(proved("duke", "ambassador"), proved("captain", "assassin"), *OTHERS)


def test_an_unchallenged_bluff_leaves_no_trace(answers):
    honest = Table(4, DEAL, answers=answers).play("1 tax", "all allow")
    bluff = Table(4, ["ambassador assassin", *DEAL[1:]], answers=answers).play("1 tax", "all allow")
    assert alike(honest, bluff, *OTHERS)


def test_a_question_is_for_the_one_it_is_put_to():
    table = Table(4, DEAL).play("1 steal 2")
    assert table.view(2).question.seat == 2
    assert table.view(1).question is None
    assert table.view(SPECTATOR).question is None
    assert all(table.view(seat).question.seat == seat for seat in (2, 3, 4))


def test_an_open_answer_is_shown_to_the_one_who_gave_it():
    table = Table(4, DEAL).play("1 steal 2", "2 block captain")
    assert "captain" in msgspec.json.encode(table.view(2).answer).decode()
    assert table.view(3).answer is None


def test_waiting_hidden_says_nothing_of_who_has_answered(answers):
    table = Table(4, DEAL, answers=answers, waiting="hidden").play("1 tax")
    before = {viewer: (table.encoded_view(viewer), table.encoded_events(viewer)) for viewer in (1, 3, 4, SPECTATOR)}
    table.play("2 allow")
    assert {viewer: (table.encoded_view(viewer), table.encoded_events(viewer)) for viewer in before} == before
    assert table.view(1).waiting is None
    assert table.view(1).waiting_for is None


def test_waiting_number_says_how_many_and_not_which(answers):
    def answered(seat: int) -> Table:
        return Table(4, DEAL, answers=answers, waiting="number").play("1 tax", f"{seat} allow")

    assert answered(2).view(1).waiting == 2
    assert answered(2).view(1).waiting_for is None
    assert alike(answered(2), answered(3), 1, 4, SPECTATOR)


def test_waiting_public_says_which_and_not_what():
    def answered(text: str) -> Table:
        return Table(4, DEAL, answers="sealed", waiting="public").play("1 tax", f"2 {text}")

    assert answered("allow").view(SPECTATOR).waiting_for == (3, 4)
    assert alike(answered("allow"), answered("challenge"), 1, 3, 4, SPECTATOR)


KINDS = {
    "party": ({"reformation": True}, [], []),
    "challenge": ({}, ["1 tax"], []),
    "block": ({}, ["1 foreign-aid"], []),
    "challenge-block": ({}, ["1 foreign-aid", "2 block duke", "rest allow"], []),
    "loss": ({}, ["1 tax", "2 challenge", "rest allow", "1 prove"], ["duke"]),
    "exchange": ({}, ["1 exchange", "all allow"], ["duke", "captain"]),
    "show": ({"inquisitor": True}, ["1 examine 2", "all allow"], []),
    "examine": ({"inquisitor": True}, ["1 examine 2", "all allow", "2 show captain"], []),
    "bomb": ({"anarchist": True}, ["1 tax", "all allow", "2 income", "3 income", "4 income", "1 bomb 2"], []),
}


def waited_for(kind: str, waiting: str) -> Table:
    options, lines, draws = KINDS[kind]
    deal = [hand.replace("ambassador", "inquisitor") for hand in DEAL] if "inquisitor" in options else DEAL
    table = Table(4, deal, waiting=waiting, **options)
    if kind == "party":
        return table
    table.play(*lines[:-1]).will_draw(*draws).play(lines[-1])
    assert set(table.question_kinds().values()) == {kind}
    return table


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question_follows_the_option_waiting(kind, waiting):
    table = waited_for(kind, waiting)
    for viewer in (1, 2, SPECTATOR):
        view = table.view(viewer)
        assert view.waiting == (None if waiting == "hidden" else len(table.question_kinds()))
        assert view.waiting_for == (tuple(sorted(table.question_kinds())) if waiting == "public" else None)


def test_in_the_draft_too(waiting):
    table = Table(2, waiting=waiting).play("1 pick duke")
    assert table.view(2).waiting == (None if waiting == "hidden" else 1)
    assert table.view(2).waiting_for == ((2,) if waiting == "public" else None)
    table = Table(2, waiting="hidden")
    before = table.encoded_view(2), table.encoded_events(2)
    assert (table.play("1 pick duke").encoded_view(2), table.encoded_events(2)) == before


def test_whose_turn_it_is_and_who_is_challenged_is_always_public(waiting):
    table = Table(4, DEAL, waiting=waiting)
    assert (table.view(3).waiting_for, table.view(3).turn) == ((1,), 1)
    table.play("1 tax", "2 challenge")
    assert table.view(SPECTATOR).waiting_for == (1,)


def test_c28_a_block_that_was_never_played_is_not_shown_before_the_end(answers):
    def challenged(answer: str) -> Table:
        table = Table(4, DEAL, answers=answers).play("1 steal 2", f"2 {answer}", "3 challenge", "rest allow")
        return table.play("1 concede duke", "2 income", "3 income", "4 income", "1 income")

    blocked, allowed = challenged("block ambassador"), challenged("allow")
    assert alike(blocked, allowed, 1, 3, 4, SPECTATOR)
    assert "ambassador" in blocked.encoded_events(2)


def test_c28_at_the_end_everything_is_open_to_everyone(answers):
    table = Table(3, DEAL[:3], answers=answers).play("1 steal 2", "2 block ambassador", "3 challenge", "rest allow")
    table.play("1 concede duke").resign(1).resign(2)
    assert table.winner == 3
    text = msgspec.json.encode(show_all(RULES, table.log, EVERYONE)).decode()
    assert '"character":"ambassador"' in text
    assert None not in [seat.hand for seat in table.view(EVERYONE).seats]


def test_c28_the_court_is_counted_less_by_what_an_exchange_has_drawn(answers):
    table = Table(4, DEAL, answers=answers).play("1 exchange")
    assert table.court == 7
    table.will_draw("duke", "captain").play("all allow")
    assert [table.view(viewer).court for viewer in (1, 2, SPECTATOR)] == [5, 5, 5]
    table.play("1 keep duke captain")
    assert table.court == 7


def test_c28_the_court_is_the_true_number_after_a_proof_and_a_swap(answers):
    table = Table(4, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow").will_draw("duke")
    assert table.play("1 prove").court == 7
    deal = ["inquisitor duke", "contessa captain"]
    table = Table(4, deal, answers=answers, inquisitor=True).play("1 examine 2", "all allow", "2 show captain")
    assert table.court == 7
    assert table.will_draw("duke").play("1 swap").court == 7


def test_no_place_in_a_hand_can_be_followed():
    one = Table(3, ["duke assassin"])
    other = Table(3, ["assassin duke"])
    assert one.encoded_view(1) == other.encoded_view(1)
    assert one.view(1).seats[0].hand == ("assassin", "duke")


def test_the_order_of_two_lost_cards_is_the_order_of_their_loss():
    table = Table(3, DEAL[:3]).play("1 steal 2", "2 challenge", "1 concede duke", "2 income", "3 income")
    table.play("1 steal 2", "2 challenge", "1 concede")
    assert table.lost[0] == "duke assassin"


def test_which_card_is_conceded_is_known_when_it_is_turned_up(answers):
    table = Table(4, DEAL, answers=answers).play("1 steal 2", "2 challenge", "rest allow")
    mark = table.mark
    table.play("1 concede assassin")
    assert "assassin" in table.encoded_events(SPECTATOR, mark)
    assert "duke" not in table.encoded_events(SPECTATOR, mark)


def test_question_ids_count_what_each_seat_was_asked():
    table = Table(3, DEAL[:3])
    assert table.question(1).id == "1.1"
    table.play("1 tax")
    assert (table.question(2).id, table.question(3).id) == ("2.1", "3.1")
    table.play("all allow")
    assert table.question(2).id == "2.2"


def test_the_ids_of_questions_do_not_depend_on_hidden_answers(answers):
    def ids(answer: str) -> set[str]:
        table = Table(4, DEAL, answers=answers).play("1 steal 2", f"2 {answer}", "3 challenge", "rest allow")
        table.play("1 concede duke")
        return {question.id for question in table.questions()}

    assert ids("block captain") == ids("allow")

"""What is hidden: the face-down cards, from everybody (views, the gate, two worlds, the commuting square)."""

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine import EVERYONE, SPECTATOR, Event, SeededChance, replay, show_all
from games.rules.sedlec import RULES
from games.rules.sedlec.cards import DECK
from tests.games.rules.sedlec.random_play import RandomGame
from tests.games.rules.sedlec.reader import PlainReader
from tests.games.rules.sedlec.table import Table
from tests.long import SCALE

READER = PlainReader()
VIEWERS = (1, 2, 3, SPECTATOR)
ENCODE = msgspec.json.Encoder(order="deterministic").encode


def viewers(seats: int) -> list[int]:
    """Every seat and a spectator."""
    return [*range(1, seats + 1), SPECTATOR]


def in_another_world(log: Sequence[Event], state) -> list[Event]:
    """The log of a game that came to ``state``: the cards that were never turned up lay otherwise from the start."""
    piles = zip(log[0].piles, state.face_down, strict=True)
    return [replace(log[0], piles=tuple((*pile[: 3 - len(rest)], *rest) for pile, rest in piles)), *log[1:]]


def test_no_viewer_sees_a_face_down_card():
    table = Table(3)
    for viewer in VIEWERS:
        view = RULES.view(table.state, viewer)
        assert all(card is None for pile in view.piles for card in pile.face_down)
        assert [len(pile.face_down) for pile in view.piles] == [2, 3, 3, 3, 3, 3]


def test_no_viewer_is_told_how_the_piles_lie_and_everybody_how_high_they_are():
    log = Table(3).log
    for viewer in VIEWERS:
        assert RULES.show(log[0], viewer).piles == ((None,) * 3,) * 6
        assert RULES.show(log[0], viewer).deck == DECK


def test_the_card_under_a_taken_one_stays_hidden():
    table = Table(deal="royal/royal lover/lover", pile=1).play("1 collect 1")
    pile = RULES.view(table.state, 1).piles[0]
    assert (pile.face_up, pile.face_down) == (None, (None, None))


def test_hands_pyramids_and_cards_turned_up_are_public():
    table = Table(deal="royal/royal", pile=1).play("1 collect 1", "2 dig 2 3", "2 take 2", "1 lay royal/royal left")
    for viewer in (1, 2, SPECTATOR):
        view = RULES.view(table.state, viewer)
        assert view.players[0].pyramid[0] == ("royal/royal",)
        assert len(view.players[1].hand) == 1
        assert view.piles[2].face_up is not None
        assert view == RULES.view(table.state, SPECTATOR)


def test_once_it_is_over_everyone_may_see_the_piles():
    table = Table(2)
    for seat in (1, 2):
        table.happen(RULES.resign(table.state, seat, SeededChance(bytes(32))))
    assert show_all(RULES, table.log, EVERYONE) == table.log
    piles = RULES.view(table.state, EVERYONE).piles
    assert [pile.face_down for pile in piles] == list(table.state.face_down)
    assert None not in sum(table.state.face_down, ())


def test_an_event_that_the_gate_does_not_know_is_hidden():
    class Whisper(Event, frozen=True):
        """Something new."""

    assert RULES.show(Whisper(), 1) is None
    assert RULES.show(Whisper(), SPECTATOR) is None


@pytest.mark.long
@settings(max_examples=60 * SCALE)
@given(
    number=st.integers(0, 2**40),
    seats=st.sampled_from([2, 3]),
    events=st.integers(3, 80),
    shuffle=st.binary(min_size=32, max_size=32),
)
def test_two_worlds_that_differ_in_face_down_cards_look_the_same_to_everybody(number, seats, events, shuffle):
    game = RandomGame(number, seats).played(events)
    for viewer in viewers(seats):
        other = RULES.worlds(game.state, viewer, SeededChance(shuffle))
        log = in_another_world(game.log, other)
        assert replay(RULES, log) == other
        assert ENCODE(RULES.view(other, viewer)) == ENCODE(RULES.view(game.state, viewer))
        assert ENCODE(show_all(RULES, log, viewer)) == ENCODE(show_all(RULES, game.log, viewer))
        assert ENCODE(RULES.questions(other)) == ENCODE(RULES.questions(game.state))
        assert RULES.picture(RULES.view(other, viewer), READER) == RULES.picture(RULES.view(game.state, viewer), READER)
        for question in RULES.questions(other):
            moves = RULES.legal_moves(other, question)
            assert moves == RULES.legal_moves(game.state, question)
            choices = [
                RULES.bot_move(RULES.view(state, viewer), question, moves, SeededChance(shuffle))
                for state in (game.state, other)
            ]
            assert choices[0] == choices[1]


def test_the_other_world_is_another_one():
    state = Table(2).state
    others = {RULES.worlds(state, 1, SeededChance(bytes([number] * 32))).face_down for number in range(20)}
    assert len(others) == 20
    for other in others:
        assert sorted(sum(other, ())) == sorted(sum(state.face_down, ()))
        assert [len(pile) for pile in other] == [len(pile) for pile in state.face_down]
    assert RULES.worlds(state, EVERYONE, SeededChance(bytes(32))) == state


@pytest.mark.long
@settings(max_examples=40 * SCALE)
@given(number=st.integers(0, 2**40), seats=st.sampled_from([2, 3]))
def test_the_commuting_square_holds_for_every_prefix(number, seats):
    game = RandomGame(number, seats)
    folded = dict.fromkeys(viewers(seats))
    for event, state in game.steps():
        for viewer in folded:
            shown = RULES.show(event, viewer)
            folded[viewer] = RULES.evolve(folded[viewer], shown)
            assert RULES.view(folded[viewer], viewer) == RULES.view(state, viewer)
    for viewer in folded:
        assert replay(RULES, show_all(RULES, game.log, viewer)) == folded[viewer]


def test_a_shown_state_asks_the_same_question_with_the_same_answers():
    game = RandomGame(5)
    folded = None
    for event, state in game.steps():
        folded = RULES.evolve(folded, RULES.show(event, 1))
        assert RULES.questions(folded) == RULES.questions(state)
        for question in RULES.questions(state):
            assert RULES.legal_moves(folded, question) == RULES.legal_moves(state, question)

"""Face-down cards are hidden from all viewers (views and the visibility filter)."""

from games.engine import EVERYONE, SPECTATOR, Event, SeededChance, show_all
from games.rules.sedlec import RULES
from games.rules.sedlec.pyramid import DECK
from tests.games.rules.sedlec.table import Table

VIEWERS = (1, 2, 3, SPECTATOR)


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


def test_the_other_world_is_another_one():
    state = Table(2).state
    others = {RULES.worlds(state, 1, SeededChance(bytes([number] * 32))).face_down for number in range(20)}
    assert len(others) == 20
    for other in others:
        assert sorted(sum(other, ())) == sorted(sum(state.face_down, ()))
        assert [len(pile) for pile in other] == [len(pile) for pile in state.face_down]
    assert RULES.worlds(state, EVERYONE, SeededChance(bytes(32))) == state

"""Random games over every set of options: the invariants of section 11 after every event, and every game ends.

1,000 games, twenty times as many in ``make long``. What holds for every game (gate, worlds, notation, codec) is
checked by ``tests/games/rules/test_contract.py``.
"""

from collections import Counter

import pytest

from games.rules.coup import RULES
from tests.games.rules.coup.invariants import COINS, check_rest
from tests.games.rules.coup.random_play import RandomGame, games, option_sets
from tests.long import SCALE

pytestmark = pytest.mark.long

GAMES = 1_000 * SCALE
PARTS = 8


def check_cards_and_coins(state) -> None:
    """Every coin is somewhere; every card is in one place, and no place holds a card that the pack has not."""
    assert sum(state.coins) + state.reserve + state.treasury == COINS
    assert min(state.coins) >= 0
    assert state.reserve >= 0
    places = [card for cards in (*state.hands, *state.lost, state.drawn, state.aside) for card in cards]
    assert Counter(places) <= Counter(state.pack)


class Watch:
    """Invariants from one decision to the next."""

    def __init__(self) -> None:
        self.offers: dict[str, list[str]] = {}
        self.open: set[str] = set()
        self.hands = 0
        self.turn: tuple[object, ...] = ()

    def batch(self, game: RandomGame) -> None:
        """Check that questions are valid, old ids stay closed, and open questions keep their answers."""
        state = game.state
        questions = {question.id: question for question in RULES.questions(state)}
        assert (RULES.outcome(state) is not None) == (sum(map(bool, state.hands)) == 1) == (not questions)
        assert len({question.seat for question in questions.values()}) == len(questions)
        assert len(questions) < 2 or {RULES.paces[question.kind] for question in questions.values()} == {"reaction"}
        new = questions.keys() - self.open
        assert not new & self.offers.keys(), f"{new} asked again under an old id"
        for name in [*new, *game.luck.sample(sorted(questions.keys() - new), min(1, len(questions) - len(new)))]:
            assert state.hands[questions[name].seat - 1], "a question to somebody who is out"
            texts = [RULES.text(move) for move in RULES.legal_moves(state, questions[name])]
            assert self.offers.setdefault(name, texts) == texts, f"the answers to {name} have changed"
            assert texts
            assert len(set(texts)) == len(texts)
        self.open = set(questions)
        if state.asking == "turn":
            check_rest(state)

    def bomb(self, before, state) -> None:
        """After an event: the bomb has changed hands at most once for every player but the payer."""
        if state.bomb is None:
            self.hands = 0
        elif before is None or before.bomb is None or before.bomb.holder != state.bomb.holder:
            self.hands += 1
        assert self.hands <= len(state.hands) - 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("part", range(PARTS))
def test_cards_and_coins_are_never_lost_and_every_game_ends(part):
    for game in games(GAMES // PARTS, first=part * (GAMES // PARTS)):
        watch = Watch()
        for before, steps in game.batches():
            for _, state in steps:
                check_cards_and_coins(state)
                watch.bomb(before, state)
                before = state
            watch.batch(game)
        alive = [seat for seat, hand in enumerate(game.state.hands, 1) if hand]
        assert RULES.outcome(game.state).winners == tuple(alive)


def test_all_sets_of_options_are_played():
    assert len(option_sets()) == 480
    assert 2 * len(option_sets()) <= GAMES

"""Random games over every set of options: the invariants of section 11 after every event, and every game ends.

1,000 games, twenty times as many in ``make long``. On a share of them the commuting square: what a viewer may know
of a state is what they make of the events they are shown.
"""

from collections import Counter

import msgspec
import pytest

from games.engine import EVERYONE, SPECTATOR, RuleViolation
from games.rules.coup import RULES
from tests.games.rules.coup.invariants import COINS, check_rest
from tests.games.rules.coup.random_play import RandomGame, games, option_sets
from tests.long import SCALE

pytestmark = pytest.mark.long

GAMES = 1_000 * SCALE
PARTS = 8
SQUARES = GAMES // 20


def check_cards_and_coins(state) -> None:
    """Every coin is somewhere; every card is in one place, and no place holds a card that the pack has not."""
    assert sum(state.coins) + state.reserve + state.treasury == COINS
    assert min(state.coins) >= 0
    assert state.reserve >= 0
    places = [card for cards in (*state.hands, *state.lost, state.drawn, state.aside) for card in cards]
    assert Counter(places) <= Counter(state.pack)


class Watch:
    """What has to hold from one decision to the next."""

    def __init__(self) -> None:
        self.offers: dict[str, list[str]] = {}
        self.open: set[str] = set()
        self.hands = 0
        self.turn: tuple[object, ...] = ()

    def batch(self, game: RandomGame) -> None:
        """After a decision: the questions are sound, old ids stay closed, and open ones offer what they offered."""
        state = game.state
        questions = {question.id: question for question in RULES.questions(state)}
        assert (RULES.outcome(state) is not None) == (sum(map(bool, state.hands)) == 1) == (not questions)
        assert len({question.seat for question in questions.values()}) == len(questions)
        assert len(questions) < 2 or {RULES.paces[each.kind] for each in questions.values()} == {"reaction"}
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


@pytest.mark.parametrize("part", range(PARTS))
def test_what_a_viewer_may_know_of_a_state_is_what_they_make_of_the_events_they_are_shown(part):
    for game in games(SQUARES // PARTS, first=7 * part * SQUARES):
        viewers = [*range(1, game.seats + 1), SPECTATOR]
        folded = dict.fromkeys(viewers)
        for _, steps in game.batches():
            for event, state in steps:
                for viewer in viewers:
                    shown = RULES.show(event, viewer)
                    if shown is not None:
                        folded[viewer] = RULES.evolve(folded[viewer], shown)
                    assert RULES.view(folded[viewer], viewer) == RULES.view(state, viewer), event


def test_a_finished_game_shown_to_everyone_is_the_log_itself():
    for game in games(30, first=11):
        for _ in game.batches():
            pass
        assert [RULES.show(event, EVERYONE) for event in game.log] == game.log


def test_events_and_states_survive_being_stored():
    for game in games(24, first=101):
        for _, steps in game.batches():
            for event, state in steps[-1:]:
                stored = msgspec.json.encode(event)
                assert msgspec.json.decode(stored, type=RULES.event_type) == event
                assert msgspec.json.decode(msgspec.json.encode(state), type=RULES.state_type) == state


def test_a_viewer_is_never_shown_more_than_the_event_holds():
    for game in games(24, first=211):
        for _, steps in game.batches():
            for event, _ in steps:
                for viewer in (1, 2, SPECTATOR):
                    shown = RULES.show(event, viewer)
                    assert shown is None or less_or_equal(msgspec.to_builtins(shown), msgspec.to_builtins(event))


def less_or_equal(shown, whole) -> bool:
    """Whether ``shown`` is ``whole`` with some facts replaced by None, lengths kept."""
    if shown is None:
        return True
    if isinstance(shown, dict):
        return shown.keys() == whole.keys() and all(less_or_equal(shown[key], whole[key]) for key in shown)
    if isinstance(shown, list | tuple):
        return len(shown) == len(whole) and all(map(less_or_equal, shown, whole))
    return shown == whole


def test_only_an_answer_to_ones_own_open_question_is_accepted():
    for game in games(48, first=301):
        past: dict[str, tuple] = {}
        for _ in game.batches():
            questions = RULES.questions(game.state)
            for question in questions:
                move = game.luck.choice(RULES.legal_moves(game.state, question))
                other = game.luck.choice([seat for seat in range(1, game.seats + 1) if seat != question.seat])
                refused(game, other, move, {"not-asked", "question-closed"})
                refused(game, question.seat, msgspec.structs.replace(move, question=""), {"not-asked"})
                past[question.id] = (question.seat, move)
            for name in past.keys() - {question.id for question in questions}:
                seat, move = past.pop(name)
                refused(game, seat, move, {"question-closed"})


def refused(game: RandomGame, seat: int, move, codes: set[str]) -> None:
    """The rules refuse a move with one of these codes."""
    with pytest.raises(RuleViolation) as caught:
        RULES.decide(game.state, seat, move, game.chance)
    assert caught.value.code in codes


def test_a_move_is_accepted_exactly_if_it_is_offered():
    pool: dict[str, object] = {}
    for game in games(40, first=401):
        for _ in game.batches():
            for question in RULES.questions(game.state)[:1]:
                offered = {RULES.text(move): move for move in RULES.legal_moves(game.state, question)}
                pool.update(offered)
                for text in game.luck.sample(sorted(pool), min(4, len(pool))):
                    if text not in offered:
                        foreign = msgspec.structs.replace(pool[text], question=question.id)
                        refused(game, question.seat, foreign, {"illegal"})


def test_all_sets_of_options_are_played():
    assert len(option_sets()) == 480
    assert 2 * len(option_sets()) <= GAMES

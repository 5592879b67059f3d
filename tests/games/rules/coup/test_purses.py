"""Coins in random games over every set of options: none is lost, and a player who is out has none.

Players resign at many steps of these games, often several in a row. 480 games, twenty times as many in ``make long``.
``python -m tests.games.rules.coup.test_purses GAMES FIRST SEATS`` lets up to SEATS players resign at every step of
GAMES games, each in a continuation of its own.
"""

import random
import sys
from collections.abc import Iterable

import pytest

from games.engine import SeededChance
from games.rules.coup import RULES
from games.rules.coup.events import GameEnded
from games.rules.coup.state import State
from tests.games.rules.coup.invariants import COINS
from tests.games.rules.coup.random_play import RandomGame, games, option_sets
from tests.long import SCALE

pytestmark = pytest.mark.long

GAMES = 480 * SCALE
PARTS = 8
MOVES_AFTER = 5
"""The number of moves that are played after a resignation at a step of a game, where it does not end before."""


def check_coins(state: State) -> None:
    """Check after an event that every coin is somewhere, and no purse or reserve is below zero."""
    assert sum(state.coins) + state.reserve + state.treasury == COINS
    assert min(state.coins) >= 0
    assert state.reserve >= 0


def check_purses(state: State) -> None:
    """Check after a decision that a player who is out has coins only while a living thief may still take them."""
    action = state.action
    pending = action.target if action and action.verb == "steal" and state.hands[action.seat - 1] else None
    for seat, (hand, coins) in enumerate(zip(state.hands, state.coins, strict=True), 1):
        assert hand or not coins or (seat == pending and state.winner is None), f"seat {seat} is out with {coins} coins"


def take(state: State, events: Iterable) -> State:
    """Fold the events of a decision, and check the coins."""
    for event in events:
        if isinstance(event, GameEnded):
            check_purses(state)
        state = RULES.evolve(state, event)
        check_coins(state)
    check_purses(state)
    return state


def resigned(state: State, seat: int, number: int) -> int:
    """Let a seat resign, then play a few moves in which others often resign too. Return the number of decisions."""
    luck, chance = random.Random(number), SeededChance(number.to_bytes(32), "resigned")
    state = take(state, RULES.resign(state, seat, chance))
    for count in range(1, MOVES_AFTER + 1):
        if state.winner is not None:
            return count
        if luck.random() < 0.2:
            living = [other for other, hand in enumerate(state.hands, 1) if hand]
            events = RULES.resign(state, luck.choice(living), chance)
        else:
            question = luck.choice(RULES.questions(state))
            is_timeout = luck.random() < 0.1
            moves = RULES.legal_moves(state, question)
            move = RULES.default_move(state, question, chance) if is_timeout else luck.choice(moves)
            events = RULES.decide(state, question.seat, move, chance)
        state = take(state, events)
    return MOVES_AFTER + 1


def check_game(game: RandomGame, seats: int, part: float = 1) -> tuple[int, int]:
    """Play a game. At each step, or a part of them, let up to ``seats`` seats resign, each in another continuation.

    Return the number of decisions in the game and in the continuations.
    """
    decisions = further = 0
    for _, steps in game.batches():
        decisions += 1
        for number, (event, state) in enumerate(steps):
            if isinstance(event, GameEnded):
                check_purses(steps[number - 1][1])
            check_coins(state)
        check_purses(game.state)
        living = [seat for seat, hand in enumerate(game.state.hands, 1) if hand]
        if game.state.winner is None and game.luck.random() < part:
            for seat in game.luck.sample(living, min(seats, len(living))):
                further += resigned(game.state, seat, game.luck.getrandbits(64))
    return decisions, further


@pytest.mark.parametrize("part", range(PARTS))
def test_no_coin_is_lost_and_nobody_who_is_out_has_any_whoever_resigns_and_when(part: int) -> None:
    count = GAMES // PARTS
    for game in games(count, first=part * count):
        check_game(game, seats=1, part=0.2)


def test_all_sets_of_options_are_played() -> None:
    assert len(option_sets()) <= GAMES


if __name__ == "__main__":
    count, first, seats = map(int, sys.argv[1:])
    played = [check_game(game, seats) for game in games(count, first)]
    decisions, further = map(sum, zip(*played, strict=True))
    sys.stdout.write(f"{len(played)} games, {decisions} decisions in them, {further} after resignations\n")

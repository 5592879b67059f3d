"""Tables of Coup whose pictures show everything there is to show: for tests, and to be looked at."""

from collections.abc import Callable
from typing import Any, Final

from games.engine import SPECTATOR
from tests.games.rules.coup.random_play import RandomGame
from tests.games.rules.coup.table import Table

EVERYTHING: Final = {"inquisitor": True, "reformation": True, "anarchist": True, "waiting": "public"}


def reached(seats: int, is_reached: Callable[[Any], bool], **options: Any) -> Any:
    """Return the first position in random games that matches a condition."""
    for number in range(400):
        game = RandomGame(number, seats, {**EVERYTHING, **options})
        for _ in game.batches():
            if is_reached(game.state):
                return game.state
    raise AssertionError("no random game gets there")


def late(state: Any) -> bool:
    """Return whether some have lost influences and others are out."""
    return sum(map(len, state.lost)) >= len(state.hands) - 1 and sum(not hand for hand in state.hands) >= 1


TABLES: Final[dict[str, tuple[Callable[[], Any], int]]] = {
    "2-draft": (lambda: Table(2).state, 1),
    "3-start": (lambda: Table(3).state, 2),
    "3-challenge": (lambda: Table(3, ["contessa", "duke", "captain", "contessa"]).play("1 tax").state, 2),
    "3-proof": (lambda: reached(3, lambda s: s.asking == "proof" and s.block is not None), 1),
    "3-exchange": (
        lambda: reached(3, lambda s: s.asking == "exchange" and s.turn == 1, inquisitor=False, waiting="number"),
        1,
    ),
    "4-block": (lambda: reached(4, lambda s: s.asking == "challenge-block" and s.turn == 1), 1),
    "6-bomb": (lambda: reached(6, lambda s: late(s) and s.bomb is not None and s.bomb.receiver is not None), 1),
    "6-examine": (lambda: reached(6, lambda s: s.asking == "examine" and s.turn == 3), 3),
    "6-over": (lambda: reached(6, lambda s: s.winner is not None), SPECTATOR),
    "7-loss": (lambda: reached(7, lambda s: s.asking == "loss" and late(s), waiting="hidden"), SPECTATOR),
    "10-challenge": (lambda: reached(10, lambda s: late(s) and s.asking == "challenge" and 4 in s.asked), 4),
    "10-bomb": (lambda: reached(10, lambda s: late(s) and s.bomb is not None and len(s.bomb.held) > 2), 2),
    "10-over": (lambda: reached(10, lambda s: s.winner is not None), 1),
}
"""The positions, each with its viewer."""

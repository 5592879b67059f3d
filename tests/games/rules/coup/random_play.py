"""Random games of Coup: every legal set of options in turn, with players who resign and clocks that run out."""

import random
from collections.abc import Iterator
from itertools import product

from games.engine import SPECTATOR, SeededChance
from games.rules.coup import RULES

LONGEST = 6000
"""More moves than any game of ten takes; a game that gets there does not end."""

STRIDE = 169
"""Without a divisor in common with the number of option sets, so that every set has its turn."""


def option_sets() -> list[tuple[int, dict[str, object]]]:
    """Every legal choice of players and options (C1), without the starting player."""
    switches = list(product((False, True), repeat=3))
    return [
        (
            seats,
            {
                "inquisitor": inquisitor,
                "reformation": reformation,
                "anarchist": anarchist,
                "two_player_setup": setup,
                "answers": answers,
                "waiting": waiting,
            },
        )
        for seats in RULES.players
        for inquisitor, reformation, anarchist in switches
        for setup in (("draft", "dealt") if seats == 2 else ("draft",))
        for answers in ("first", "sealed")
        for waiting in ("hidden", "number", "public")
    ]


class RandomGame:
    """A game that plays itself: ``batches`` gives what each decision led to, the state before and after.

    How often its players give way, resign and leave the answer to the clock differs from game to game.
    """

    def __init__(self, number: int, seats: int, options: dict[str, object]) -> None:
        self.luck = random.Random(number)
        self.seats = seats
        self.chance = SeededChance(number.to_bytes(32), "random")
        self.options = RULES.options(**options)
        self.patience = self.luck.choice((0.0, 0.5, 0.8, 0.95))
        self.resigning = self.luck.choice((0.0, 0.0, 0.0, 0.004, 0.05))
        self.clocks = self.luck.choice((0.0, 0.0, 0.1, 0.5))
        self.log: list = []
        self.state = None

    def batches(self) -> Iterator[tuple]:
        """Play to the end."""
        yield self._took(RULES.setup(self.options, self.seats, self.chance))
        for _ in range(LONGEST):
            if RULES.outcome(self.state) is not None:
                return
            yield self._took(self._events())
        raise AssertionError("the game does not end")

    def _events(self) -> tuple:
        if self.luck.random() < self.resigning:
            alive = [seat.seat for seat in RULES.view(self.state, SPECTATOR).seats if seat.alive]
            return RULES.resign(self.state, self.luck.choice(alive), self.chance)
        question = self.luck.choice(RULES.questions(self.state))
        return RULES.decide(self.state, question.seat, self.move(question), self.chance)

    def move(self, question):
        """Return the answer to a question."""
        if self.luck.random() < self.clocks:
            return RULES.default_move(self.state, question, self.chance)
        moves = RULES.legal_moves(self.state, question)
        if RULES.text(moves[0]) == "allow" and self.luck.random() < self.patience:
            return moves[0]
        return self.luck.choice(moves)

    def _took(self, events: tuple) -> tuple:
        """The state before, and each event with the state after it."""
        before, steps = self.state, []
        for event in events:
            self.state = RULES.evolve(self.state, event)
            steps.append((event, self.state))
        self.log.extend(events)
        return before, steps


def games(count: int, first: int = 0) -> Iterator[RandomGame]:
    """The number of games, going round all sets of options in an order that mixes them well."""
    sets = option_sets()
    for number in range(first, first + count):
        seats, options = sets[number * STRIDE % len(sets)]
        yield RandomGame(number, seats, options)

"""Random games of Skulls of Sedlec, with players who give up and clocks that run out."""

import random
from collections.abc import Iterator

from games.engine import SeededChance
from games.rules.sedlec import RULES


class RandomGame:
    """A game that plays itself; how often its players give up or let the clock run out differs from game to game."""

    def __init__(self, number: int, seats: int | None = None) -> None:
        self.luck = random.Random(number)
        self.seats = seats or self.luck.choice(RULES.players)
        self.chance = SeededChance(number.to_bytes(32, "big"), "random")
        self.options = RULES.options(starting_player=self.luck.choice(["random", "previous_winner", 1, 2]))
        self.resigning = self.luck.choice((0, 0, 0, 0.01, 0.05))
        self.clocks = self.luck.choice((0, 0, 0.1, 0.5))
        self.log: list = []
        self.state = None

    def steps(self) -> Iterator[tuple]:
        """Play to the end: each event with the state after it."""
        yield from self._took(RULES.setup(self.options, self.seats, self.chance))
        while RULES.outcome(self.state) is None:
            yield from self._took(self._events())

    def played(self, events: int | None = None) -> "RandomGame":
        """Play until a number of events is reached, or to the end. Return the game."""
        for _ in self.steps():
            if len(self.log) == events:
                break
        return self

    def _events(self) -> tuple:
        if self.luck.random() < self.resigning:
            seats = [seat for seat in range(1, self.seats + 1) if seat not in self.state.forfeited]
            return RULES.resign(self.state, self.luck.choice(seats), self.chance)
        (question,) = RULES.questions(self.state)
        move = self.luck.choice(RULES.legal_moves(self.state, question))
        if self.luck.random() < self.clocks:
            move = RULES.default_move(self.state, question, self.chance)
        return RULES.decide(self.state, question.seat, move, self.chance)

    def _took(self, events: tuple) -> Iterator[tuple]:
        for event in events:
            self.state = RULES.evolve(self.state, event)
            self.log.append(event)
            yield event, self.state

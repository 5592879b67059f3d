"""The tables of the players. When a game is over, the next one is created."""

import itertools
import threading
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from bench.chaos.players import Person, Stopped

LOOKS: Final = 3.0
"""Seconds between two checks of all games."""
QUICK: Final = {"turn_limit": "PT2M", "reaction_limit": "PT2M", "choice_limit": "PT2M"}
"""The time limits of tables with a player by mail, some of whose questions time out."""


@dataclass
class Table:
    """Players who play one game after the other."""

    people: Sequence[Person]
    new_game: dict[str, Any]
    game: str = ""
    games: int = 0
    key: str = field(default_factory=lambda: str(uuid.uuid4()))

    def look(self) -> None:
        """Create a game if none is running. Raises Stopped."""
        host, *others = self.people
        if self.game:
            answer = host.insist("GET", f"games/{self.game}/")
            if answer.status_code == 200 and answer.json()["state"] == "running":
                return
            if answer.status_code != 200 or answer.json()["state"] != "open":
                self.game, self.key = "", str(uuid.uuid4())
        if not self.game:
            answer = host.insist("POST", "games/", self.new_game, **{"Idempotency-Key": self.key})
            if answer.status_code != 201:
                host.problems.append(f"{answer.status_code} at games/: {answer.text[:300]}")
                return
            self.game, self.games = answer.json()["id"], self.games + 1
        for other in others:
            other.insist("POST", f"games/{self.game}/join/", {})


class GameStarter(threading.Thread):
    """Creates games at all tables."""

    def __init__(self, tables: Sequence[Table]) -> None:
        super().__init__(name="starter", daemon=True)
        self.tables = tables
        self.over = threading.Event()

    def run(self) -> None:
        with suppress(Stopped):
            while not self.over.wait(LOOKS):
                for table in self.tables:
                    table.look()


def seat(players: Sequence[Person], streamers: Sequence[Person], writers: Sequence[Person]) -> list[Table]:
    """Return tables with players of all kinds, and tables with players of the same kind."""
    coup = {"rules": "coup", "seat_count": 4, "bots": [{}]}
    mixed = [Table(group, coup | QUICK) for group in zip(players, streamers, writers, strict=False)]
    alone = [Table([one, other], {"rules": "sedlec", "seat_count": 2}) for one, other in itertools.pairwise(players)]
    listening = [Table([streamer], {"rules": "coup", "seat_count": 3, "bots": [{}, {}]}) for streamer in streamers]
    writing = [Table([writer], {"rules": "coup", "seat_count": 2, "bots": [{}]} | QUICK) for writer in writers]
    return [*mixed, *alone, *listening, *writing]

"""A server whose broker, RabbitMQ, is killed, restarted and stopped while people play."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.drills.commands import timed
from bench.drills.traffic import WITHOUT_LIMITS, Outcome, sign_up, traffic
from tests.server.darbar import Darbar, wait_until
from tests.server.player import Player
from tests.server.services import RABBIT, Rabbit

PARTS: Final = ("while it runs", "while it is away", "after it came back", "while it hangs")
SHORTEST: Final = 10.0
"""The minimum number of seconds for each part."""
SLOWEST: Final = 30.0
"""The maximum number of seconds until a player gets a question by email when the broker is back."""


def run(folder: Path, moves: int) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    if not RABBIT.exists():
        yield "broker: skipped, as rabbitmq-server is not installed", True
        return
    (folder / "rabbit").mkdir()
    with Rabbit(folder / "rabbit") as rabbit:
        server = Darbar(folder / "data", BROKER_URL=rabbit.url, **WITHOUT_LIMITS).start()
        try:
            with traffic(sign_up(server)) as outcome:
                for part in PARTS:
                    _disturb(rabbit, part)
                    yield _wait_for_moves(outcome, part, moves // len(PARTS))
                rabbit.tell(signal.SIGCONT)
            yield f"broker: {outcome}", outcome.errors == 0
            refused = server.output().count("UnexpectedFrame")
            yield f"broker: RabbitMQ refused {refused} connections of workers", refused == 0
            yield "broker: the workers used it again", "The broker answers again." in server.output()
            yield _question_by_email(server)
        finally:
            server.end()
    yield timed("broker: verify", server, "manage.py", "verify")


def _disturb(rabbit: Rabbit, part: str) -> None:
    _, is_away, came_back, hangs = PARTS
    if part == is_away:
        rabbit.__exit__()
    elif part == came_back:
        rabbit.__enter__()
    elif part == hangs:
        rabbit.tell(signal.SIGSTOP)


def _wait_for_moves(outcome: Outcome, part: str, moves: int) -> tuple[str, bool]:
    """Wait for a number of further moves, and for the minimum time."""
    before, began = len(outcome.moves), time.monotonic()

    def is_enough() -> bool:
        return len(outcome.moves) >= before + moves and time.monotonic() >= began + SHORTEST

    outcome.wait_for(is_enough, f"{moves} moves are acknowledged {part}")
    resolved = len(outcome.moves) - before
    return f"broker: {resolved} moves {part}, {resolved / (time.monotonic() - began):.0f} a second", True


def _question_by_email(server: Darbar) -> tuple[str, bool]:
    """Measure the time until the creator of a game gets a question by email."""
    with Player(server, "Dariush") as dariush:
        began = time.monotonic()
        dariush.post("games/", {"rules": "coup", "seat_count": 2, "bots": [{}]}, 201)
        wait_until(lambda: any(mail["reason"] == "question" for mail in dariush.mails()), "he gets an email")
        seconds = time.monotonic() - began
    return f"broker: {seconds:.1f} s until a player gets a question by email", seconds <= SLOWEST

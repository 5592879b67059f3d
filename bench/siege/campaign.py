"""Quiet and siege in turn, on one server, while the same people play."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.siege.players import Players, Results
from bench.siege.server import PATIENCE, ROOT, Besieged, besieged


@dataclass(frozen=True)
class Force:
    """The numbers of each side, and for how long they are there."""

    players: int
    slow: int
    idle: int
    seconds: float
    """Of each phase."""
    rounds: int
    pause: float
    """Seconds that a player thinks."""
    seed: int


@dataclass
class Found:
    """The findings of a siege."""

    quiet: list[Results] = field(default_factory=list)
    siege: list[Results] = field(default_factory=list)
    """One for each round."""
    attackers: Counter[str] = field(default_factory=Counter)


def campaign(force: Force, proxied: bool) -> Found:
    """Play in quiet and under siege, as often as is asked for."""
    found = Found()
    with besieged(proxied) as place:
        players = Players(place, _tokens(place, force.players), force.pause, force.seed)
        with players.at_work():
            time.sleep(force.seconds / 2)  # what is done once is done before anything is measured
            for _ in range(force.rounds):
                found.quiet.append(_phase(players, force.seconds))
                with _attackers(place, force, found.attackers):
                    found.siege.append(_phase(players, force.seconds))
                time.sleep(force.seconds / 4)
    return found


def _phase(players: Players, seconds: float) -> Results:
    """Return what came of all requests in so many seconds; in more, where nobody has moved until then."""
    players.results()
    found, deadline = Results(), time.monotonic() + PATIENCE
    while not found.moves and time.monotonic() < deadline:
        time.sleep(seconds)
        found.add(players.results())
    return found


@contextmanager
def _attackers(place: Besieged, force: Force, seen: Counter[str]) -> Iterator[None]:
    """Attackers at all doors, all of whom have tried to come in when the block begins."""
    command = [sys.executable, "-m", "bench.siege.attackers"]
    doors = {"web": place.web, "stream": place.stream, "mail": place.mail}
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps({"doors": doors, "slow": force.slow, "idle": force.idle}) + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == "ready\n"
            yield
            process.stdin.close()
            seen.update(json.loads(process.stdout.read()))
        finally:
            process.kill()


def _tokens(place: Besieged, count: int) -> list[str]:
    """The tokens of so many new accounts."""
    environment = {**place.environment, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "bench.siege.cast", str(count)]
    made = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return list(json.loads(made.stdout))

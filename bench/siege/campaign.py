"""Alternating quiet and attacked phases on one server, with the same players."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.siege.players import Players, Results
from bench.siege.server import PATIENCE, ROOT, Target, running_server


@dataclass(frozen=True)
class Force:
    """The numbers of players and attackers, and the length of the phases."""

    players: int
    connections: int
    """The number of connections of the attackers to each service."""
    seconds: float
    """The length of each phase."""
    rounds: int
    pause: float
    """Seconds that a player waits before each look at the open questions."""
    seed: int


@dataclass
class Siege:
    """The results of a siege, with an entry for each round."""

    quiet: list[Results] = field(default_factory=list)
    besieged: list[Results] = field(default_factory=list)
    attackers: Counter[str] = field(default_factory=Counter)
    memory: float = 0.0
    """The memory of the web server's process under siege, in MB."""


def campaign(force: Force, front: str, network: str) -> Siege:
    """Play without and with attackers, for the given number of rounds."""
    siege = Siege()
    with running_server(front) as target:
        players = Players(target, _tokens(target, force.players), force.pause, force.seed)
        with players.at_work():
            players.warm_up()
            time.sleep(force.seconds / 2)  # so that work at the first request is not measured
            for _ in range(force.rounds):
                siege.quiet.append(_phase(players, force.seconds))
                with _attackers(target, network, force.connections, siege.attackers):
                    siege.besieged.append(_phase(players, force.seconds))
                    siege.memory = max(siege.memory, target.web_memory())
                time.sleep(force.seconds / 4)
    return siege


def _phase(players: Players, seconds: float) -> Results:
    """Return the results of all requests in ``seconds``. The phase is longer if there is no move until then."""
    players.results()
    results, deadline = Results(), time.monotonic() + PATIENCE
    while not results.moves and time.monotonic() < deadline:
        time.sleep(seconds)
        results.add(players.results())
    return results


@contextmanager
def _attackers(target: Target, network: str, connections: int, counts: Counter[str]) -> Iterator[None]:
    """Attack all services during the block, which begins when every connection has been tried."""
    command = [sys.executable, "-m", "bench.siege.attackers"]
    ports = {"web": target.web, "stream": target.stream, "mail": target.mail}
    if network == "one /48":
        del ports["mail"]  # the mail server has no proxy and listens at 127.0.0.1
    orders = {"ports": ports, "network": network, "connections": connections}
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(orders) + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == "ready\n"
            yield
            process.stdin.close()
            counts.update(json.loads(process.stdout.read()))
        finally:
            process.kill()


def _tokens(target: Target, count: int) -> list[str]:
    """Create accounts, and return their tokens."""
    command = [sys.executable, "-m", "bench.siege.cast", str(count)]
    completed = subprocess.run(command, cwd=ROOT, env=target.environment, check=True, stdout=subprocess.PIPE, text=True)
    return list(json.loads(completed.stdout))

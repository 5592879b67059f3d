"""Kill, stop, fill and restore a server that is being played on: ``python -m bench.chaos --minutes 5``.

Ends with a table of what was done and what came of it; exit status 1 unless nothing is lost, doubled or stuck.
"""

import argparse
import random
import sys
from pathlib import Path

from bench.chaos.report import table
from bench.chaos.run import Plan, run


def plan() -> tuple[Plan, Path | None]:
    """Return what the command line asks for, and where the server's log is to be kept."""
    parser = argparse.ArgumentParser(prog="python -m bench.chaos", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=5.0, help="how long the faults go on at most")
    parser.add_argument("--kills", type=int, default=1000, help="how many processes are killed at most")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="draws the faults")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two kills")
    parser.add_argument("--others", type=float, default=15.0, help="seconds between two faults that are no kills")
    parser.add_argument("--restores", type=int, default=2, help="how often a backup is restored")
    parser.add_argument("--players", type=int, default=3, help="players of each of the three kinds", choices=(1, 2, 3))
    parser.add_argument("--no-disk", action="store_true", help="no small file system, which only root can make")
    parser.add_argument("--log", type=Path, help="where the server's log is kept")
    options = parser.parse_args()
    item = (options.pace, options.others, options.restores, options.players, not options.no_disk)
    return Plan(options.seed, options.minutes * 60, options.kills, *item), options.log


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def main() -> None:
    """Do what the command line says."""
    request, log = plan()
    say(f"--seed {request.seed}, {request}")
    result = run(request, say, log)
    say(table(result))
    sys.exit(1 if result.findings else 0)


if __name__ == "__main__":
    main()

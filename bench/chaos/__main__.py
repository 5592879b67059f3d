"""Injects faults into a real server while people play on it: ``python -m bench.chaos --minutes 5``.

Processes are killed and stopped, the disk is filled, and backups are restored. Prints a table of the faults and their
results. The exit status is 1 if anything was lost, doubled or stuck.
"""

import argparse
import random
import sys
from pathlib import Path

from bench.chaos.report import table
from bench.chaos.run import Plan, run


def plan() -> tuple[Plan, Path | None]:
    """Parse the command line. Return the plan and the file for the server's log."""
    parser = argparse.ArgumentParser(prog="python -m bench.chaos", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=5.0, help="the maximum time in which faults are injected")
    parser.add_argument("--kills", type=int, default=1000, help="the maximum number of killed processes")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="the seed of the random faults")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two kills")
    parser.add_argument("--others", type=float, default=15.0, help="seconds between two other faults")
    parser.add_argument("--restores", type=int, default=2, help="the number of restored backups")
    parser.add_argument("--players", type=int, default=3, help="players of each of the three kinds", choices=(1, 2, 3))
    parser.add_argument("--no-disk", action="store_true", help="do not fill the disk, which needs root")
    parser.add_argument("--log", type=Path, help="the file for the server's log")
    options = parser.parse_args()
    extent = (options.pace, options.others, options.restores, options.players, not options.no_disk)
    return Plan(options.seed, options.minutes * 60, options.kills, *extent), options.log


def say(line: str) -> None:
    """Print a line without buffering."""
    print(line, flush=True)


def main() -> None:
    """Run the plan of the command line, and print the results."""
    command, log = plan()
    say(f"--seed {command.seed}, {command}")
    result = run(command, say, log)
    say(table(result))
    sys.exit(1 if result.findings else 0)


if __name__ == "__main__":
    main()

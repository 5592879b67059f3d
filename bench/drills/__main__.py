"""Runs the drills one after another: ``python -m bench.drills``. The exit status is 1 if a drill fails."""

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from bench.drills import (
    broker,
    failover,
    patroni,
    point_in_time,
    pooler,
    rolling,
    upgrade,
)

DRILLS: Final[dict[str, Callable[[Path, int], Iterator[tuple[str, bool]]]]] = {
    "pooler": pooler.run,
    "failover": failover.run,
    "patroni": patroni.run,
    "broker": broker.run,
    "rolling": rolling.run,
    "upgrade": upgrade.run,
    "point-in-time": point_in_time.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.drills")
    parser.add_argument("drills", nargs="*", choices=[*DRILLS, []], metavar="drill", help=" ".join(DRILLS))
    parser.add_argument("--size", type=int, default=10_000, help="the number of requests, or of acknowledged moves")
    options = parser.parse_args()
    sizes = {"upgrade": options.size // 5}
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # so that ``finally`` ends the processes that were started
    failed = False
    for name in options.drills or DRILLS:
        folder = Path(tempfile.mkdtemp(prefix="darbar-drill-"))
        folder.chmod(0o755)
        try:
            for line, is_good in DRILLS[name](folder, sizes.get(name, options.size)):
                print(f"{'ok   ' if is_good else 'WRONG'} {line}", flush=True)
                failed = failed or not is_good
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

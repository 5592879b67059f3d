"""The drills one after another: ``python -m bench.drills --requests 10000``. Exit status 1 where one fails."""

import argparse
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from bench.drills import pooler, upgrade


def main() -> None:
    """Run the drills, and print a line for each result."""
    parser = argparse.ArgumentParser(prog="python -m bench.drills", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--requests", type=int, default=10_000, help="requests behind the pooler")
    requests = parser.parse_args().requests
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is ended all the same
    failed = False
    for drill, count in ((pooler, requests), (upgrade, requests // 5)):
        folder = Path(tempfile.mkdtemp(prefix="darbar-drill-"))
        folder.chmod(0o755)
        try:
            for line, well in drill.run(folder, count):
                print(f"{'ok   ' if well else 'WRONG'} {line}", flush=True)
                failed = failed or not well
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

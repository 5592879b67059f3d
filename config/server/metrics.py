"""The metrics for Prometheus at ``METRICS_PORT``: ``python -m config.server.metrics``.

They have their own process, so that they are available when the web server is not.
"""

import os
import re
import signal
import sys
import threading
from pathlib import Path

from django.conf import settings
from django.utils.module_loading import import_string

from config.core import processes
from config.core.processes import set_up_django, start_vital_thread


def main() -> None:
    """Serve metrics until the process is stopped. Without a port, exit with status 1 and one sentence."""
    processes.watch_parent()
    if settings.METRICS_PORT is None:
        sys.exit("METRICS_PORT isn’t set. Set it to the port that Prometheus asks.")
    delete_old_files(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))
    set_up_django()
    import_string("config.core.database.checks.DATABASE_CHECKS").start()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    serve = import_string("games.operations.exporter.serve")  # models can only be imported after the setup
    start_vital_thread(serve(settings.LISTEN, settings.METRICS_PORT).join, name="metrics")
    stop.wait()
    processes.exit_process()


def delete_old_files(folder: Path) -> None:
    """Delete the counters of processes that have ended. Prometheus treats that as a restart."""
    for file in folder.glob("*.db"):
        process = re.search(r"_(\d+)\.db$", file.name)
        if process and not Path(f"/proc/{process[1]}").exists():
            file.unlink(missing_ok=True)


if __name__ == "__main__":
    main()

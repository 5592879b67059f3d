"""The numbers for Prometheus, at ``METRICS_PORT``: ``python -m config.processes.metrics``.

A process of its own: so it still answers, and says that the web server does not, when that is gone.
"""

import os
import re
import signal
import sys
import threading
from pathlib import Path

from django.conf import settings
from django.utils.module_loading import import_string

from config.embedded import parent_watch
from config.embedded.django_setup import set_up_django
from config.embedded.vital_threads import start_vital_thread


def main() -> None:
    """Serve until told to end. Exit status 1 with one sentence where it is not said at which port."""
    parent_watch.watch()
    if settings.METRICS_PORT is None:
        sys.exit("METRICS_PORT is not set: say at which port Prometheus may ask.")
    forget_ended(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))
    set_up_django()
    import_string("config.database.database_checks.DATABASE_CHECKS").start()
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    serve = import_string("games.operations.exporter.serve")  # by name: models can be imported only now
    start_vital_thread(serve(settings.LISTEN, settings.METRICS_PORT).join, name="metrics")
    over.wait()
    parent_watch.exit_process()


def forget_ended(folder: Path) -> None:
    """Delete the counts of processes that have ended. Prometheus takes that for the restart that it is."""
    for file in folder.glob("*.db"):
        process = re.search(r"_(\d+)\.db$", file.name)
        if process and not Path(f"/proc/{process[1]}").exists():
            file.unlink(missing_ok=True)


if __name__ == "__main__":
    main()

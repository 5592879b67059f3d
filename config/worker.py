"""The worker, with the clock that rings for it: ``python -m config.worker``."""

import os
import warnings
from typing import Final

from celery.platforms import SecurityWarning

from config import lifeline
from config.celery import app

THREADS: Final = 4


def main() -> None:
    """Work until told to end. There is one clock for all workers: further ones are started without ``--beat``."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    warnings.filterwarnings("ignore", category=SecurityWarning)
    lifeline.watch()
    app.worker_main(
        [
            "worker",
            "--beat",
            "--pool=threads",
            f"--concurrency={THREADS}",
            "--without-gossip",
            "--without-mingle",
            "--loglevel=warning",
        ]
    )


if __name__ == "__main__":
    main()

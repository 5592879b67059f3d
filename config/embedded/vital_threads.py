"""Vital threads: threads without which a process only looks healthy. If one ends, its process is started again.

Python ends a thread in which an error is not caught, and its process goes on without it.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Final

from config.embedded import parent_watch
from config.failures import describe_error

logger = logging.getLogger(__name__)

GRACE: Final = 10.0
"""Seconds that the process has to end properly."""


def start_vital_thread(work: Callable[..., object], *arguments: object, name: str) -> None:
    """Start a thread that is never to end."""
    threading.Thread(target=_run, args=(work, arguments, name), name=name, daemon=True).start()


def _run(work: Callable[..., object], arguments: tuple[object, ...], name: str) -> None:
    why = "it returned"
    try:
        work(*arguments)
    except BaseException as error:  # SystemExit, too, would end the thread only
        why = describe_error(error)
    logger.critical("the thread “%s” has ended, so this process ends: %s", name, why)
    parent_watch.note_failure()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)

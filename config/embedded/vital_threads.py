"""Vital threads. If one of them ends, its process ends too, so that the runner restarts it.

Otherwise an uncaught error would end the thread only, and the process would seem healthy.
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
"""Seconds for the process to end properly."""


def start_vital_thread(work: Callable[..., object], *arguments: object, name: str) -> None:
    """Start a thread that must never end."""
    threading.Thread(target=_run, args=(work, arguments, name), name=name, daemon=True).start()


def _run(work: Callable[..., object], arguments: tuple[object, ...], name: str) -> None:
    reason = "it returned"
    try:
        work(*arguments)
    except BaseException as error:  # SystemExit, too, would only end the thread
        reason = describe_error(error)
    logger.critical("the thread “%s” has ended, so this process ends: %s", name, reason)
    parent_watch.note_failure()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)

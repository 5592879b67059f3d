"""Tells a process that the runner which started it is gone, even by SIGKILL: the pipe that it was given closes."""

import contextlib
import os
import signal
import sys
import threading
import time
from typing import Final, NoReturn

from config import logs

PIPE_VARIABLE: Final = "DARBAR_PARENT_PIPE"
GRACE: Final = 10.0
"""Seconds a process has to end properly once its runner is gone."""


_exit_code = [0]


def note_failure() -> None:
    """Let this process end with status 1: something in it has failed."""
    _exit_code[0] = 1


def watch() -> None:
    """End this process when the runner ends, if one started it; and let the log have what nobody catches in it."""
    logs.log_uncaught_exceptions()
    if pipe := os.environ.get(PIPE_VARIABLE):
        threading.Thread(target=_wait, args=(int(pipe),), name="parent watch", daemon=True).start()


def exit_process(code: int = 0) -> NoReturn:
    """End this process at once, when its work is done, without waiting for its threads.

    Some wait for news for up to a minute, others have a connection to the database for as long as they live.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or _exit_code[0])


def _wait(pipe: int) -> None:
    with contextlib.suppress(OSError):  # a pipe that cannot be read has lost its runner, too
        os.read(pipe, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)

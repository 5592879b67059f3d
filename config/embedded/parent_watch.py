"""The end of a process together with the runner that started it, even if the runner was killed with SIGKILL.

The runner holds the writing end of a pipe, which closes with it.
"""

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
"""Seconds for a process to end properly after its runner has ended."""


_exit_code = [0]


def note_failure() -> None:
    """Let this process end with status 1."""
    _exit_code[0] = 1


def watch() -> None:
    """End this process when the runner that started it ends, and log uncaught exceptions."""
    logs.log_uncaught_exceptions()
    if pipe := os.environ.get(PIPE_VARIABLE):
        threading.Thread(target=_wait, args=(int(pipe),), name="parent watch", daemon=True).start()


def exit_process(code: int = 0) -> NoReturn:
    """End this process when its work is done, without waiting for its threads."""
    # Some threads wait for messages for up to a minute, and others keep a database connection as long as they live.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or _exit_code[0])


def _wait(pipe: int) -> None:
    with contextlib.suppress(OSError):  # a pipe that cannot be read means that the runner has ended, too
        os.read(pipe, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)

"""The life of a process: the setup of Django, memory, vital threads, and its end together with the runner.

The runner holds the writing end of a pipe, which closes with it, even if it was killed with SIGKILL. If a vital thread
ends, its process ends too, so that the runner restarts it. Otherwise the process would only seem healthy.
"""

import contextlib
import gc
import logging
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Final, NoReturn

import django
from django.apps import apps

from config.core.logs import describe_error, log_uncaught_exceptions

logger = logging.getLogger(__name__)

PIPE_VARIABLE: Final = "DARBAR_PARENT_PIPE"
GRACE: Final = 10.0
"""Seconds for a process to end properly."""
OFTEN: Final = (30_000, 20, 20)
"""The thresholds of the garbage collector, which then never runs within a batch of moves."""
_exit_code = [0]


def note_failure() -> None:
    """Let this process end with status 1."""
    _exit_code[0] = 1


def watch_parent() -> None:
    """End this process when the runner that started it ends, and log uncaught exceptions."""
    log_uncaught_exceptions()
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
    note_failure()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


def set_up_django() -> None:
    """Set up Django, unless the runner did so before it forked this process."""
    # A second setup would configure logging again, and write to 3 MB of memory that all forks share.
    if not apps.ready:
        django.setup()


def postpone_collection() -> None:
    """Stop the garbage collector until ``freeze_modules``, because importing modules makes hardly any garbage."""
    gc.disable()


def freeze_modules() -> None:
    """Freeze the objects of all modules, so that the garbage collector visits new objects only, and less often."""
    # Visiting all objects took 0.1 s in the middle of a request or batch.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN)
    gc.enable()


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as the system permits, and return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):  # macOS names a hard limit that it does not grant
        return soft
    return hard

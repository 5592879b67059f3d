"""The processes that the runner keeps running. They are forks of the runner, made after it has imported all modules.

Importing Django and our modules takes about a second and 100 MB. A fork has them immediately and shares their memory.
"""

import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from typing import Final

from setproctitle import setproctitle

from config.core.processes import PIPE_VARIABLE
from config.embedded.restart_pauses import Pauses

GRACE: Final = 15.0
"""Seconds for a child to end properly."""
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FORKING: Final = multiprocessing.get_context("fork")


class ParentPipe:
    """A pipe whose writing end closes when this process ends, so that the children notice it."""

    def __enter__(self) -> "ParentPipe":
        self.reader, self._writer = os.pipe()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.reader)
        os.close(self._writer)

    def enter_child(self) -> None:
        """Close the writing end in a child, and pass the reading end to ``config.core.processes``."""
        os.close(self._writer)
        os.environ[PIPE_VARIABLE] = str(self.reader)


class Child:
    """A process that is kept running and does the same as ``python -m module``."""

    def __init__(self, module: str, pipe: ParentPipe) -> None:
        self._module = module
        self._pipe = pipe
        self._pauses = Pauses()
        self._process: BaseProcess | None = None

    def keep(self) -> str | None:
        """Start the process if it does not run.

        If it ends repeatedly, each restart waits longer. Return a sentence when an ended process is restarted.
        """
        exit_code = None
        if self._process:
            exit_code = self._process.exitcode
            if exit_code is None or not self._pauses.is_over():
                return None
            self._end_group()
        self._pauses.start()
        self._process = fork(self._module, self._pipe, lambda: importlib.import_module(self._module).main())
        return None if exit_code is None else f"{self._module} has ended ({exit_code}) and is started again."

    def terminate(self) -> None:
        if self._process:
            self._process.terminate()

    def end(self, deadline: float) -> None:
        """Wait until the process has ended, then kill it and its own children."""
        if self._process:
            self._process.join(max(0.1, deadline - time.monotonic()))
            self._end_group()
            self._process.kill()
            self._process.join()

    def _end_group(self) -> None:
        if self._process and self._process.pid:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


@contextlib.contextmanager
def children(modules: tuple[str, ...]) -> Iterator[list[Child]]:
    """Keep a process of each module running in this block, and no longer, even if this process is killed."""
    with ParentPipe() as pipe:
        processes = [Child(module, pipe) for module in modules]
        try:
            for child in processes:
                child.keep()
            yield processes
        finally:
            deadline = time.monotonic() + GRACE
            for child in processes:
                child.terminate()
            for child in processes:
                child.end(deadline)


def fork(name: str, pipe: ParentPipe, work: Callable[[], object]) -> BaseProcess:
    """Start a process that does some work and ends. ``ps`` shows ``name``, which is a module."""
    # Stop signals are blocked until the child has replaced the runner's handlers.
    process = _FORKING.Process(target=_begin, args=(name, pipe, work), name=name)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return process


def _begin(name: str, pipe: ParentPipe, work: Callable[[], object]) -> None:
    """Set up a child in its own session, and do its work."""
    os.setsid()
    pipe.enter_child()
    setproctitle(f"{sys.executable} -m {name}")
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    try:
        work()
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(1)

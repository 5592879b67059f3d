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
from pathlib import Path
from typing import IO, Final
from weakref import WeakSet

from setproctitle import setproctitle

from config.core.processes import PIPE_VARIABLE

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
            kill(self._process)
        self._pauses.start()
        self._process = fork(self._module, self._pipe, lambda: importlib.import_module(self._module).main())
        return None if exit_code is None else f"{self._module} has ended ({exit_code}) and is being restarted."

    def terminate(self) -> None:
        if self._process:
            self._process.terminate()

    def end(self, deadline: float) -> None:
        """Wait until the process has ended, then kill it and its own children."""
        if self._process:
            self._process.join(max(0.1, deadline - time.monotonic()))
            kill(self._process)


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


def kill(process: BaseProcess) -> None:
    """Kill a forked process and its own children, and wait until it has ended."""
    # The process comes first: if it has no group yet, it must not start children in one.
    process.kill()
    if process.pid:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.join()


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


LONGEST: Final = 10.0
"""The longest pause in seconds."""
_SHORTEST: Final = 0.5
_STEADY: Final = 60.0
"""Seconds after which a process that ends is restarted without a pause."""


class Pauses:
    """The pauses of a process: none, half a second, and then twice as long each time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` returns monotonic seconds."""
        self._clock = clock
        self._ends = 0
        self._started_at = 0.0
        self._ended_at: float | None = None

    def start(self) -> None:
        """Note that the process has been started."""
        self._started_at, self._ended_at = self._clock(), None

    def is_over(self) -> bool:
        """Return True if the ended process may be restarted. Call it repeatedly until it is True."""
        now = self._clock()
        if self._ended_at is None:
            self._ended_at = now
            self._ends = 1 if now - self._started_at >= _STEADY else self._ends + 1
        return now - self._ended_at >= self._length()

    def _length(self) -> float:
        return 0.0 if self._ends <= 1 else min(_SHORTEST * 2.0 ** (self._ends - 2), LONGEST)


_WITHOUT_FORKS: Final[WeakSet[IO[bytes]]] = WeakSet()
"""Files that are closed in forks of this process."""


def open_private(path: Path, *, for_forks_too: bool = False) -> IO[bytes]:
    """Open a file for appending, with mode 600. It is created if it is missing.

    A lock on it ends with this process, or with its last fork if it is ``for_forks_too``.
    """
    file = open(path, "ab", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o600))  # noqa: SIM115
    os.fchmod(file.fileno(), 0o600)
    if not for_forks_too:
        _WITHOUT_FORKS.add(file)
    return file


def _close_files() -> None:
    for file in [*_WITHOUT_FORKS]:
        file.close()


os.register_at_fork(after_in_child=_close_files)

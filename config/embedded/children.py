"""The processes that the runner keeps running: forks of itself, made when it has read all modules.

Reading Django and our modules takes a process about a second and 100 MB. A fork has them at once, and shares their
memory with the others.
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

from config.embedded import parent_watch
from config.embedded.restart_pauses import Pauses

GRACE: Final = 15.0
"""Seconds that a child has to end properly."""
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FORKING: Final = multiprocessing.get_context("fork")


class ParentPipe:
    """A pipe on which nobody writes. Its other end closes with this process, and so tells the children."""

    def __enter__(self) -> "ParentPipe":
        self.reader, self._writer = os.pipe()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.reader)
        os.close(self._writer)

    def enter_child(self) -> None:
        """Leave the other end to the parent alone, and let ``parent_watch`` know of this one."""
        os.close(self._writer)
        os.environ[parent_watch.PIPE_VARIABLE] = str(self.reader)


class Child:
    """A process that is kept running: what ``python -m module`` does."""

    def __init__(self, module: str, pipe: ParentPipe) -> None:
        self._module = module
        self._pipe = pipe
        self._pauses = Pauses()
        self._process: BaseProcess | None = None

    def keep(self) -> str | None:
        """Start it if it does not run: again at once, or after a pause that grows while it ends again and again.

        Gives a sentence when it has ended and is started again.
        """
        ended = None
        if self._process:
            ended = self._process.exitcode
            if ended is None or not self._pauses.is_over():
                return None
            self._end_group()
        self._pauses.start()
        self._process = fork(self._module, self._pipe, lambda: importlib.import_module(self._module).main())
        return None if ended is None else f"{self._module} has ended ({ended}) and is started again."

    def ask_to_end(self) -> None:
        """Ask it to end."""
        if self._process:
            self._process.terminate()

    def end(self, deadline: float) -> None:
        """Wait until it has ended, and make sure of it, its own children included."""
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
    """Keep a process of each module running while the block does, and no longer, even if this process is killed."""
    with ParentPipe() as pipe:
        kept = [Child(module, pipe) for module in modules]
        try:
            for child in kept:
                child.keep()
            yield kept
        finally:
            deadline = time.monotonic() + GRACE
            for child in kept:
                child.ask_to_end()
            for child in kept:
                child.end(deadline)


def fork(name: str, pipe: ParentPipe, work: Callable[[], object]) -> BaseProcess:
    """Start a process that does some work and ends; ``name`` is the module whose it is, which ``ps`` shows.

    No signal that asks to end arrives before the process is apart from this one: our handlers are not its.
    """
    process = _FORKING.Process(target=_begin, args=(name, pipe, work), name=name)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return process


def _begin(name: str, pipe: ParentPipe, work: Callable[[], object]) -> None:
    """Be a process of its own, in a session of its own, and work."""
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

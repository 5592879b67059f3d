"""The runner behind ``make run``: ``python -m config.embedded.runner``.

Starts the database, brings its tables up to date, then runs the web server, the event stream, the mail server and the
worker until told to end, and ends everything it started. What dies is started again, PostgreSQL too, however often it
dies, after pauses that grow. If the runner itself is killed, its children notice (``config.embedded.parent_watch``);
they hold a lock, so that the next runner waits until they are gone.
"""

import contextlib
import errno
import fcntl
import os
import signal
import smtplib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.embedded import parent_watch, postgres
from config.embedded.disk_watch import DiskWatch
from config.embedded.private_files import open_private
from config.embedded.restart_pauses import Pauses

PATIENCE: Final = 60.0
"""Seconds to wait for what an earlier run left, and between two sentences about a server that does not answer."""
GRACE: Final = 15.0
"""Seconds that a child has to end properly."""
TEMPORARY: Final = (Path("/tmp"), Path("/var/tmp"))
"""Folders that cleaners empty."""


class CannotRun(Exception):
    """The server cannot run, or not go on; the message says why, in a sentence."""


class StopSignal(BaseException):
    """A signal told us to end."""


class Child:
    """A process that is kept running: ``python -m module``."""

    def __init__(self, module: str, fds: tuple[int, ...]) -> None:
        """``fds`` are handed down: the pipe of ``parent_watch`` first."""
        self._module = module
        self._fds = fds
        self._pauses = Pauses()
        self._process: subprocess.Popen[bytes] | None = None

    def keep(self) -> None:
        """Start it if it does not run: again at once, or after a pause that grows while it ends again and again."""
        if self._process:
            ended = self._process.poll()
            if ended is None or not self._pauses.is_over():
                return
            print_sentence(f"{self._module} has ended ({ended}) and is started again.")
            self._end_group(signal.SIGKILL)
        self._pauses.start()
        self._process = subprocess.Popen(
            [sys.executable, "-m", self._module],
            cwd=settings.BASE_DIR,
            env={**os.environ, parent_watch.PIPE_VARIABLE: str(self._fds[0])},
            stdin=subprocess.DEVNULL,
            pass_fds=self._fds,
            start_new_session=True,
        )

    def ask_to_end(self) -> None:
        """Ask it to end."""
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    def end(self, deadline: float) -> None:
        """Wait until it has ended, and make sure of it, its own children included."""
        if self._process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(max(0.1, deadline - time.monotonic()))
            self._end_group(signal.SIGKILL)
            self._process.wait()

    def _end_group(self, how: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, how) if self._process else None


def main() -> None:
    """Run until SIGINT, SIGTERM or SIGHUP; exit status 1 with one sentence where that cannot be."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _raise_stop)
    try:
        run()
    except StopSignal:
        print_sentence("Darbar has ended.")
    except (CannotRun, ImproperlyConfigured, postgres.PostgresError) as error:
        sys.exit(str(error))


def _raise_stop(number: int, _: object) -> None:
    """End, once: a second signal does not disturb the ending."""
    signal.signal(number, signal.SIG_IGN)
    raise StopSignal


def run() -> None:
    """Run everything until ``Stop``."""
    with lock_data_folder(settings.DATA_DIR) as children_lock:
        refuse_busy_ports()
        embedded = settings.DATABASE_URL is None
        with postgres.Server(settings.EMBEDDED_DATABASE) if embedded else contextlib.nullcontext() as server:
            prepare_database(children_lock)
            if not settings.BROKER_URL:
                delete_messages(settings.QUEUE_DIR)
            with children(processes(), children_lock) as kept:
                disks = DiskWatch(settings.DISKS)
                wait_for_answers(lambda: keep_running(kept, server, disks))
                for sentence in startup_notes(settings.EMBEDDED_DATABASE if embedded else None):
                    print_sentence(sentence)
                mailbox = f", its mails at {settings.PUBLIC_URL}/mailbox/" if settings.MAILBOX else ""
                print_sentence(f"Darbar is at {settings.PUBLIC_URL}/{mailbox} - Ctrl-C ends it.")
                while True:
                    keep_running(kept, server, disks)


def processes() -> tuple[str, ...]:
    """The modules that run beside the database."""
    wanted = ("web", "worker", "mail", "stream", *(["metrics"] if settings.METRICS_PORT else []))
    return tuple(f"config.processes.{name}" for name in wanted)


def startup_notes(paths: postgres.ServerPaths | None) -> Iterator[str]:
    """Say what an operator should know of where the data are, and of what is not checked."""
    if any(settings.DATA_DIR.is_relative_to(folder) for folder in TEMPORARY):
        yield f"DATA_DIR is {settings.DATA_DIR}, in a folder for temporary files: cleaners may delete it."
    if paths and paths.shares_user:
        yield (
            f"PostgreSQL runs as the user {postgres.SHARED_USER}: other processes of that user can read {paths.home}. "
            f"To give it a user of its own, type {postgres.ADD_USER} and start again."
        )
    if paths and paths.home != paths.link:
        yield f"The database is in {paths.home}, where the link {paths.link} leads: a backup has to follow it."
    if not settings.MAILBOX and not settings.AUTHENTICATION_SERVER:
        yield (
            "AUTHENTICATION_SERVER is not set: senders of emails are not checked. Answers count by their secret reply"
            " address alone, and every command that changes something is asked back."
        )


@contextlib.contextmanager
def lock_data_folder(data_dir: Path) -> Iterator[IO[bytes]]:
    """Be the only runner on a data folder. Gives the lock that the children are to hold.

    CannotRun if there is another, or if the children of one that was killed do not end.
    """
    with open_private(data_dir / "run.lock") as ours, open_private(data_dir / "children.lock") as theirs:
        if not _locked(ours):
            raise CannotRun(f"Darbar already runs on {data_dir}: end it first, or set DATA_DIR to another folder.")
        deadline = time.monotonic() + PATIENCE
        while not _locked(theirs):
            if time.monotonic() > deadline:
                raise CannotRun(f"What an earlier run on {data_dir} started does not end.")
            time.sleep(0.1)
        yield theirs


def _locked(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def refuse_busy_ports() -> None:
    """CannotRun if two of our ports are the same, or one cannot be listened on."""
    taken: dict[int, str] = {}
    for name in ("PORT", "MAIL_PORT", "LMTP_PORT", "STREAM_PORT", "METRICS_PORT"):
        port = getattr(settings, name)
        if port is None:
            continue
        if port in taken:
            raise CannotRun(f"{taken[port]} and {name} are both {port}: set one of them to another one.")
        taken[port] = name
        refuse_busy_port(settings.LISTEN, port, name)


def refuse_busy_port(address: str, port: int, name: str) -> None:
    """CannotRun if the port cannot be listened on; ``name`` is the setting's."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            probe.listen()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CannotRun(
                    f"{name} {port} is busy: end what listens there, or set {name} to another one."
                ) from None
            raise CannotRun(f"{name} {port} cannot be listened on at {address}: {error.strerror}.") from None


def prepare_database(lock: IO[bytes]) -> None:
    """Bring the tables up to date, in a process that takes along what it read for it. CannotRun if it cannot."""
    hanging, held = os.pipe()
    try:
        made = subprocess.run(
            [sys.executable, "-m", "config.processes.prepare"],
            cwd=settings.BASE_DIR,
            env={**os.environ, parent_watch.PIPE_VARIABLE: str(hanging)},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(hanging, lock.fileno()),
            text=True,
            check=False,
        )
    finally:
        os.close(hanging)
        os.close(held)
    if made.returncode:
        raise CannotRun(made.stderr.strip())


def delete_messages(folder: Path) -> None:
    """Throw away every message of the embedded broker, also those half written or taken by a process that was killed:
    what they rang for is in the database."""
    for message in folder.glob("*.message"):
        message.unlink(missing_ok=True)


@contextlib.contextmanager
def children(modules: tuple[str, ...], lock: IO[bytes]) -> Iterator[list[Child]]:
    """The processes, which end with the block, and also if this process is killed."""
    hanging, held = os.pipe()
    kept = [Child(module, (hanging, lock.fileno())) for module in modules]
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
        os.close(hanging)
        os.close(held)


def keep_running(kept: list[Child], server: postgres.Server | None, disks: DiskWatch) -> None:
    """Look after everything once, and wait a little."""
    if server and (sentence := server.keep()):
        print_sentence(sentence)
    for child in kept:
        child.keep()
    for sentence in disks.look():
        print_sentence(sentence)
    time.sleep(0.2)


def wait_for_answers(look_after: Callable[[], None]) -> None:
    """Wait until the servers answer, however long that takes."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.LISTEN, settings.LISTEN)
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.PORT}/healthz"
    request = urllib.request.Request(url, headers={"Host": settings.ALLOWED_HOSTS[0].lstrip(".*") or "localhost"})
    _wait_for("web", look_after, lambda: urllib.request.urlopen(request, timeout=5))
    _wait_for("mail", look_after, lambda: smtplib.SMTP(host, settings.MAIL_PORT, timeout=5))
    _wait_for("event stream", look_after, lambda: socket.create_connection((host, settings.STREAM_PORT), timeout=5))


def _wait_for(
    what: str, look_after: Callable[[], None], visit: Callable[[], contextlib.AbstractContextManager[object]]
) -> None:
    next_word = time.monotonic() + PATIENCE
    while True:
        look_after()
        with contextlib.suppress(OSError), visit():
            return
        if time.monotonic() > next_word:
            print_sentence(f"The {what} server does not answer yet.")
            next_word = time.monotonic() + PATIENCE


def print_sentence(sentence: str) -> None:
    """Write to whoever typed ``make run``; nobody hears it while the disk of that file is full."""
    with contextlib.suppress(OSError):
        sys.stdout.write(sentence + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

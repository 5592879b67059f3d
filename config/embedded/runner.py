"""The runner behind ``make run``: ``python -m config.embedded.runner``.

Starts the database and meanwhile reads the modules of all processes, brings the tables and the static files up to date,
then runs the web server, the event stream, the mail server and the worker until told to end, and ends everything it
started. What dies is started again, PostgreSQL too, however often it dies, after pauses that grow. If the runner itself
is killed, its children notice (``config.embedded.parent_watch``); they hold a lock, so that the next runner waits until
they are gone.
"""

import contextlib
import errno
import fcntl
import multiprocessing
import signal
import smtplib
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from config.embedded import postgres
from config.embedded.children import STOP_SIGNALS, Child, ParentPipe, children, fork
from config.embedded.disk_watch import DiskWatch
from config.embedded.private_files import open_private

PATIENCE: Final = 60.0
"""Seconds to wait for what an earlier run left, and between two sentences about a server that does not answer."""
TEMPORARY: Final = (Path("/tmp"), Path("/var/tmp"))
"""Folders that cleaners empty."""


class CannotRun(Exception):
    """The server cannot run, or not go on; the message says why, in a sentence."""


class StopSignal(BaseException):
    """A signal told us to end."""


def main() -> None:
    """Run until SIGINT, SIGTERM or SIGHUP; exit status 1 with one sentence where that cannot be."""
    for number in STOP_SIGNALS:
        signal.signal(number, _raise_stop)
    try:
        run()
    except StopSignal:
        print_sentence("Darbar has ended.")
    except (CannotRun, ImproperlyConfigured, postgres.PostgresError) as error:
        sys.exit(str(error))


def _raise_stop(*_: object) -> None:
    """End, once: a second signal does not disturb the ending."""
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise StopSignal


def run() -> None:
    """Run everything until ``Stop``."""
    with lock_data_folder(settings.DATA_DIR), contextlib.ExitStack() as stack:
        refuse_busy_ports()
        server = start(stack)
        prepare()
        if not settings.BROKER_URL:
            delete_messages(settings.QUEUE_DIR)
        kept = stack.enter_context(children(processes()))
        disks = DiskWatch(settings.DISKS)
        wait_for_answers(lambda: keep_running(kept, server, disks))
        for sentence in startup_notes(settings.EMBEDDED_DATABASE if server else None):
            print_sentence(sentence)
        mailbox = f", its mails at {settings.PUBLIC_URL}/mailbox/" if settings.MAILBOX else ""
        print_sentence(f"Darbar is at {settings.PUBLIC_URL}/{mailbox} - Ctrl-C ends it.")
        while True:
            keep_running(kept, server, disks)


def start(stack: contextlib.ExitStack) -> postgres.Server | None:
    """Read the modules of all processes, and meanwhile start the database until the end of ``stack``, if it is ours."""
    with ThreadPoolExecutor(1) as beside:
        ours = postgres.Server(settings.EMBEDDED_DATABASE) if settings.DATABASE_URL is None else None
        started = beside.submit(stack.enter_context, ours) if ours else None
        import_string("config.processes.modules.read_modules")()
        if started:
            started.result()  # not after the block: a signal would break off its waiting, and leave the database behind
    return ours


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
def lock_data_folder(data_dir: Path) -> Iterator[None]:
    """Be the only runner on a data folder. The children hold a lock on it too.

    CannotRun if there is another, or if the children of one that was killed do not end.
    """
    with (
        open_private(data_dir / "run.lock") as ours,
        open_private(data_dir / "children.lock", for_forks_too=True) as theirs,
    ):
        if not _locked(ours):
            raise CannotRun(f"Darbar already runs on {data_dir}: end it first, or set DATA_DIR to another folder.")
        deadline = time.monotonic() + PATIENCE
        while not _locked(theirs):
            if time.monotonic() > deadline:
                raise CannotRun(f"What an earlier run on {data_dir} started does not end.")
            time.sleep(0.1)
        yield


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


def prepare() -> None:
    """Bring the tables and the static files up to date at the same time. CannotRun if that cannot be."""
    with ParentPipe() as pipe:
        outcomes = [
            fork_work("prepare_tables", pipe, "The database could not be prepared."),
            fork_work("prepare_files", pipe, "The static files could not be collected."),
        ]
        refusals = [outcome() for outcome in outcomes]
    for refusal in filter(None, refusals):
        raise CannotRun(refusal)


def fork_work(name: str, pipe: ParentPipe, otherwise: str) -> Callable[[], str]:
    """Do some work of ``config.processes.prepare`` in a process that takes along what it read for it.

    Gives a function that waits for its sentence, or for its end: then the sentence is ``otherwise``.
    """
    reader, writer = multiprocessing.Pipe(duplex=False)
    work = import_string(f"config.processes.prepare.{name}")
    process = fork("config.processes.prepare", pipe, lambda: writer.send(work()))
    writer.close()

    def outcome() -> str:
        with reader:
            try:
                return str(reader.recv())
            except EOFError:
                return otherwise
            finally:
                process.join()

    return outcome


def delete_messages(folder: Path) -> None:
    """Throw away every message of the embedded broker, also those half written or taken by a process that was killed:
    what they rang for is in the database."""
    for message in folder.glob("*.message"):
        message.unlink(missing_ok=True)


def keep_running(kept: list[Child], server: postgres.Server | None, disks: DiskWatch) -> None:
    """Look after everything once, and wait a little."""
    if server and (sentence := server.keep()):
        print_sentence(sentence)
    for child in kept:
        if sentence := child.keep():
            print_sentence(sentence)
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
        with contextlib.suppress(OSError), visit():
            return
        look_after()
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

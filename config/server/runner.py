"""The runner of ``make run``: ``python -m config.server.runner``.

The runner locks the data folder, checks that the ports are free, starts the embedded PostgreSQL unless ``DATABASE_URL``
is set, and meanwhile imports the modules of all processes. It migrates the tables and collects the static files, and
then keeps the web server, the event stream, the mail server and the worker running until it is stopped. They are forks
of it, so the modules are imported once. A process that ends is restarted, PostgreSQL too, after pauses that grow to ten
seconds. The runner stops its children with SIGTERM, PostgreSQL with SIGINT, and kills their process groups at the end.

If the runner itself is killed, its children notice (``config.core.processes``). They hold a lock on the data
folder, so the next runner waits until they have ended. A PostgreSQL that is left over is stopped before a new start.
All locks belong to the kernel and end with their processes, so there is no file to clean up.

Every process can also be started without the runner, on any number of machines. Periodic tasks are idempotent.
"""

import contextlib
import errno
import fcntl
import logging
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

from config.core import logs
from config.core.disks import DiskWatch
from config.server import postgres
from config.server.children import STOP_SIGNALS, Child, ParentPipe, children, fork, kill, open_private

PATIENCE: Final = 60.0
"""Seconds to wait for the children of an earlier run, and between two sentences about a server that does not answer."""
TEMPORARY: Final = (Path("/tmp"), Path("/var/tmp"))
"""Folders that the system empties."""


def first_steps() -> str:
    """Return two sentences for a new operator."""
    is_checkout = (settings.BASE_DIR / "manage.py").is_file()
    command = ".venv/bin/python manage.py createsuperuser" if is_checkout else "darbar createoperator"
    return f"To play with bots, press “Try it now”. To become the operator, run {command} and open /admin/."


class CannotRun(Exception):
    """The server cannot run. The message is a sentence with the reason."""


class StopSignal(BaseException):
    """A signal to end was received."""


def main() -> None:
    """Run until SIGINT, SIGTERM or SIGHUP. If that is impossible, exit with status 1 and one sentence."""
    for number in STOP_SIGNALS:
        signal.signal(number, _raise_stop)
    reason = ""
    try:
        run()
    except StopSignal:
        print_sentence("Darbar has stopped.")
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except (CannotRun, postgres.PostgresError) as error:
        reason = str(error)
    # Outside the handler, because a line of the log leaves out the text of the exception that is being handled.
    if reason:
        sys.exit(logs.sentence_line(reason, logging.CRITICAL) if settings.LOG_FORMAT == "json" else reason)


def _raise_stop(*_: object) -> None:
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # a second signal does not disturb the shutdown
    raise StopSignal


def run() -> None:
    """Run everything until StopSignal is raised."""
    with lock_data_folder(settings.DATA_DIR), contextlib.ExitStack() as stack:
        refuse_busy_ports()
        server = start(stack)
        prepare()
        if not settings.BROKER_URL:
            delete_messages(settings.QUEUE_DIR)
        running = stack.enter_context(children(processes()))
        disks = DiskWatch(settings.DISKS)
        wait_for_answers(lambda: keep_running(running, server, disks))
        if settings.MAILBOX:  # The operator tries Darbar on their own machine.
            print_sentence(first_steps())
        for sentence in startup_notes(settings.EMBEDDED_DATABASE if server else None):
            print_sentence(sentence)
        mailbox = f", emails at {settings.PUBLIC_URL}/mailbox/" if settings.MAILBOX else ""
        print_sentence(f"Darbar is at {settings.PUBLIC_URL}/{mailbox} - Ctrl-C stops it.")
        stack.enter_context(building("config.server.api_description.document"))
        if settings.BUILD_DOCUMENTS and import_string("config.server.documents.build.can_build")():
            stack.enter_context(building("config.server.documents.build"))
        while True:
            keep_running(running, server, disks)


def start(stack: contextlib.ExitStack) -> postgres.Server | None:
    """Start the embedded database, if it is used, until the end of ``stack``. Meanwhile import all modules."""
    with ThreadPoolExecutor(1) as thread:
        server = postgres.Server(settings.EMBEDDED_DATABASE) if settings.DATABASE_URL is None else None
        start_of_server = thread.submit(stack.enter_context, server) if server else None
        import_string("config.server.prepare.import_modules")()
        if start_of_server:
            start_of_server.result()  # inside the block, because a signal in __exit__ would leave the database running
    return server


def processes() -> tuple[str, ...]:
    """Return the modules of all processes except the database."""
    names = ("web", "worker", "mail", "stream", *(["metrics"] if settings.METRICS_PORT else []))
    return tuple(f"config.server.{name}" for name in names)


def startup_notes(paths: postgres.ServerPaths | None) -> Iterator[str]:
    """Yield sentences for the operator about misspelt settings, the place of the data, and missing checks."""
    for name, setting in settings.MISSPELT_SETTINGS:
        yield f"{name} isn’t a setting. Do you mean {setting}?"
    if any(settings.DATA_DIR.is_relative_to(folder) for folder in TEMPORARY):
        yield f"DATA_DIR is {settings.DATA_DIR}, in a folder for temporary files, so the system may delete it."
    if paths and paths.shares_user:
        yield (
            f"PostgreSQL runs as the user {postgres.SHARED_USER}: other processes of that user can read {paths.home}. "
            f"To give it a user of its own, run {postgres.ADD_USER} and start again."
        )
    if paths and paths.home != paths.link:
        yield f"The database is in {paths.home}, where the link {paths.link} leads. Make sure that backups follow it."
    if not settings.MAILBOX and not settings.AUTHENTICATION_SERVER:
        yield (
            "AUTHENTICATION_SERVER isn’t set, so Darbar doesn’t check who sent an email. The secret reply address "
            "alone proves an answer, and Darbar asks for confirmation of commands that change something."
        )


@contextlib.contextmanager
def lock_data_folder(data_dir: Path) -> Iterator[None]:
    """Lock a data folder for one runner. The children hold a second lock.

    Raises CannotRun if there is another runner, or if the children of a killed runner do not end.
    """
    with (
        open_private(data_dir / "run.lock") as runner_lock,
        open_private(data_dir / "children.lock", for_forks_too=True) as children_lock,
    ):
        if not _lock(runner_lock):
            raise CannotRun(
                f"Darbar is already running on {data_dir}. Stop it first, or set DATA_DIR to another folder."
            )
        deadline = time.monotonic() + PATIENCE
        while not _lock(children_lock):
            if time.monotonic() > deadline:
                raise CannotRun(f"The processes of an earlier run on {data_dir} don’t stop.")
            time.sleep(0.1)
        yield


def _lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def refuse_busy_ports() -> None:
    """Raise CannotRun if two ports are the same, or if a port is not available."""
    names_by_port: dict[int, str] = {}
    for name in ("PORT", "MAIL_PORT", "LMTP_PORT", "STREAM_PORT", "METRICS_PORT"):
        port = getattr(settings, name)
        if port is None:
            continue
        if port in names_by_port:
            raise CannotRun(f"{names_by_port[port]} and {name} are both {port}. Change one of them.")
        names_by_port[port] = name
        refuse_busy_port(settings.LISTEN, port, name)


def refuse_busy_port(address: str, port: int, name: str) -> None:
    """Raise CannotRun if the port is not available. ``name`` is the name of its setting."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            probe.listen()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CannotRun(
                    f"{name} {port} is in use. Stop the program that listens there, or set {name} to another port."
                ) from None
            raise CannotRun(f"Darbar can’t listen on {name} {port} at {address}: {error.strerror}.") from None


def prepare() -> None:
    """Migrate the tables and collect the static files at the same time. Raises CannotRun."""
    with ParentPipe() as pipe:
        outcomes = [
            fork_work("prepare_tables", pipe, "The database couldn’t be prepared."),
            fork_work("prepare_files", pipe, "The static files couldn’t be collected."),
        ]
        refusals = [outcome() for outcome in outcomes]
    for refusal in filter(None, refusals):
        raise CannotRun(refusal)


def fork_work(name: str, pipe: ParentPipe, otherwise: str) -> Callable[[], str]:
    """Run a function of ``config.server.prepare`` in a separate process.

    Return a function that waits for its result, a sentence. It returns ``otherwise`` if the process ends without one.
    """
    reader, writer = multiprocessing.Pipe(duplex=False)
    work = import_string(f"config.server.prepare.{name}")
    process = fork("config.server.prepare", pipe, lambda: writer.send(work()))
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


@contextlib.contextmanager
def building(module: str) -> Iterator[None]:
    """Run the ``build_in_background`` of a module in a separate process, and kill it after this block."""
    with ParentPipe() as pipe:
        process = fork(module, pipe, import_string(f"{module}.build_in_background"))
        try:
            yield
        finally:
            kill(process)


def delete_messages(folder: Path) -> None:
    """Delete all messages of the embedded broker, including unfinished ones. All work is in the database."""
    for message in folder.glob("*.message"):
        message.unlink(missing_ok=True)


def keep_running(processes: list[Child], server: postgres.Server | None, disks: DiskWatch) -> None:
    """Restart ended processes, check the disks, and wait a little."""
    if server and (sentence := server.keep()):
        print_sentence(sentence)
    for child in processes:
        if sentence := child.keep():
            print_sentence(sentence)
    for sentence in disks.check():
        print_sentence(sentence)
    time.sleep(0.2)


def wait_for_answers(keep_running: Callable[[], None]) -> None:
    """Wait until the servers answer, without a limit."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.LISTEN, settings.LISTEN)
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.PORT}/healthz"
    request = urllib.request.Request(url, headers={"Host": settings.ALLOWED_HOSTS[0].lstrip(".*") or "localhost"})
    _wait_for("web", keep_running, lambda: urllib.request.urlopen(request, timeout=5))
    _wait_for("mail", keep_running, lambda: smtplib.SMTP(host, settings.MAIL_PORT, timeout=5))
    _wait_for("event stream", keep_running, lambda: socket.create_connection((host, settings.STREAM_PORT), timeout=5))


def _wait_for(
    name: str, keep_running: Callable[[], None], connect: Callable[[], contextlib.AbstractContextManager[object]]
) -> None:
    next_sentence = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError), connect():
            return
        keep_running()
        if time.monotonic() > next_sentence:
            print_sentence(f"The {name} server doesn’t answer yet.")
            next_sentence = time.monotonic() + PATIENCE


def print_sentence(sentence: str) -> None:
    """Print a sentence for the person who typed ``make run``, or for the program that reads the log."""
    line = logs.sentence_line(sentence, logging.INFO) if settings.LOG_FORMAT == "json" else sentence
    with contextlib.suppress(OSError):  # standard output may be a file on a full disk
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

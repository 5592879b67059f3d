"""The server process: started by its first user, restarted by the runner, stopped by its last user."""

import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import psycopg

from config.server.children import Pauses, open_private
from config.server.postgres import access
from config.server.postgres.access import PostgresError
from config.server.postgres.paths import ServerPaths, major_version, make_folder

PATIENCE: Final = 60.0
"""Seconds for a start, including recovery, or a stop."""
_SETTINGS: Final = ("log_min_messages=log", "log_error_verbosity=terse", "max_logical_replication_workers=0")
"""Settings of PostgreSQL. The process for logical replication takes memory and is not needed."""
_FIRST_WITH_READERS: Final = 18
_RETRY: Final = 0.2
"""Seconds before a start is repeated that failed because of shared memory of an earlier server."""


class Server:
    """A context manager that shares a server among processes.

    The first process starts the server, after it has stopped one that a killed process left running. The last process
    stops it. Every user holds a lock, which ends with its process.
    """

    def __init__(self, paths: ServerPaths, *settings: str, programs: Path | None = None) -> None:
        """``settings`` are additional settings of PostgreSQL, as ``name=value``. ``programs`` replaces our own."""
        self._paths = paths
        self._settings = settings
        self._programs = programs
        self._users: IO[bytes] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._log = Log(paths.home)
        self._pauses = Pauses()
        self._last_sentence = ""

    @property
    def pid(self) -> int | None:
        """The id of the server's process, if it is our child."""
        return self._child.pid if self._child else None

    def __enter__(self) -> "Server":
        self._paths.make()
        with self._turn():
            users = open_private(self._paths.home / "users.lock")
            try:
                if _lock(users, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    self._start()
                _lock(users, fcntl.LOCK_SH)
            except BaseException:
                users.close()
                raise
            self._users = users
        return self

    def __exit__(self, *_: object) -> None:
        users, self._users = self._users, None
        if users is None:
            return
        with self._turn(), users:
            if _lock(users, fcntl.LOCK_EX | fcntl.LOCK_NB):
                self._stop()

    def keep(self) -> str | None:
        """Restart the server if it has ended and the pause is over. This function never waits.

        Return a sentence with the reason why it has ended, or None if that is the same as before.
        """
        if self._is_running():
            self._log.keep_small()
            return None
        reason = self._log.last_line()
        if self._pauses.is_over():
            try:
                folder = self._find_programs()
                with self._turn(wait=False) as is_locked:
                    if is_locked:
                        self._launch(folder, self._paths.home / major_version(folder))
            except (OSError, PostgresError) as error:
                reason = str(error)
        sentence = f"PostgreSQL has ended and is being restarted: {reason}"
        last_sentence, self._last_sentence = self._last_sentence, sentence
        return None if last_sentence == sentence else sentence

    def delete_data(self) -> None:
        """Delete all data. Raises PostgresError while the server is in use."""
        if self._paths.home.exists():
            with self._turn(), open_private(self._paths.home / "users.lock") as users:
                if not _lock(users, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    raise PostgresError("The database is in use. Stop the program that uses it first.")
                self._stop()
                shutil.rmtree(self._paths.home)
        if self._paths.link.is_symlink():
            self._paths.link.unlink()
        shutil.rmtree(self._paths.shelter, ignore_errors=True)

    @contextlib.contextmanager
    def _turn(self, *, wait: bool = True) -> Iterator[bool]:
        """Lock the start and stop of the server. Yield False if another process has the lock and we do not wait."""
        with open_private(self._paths.home / "turn.lock") as file:
            yield _lock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _start(self) -> None:
        folder = self._find_programs()
        major = major_version(folder)
        data = self._paths.home / major
        self._refuse_other_majors(major, folder)
        self._end_leftover(data)
        self._paths.hand_over(data)
        if not data.exists():
            self._initialise(folder, data)
        _remove_empty_pid_file(data)
        if was_open := access.was_open(data):
            self._add_superuser(folder, data)
        access.write_rules(self._paths.home)
        deadline = time.monotonic() + PATIENCE
        while not self._try_to_start(folder, data, deadline):
            time.sleep(_RETRY)
        if was_open:
            access.close(data)

    def _find_programs(self) -> Path:
        return self._programs or self._paths.binaries()

    def _refuse_other_majors(self, major: str, folder: Path) -> None:
        """Raise PostgresError for data of another major version, which this one cannot read."""
        for other in majors(self._paths.home):
            if other != major:
                raise PostgresError(
                    f"The data in {self._paths.home / other} are of PostgreSQL {other}, and {folder} is PostgreSQL "
                    f"{major}, which can’t read them. Run darbar upgrade-database, set DARBAR_PG_BIN to the folder "
                    f"of a PostgreSQL {other}, or move {self._paths.home / other} elsewhere."
                )

    def _initialise(self, folder: Path, data: Path) -> None:
        """Create the data folder atomically."""
        new = data.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        make_folder(new, 0o700, owner=self._paths.user)
        role = ["-A", "peer", "-U", access.SUPERUSER]
        command: list[str | Path] = [folder / "initdb", *role, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-D", new]
        process = subprocess.run(command, check=False, capture_output=True, text=True, **self._process_options())
        if process.returncode:
            reason = process.stderr.strip().splitlines()[-1]
            raise PostgresError(f"PostgreSQL can’t create its files in {data}: {reason}")
        if "fsync=off" not in self._settings:
            os.sync()  # once for all of its thousand files, because initdb would take seconds to sync each of them
        new.rename(data)

    def _add_superuser(self, folder: Path, data: Path) -> None:
        if error := access.add_superuser(folder / "postgres", data, **self._process_options(data)):
            raise PostgresError(f"PostgreSQL can’t close the data in {data} to other users: {error}")

    def _try_to_start(self, folder: Path, data: Path, deadline: float) -> bool:
        """Start the server and wait until it answers. Return False if shared memory of an earlier one is in use."""
        child = self._launch(folder, data)
        while child.poll() is None:
            try:
                access.provide(self._paths.administer)
                return True
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    self._stop()
                    raise PostgresError(f"PostgreSQL doesn’t answer: {self._log.last_line()}") from None
                time.sleep(0.02)
        if "shared memory" in self._log.last_line() and time.monotonic() < deadline:
            return False
        raise PostgresError(f"PostgreSQL doesn’t start: {self._log.last_line()}")

    def _launch(self, folder: Path, data: Path) -> "subprocess.Popen[bytes]":
        """Start the server process, and do not wait until it answers. The caller holds the lock."""
        self._pauses.start()
        _remove_empty_pid_file(data)
        arguments: list[str | Path] = ["-D", data, "-k", self._paths.sockets, "-h", "", "-p", "5432"]
        # From version 18 on, PostgreSQL would keep three processes that only read tables which are not in memory.
        reading = ("io_method=sync",) if int(data.name) >= _FIRST_WITH_READERS else ()
        for setting in (*_SETTINGS, *reading, *access.settings(self._paths.home), *self._settings):
            arguments += ["-c", setting]
        with self._log.open() as log:
            self._child = subprocess.Popen(
                [folder / "postgres", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._process_options(data),
            )
        return self._child

    def _is_running(self) -> bool:
        """Return True while the server runs, as our child or that of another process."""
        if self._child:
            return self._child.poll() is None
        folders = (self._paths.home / major for major in majors(self._paths.home))
        return any((pid := _noted_pid(data)) is not None and _serves(pid, data) for data in folders)

    def _process_options(self, data: Path | None = None) -> dict[str, Any]:
        """Return the options of subprocesses: their user, a session of their own, and an empty environment."""
        environment = {"PATH": os.defpath, "LC_ALL": "C"}
        if data and (stale := _noted_pid(data)):
            environment["PG_GRANDPARENT_PID"] = str(stale)
        options: dict[str, Any] = {"cwd": self._paths.home, "env": environment, "start_new_session": True}
        if self._paths.user is not None:
            options |= {"user": self._paths.user, "group": pwd.getpwuid(self._paths.user).pw_gid, "extra_groups": []}
        return options

    def _end_leftover(self, data: Path) -> None:
        """Stop a server that a killed process left running on these data."""
        if (pid := _noted_pid(data)) and _serves(pid, data):
            os.kill(pid, signal.SIGINT)
            _wait_until(lambda: not _serves(pid, data))

    def _stop(self) -> None:
        """Stop the server, also if another process has restarted it."""
        child, self._child = self._child, None
        if child:
            child.send_signal(signal.SIGINT)
            try:
                child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGQUIT)
                child.wait()
        for major in majors(self._paths.home):
            self._end_leftover(self._paths.home / major)


def majors(home: Path) -> list[str]:
    """Return the major versions whose data exist."""
    return sorted(folder.name for folder in home.glob("[0-9]*") if folder.name.isdigit())


def _noted_pid(data: Path) -> int | None:
    """Return the process id in the pid file, whether that process exists or not."""
    try:
        return int((data / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None


def _remove_empty_pid_file(data: Path) -> None:
    """Remove an empty pid file, with which PostgreSQL refuses to start. Its writer was killed.

    A starting server has such a file for a moment, too, so no server may be running on the data.
    """
    note = data / "postmaster.pid"
    if note.exists() and _noted_pid(data) is None and not any(_is_server_on(data, line) for line in _commands()):
        note.unlink(missing_ok=True)


def _serves(pid: int, data: Path) -> bool:
    """Return True if the process is running and is a PostgreSQL server on this data folder."""
    return any(_is_server_on(data, command) for command in _commands(pid))


def _commands(pid: int | None = None) -> Iterator[bytes]:
    """Yield the command lines of all running processes, or of one of them."""
    if not Path("/proc/self/cmdline").exists():
        selection = ["-ax"] if pid is None else ["-p", str(pid)]
        command = ["ps", "-o", "command=", *selection]
        yield from subprocess.run(command, check=False, capture_output=True).stdout.splitlines()
        return
    for file in Path("/proc").glob(f"{pid or '[0-9]*'}/cmdline"):
        with contextlib.suppress(OSError):
            yield file.read_bytes()


def _is_server_on(data: Path, command: bytes) -> bool:
    program = command.split(b"\0" if b"\0" in command else b" ", 1)[0]
    return b"postgres" in program.rsplit(b"/", 1)[-1] and os.fsencode(data) in command


def _wait_until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        if time.monotonic() > deadline:
            raise PostgresError("An earlier PostgreSQL doesn’t stop.")
        time.sleep(0.05)


def _lock(file: IO[bytes], mode: int) -> bool:
    try:
        fcntl.flock(file, mode)
    except BlockingIOError:
        return False
    return True


LARGEST_LOG: Final = 4 * 1024 * 1024
"""Bytes of each file."""


class Log:
    """The file ``log`` in a folder, to which the server appends. When it is full, it is copied to ``log.1``."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "log"
        self._size_at_start = 0

    def open(self) -> IO[bytes]:
        """Open the file for a server that starts. ``last_line`` reads from its present end."""
        self.keep_small()
        file = open_private(self._file)
        self._size_at_start = os.fstat(file.fileno()).st_size
        return file

    def keep_small(self) -> None:
        """Empty the file if it is full. Its content is kept as ``log.1``, unless the disk is full."""
        if self._file.exists() and self._file.stat().st_size > LARGEST_LOG:
            with contextlib.suppress(OSError):
                shutil.copy(self._file, self._file.with_suffix(".1"))
            os.truncate(self._file, 0)  # the server has it open to append

    def last_line(self) -> str:
        """Return the last line about a failure since the start, or the last line."""
        with self._file.open("rb") as file:
            if self._file.stat().st_size >= self._size_at_start:
                file.seek(self._size_at_start)
            lines = file.read().decode(errors="replace").splitlines()
        failures = [line for line in lines if "FATAL" in line or "PANIC" in line]
        return (failures or lines or ["it says nothing."])[-1]

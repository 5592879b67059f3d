"""The way from one major version of PostgreSQL to another: a dump out of the old server, loaded into a new one.

Both run on the same machine for as long as it takes. The new data are made beside the old ones and take their place
only when every table has as many rows as before. The old data stay, under another name.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import psycopg
from psycopg.sql import SQL, Identifier

from config.embedded.postgres.access import DATABASE, SUPERUSER
from config.embedded.postgres.errors import PostgresError
from config.embedded.postgres.programs import binaries, major_version
from config.embedded.postgres.server import Server, majors
from config.embedded.postgres.server_paths import ServerPaths

DEBIAN: Final = "/usr/lib/postgresql/{major}/bin"
"""The place where Debian keeps the programs of each major version."""
_TABLES: Final = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"


@dataclass(frozen=True)
class Upgraded:
    """The outcome of an upgrade."""

    before: str
    after: str
    rows: dict[str, int]
    """The number of rows of each table, in the old data and in the new ones."""
    kept: Path
    """The place of the old data."""


def upgrade(paths: ServerPaths, old_programs: Path | None) -> Upgraded:
    """Bring the data to the major version of our programs. PostgresError where that cannot be; the data stay then.

    ``old_programs`` is the folder with the programs of the data's version; None: where Debian has them.
    """
    paths.make()
    new = binaries(paths)
    after, before = major_version(new), _single_major(paths)
    if before == after:
        raise PostgresError(
            f"The data in {paths.home / before} are of PostgreSQL {after} already: nothing is to be done."
        )
    old = _programs_of(before, old_programs)
    beside = _beside(paths)
    _forget(beside)
    try:
        with Server(paths, programs=old), Server(beside, "fsync=off"):
            _copy(new, paths, beside)
            rows = _same_rows(paths, beside)
        os.sync()
        kept = paths.home / f"before-{after}"
        shutil.rmtree(kept, ignore_errors=True)
        # Between these two there are both, which a start refuses; it would begin anew if there were none.
        (beside.home / after).rename(paths.home / after)
        (paths.home / before).rename(kept)
    finally:
        _forget(beside)
    return Upgraded(before, after, rows, kept)


def _single_major(paths: ServerPaths) -> str:
    found = majors(paths.home)
    if len(found) != 1:
        there = f"data of PostgreSQL {' and '.join(found)}: move all but one elsewhere" if found else "no data"
        raise PostgresError(f"{paths.home} has {there}.")
    return found[0]


def _programs_of(major: str, named: Path | None) -> Path:
    """The folder with programs of this major version. PostgresError where it has others, or there is none."""
    folder = named or Path(DEBIAN.format(major=major))
    if not (folder / "postgres").exists():
        raise PostgresError(
            f"The programs of PostgreSQL {major} are needed to read its data, and {folder} has none: install them, and "
            "set DARBAR_OLD_PG_BIN to their folder."
        )
    if (is_of := major_version(folder)) != major:
        raise PostgresError(f"DARBAR_OLD_PG_BIN must be programs of PostgreSQL {major}, and {folder} is {is_of}.")
    return folder


def _beside(paths: ServerPaths) -> ServerPaths:
    """The paths of the new data, inside the home of the old ones."""
    home = paths.home / "upgrade"
    return replace(paths, link=home, home=home, sockets=paths.sockets.with_name("new"))


def _forget(beside: ServerPaths) -> None:
    for folder in (beside.home, beside.sockets):
        shutil.rmtree(folder, ignore_errors=True)


def _copy(programs: Path, source: ServerPaths, target: ServerPaths) -> None:
    """Dump the application's database, and load it as the application, which then owns all of it."""
    dump = subprocess.Popen(
        [programs / "pg_dump", "--format=custom", "--no-owner", "--no-privileges", *_reach(source, SUPERUSER)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
    )
    load = subprocess.run(
        [programs / "pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", *_reach(target, DATABASE)],
        stdin=dump.stdout,
        stderr=subprocess.PIPE,
        env=_environment(),
        check=False,
    )
    said = dump.communicate()[1]
    for name, status, words in (("pg_restore", load.returncode, load.stderr), ("pg_dump", dump.returncode, said)):
        if status:
            raise PostgresError(f"{name} has failed: {_reason(words.decode(errors='replace').splitlines())}")


def _reason(said: list[str]) -> str:
    """The line that tells of an error, or the last one."""
    telling = [line for line in said if "error:" in line.lower()]
    return (telling or said or ["it says nothing."])[-1 if not telling else 0].strip()


def _reach(paths: ServerPaths, role: str) -> list[str]:
    return [f"--host={paths.sockets}", "--port=5432", f"--username={role}", f"--dbname={DATABASE}"]


def _environment() -> dict[str, str]:
    return {"PATH": os.defpath, "LC_ALL": "C"}


def _same_rows(source: ServerPaths, target: ServerPaths) -> dict[str, int]:
    """Count the rows of every table on both sides. PostgresError where they differ."""
    before, after = (_rows(each) for each in (source, target))
    if before != after:
        differ = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        raise PostgresError(f"The new database differs from the old one in {', '.join(differ)}: nothing was changed.")
    return before


def _rows(paths: ServerPaths) -> dict[str, int]:
    with paths.administer(DATABASE) as connection:
        names = [name for (name,) in connection.execute(_TABLES).fetchall()]
        return {name: _count(connection, name) for name in names}


def _count(connection: psycopg.Connection, table: str) -> int:
    row = connection.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table))).fetchone()
    assert row
    return int(row[0])

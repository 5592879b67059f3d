"""Backups: everything that a new server needs, in one file.

A backup is a tar file with a dump of the database (``pg_dump``, one consistent snapshot while games run), the keys in
``DATA_DIR``, and ``about.json``. It contains hands, seeds, addresses and keys, so its mode is 600.

The dump is SQL that PostgreSQL 15 to 18 can load, from any of these versions. pg_restore cannot read files of a newer
pg_dump, so pg_dump's own format would tie a server to its major version. SQL differs in a few lines only.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from psycopg.sql import SQL, Identifier

from accounts import account_data
from accounts.account_data import delete_account
from accounts.models import Account
from config.core import clock
from config.core.clock import write_moment
from config.core.database import schema
from config.core.database.sql import find
from games import queries
from games.models import Game
from notifications.endpoints import Epoch
from notifications.models import Notification, State

FORMAT: Final = "darbar-backup"
VERSION: Final = 2
KEYS: Final[Mapping[str, str]] = {"SECRET_KEY": "secret-key", "VAPID_KEY": "vapid-key"}
"""The environment variables with keys, and the files with the keys if a variable is not set."""
_ABOUT: Final = "about.json"
_DUMP: Final = "database.sql.gz"
_REACHING: Final[Mapping[str, str]] = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
}
"""The parts of a PostgreSQL address, and the variables with which its programs read them."""


_NAME: Final = "darbar-%Y-%m-%dT%H%M%SZ.tar"
_ANY_NAME: Final = "darbar-????-??-??T??????Z.tar"


class BackupError(Exception):
    """A backup cannot be made or restored. The message says why."""


def write_backup(file: Path, now: datetime) -> dict[str, Any]:
    """Write a backup to ``file``, which must not exist yet, and return its description. Raises BackupError."""
    # Path.exists would raise an error in a folder that is closed to us.
    if os.path.exists(file):
        raise BackupError(f"{file} already exists. Name another file.")
    about = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": write_moment(now),
        "migrations": sorted(schema.applied(connection)),
        "keys": sorted(name for name in KEYS if _key_file(name)),
        "accounts": Account.objects.count(),
        "games": Game.objects.count(),
    }
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup-") as made_in:
            folder = Path(made_in)
            _dump(folder / _DUMP)
            (folder / _ABOUT).write_text(json.dumps(about, indent=1))
            whole = folder / "whole"
            with open(whole, "xb", opener=_open_private) as out, tarfile.open(fileobj=out, mode="w") as tar:
                for name in (_ABOUT, _DUMP):
                    tar.add(folder / name, name)
                for key in map(_key_file, KEYS):
                    if key is not None:
                        tar.add(key, key.name)
            os.link(whole, file)
    except OSError as error:
        raise BackupError(f"{file} can’t be written: {error.strerror or error}.") from error
    return about


def backup_name(now: datetime) -> str:
    """Return the name of a backup in a folder of backups. Names sort by time."""
    return now.astimezone(UTC).strftime(_NAME)


def delete_old_backups(folder: Path, keep: int) -> None:
    """Delete all but the newest ``keep`` backups that ``backup_name`` has named. Raises BackupError."""
    for file in sorted(folder.glob(_ANY_NAME))[:-keep]:
        try:
            file.unlink()
        except OSError as error:
            raise BackupError(f"The old backup {file} can’t be deleted: {error.strerror}.") from error


def restore_backup(file: Path, deleted: Sequence[Path] = ()) -> dict[str, Any]:
    """Load a backup into a database without accounts and games, and return its description.

    Accounts on the lists in ``deleted`` are deleted again; their number is added as ``deleted_again``. Emails and
    pushes that were waiting when the backup was made are dropped, because most have been sent since; reminders ask open
    questions again. Raises BackupError and changes nothing on failure.
    """
    listed = _read_deleted(deleted)
    with tempfile.TemporaryDirectory(prefix="darbar-restore-") as unpacked:
        about = _unpack(file, Path(unpacked))
        _check_target(about)
        _load(Path(unpacked) / _DUMP)
        for name in about["keys"]:
            _put_key(Path(unpacked) / KEYS[name])
    if "SECRET_KEY" in about["keys"]:
        # This process has begun with a key that it made itself.
        settings.SECRET_KEY = (Path(settings.DATA_DIR) / KEYS["SECRET_KEY"]).read_text().strip()
    return {**about, "deleted_again": _begin_anew(listed)}


def finish_recovery(deleted: Sequence[Path] = ()) -> dict[str, Any]:
    """Finish a restore after PostgreSQL itself has restored the database to an earlier moment. Return its description.

    Raises BackupError and changes nothing on failure, or if the database is in use.
    """
    listed = _read_deleted(deleted)
    [(recovers, users)] = find(queries.DATABASE_USERS)
    if recovers:
        raise BackupError("PostgreSQL is still recovering. Wait until it can be written to (recovery_target_action).")
    if users:
        raise BackupError(f"Other connections use the database ({users}). Stop Darbar first.")
    deleted_again = _begin_anew(listed)
    return {"accounts": Account.objects.count(), "games": Game.objects.count(), "deleted_again": deleted_again}


def _read_deleted(lists: Sequence[Path]) -> set[account_data.Identity]:
    try:
        return account_data.read_deleted(lists)
    except account_data.UnreadableList as error:
        raise BackupError(str(error)) from error


def _unpack(file: Path, folder: Path) -> dict[str, Any]:
    """Unpack these members of a backup, and return its description."""
    try:
        with tarfile.open(file) as tar:
            for name in {_ABOUT, _DUMP, *KEYS.values()} & set(tar.getnames()):
                member = tar.extractfile(name)
                if member is not None:
                    with open(folder / name, "xb", opener=_open_private) as out:
                        shutil.copyfileobj(member, out)
        about: dict[str, Any] = json.loads((folder / _ABOUT).read_bytes())
    except (OSError, tarfile.TarError, ValueError) as error:
        raise BackupError(f"{file} isn’t a readable backup of Darbar.") from error
    if about.get("format") != FORMAT or not isinstance(about.get("version"), int):
        raise BackupError(f"{file} isn’t a readable backup of Darbar.")
    if reason := schema.backup_problem(frozenset((app, name) for app, name in about["migrations"])):
        raise BackupError(reason)
    if about["version"] != VERSION:
        which = "newer" if about["version"] > VERSION else "too old"
        raise BackupError(f"The backup has the form {about['version']}, which is {which}: this Darbar reads {VERSION}.")
    return about


def _check_target(about: Mapping[str, Any]) -> None:
    """Raise BackupError if the database or the environment contains other data."""
    if reason := schema.database_problem():
        raise BackupError(reason)
    if foreign := schema.foreign_tables():
        raise BackupError(f"The database holds tables of another program ({', '.join(foreign)}): name an empty one.")
    tables = connection.introspection.table_names()
    if Account._meta.db_table in tables and (Account.objects.exists() or Game.objects.exists()):
        raise BackupError("The database has accounts or games. Name a DATA_DIR or a DATABASE_URL that is empty.")
    for name in about["keys"]:
        if os.environ.get(name):
            raise BackupError(f"{name} is set in the environment, and the backup has its own. Unset it first.")


def _delete_again(listed: set[account_data.Identity]) -> int:
    """Delete the accounts that were deleted after the backup was made, and return their number."""
    accounts = Account.objects.filter(pk__in=[number for number, _ in listed])
    back = [account for account in accounts if (account.pk, account.created_at) in listed]
    for account in back:
        delete_account(account, clock.now())
    return len(back)


def _begin_anew(listed: set[account_data.Identity]) -> int:
    """Migrate the tables, delete these accounts again, tell programs to read everything again, and drop waiting
    messages. Return the number of deleted accounts.
    """
    call_command("migrate", verbosity=0, interactive=False)
    deleted_again = _delete_again(listed)
    Epoch.objects.all().delete()
    Notification.objects.filter(state__in=[State.SCHEDULED, State.READY]).update(state=State.DROPPED)
    return deleted_again


def _key_file(name: str) -> Path | None:
    """Return the file of a key, or None if the environment has the key or there is none yet."""
    file = Path(settings.DATA_DIR) / KEYS[name]
    return None if os.environ.get(name) or not file.exists() else file


def _put_key(key: Path) -> None:
    """Write a key into ``DATA_DIR``. It may only replace a key that nothing was encrypted with."""
    new = Path(settings.DATA_DIR) / f"{key.name}.new"
    new.unlink(missing_ok=True)
    with open(new, "xb", opener=_open_private) as out:
        out.write(key.read_bytes())
    new.rename(Path(settings.DATA_DIR) / key.name)


def _dump(file: Path) -> None:
    """Dump the database. Raises BackupError if that fails."""
    parameters = connection.get_connection_params()
    variables = {_REACHING[name]: str(value) for name, value in parameters.items() if name in _REACHING and value}
    command = [_pg_dump(), *ARGUMENTS, f"--file={file}"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **variables})
    except (OSError, subprocess.CalledProcessError) as error:
        lines = str(getattr(error, "stderr", "") or error).strip().splitlines()
        raise BackupError(f"pg_dump has failed: {lines[0] if lines else error}") from error


def _pg_dump() -> str:
    """Return the path of pg_dump: of our own server, or the one that is installed for another server."""
    if settings.DATABASE_URL is None or os.environ.get("DARBAR_PG_BIN"):
        return str(settings.EMBEDDED_DATABASE.binaries() / "pg_dump")
    program = shutil.which("pg_dump")
    if program is None:
        raise BackupError("pg_dump isn’t installed. Install PostgreSQL’s client programs, or set DARBAR_PG_BIN.")
    return program


def _load(file: Path) -> None:
    """Load a dump in one transaction. Raises BackupError and changes nothing if that fails."""
    connection.close()  # one without prepared statements and settings
    try:
        with transaction.atomic():
            connection.ensure_connection()
            assert connection.connection
            load(file, connection.connection, schema.own_tables())
            if reason := schema.database_problem():
                raise BackupError(reason)
    except (UnreadableDump, psycopg.Error) as error:
        raise BackupError(f"The dump in the backup can’t be loaded: {str(error).strip().splitlines()[0]}.") from error
    finally:
        connection.close()  # the dump has changed the settings of this one


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


ARGUMENTS: Final = (
    "--format=plain",
    "--compress=6",
    "--encoding=UTF8",
    "--clean",
    "--if-exists",
    "--no-owner",
    "--no-privileges",
)
"""Arguments of pg_dump."""
_COPY: Final = re.compile(rb"COPY [^;]+ FROM stdin;\n")
_SETTING: Final = re.compile(rb"SET (\w+) = .*;\n")
_LEFT_OUT: Final = re.compile(rb"\\(un)?restrict \w+\n|ALTER TABLE ONLY .+ ALTER COLUMN .+ SET \(pg_attver=\d+\);\n")
"""Commands of psql, and the marks of columns (see ``config.server.postgres.upgrade``), which only some servers know."""
_END_OF_ROWS: Final = b"\\.\n"
_COMPLETE: Final = b"-- PostgreSQL database dump complete\n"
_PIECE: Final = 1 << 16


class UnreadableDump(Exception):
    """The file is not a complete dump."""


def load(file: Path, connection: "psycopg.Connection[Any]", tables: frozenset[str]) -> None:
    """Replace these tables by those of a dump, in the transaction of the connection.

    Raises UnreadableDump, or psycopg.Error if PostgreSQL refuses something.
    """
    for table in sorted(tables):
        connection.execute(SQL(queries.DROP_TABLE).format(Identifier(table)))
    settings = {str(row[0]).encode() for row in connection.execute(queries.SETTING_NAMES).fetchall()}
    try:
        with gzip.open(file) as dump:
            _run(iter(dump), connection, settings)
    except (EOFError, OSError, zlib.error) as error:
        raise UnreadableDump(str(error)) from error
    connection.execute(queries.RESET_SEARCH_PATH)


def _run(dump: Iterator[bytes], connection: "psycopg.Connection[Any]", settings: set[bytes]) -> None:
    statements: list[bytes] = []
    is_complete = False
    for line in _without_unknown(dump, settings):
        is_complete = is_complete or line == _COMPLETE
        if not _COPY.fullmatch(line):
            statements.append(line)
            continue
        _execute(statements, connection)
        with connection.cursor() as cursor, cursor.copy(line) as copy:
            for rows in _rows(dump):
                copy.write(rows)
    if not is_complete:
        raise UnreadableDump("its end is missing")
    _execute(statements, connection)


def _without_unknown(dump: Iterator[bytes], settings: set[bytes]) -> Iterator[bytes]:
    """Yield the lines without those that are for psql or for patched servers, and without unknown settings.

    pg_dump 17 and 18 set ``transaction_timeout``, which is unknown to 15 and 16.
    """
    is_beginning = True
    for line in dump:
        if _LEFT_OUT.fullmatch(line):
            continue
        setting = _SETTING.fullmatch(line) if is_beginning else None
        if setting and setting[1] not in settings:
            continue
        is_beginning = is_beginning and (setting is not None or not line.startswith((b"ALTER", b"CREATE", b"DROP")))
        yield line


def _execute(statements: list[bytes], connection: "psycopg.Connection[Any]") -> None:
    # without parameters and unprepared, PostgreSQL accepts several statements in one string
    connection.execute(b"".join(statements), prepare=False)
    statements.clear()


def _rows(dump: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines of a table's rows in batches."""
    rows: list[bytes] = []
    size = 0
    for line in dump:
        if line == _END_OF_ROWS:
            yield b"".join(rows)
            return
        rows.append(line)
        size += len(line)
        if size > _PIECE:
            yield b"".join(rows)
            rows, size = [], 0
    raise UnreadableDump("its end is missing")

"""SQL dumps of the database that PostgreSQL 15 to 18 can load, from any of these versions.

pg_restore cannot read files of a newer pg_dump, so pg_dump's own format would tie a server to its major version. SQL
differs in a few lines only.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.sql import SQL, Identifier

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
_FOR_PSQL: Final = re.compile(rb"\\(un)?restrict \w+\n")
_END_OF_ROWS: Final = b"\\.\n"
_COMPLETE: Final = b"-- PostgreSQL database dump complete\n"
_PIECE: Final = 1 << 16


class UnreadableDump(Exception):
    """The file is not a complete dump."""


def load(file: Path, connection: "psycopg.Connection[Any]", tables: frozenset[str]) -> None:
    """Replace these tables by those of a dump, in the transaction of the connection.

    Raises UnreadableDump, or psycopg.Error if PostgreSQL refuses something.
    """
    # Tables of a newer version refer to those of the dump, so that DROP TABLE without CASCADE would fail.
    for table in sorted(tables):
        connection.execute(SQL("DROP TABLE IF EXISTS {} CASCADE").format(Identifier(table)))
    settings = {str(row[0]).encode() for row in connection.execute("SELECT name FROM pg_settings").fetchall()}
    try:
        with gzip.open(file) as dump:
            _run(iter(dump), connection, settings)
    except (EOFError, OSError, zlib.error) as error:
        raise UnreadableDump(str(error)) from error
    connection.execute("RESET search_path")  # which a dump makes empty


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
    """Yield the lines without psql commands, and without settings that this PostgreSQL does not have.

    pg_dump 17 and 18 set ``transaction_timeout``, which is unknown to 15 and 16.
    """
    is_beginning = True
    for line in dump:
        if _FOR_PSQL.fullmatch(line):
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

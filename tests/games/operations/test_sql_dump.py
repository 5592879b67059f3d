"""Dumps as SQL: what other versions of PostgreSQL do not know is left out, and half a dump is refused."""

import gzip
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from games.operations.backups import UnreadableDump, load

pytestmark = pytest.mark.django_db
END = "--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict abc123\n"
DUMP = Path(__file__).with_name("dump.sql").read_text()


def dump_file(folder: Path, dump: str) -> Path:
    file = folder / "dump.gz"
    file.write_bytes(gzip.compress(dump.encode()))
    return file


def loaded(file: Path, tables: frozenset[str] = frozenset()) -> Any:
    with transaction.atomic():
        assert connection.connection
        load(file, connection.connection, tables)
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, word FROM strange ORDER BY id")
        return cursor.fetchall()


def test_settings_that_this_postgresql_does_not_know_are_left_out(tmp_path: Path) -> None:
    assert loaded(dump_file(tmp_path, DUMP + END)) == [(1, "سکه"), (2, "a\\b\nSET x = 1;"), (3, None)]


def test_a_table_that_others_refer_to_is_replaced(tmp_path: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE strange (id bigint PRIMARY KEY); CREATE TABLE newer (id bigint REFERENCES strange)"
        )
    assert len(loaded(dump_file(tmp_path, DUMP + END), frozenset({"strange"}))) == 3


@pytest.mark.parametrize("end", ["", "COPY public.strange (id, word) FROM stdin;\n4\tfour\n"], ids=["end", "rows"])
def test_half_a_dump_is_refused(end: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableDump, match="its end is missing"):
        loaded(dump_file(tmp_path, DUMP + end))


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    file = dump_file(tmp_path, DUMP + END)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(UnreadableDump):
        loaded(file)


def test_a_command_for_psql_is_not_run(tmp_path: Path) -> None:
    with pytest.raises(psycopg.errors.SyntaxError):
        loaded(dump_file(tmp_path, DUMP + "\\! touch /tmp/strange\n" + END))

"""Backup and restore of a server's database, as an operator does them: a dump, or a copy of the data folder."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import psycopg

from config.server.postgres import DATABASE, Server, ServerPaths
from tests.server.darbar import Darbar


def dump(server: Darbar, file: Path) -> Path:
    """Write a dump of the database of a server that is down."""
    with Server(ServerPaths.in_data_dir(server.data_dir)):
        _tool(server, "pg_dump", "--format=custom", f"--file={file}")
    return file


def restore(server: Darbar, file: Path, transactions: int = 0) -> None:
    """Replace the cluster of a server with a restored dump, after a number of transactions."""
    forget_cluster(server)
    with Server(ServerPaths.in_data_dir(server.data_dir)):
        with _connected(server) as connection:
            connection.execute(f"DO $$ BEGIN FOR n IN 1..{transactions} LOOP {_ONE_MORE}; COMMIT; END LOOP; END $$")
        _tool(server, "pg_restore", "--no-owner", "--exit-on-error", f"--dbname={DATABASE}", str(file))


_ONE_MORE = "PERFORM pg_current_xact_id()"


def forget_cluster(server: Darbar) -> None:
    """Delete the database's files of a server that is down."""
    Server(ServerPaths.in_data_dir(server.data_dir)).delete_data()


def copy_cluster(server: Darbar, copy: Path) -> Path:
    """Copy the database's files of a server that is down."""
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["cp", "-a", ServerPaths.in_data_dir(server.data_dir).home, copy], check=True)
    return copy


def put_back(server: Darbar, copy: Path) -> None:
    """Replace the database's files of a server that is down by a copy."""
    home = ServerPaths.in_data_dir(server.data_dir).home
    shutil.rmtree(home)
    subprocess.run(["cp", "-a", copy, home], check=True)


def _connected(server: Darbar) -> "psycopg.Connection[Any]":
    connection = ServerPaths.in_data_dir(server.data_dir).connection()
    return psycopg.connect(
        host=connection["HOST"],
        port=connection["PORT"],
        user=connection["USER"],
        dbname=connection["NAME"],
        autocommit=True,
    )


def _tool(server: Darbar, name: str, *arguments: str) -> None:
    paths = ServerPaths.in_data_dir(server.data_dir)
    connection = paths.connection()
    reaching = ["-h", connection["HOST"], "-p", connection["PORT"], "-U", connection["USER"]]
    database = [connection["NAME"]] if name == "pg_dump" else []
    subprocess.run([paths.binaries() / name, *reaching, *arguments, *database], check=True)

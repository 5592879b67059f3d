"""Access to the embedded PostgreSQL: its roles and connection rules.

Connections are authenticated by the user of the process (``peer``). Only our own user is admitted, as one of two roles:
the superuser, which only this package uses, and the role of the application, which owns its database and nothing else.
"""

import os
import pwd
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import psycopg

SUPERUSER: Final = "postgres"
DATABASE: Final = "darbar"
"""The name of the application's database and of its role."""
_FIRST: Final = "bootstrap"
"""The name of the first role of a server in which the application's role was superuser."""
_FIRST_OID: Final = 10
_OWNER: Final = "SELECT rolname FROM pg_database JOIN pg_roles ON pg_roles.oid = datdba WHERE datname = %s"
_HAND_OVER: Final = f"""
DO $$
DECLARE
    item text;
BEGIN
    FOR item IN
        SELECT format('TABLE %s', oid::regclass) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
        UNION ALL
        SELECT format('SEQUENCE %s', oid::regclass) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
            AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i'))
        UNION ALL
        SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('ALTER %s OWNER TO {DATABASE}', item);
    END LOOP;
END
$$
"""
"""Makes the application the owner of everything in its database. The sequence of a column follows its table."""
_RULES: Final = "pg_hba.conf"
_NAMES: Final = "pg_ident.conf"
_ADMITTED: Final = f"""# Written at each start.
# TYPE  DATABASE  USER  METHOD
local   all       {SUPERUSER},{DATABASE}  peer map=runner
"""


class PostgresError(Exception):
    """The embedded PostgreSQL is not available. The message is a sentence with the reason."""


def write_rules(home: Path) -> None:
    """Write the connection rules of the server. Raises PostgresError if our user has no name."""
    try:
        us = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        raise PostgresError(f"PostgreSQL needs a user with a name, and user {os.geteuid()} has none.") from None
    names = "".join(f'runner  "{us}"  {role}\n' for role in (SUPERUSER, DATABASE))
    for name, text in {_RULES: _ADMITTED, _NAMES: names}.items():
        new = home / f"{name}.new"
        new.write_text(text)
        new.chmod(0o644)
        new.rename(home / name)


def settings(home: Path) -> tuple[str, str]:
    """Return the server settings with the paths of the rules."""
    return f"hba_file={home / _RULES}", f"ident_file={home / _NAMES}"


def was_open(data: Path) -> bool:
    """Return True for data of an old server that admitted all users and had no superuser but the application."""
    rules = (data / _RULES).read_text().splitlines()
    return any(line.split()[-1:] == ["trust"] for line in rules if not line.startswith("#"))


def add_superuser(postgres: Path, data: Path, **options: Any) -> str:
    """Add the superuser role to data of a stopped server. Return the error, or an empty string."""
    command: list[str | Path] = [postgres, "--single", "-D", data, "postgres"]
    statement = f"CREATE ROLE {SUPERUSER} SUPERUSER LOGIN\n"
    process = subprocess.run(command, input=statement, capture_output=True, text=True, check=False, **options)
    errors = [line for line in process.stderr.splitlines() if "ERROR" in line or "FATAL" in line]
    return "".join(line for line in errors[-1:] if "already exists" not in line)


def close(data: Path) -> None:
    """Remove all rules from the data, so that a server that is started by hand admits no connection."""
    rules, new = data / _RULES, data / f"{_RULES}.new"
    owner = rules.lstat()
    new.unlink(missing_ok=True)
    # The folder belongs to the server's user, who could have replaced the file by a link to another file.
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    os.write(file, b"# The server's start says where its rules are.\n")
    os.fchown(file, owner.st_uid, owner.st_gid)
    os.close(file)
    new.rename(rules)


def provide(connect: Callable[[str], psycopg.Connection]) -> None:
    """Create the role and the database of the application, and make it the owner of everything in the database.

    ``connect`` connects the superuser to a database. Raises psycopg.OperationalError.
    """
    with connect("postgres") as connection:
        _ensure_role(connection)
        row = connection.execute(_OWNER, [DATABASE]).fetchone()
        if row is None:
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER {DATABASE}")
    if row not in (None, (DATABASE,)):
        with connect(DATABASE) as connection:
            connection.execute(_HAND_OVER)
            connection.execute(f"ALTER DATABASE {DATABASE} OWNER TO {DATABASE}")


def _ensure_role(connection: psycopg.Connection) -> None:
    """Create the application's role."""
    # The first role of a server cannot lose its rights. If it has the application's name, it is renamed.
    if connection.execute("SELECT rolname FROM pg_roles WHERE oid = %s", [_FIRST_OID]).fetchone() == (DATABASE,):
        connection.execute(f"ALTER ROLE {DATABASE} RENAME TO {_FIRST}")
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [DATABASE]).fetchone() is None:
        connection.execute(f"CREATE ROLE {DATABASE} LOGIN")

"""The ``darbar`` command: runs the server, one of its processes, or a command for operators.

``manage.py`` of a checkout runs Django's commands the same way.
"""

import contextlib
import os
import runpy
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError, connection
from django.utils.module_loading import import_string

from config.core.database import schema
from config.core.database.connections import describe_refusal, use_direct_connection
from config.server.postgres import PostgresError, Server
from config.version import version

PROCESSES: Final = {
    "run": ("config.server.runner", "run everything: database, web, worker, event stream and mail"),
    "web": ("config.server.web", "run the web server"),
    "worker": ("config.server.worker", "run a worker"),
    "stream": ("config.server.stream", "run the event stream"),
    "mail": ("config.server.mail", "run the mail server"),
    "metrics": ("config.server.metrics", "serve metrics for Prometheus at METRICS_PORT"),
    "prepare": ("config.server.prepare", "update the database’s tables and the static files"),
    "upgrade-database": ("config.server.upgrade_database", "move the data of an older PostgreSQL to this one"),
}
"""The module and the description of each word that runs a process."""
COMMANDS: Final = {
    "backup": ("backup", "write everything to one file, also while games run"),
    "restore": ("restore", "restore a backup into an empty database"),
    "verify": ("verify", "check every game against its log"),
    "doctor": ("doctor", "check DNS, TLS, pages and email, and say what to fix"),
    "rate": ("rate", "count finished games, or recalculate all ratings"),
    "record": ("record", "export the record of a finished game, or import one"),
    "createoperator": ("createsuperuser", "create an operator’s account"),
    "createaccount": ("createaccount", "create an account for someone, if people can’t sign up"),
    "moderator": ("moderator", "make someone a moderator, who acts on reports"),
    "second_factor": ("second_factor", "list someone’s second factors, or remove lost ones"),
    "register_app": ("register_app", "register an app that can ask people for tokens"),
    "news": ("news", "email news to everyone who wants it, in both languages"),
    "set_aside": ("set_aside", "list work that couldn’t be processed, and try it again"),
    "receive_mail": ("receive_mail", "take an email from a mail server’s pipe"),
}
"""The Django command and the description of each word that runs a command."""
GAMES: Final = {
    "new": ("games.kit.new", "create the package of a new game, ready to play"),
    "check": ("games.kit.package", "check a package’s game by playing it"),
    "try": ("config.server.trial.supervisor", "play a package’s game while you write it"),
}
"""The module and the description of each word that follows ``games``. These commands need no settings."""
_HELP: Final = {"-h", "--help"}
_WITHOUT_DATABASE: Final = {
    "help",
    "version",
    "--version",
    "check",
    "compilemessages",
    "makemessages",
    "spectacular",
}


def main() -> None:
    """Run the process or command that the command line names. Exit with status 2 for an unknown word."""
    word, *rest = sys.argv[1:] or ["help"]
    if word in PROCESSES and rest:
        sys.exit(f"darbar {word} takes no arguments. Settings are environment variables.")
    if word in PROCESSES:
        runpy.run_module(PROCESSES[word][0], run_name="__main__")
    elif word in COMMANDS:
        run_django(["darbar", COMMANDS[word][0], *rest])
    elif word == "games":
        run_games("darbar", rest)
    elif word in ("version", "--version"):
        sys.stdout.write(f"{version()}\n")
    elif word in ("help", "--help", "-h"):
        sys.stdout.write(_help())
    else:
        sys.stderr.write(f"darbar has no command {word!r}.\n{_help()}")
        sys.exit(2)


def run_django(arguments: Sequence[str]) -> None:
    """Run a Django command, with the embedded database running if no other database is set.

    An invalid setting or an unavailable database prints one sentence and exits with status 1.
    """
    if arguments[1:2] == ["games"]:
        run_games(f"{sys.executable} {arguments[0]}", arguments[2:])
    command = [*arguments[1:2], "help"][0]
    try:
        use_direct_connection()
        needs_none = command in _WITHOUT_DATABASE or not _HELP.isdisjoint(arguments)
        embedded = settings.DATABASE_URL is None and not needs_none
        with Server(settings.EMBEDDED_DATABASE) if embedded else contextlib.nullcontext():
            _execute(arguments)
    except (ImproperlyConfigured, PostgresError, OperationalError) as error:
        sentence = describe_refusal(error) if isinstance(error, OperationalError) else str(error)
        sys.stderr.write(f"{sentence}\n")
        sys.exit(os.EX_TEMPFAIL if command == "receive_mail" else 1)


def run_games(program: str, words: Sequence[str]) -> NoReturn:
    """Run a command for authors of games, and exit. ``program`` stands before ``games`` in messages."""
    word = words[0] if words else ""
    if word not in GAMES:
        lines = (f"  {program} games {name:<6} {text}\n" for name, (_, text) in GAMES.items())
        (sys.stdout if word in {"", *_HELP} else sys.stderr).write("".join(lines))
        sys.exit(0 if word in {"", *_HELP} else 2)
    sys.argv = [f"{program} games {word}", *words[1:]]
    sys.exit(import_string(f"{GAMES[word][0]}.main")())


def _execute(arguments: Sequence[str]) -> None:
    """Run a command. Raises ImproperlyConfigured if it needs tables that do not exist yet."""
    try:
        execute_from_command_line(list(arguments))
    except ProgrammingError as error:
        missing = schema.difference(connection).missing
        if not missing:
            raise
        if reason := schema.database_problem():
            raise ImproperlyConfigured(reason) from error
        names = schema.join_names(missing)
        raise ImproperlyConfigured(
            f"The database is missing the migrations {names}. Run darbar prepare, then this command again."
        ) from error


def _help() -> str:
    words = {**PROCESSES, **COMMANDS, **{f"games {word}": row for word, row in GAMES.items()}}
    lines = [f"  darbar {word:<17} {text}\n" for word, (_, text) in words.items()]
    return f"Darbar {version()}\n\n{''.join(lines)}  darbar {'version':<17} show the version\n"

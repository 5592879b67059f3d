"""The preparation of a start, which migrates tables and collects files: ``python -m config.server.prepare``."""

import importlib
import logging
import shutil
import sys
from typing import Final

import django
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connections
from django.urls import get_resolver
from django.utils.module_loading import import_string
from django.utils.translation import trans_real

from config.core import processes
from config.core.database import schema
from config.core.database.connections import describe_refusal, use_direct_connection

logger = logging.getLogger(__name__)


class CannotPrepare(Exception):
    """The tables cannot be migrated. The message is a sentence with the reason."""


def prepare_database() -> None:
    """Migrate the tables if necessary. Raises CannotPrepare.

    An operator can go back to this version if a newer one has only added to the tables.
    """
    try:
        if difference := schema.difference(connections["default"]):
            call_command("migrate", verbosity=0, interactive=False)
        if difference.foreign:
            logger.warning("a newer version has added to the tables, and this one goes on: %s", difference)
    except OperationalError as error:
        raise CannotPrepare(describe_refusal(error)) from error
    except CommandError as error:
        raise CannotPrepare(str(error)) from error
    finally:
        connections.close_all()


def prepare_tables() -> str:
    """Migrate the tables. Return a sentence with the reason if that is impossible, or an empty string."""
    processes.watch_parent()
    use_direct_connection()
    try:
        prepare_database()
    except CannotPrepare as error:
        return str(error)
    return ""


def prepare_files() -> str:
    """Collect the static files, and delete the API's description of an earlier start. Return an empty string."""
    processes.watch_parent()
    shutil.rmtree(settings.API_FOLDER, ignore_errors=True)
    # The module imports models, which need Django to be set up first.
    import_string("config.server.static_files.collect")()
    return ""


def main() -> None:
    """Prepare tables and files. If that is impossible, exit with status 1 and one sentence."""
    django.setup()
    if refusal := prepare_tables() or prepare_files():
        sys.exit(refusal)


_MODULES: Final = (
    *(f"config.server.{name}" for name in ("web", "worker", "mail", "stream", "metrics", "prepare")),
    "celery.apps.worker",
    "config.server.gateway",
    "config.server.event_stream",
    "games.mail.smtp_server",
    "games.operations.exporter",
)


def import_modules() -> None:
    """Import all modules that any process needs."""
    processes.postpone_collection()
    django.setup()
    get_resolver().url_patterns  # noqa: B018 - imports the pages and the API
    for name in (*_MODULES, *(path.rpartition(".")[0] for path in settings.MIDDLEWARE)):
        importlib.import_module(name)
    importlib.import_module("config.core.tasks").app.loader.import_default_modules()  # the tasks
    schema.own_migrations()
    for language, _ in settings.LANGUAGES:
        trans_real.translation(language)
    processes.freeze_modules()


if __name__ == "__main__":
    main()

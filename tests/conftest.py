"""The tests' surroundings: settings apart from the developer's own, and a database of one's own."""

import atexit
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import django
import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from django.utils import translation

from config.embedded.postgres import DATABASE, PostgresError, Server, ServerPaths
from config.processes import memory
from tests import database_template
from tests.browser import chromium, visit
from tests.database_template import copy_migrated_data
from tests.running import RUN, prepared, running, somebody
from tests.watchdog import guard

__all__ = ["chromium", "prepared", "running", "somebody", "visit"]

_HOUR = 3600
_SLOW = {"server", "clients", "test_scripts.py"}
"""Folders and files whose tests mostly wait: for processes that start, and for a browser."""
# In the folder for temporary files on purpose: a run needs its data for minutes, and deletes them at its end.
_FOLDER = Path(tempfile.mkdtemp(prefix="darbar-tests-"))
_FOLDER.chmod(0o711)
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)

memory.postpone_collection()  # until all tests are collected
for name in ("PORT", "MAIL_PORT", "LISTEN", "EMAIL_URL", "SECRET_KEY", "ALLOWED_HOSTS", "PUBLIC_URL", "MAIL_DOMAIN"):
    os.environ.pop(name, None)
os.environ["DATA_DIR"] = str(_FOLDER)
os.environ.setdefault(RUN, str(_FOLDER))
os.environ["BROKER_URL"] = "memory://"
django.setup()
# A second worker of the run shall read the settings only here, for a folder of its own.
os.environ.pop("DJANGO_SETTINGS_MODULE", None)
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a proper hash takes half a second
settings.DOCUMENTS = _FOLDER / "documents"  # whether make docs has been run makes no difference

# How long an example takes says nothing on a machine that has other things to do.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

# A run that is told to end, by a time limit for example, ends its database too.
signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """End what earlier runs left that were killed; the locks say whether somebody is still in."""
    for folder in _FOLDER.parent.glob("darbar-tests-*"):
        with suppress(OSError, PostgresError):
            if folder.stat().st_mtime < time.time() - _HOUR:
                Server(ServerPaths.in_data_dir(folder)).forget()
                shutil.rmtree(folder)


def pytest_collection_finish() -> None:
    """Keep what was read, as a server does: to look through all of it takes a second, in the midst of some test."""
    memory.freeze_modules()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files that mostly wait over the first four fifths of a run.

    So one of its workers computes while the other one waits, and both end at about the same time.
    """
    files = list(dict.fromkeys(item.path for item in items))
    slow = [file for file in files if _SLOW & {file.name, file.parent.name}]
    quick = [file for file in files if file not in slow]
    seats = {
        file: share * turn / len(group)
        for group, share in ((slow, 0.8), (quick, 1.0))
        for turn, file in enumerate(group)
    }
    items.sort(key=lambda item: seats[item.path])


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """The database the tests run on: DATABASE_URL's, or an embedded server of this run alone."""
    if settings.DATABASE_URL is not None:
        yield
        return
    guard(_FOLDER)
    copy_migrated_data(_FOLDER)
    with Server(settings.EMBEDDED_DATABASE, *database_template.SETTINGS):
        with settings.EMBEDDED_DATABASE.administer() as connection:
            connection.execute(f"ALTER ROLE {DATABASE} CREATEDB")  # each worker of the run creates its own
        settings.DATABASES["default"]["TEST"]["TEMPLATE"] = DATABASE
        yield


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """An embedded server takes its database with it: to drop that before fails where a thread is still connected."""
    return settings.DATABASE_URL is None


@pytest.fixture(autouse=True)
def _no_language_is_left() -> Iterator[None]:
    """A request that a test makes leaves its reader's language active in the thread; the next test begins without."""
    yield
    translation.deactivate()


def _empty_tables(_: TransactionTestCase) -> None:
    """Empty the tables after a test that commits. Django truncates them, which takes twenty times as long, and only
    those of its models."""
    with connection.cursor() as cursor:
        cursor.execute(_EMPTY)


_EMPTY = """
    DO $$
    DECLARE found record;
    BEGIN
        FOR found IN
            SELECT relation.oid::regclass AS name, EXISTS (
                SELECT FROM pg_trigger WHERE tgrelid = relation.oid AND NOT tgisinternal
            ) AS refuses
            FROM pg_class AS relation
            WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
                AND relname NOT IN ('django_migrations', 'django_content_type', 'auth_permission', 'games_event')
        LOOP
            EXECUTE format(CASE WHEN found.refuses THEN 'TRUNCATE %s' ELSE 'DELETE FROM %s' END, found.name);
        END LOOP;
    END $$
"""
TransactionTestCase._fixture_teardown = _empty_tables  # type: ignore[attr-defined]

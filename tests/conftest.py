"""The tests' surroundings: settings apart from the developer's own, and a database of one's own."""

import atexit
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import django
import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from django.utils import translation
from django.utils.module_loading import import_string

from config.core import processes
from config.core.clock import CLOCK
from config.core.database import time_limits
from config.server.postgres import DATABASE, PostgresError, Server, ServerPaths
from tests import database_template
from tests.browser import chromium, visit
from tests.database_template import ROOT, copy_migrated_data
from tests.running import RUN, prepared, running, somebody
from tests.watchdog import guard

__all__ = ["bahareh", "chromium", "dariush", "kaveh", "maryam", "prepared", "running", "sepideh", "somebody", "visit"]

_HOUR = 3600
SLOW_FIXTURES = {"running", "darbar", "prepared", "chromium"}
"""Fixtures that start servers and browsers. Tests that use one are marked ``slow``."""
SLOW_FOLDERS = {ROOT / "tests" / "server", ROOT / "tests" / "clients"}
"""Folders whose tests start processes themselves. They are marked ``slow`` as well."""
SLOW_FILES = {"test_fuzz.py"}
"""Files of slow tests that import a large library."""
LONG_FILES = {
    *("test_roles.py", "test_repeats.py", "test_planted_faults.py", "test_corpus.py", "test_tournaments.py"),
    *("test_road.py", "test_game_page.py", "test_stalls.py"),
}
"""Files that take longer than ten seconds. The workers of a run start with them."""
# In the folder for temporary files on purpose: a run needs its data for minutes, and deletes them at its end.
_FOLDER = Path(tempfile.mkdtemp(prefix="darbar-tests-"))
_FOLDER.chmod(0o711)
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)

processes.postpone_collection()  # until all tests are collected
for name in ("PORT", "MAIL_PORT", "LISTEN", "EMAIL_URL", "SECRET_KEY", "ALLOWED_HOSTS", "PUBLIC_URL", "MAIL_DOMAIN"):
    os.environ.pop(name, None)
os.environ["DATA_DIR"] = str(_FOLDER)
os.environ.setdefault(RUN, str(_FOLDER))
os.environ["BROKER_URL"] = "memory://"
django.setup()
from tests.cast import bahareh, dariush, kaveh, maryam, sepideh  # noqa: E402 - they need Django, which is set up above

# A second worker of the run shall read the settings only here, for a folder of its own.
os.environ.pop("DJANGO_SETTINGS_MODULE", None)
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a proper hash takes half a second
time_limits.REQUEST = 60.0  # type: ignore[misc]  # no test depends on how busy the machine is
settings.DOCUMENTS = _FOLDER / "documents"  # whether make docs has been run makes no difference

# How long an example takes says nothing on a machine that has other things to do. The quick half tries the same
# examples each time. The slow half draws new ones, and Hypothesis prints how to repeat one that fails.
_patient = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("quick", **_patient, derandomize=True, max_examples=50)
hypothesis.settings.register_profile("slow", **_patient, print_blob=True)
hypothesis.settings.load_profile("slow" if os.environ.get("DARBAR_SLOW") else "quick")

# A run that is told to end, by a time limit for example, ends its database too.
signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """End the processes that killed runs have left. Locks show which runs are still active."""
    for folder in _FOLDER.parent.glob("darbar-tests-*"):
        with suppress(OSError, PostgresError):
            if folder.stat().st_mtime < time.time() - _HOUR:
                Server(ServerPaths.in_data_dir(folder)).delete_data()
                shutil.rmtree(folder)


def pytest_collection_finish() -> None:
    """Freeze the loaded modules, as a server does. Otherwise a garbage collection takes a second in some test."""
    processes.freeze_modules()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow tests out of a run that deselects them: to import their modules takes long."""
    is_slow = collection_path in SLOW_FOLDERS or collection_path.name in SLOW_FILES
    return True if is_slow and config.option.markexpr == "not slow" else None


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, object, object]:
    """Mark all but the first n cases of a test with the mark ``sampled(n)`` as slow.

    Here all cases of a test are known, even if only one of them was asked for.
    """
    cases = yield
    for number, case in enumerate(cases if isinstance(cases, list) else ()):
        sampled = case.get_closest_marker("sampled")
        if sampled and number >= sampled.args[0]:
            case.add_marker("slow")
    return cases


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that belong to ``make test-slow``, before pytest selects by mark, and put long files first.

    A long file that came last would leave the other workers without work. ``--no-loadscope-reorder`` keeps this order.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if not SLOW_FIXTURES.isdisjoint(fixtures) or not SLOW_FOLDERS.isdisjoint(item.path.parents):
            item.add_marker("slow")
    items.sort(key=lambda item: item.path.name not in LONG_FILES)


_is_quick = False
"""True while a test of the quick half is running."""


def _refuse_processes(event: str, arguments: tuple[object, ...]) -> None:
    """Raise an error if a quick test, or a fixture of it, starts a process."""
    if _is_quick and event == "subprocess.Popen":
        program = arguments[0]
        raise AssertionError(f"A quick test starts {program}. Mark it with @pytest.mark.slow, or test it in process.")


sys.addaudithook(_refuse_processes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    global _is_quick  # an audit hook cannot be removed, so it looks at a variable
    _is_quick = item.get_closest_marker("slow") is None
    try:
        return (yield)
    finally:
        _is_quick = False


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


@pytest.fixture(autouse=True)
def _no_look_at_the_database_is_left() -> Iterator[None]:
    """A look at the database leaves its time and its silence known in the process. The next test begins without."""
    yield
    import_string("config.server.health.forget_answer")()  # it needs Django, which is set up below the imports
    CLOCK._last = CLOCK.look = None
    time_limits._process.default, time_limits._process.is_silent = None, False


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

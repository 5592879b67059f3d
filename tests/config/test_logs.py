"""The content of the log, and secrets that must not be in it."""

import io
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from celery.app.trace import logger as of_tasks
from django.db import transaction
from django.dispatch import Signal

from config.core import logs
from games import links
from games.engine import SeatNumber
from tests.server.darbar import ROOT

SEED = "5e" * 32


def record(message: str, *arguments: object, error: BaseException | None = None) -> logging.LogRecord:
    how = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord("games", logging.ERROR, __file__, 1, message, arguments, how)


def failure() -> BaseException:
    """A failure in the midst of a game, whose messages quote a hand and a seed."""
    try:
        try:
            raise KeyError("duke")
        except KeyError as cause:
            raise ValueError(f"no hand of {SEED}") from cause
    except ValueError as error:
        return error


@pytest.mark.parametrize("form", [logs.LineFormatter(), logs.JsonFormatter()], ids=["line", "json"])
def test_an_error_is_told_by_its_kind_and_place_and_never_by_what_it_says(form: logging.Formatter) -> None:
    line = form.format(record("game %s was passed by", "7", error=failure()))
    assert "game 7 was passed by" in line
    assert "ValueError" in line
    assert "after KeyError" in line
    assert "test_logs.py" in line
    assert "duke" not in line
    assert SEED not in line


@pytest.mark.parametrize("form", [logs.LineFormatter(), logs.JsonFormatter()], ids=["line", "json"])
def test_what_acts_for_somebody_is_cut_out(form: logging.Formatter) -> None:
    secrets = [
        links.question_page(uuid4(), "1.1", 7),
        links.seat_address(uuid4(), SeatNumber(1), 7),
        "darbar_0123456789",
        SEED,
    ]
    for secret in secrets:
        assert secret not in form.format(record("Not Found: %s", secret))
        assert secret.rpartition("-")[2].partition("@")[0] not in form.format(record("Not Found: %s", secret)), secret


def test_the_code_in_the_link_of_a_club_or_a_game_is_cut_out_of_its_path() -> None:
    line = logs.LineFormatter().format(record("GET %s 200 3 ms", "/clubs/join/k7m2q9xw4tzb/"))
    assert line.endswith("GET /clubs/join/…/ 200 3 ms")
    line = logs.LineFormatter().format(record("GET %s 200 3 ms", "/join/JdiHwSAKPNhgTsWxK2bG4A/"))
    assert line.endswith("GET /join/…/ 200 3 ms")


def test_what_is_said_at_every_tick_is_logged_every_ten_minutes() -> None:
    seldom, logged = logs.RepetitionFilter(), []
    for second in range(0, 1300, 5):
        for game in (7, 8):
            log_record = record("game %s was passed by", game)
            log_record.created = float(second)
            if seldom.filter(log_record):
                logged.append((game, second))
    assert logged == [(game, second) for second in (0, 600, 1200) for game in (7, 8)]


def test_a_line_whose_numbers_change_is_the_same_line_if_its_caller_says_so() -> None:
    seldom = logs.RepetitionFilter()
    passed = []
    for seconds in range(11, 14):
        line = record("the clock of the attic is %d s ahead of the database's", seconds)
        vars(line).update(logs.repeated("clock", "attic"))
        passed.append(seldom.filter(line))
    assert passed == [True, False, False]


@pytest.mark.parametrize("library", ["psycopg", "celery.worker.consumer", "opentelemetry.exporter"])
def test_a_library_that_repeats_itself_with_other_numbers_is_written_once(library: str) -> None:
    seldom = logs.RepetitionFilter()
    passed = []
    for seconds in (2, 4, 6):
        line = record("no connection of <Pipeline at 0x7f%s>: trying again in %s.00 seconds", seconds, seconds)
        line.name = library
        passed.append(seldom.filter(line))
    assert passed == [True, False, False]


@pytest.mark.slow
def test_processes_of_one_runner_write_the_same_line_once() -> None:
    program = (
        "import logging.config, multiprocessing; from config.core import logs\n"
        "def work():\n"
        "    logging.config.dictConfig(logs.configuration('line'))\n"
        "    logging.getLogger('games').warning('the database cannot be looked at')\n"
        "for _ in range(3):\n"
        "    process = multiprocessing.get_context('fork').Process(target=work); process.start(); process.join()\n"
    )
    completed = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert completed.stderr.count("the database cannot be looked at") == 1


@pytest.mark.slow
def test_every_process_that_is_set_up_to_log_says_the_same_once() -> None:
    program = (
        "import logging.config; from config.core import logs; logging.config.dictConfig(logs.configuration('line'));"
        "[logging.getLogger('games').error('game 7 was passed by') for _ in range(3)]"
    )
    text = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stderr
    assert text.count("game 7 was passed by") == 1


def test_the_debug_level_is_for_our_own_modules_only() -> None:
    """A library could log the address of a webhook, which is a secret."""
    for level, is_shown in (("info", False), ("debug", True)):
        loggers = logs.configuration("json", level)["loggers"]
        assert {loggers[name]["level"] == "DEBUG" for name in ("config", "games", "accounts", "notifications")} == {
            is_shown
        }
        assert logs.configuration("json", level)["root"]["level"] == "INFO"


def test_an_error_that_nobody_caught_is_logged_each_time_and_so_is_what_is_no_warning() -> None:
    seldom = logs.RepetitionFilter()
    assert all(seldom.filter(record("nobody caught an error", error=failure())) for _ in range(2))
    log_record = record("a request was made")
    log_record.levelno = logging.INFO
    assert all(seldom.filter(log_record) for _ in range(2))


def test_json_is_one_object_a_line_with_nothing_in_it_but_what_is_named() -> None:
    log_record = record("two\nlines, and %s", "سپیده", error=failure())
    log_record.request, log_record.data, log_record.created = "a request with a body", {"args": ["duke"]}, 0.0
    line = logs.JsonFormatter().format(log_record)
    assert "\n" not in line
    assert set(json.loads(line)) == {"time", "level", "logger", "message", "process", "thread", "error"}
    assert json.loads(line)["message"] == "two\nlines, and سپیده"
    assert json.loads(line)["time"] == "1970-01-01T00:00:00.000+00:00"


def test_a_task_that_fails_is_named_without_what_its_failure_says() -> None:
    context = {"name": "games.tasks.sweep", "id": "1", "exc": "KeyError('duke')", "args": "()"}
    log_record = logging.LogRecord(
        of_tasks.name, logging.ERROR, __file__, 1, "Task %(name)s[%(id)s] raised: %(exc)s", (context,), None
    )
    assert logs.LineFormatter().format(log_record).endswith("Task games.tasks.sweep has failed.")


def test_what_nobody_catches_is_logged_and_not_printed(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = failure()
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    logs.log_uncaught_exceptions()
    sys.excepthook(type(error), error, error.__traceback__)
    assert capsys.readouterr().err == ""
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """A stream with the log lines of a test."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.LineFormatter())
    loggers = [logging.getLogger(name) for name in ("", "django")]
    for logger in loggers:
        logger.addHandler(handler)
    yield stream
    for logger in loggers:
        logger.removeHandler(handler)


def fail(**_: object) -> None:
    raise failure()


@pytest.mark.django_db(transaction=True)
def test_what_fails_after_a_commit_is_not_quoted(log_stream: io.StringIO) -> None:
    transaction.on_commit(fail, robust=True)
    with transaction.atomic():
        transaction.on_commit(fail, robust=True)
    assert log_stream.getvalue().count("Error calling fail in on_commit()") == 2
    assert_nothing_quoted(log_stream.getvalue())


def test_what_a_library_writes_of_an_exception_is_not_quoted(log_stream: io.StringIO) -> None:
    signal: Any = Signal()
    signal.connect(fail)
    signal.send_robust(None)
    library = logging.getLogger("library")
    try:
        fail()
    except ValueError as error:
        library.error(error)
        library.error("as an argument: %s, %r", error, error)
        library.error("by name: %(error)s", {"error": error})
        library.error(f"as text: {error}, {error!r}, after {error.__context__ or error.__cause__}")
        library.exception(f"with its traceback: {error}")
    assert log_stream.getvalue().count("ValueError") > 8
    assert_nothing_quoted(log_stream.getvalue())


def assert_nothing_quoted(sentence: str) -> None:
    assert sentence
    assert "duke" not in sentence
    assert "no hand of" not in sentence
    assert SEED not in sentence

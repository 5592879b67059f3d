"""The lines of the log, for people or as JSON for programs, and what never stands in them.

What an exception says may quote a card, a seed or an address, so the log has its kind and place only. A path may hold
a link that acts for somebody, and a record's extras a whole request: the first is cut out, the second left out.
"""

import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final

REQUEST_ID: Final[ContextVar[str]] = ContextVar("request id", default="")
"""The id of the request for which this thread works, blank where it works for none."""
_SECRETS: Final = re.compile(
    r"[a-z2-7]{26}(?![a-z0-9])|[0-9a-f]{64}|darbar_\w+|whsec_\S+|(?<=/clubs/join/)[^/\s]+", re.ASCII
)
"""The secrets that are cut out of a line: signatures of addresses and links, seeds, tokens, secrets of webhooks, and
codes of clubs.
"""
_OF_TASKS: Final = "celery.app.trace"
"""The logger that writes what an exception says into its message."""
_LONGEST_CHAIN: Final = 10
_REPEAT_AFTER: Final = 600.0
"""The number of seconds before the same is said once more."""
_MOST_REMEMBERED: Final = 1000
"""The most different sayings that are remembered."""

logger = logging.getLogger("darbar")


def describe_failure(error: BaseException) -> str:
    """An exception and those that led to it: their kinds and the places they passed, without what they say."""
    chain: list[str] = []
    for cause in _chain(error):
        frames = traceback.extract_tb(cause.__traceback__)
        places = "".join(f"\n  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
        chain.append(f"{type(cause).__name__}{places}")
    return "\nafter ".join(chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and those that led to it, the last one first; ten at most."""
    for _ in range(_LONGEST_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def redacted_message(record: logging.LogRecord) -> str:
    """The message of a record, in which each exception is replaced by its kind.

    Libraries put exceptions into their messages, as arguments or as text: Django does for what fails after a commit.
    A text is recognised while its exception is being handled, which is when it is logged.
    """
    if record.name == _OF_TASKS and isinstance(record.args, dict):
        return f"Task {record.args.get('name')} has failed."
    said = _message(record)
    for error in (*_chain(record.exc_info[1] if record.exc_info else None), *_chain(sys.exception())):
        for quoted in sorted({repr(error), str(error)} - {""}, key=len, reverse=True):
            said = said.replace(quoted, type(error).__name__)
    return _SECRETS.sub("…", said)


def _message(record: logging.LogRecord) -> str:
    message = str(_exception_kind(record.msg))
    if isinstance(record.args, dict):
        return message % {name: _exception_kind(each) for name, each in record.args.items()}
    return message % tuple(map(_exception_kind, record.args)) if record.args else message


def _exception_kind(argument: object) -> object:
    """The name of an exception's class in place of the exception; anything else as it is."""
    return type(argument).__name__ if isinstance(argument, BaseException) else argument


def _error(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return "" if error is None else describe_failure(error)


class LineFormatter(logging.Formatter):
    """A line for each record, and a line for each place that its error passed."""

    def format(self, record: logging.LogRecord) -> str:
        at = self.formatTime(record)
        error = _error(record)
        request = f" [{id}]" if (id := REQUEST_ID.get()) else ""
        line = f"{at} {record.levelname} {record.name}{request}: {redacted_message(record)}"
        return line + (f"\n{error}" if error else "")


class JsonFormatter(logging.Formatter):
    """One JSON object a line, of which nothing is in it but what is named here."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redacted_message(record),
            "process": record.process,
            "thread": record.threadName,
        }
        if request := REQUEST_ID.get():
            said["request"] = request
        if error := _error(record):
            said["error"] = error
        return json.dumps(said, ensure_ascii=False)


class RepetitionFilter(logging.Filter):
    """Lets what is said again and again, of a game that goes wrong at every tick for example, be said once in a while.

    Only warnings and worse are looked at, and what carries an error is always said.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or record.exc_info:
            return True
        text, now = f"{record.name} {record.getMessage()}", record.created
        if 0 <= now - self._said.get(text, -_REPEAT_AFTER) < _REPEAT_AFTER:
            return False
        if len(self._said) >= _MOST_REMEMBERED:
            self._said.clear()
        self._said[text] = now
        return True


def configuration(form: str) -> dict[str, Any]:
    """For ``logging.config``: everything to the standard error, in one of the two forms."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"ours": {"()": {"line": LineFormatter, "json": JsonFormatter}[form]}},
        "filters": {"seldom": {"()": RepetitionFilter}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "ours", "filters": ["seldom"]}},
        "root": {"handlers": ["console"], "level": "INFO"},
        "loggers": {
            "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
            "celery": {"level": "WARNING"},
            "mail.log": {"level": "ERROR"},
            "uvicorn": {"level": "ERROR"},
        },
    }


def log_uncaught_exceptions() -> None:
    """Log what nobody catches in this process and its threads, in place of printing it."""
    sys.excepthook = _uncaught
    threading.excepthook = lambda failed: _uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)


def _uncaught(kind: type[BaseException], error: BaseException | None, where: TracebackType | None) -> None:
    if error is not None and not issubclass(kind, KeyboardInterrupt | SystemExit):
        logger.critical("nobody caught an error", exc_info=(kind, error, where))

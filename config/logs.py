"""The lines of the log, for people or as JSON for programs, and what never stands in them.

What an exception says may quote a card, a seed or an address, so the log has its kind and place only. A path may hold
a link that acts for somebody, and a record's extras a whole request: the first is cut out, the second left out.
"""

import hashlib
import json
import logging
import mmap
import re
import struct
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
"""Seconds after which the same line is written again."""
_MOST_REMEMBERED: Final = 4096
"""The most different lines that are remembered."""
_LINE: Final = struct.Struct("8sd")
"""The digest of a line, and when it was written."""
_WRITTEN_LINES: Final = mmap.mmap(-1, _MOST_REMEMBERED * _LINE.size)
"""Memory that a process shares with its forks: the runner reads this module before it makes them."""
_LIBRARIES: Final = ("psycopg", "celery", "kombu", "amqp", "opentelemetry", "urllib3", "sentry_sdk")
_NUMBERS: Final = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?")

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
    """Passes the same warning or error once in ten minutes, for all processes of a runner together.

    A line is the same if its text is. If its text has changing numbers, its caller gives ``extra=repeated(...)``; in
    lines of libraries all numbers are left out. Lines of our own that carry an error always pass.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        is_library = record.name.startswith(_LIBRARIES)
        if record.levelno < logging.WARNING or (record.exc_info and not is_library):
            return True
        text = getattr(record, "repeated", None) or record.getMessage()
        digest = _digest(f"{record.name} {_NUMBERS.sub('#', text) if is_library else text}")
        # Without a lock: at worst two processes write the same line at the same moment.
        place = int.from_bytes(digest[:4], "big") % _MOST_REMEMBERED * _LINE.size
        known_digest, at = _LINE.unpack_from(_WRITTEN_LINES, place)
        if known_digest == digest and 0 <= record.created - at < _REPEAT_AFTER:
            return False
        _LINE.pack_into(_WRITTEN_LINES, place, digest, record.created)
        return True


def repeated(*parts: object) -> dict[str, str]:
    """Return the ``extra`` of a line whose text changes each time: it counts as the same line if these parts are."""
    return {"repeated": " ".join(map(str, parts))}


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=8).digest()


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

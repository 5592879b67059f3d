"""Log formatters, as text or JSON, that leave out secrets, and descriptions of errors.

The message of an exception may contain a card, a seed or an address, so the log has only its type and stack frames.
Tokens, seeds and signed links are replaced by an ellipsis, and the extras of a record, such as a request, are left out.
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

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError

REQUEST_ID: Final[ContextVar[str]] = ContextVar("request id", default="")
"""The id of the request that this thread works for, or an empty string."""
_SECRETS: Final = re.compile(r"[a-z2-7]{26}(?![a-z0-9])|[0-9a-f]{64}|darbar_\w+|whsec_\S+|(?<=/join/)[^/\s]+", re.ASCII)
"""Secrets to cut out of a line: signatures of addresses and links, seeds, tokens, webhook secrets, and the
codes in links by which people join a game or a club.
"""
_OF_TASKS: Final = "celery.app.trace"
"""The logger that writes the message of an exception into its own."""
_LONGEST_CHAIN: Final = 10
_REPEAT_AFTER: Final = 600.0
"""Seconds after which the same line is written again."""
_MOST_REMEMBERED: Final = 4096
"""The number of different lines that are remembered."""
_LINE: Final = struct.Struct("8sd")
"""The digest of a line, and the time at which it was written."""
_WRITTEN_LINES: Final = mmap.mmap(-1, _MOST_REMEMBERED * _LINE.size)
"""Memory that a process shares with its forks. The runner imports this module before it forks."""
_LIBRARIES: Final = ("psycopg", "celery", "kombu", "amqp", "opentelemetry", "urllib3", "sentry_sdk")
_NUMBERS: Final = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?")

logger = logging.getLogger("darbar")


def describe_failure(error: BaseException) -> str:
    """Return the types and stack frames of an exception and its causes, without their messages."""
    chain: list[str] = []
    for cause in _chain(error):
        frames = traceback.extract_tb(cause.__traceback__)
        places = "".join(f"\n  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
        chain.append(f"{type(cause).__name__}{places}")
    return "\nafter ".join(chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and its causes, the last one first, up to ten."""
    for _ in range(_LONGEST_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def redacted_message(record: logging.LogRecord) -> str:
    """Return the message of a record, with the name of its type in place of each exception.

    Libraries put exceptions into their messages, as arguments or as text, as Django does for failed ``on_commit``
    callbacks. The text is recognized because it is logged while its exception is being handled.
    """
    if record.name == _OF_TASKS and isinstance(record.args, dict):
        return f"Task {record.args.get('name')} has failed."
    message = _message(record)
    for error in (*_chain(record.exc_info[1] if record.exc_info else None), *_chain(sys.exception())):
        for quoted in sorted({repr(error), str(error)} - {""}, key=len, reverse=True):
            message = message.replace(quoted, type(error).__name__)
    return _SECRETS.sub("…", message)


def _message(record: logging.LogRecord) -> str:
    message = str(_exception_kind(record.msg))
    if isinstance(record.args, dict):
        return message % {name: _exception_kind(value) for name, value in record.args.items()}
    return message % tuple(map(_exception_kind, record.args)) if record.args else message


def _exception_kind(argument: object) -> object:
    """Return the class name of an exception. Any other argument is returned unchanged."""
    return type(argument).__name__ if isinstance(argument, BaseException) else argument


def _error(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return "" if error is None else describe_failure(error)


class LineFormatter(logging.Formatter):
    """Formats a record as a line, followed by a line for each stack frame of its error."""

    def format(self, record: logging.LogRecord) -> str:
        time = self.formatTime(record)
        error = _error(record)
        request = f" [{id}]" if (id := REQUEST_ID.get()) else ""
        line = f"{time} {record.levelname} {record.name}{request}: {redacted_message(record)}"
        return line + (f"\n{error}" if error else "")


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON that contains only the fields listed here."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redacted_message(record),
            "process": record.process,
            "thread": record.threadName,
        }
        if request := REQUEST_ID.get():
            fields["request"] = request
        if error := _error(record):
            fields["error"] = error
        return json.dumps(fields, ensure_ascii=False)


class RepetitionFilter(logging.Filter):
    """Passes the same warning or error once in ten minutes, for all processes of a runner together.

    Lines are the same if their texts are. If the text has changing numbers, the caller passes ``extra=repeated(...)``;
    in lines of libraries, numbers are ignored. Our own lines that contain an error always pass.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        is_library = record.name.startswith(_LIBRARIES)
        if record.levelno < logging.WARNING or (record.exc_info and not is_library):
            return True
        text = getattr(record, "repeated", None) or record.getMessage()
        digest = _digest(f"{record.name} {_NUMBERS.sub('#', text) if is_library else text}")
        # Without a lock, two processes may at worst write the same line at the same moment.
        place = int.from_bytes(digest[:4], "big") % _MOST_REMEMBERED * _LINE.size
        last_digest, last_time = _LINE.unpack_from(_WRITTEN_LINES, place)
        if last_digest == digest and 0 <= record.created - last_time < _REPEAT_AFTER:
            return False
        _LINE.pack_into(_WRITTEN_LINES, place, digest, record.created)
        return True


def repeated(*parts: object) -> dict[str, str]:
    """Return the ``extra`` of a log call whose text differs each time.

    ``RepetitionFilter`` treats lines with equal ``parts`` as repetitions of the same line.
    """
    return {"repeated": " ".join(map(str, parts))}


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=8).digest()


_OWN: Final = ("accounts", "config", "darbar", "games", "notifications")
"""The loggers of our own modules. Debug lines of libraries may hold secrets, such as the address of a webhook."""


def sentence_line(sentence: str, level: int) -> str:
    """Return a sentence for the operator as one line of the log in JSON."""
    return JsonFormatter().format(logging.LogRecord("config.server.runner", level, "", 0, sentence, None, None))


def configuration(form: str, level: str = "info") -> dict[str, Any]:
    """Return the logging configuration: everything to standard error, as ``line`` or ``json``.

    ``level`` is the level of our own modules, ``info`` or ``debug``.
    """
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
            **{name: {"level": level.upper()} for name in _OWN},
        },
    }


def log_uncaught_exceptions() -> None:
    """Log the uncaught exceptions of this process and its threads instead of printing them."""
    sys.excepthook = _uncaught
    threading.excepthook = lambda arguments: _uncaught(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)


def _uncaught(kind: type[BaseException], error: BaseException | None, where: TracebackType | None) -> None:
    if error is not None and not issubclass(kind, KeyboardInterrupt | SystemExit):
        logger.critical("uncaught error", exc_info=(kind, error, where))


def describe_error(error: BaseException) -> str:
    """Return the type and place of an error, without its message, which may contain a secret."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}, {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def is_server_error(error: BaseException) -> bool:
    """Return True for an error that no row can cause.

    Examples are an unavailable database, another schema, and a full disk or memory.
    """
    if isinstance(error, DataError | IntegrityError):
        return False
    return isinstance(error, DatabaseError | InterfaceError | OSError | MemoryError)

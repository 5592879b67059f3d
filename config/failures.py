"""Descriptions of errors for the log, and the distinction between errors of the server and of the data."""

import traceback

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError


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

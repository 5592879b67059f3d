"""Descriptions of errors for the log, and which errors are not the fault of the object that was processed."""

import traceback

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError


def describe_error(error: BaseException) -> str:
    """Kind and place of an error, without its message: that may quote what only the reader may know."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}, {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def is_server_error(error: BaseException) -> bool:
    """Return True for an error of the server, which no row can cause: the database is away or has another schema, the
    disk or the memory is full.
    """
    if isinstance(error, DataError | IntegrityError):
        return False
    return isinstance(error, DatabaseError | InterfaceError | OSError | MemoryError)

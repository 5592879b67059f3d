"""Requests during an outage of the database: their time limit, and the message whether anything was stored."""

import logging
from collections.abc import Callable
from typing import Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext

from config.core.database import time_limits
from config.core.logs import describe_error

logger = logging.getLogger(__name__)

RETRY_AFTER: Final = 5
"""Seconds. A database that was killed needs about this time to restart."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


def time_limit_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Limit the time that a request waits for the database."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with time_limits.limited(time_limits.left_since(request.META.get(time_limits.RECEIVED))):
            return get_response(request)

    return middleware


def is_outage(error: BaseException | None) -> bool:
    """Return True if the database is away or cannot work now, for example because its disk is full."""
    return isinstance(error, OperationalError | InterfaceError)


def explain_outage(request: HttpRequest, error: BaseException) -> str:
    """Log the type and place of the error, and return the message for the sender of the request."""
    logger.warning("a request was answered with 503: %s", describe_error(error.__cause__ or error))
    problem = gettext("The database does not answer right now.")
    return f"{problem} {_storage_sentence(request)}"


def _storage_sentence(request: HttpRequest) -> str:
    if request.method in _SAFE:
        return gettext("Please try again in a few seconds.")
    # Every request is counted before its view runs. One that was not even counted has changed nothing.
    if not hasattr(request, "balance"):
        return gettext("Your request was not stored. Please send it again in a few seconds.")
    return gettext(
        "Your request may have been stored. Check before you send it again, or send it with the same Idempotency-Key."
    )

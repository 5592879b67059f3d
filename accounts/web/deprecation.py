"""Deprecated operations of the API. Each answer has headers with the dates."""

import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from functools import wraps
from typing import Any, TypeVar

from django.utils.http import http_date
from drf_spectacular.utils import extend_schema

Handler = TypeVar("Handler", bound=Callable[..., Any])


def deprecated(*, since: date, until: date, instead: str) -> Callable[[Handler], Handler]:
    """Mark a handler of the API as deprecated ``since`` a date. It is there ``until`` another date.

    To be used above ``extend_schema``. Answers get the headers ``Deprecation`` (RFC 9745) and ``Sunset`` (RFC 8594).
    The description marks the operation, and names what to use ``instead``.
    """
    headers = {"Deprecation": f"@{_seconds(since)}", "Sunset": http_date(_seconds(until))}

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def handle(*args: Any, **kwargs: Any) -> Any:
            response = handler(*args, **kwargs)
            for name, value in headers.items():
                response.headers[name] = value
            return response

        description = (
            f"{inspect.getdoc(handler)}\n\nDeprecated since {since}: use `{instead}`. It is there until {until}."
        )
        return extend_schema(deprecated=True, description=description)(handle)  # type: ignore[return-value]  # the same

    return decorate


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())

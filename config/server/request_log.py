"""The id, log line, metrics and trace of every request, and the share of requests that end in a server error.

The id is the header ``X-Request-ID`` of our own proxy, if there is one, otherwise a new id. The response and every line
of the log have it.
"""

import logging
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from typing import Final

from django.conf import settings
from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.core import metrics, traces
from config.core.database import shared_values
from config.core.logs import REQUEST_ID

logger = logging.getLogger("darbar.requests")

HEADER: Final = "X-Request-ID"
_VALID_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_HEALTH: Final = "/healthz"
"""The path that monitors request often. It is neither logged nor counted."""
_FAILED: Final = 500


def request_log_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Give every request an id, and log, count and trace it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        id, start = _id(request), time.perf_counter()
        token = REQUEST_ID.set(id)
        try:
            with traces.begin_trace("request") if request.path != _HEALTH else nullcontext() as span:
                response = get_response(request)
                if span is not None:
                    span.update(f"{_method(request)} {_route(request)}", status=response.status_code)
            response[HEADER] = id
            _record(request, response.status_code, time.perf_counter() - start)
        finally:
            REQUEST_ID.reset(token)
        return response

    return middleware


def _id(request: HttpRequest) -> str:
    header = request.headers.get(HEADER, "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    return header if _VALID_ID.fullmatch(header) else secrets.token_hex(8)


def _record(request: HttpRequest, status: int, seconds: float) -> None:
    if request.path == _HEALTH:
        return
    ERROR_RATE.count(status >= _FAILED)
    method = _method(request)
    metrics.REQUESTS.labels(_route(request), method, str(status)).inc()
    metrics.REQUEST_SECONDS.labels(method).observe(seconds)
    if settings.ACCESS_LOG:
        logger.info("%s %s %d %d ms", method, request.path, status, round(seconds * 1000))


def _method(request: HttpRequest) -> str:
    return request.method if request.method in _METHODS else "other"


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that are counted under their own name. A client may send any other word."""


def _route(request: HttpRequest) -> str:
    """Return the URL pattern of a request, or "none" for an unknown path."""
    if match := request.resolver_match:
        return f"/{match.route}"
    return settings.STATIC_URL if request.path.startswith(settings.STATIC_URL) else "none"


WINDOW: Final = 60.0
"""Seconds over which requests are counted."""
FEWEST: Final = 3
"""The number of failures from which on they are reported."""
REPORT_INTERVAL: Final = 5.0
"""Seconds between two reports to the other processes."""


class ErrorRate:
    """Counts requests and failures of the last minute, by the second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` returns monotonic seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._seconds: deque[list[int]] = deque()
        """Lists of a second, its requests and its failures."""
        self._reported_at = -REPORT_INTERVAL

    def count(self, failed: bool) -> None:
        """Count a request, and report to the other processes if enough have failed."""
        with self._lock:
            now = int(self._clock())
            if not self._seconds or self._seconds[-1][0] != now:
                self._seconds.append([now, 0, 0])
            self._seconds[-1][1] += 1
            self._seconds[-1][2] += failed
            while self._seconds[0][0] <= now - WINDOW:
                self._seconds.popleft()
            percent = self._percent() if failed else 0
            is_due = percent > 0 and self._clock() - self._reported_at >= REPORT_INTERVAL
            if is_due:
                self._reported_at = self._clock()
        if is_due:
            self._report(percent)

    def _percent(self) -> float:
        requests, failures = (sum(second[index] for second in self._seconds) for index in (1, 2))
        return 100 * failures / requests if failures >= FEWEST else 0

    def _report(self, percent: float) -> None:
        try:
            shared_values.share("errors", percent)
        except Error:
            return  # another health check reports that the database is away


ERROR_RATE: Final = ErrorRate()
"""The rate of this process."""

"""Notes of every request: an id that the log has too, how it ended and how long it took.

The id is a proxy's (``X-Request-ID``) where one of ours stands in front, else our own. The answer carries it.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config import metrics, traces
from config.http.error_rate import ERROR_RATE
from config.logs import REQUEST_ID

logger = logging.getLogger("darbar.requests")

HEADER: Final = "X-Request-ID"
_PROXYS: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_WATCHING: Final = "/healthz"
"""The path that monitors ask for often. It is not logged: it tells nothing of the server's work."""
_FAILED: Final = 500


def request_log_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Note every request."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        id, begun = _id(request), time.perf_counter()
        token = REQUEST_ID.set(id)
        try:
            with traces.begin_trace("request") if request.path != _WATCHING else nullcontext() as span:
                response = get_response(request)
                if span is not None:
                    span.tell(f"{_method(request)} {_route(request)}", status=response.status_code)
            response[HEADER] = id
            _note(request, response.status_code, time.perf_counter() - begun)
        finally:
            REQUEST_ID.reset(token)
        return response

    return middleware


def _id(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    return given if _PROXYS.fullmatch(given) else secrets.token_hex(8)


def _note(request: HttpRequest, status: int, seconds: float) -> None:
    if request.path == _WATCHING:
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
"""The methods that are counted under their own name; others are inventions of strangers."""


def _route(request: HttpRequest) -> str:
    """The pattern of the address, so that there are as many as the server has, whatever is asked for."""
    if match := request.resolver_match:
        return f"/{match.route}"
    return settings.STATIC_URL if request.path.startswith(settings.STATIC_URL) else "none"

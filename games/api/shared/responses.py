"""Responses of the API of games: ETags, and requests that wait.

Waiting requests occupy at most half of the web server's threads. Any more requests are answered immediately, or within
a second if they sent a move.
"""

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.functional import Promise
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from accounts.web.pagination import page_body

IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of an answer that you have: 304, without a body, if nothing has changed.",
)
LONGEST_WAIT: Final = timedelta(seconds=10)
_WAIT: Final = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,6})\"?\s*(?:$|[,;])", re.IGNORECASE)


def preferred_wait(request: Request | HttpRequest) -> timedelta:
    """Return the time that the client is ready to wait (``Prefer: wait=N``, RFC 7240), 10 seconds at most."""
    match = _WAIT.search(request.headers.get("Prefer", ""))
    return min(timedelta(seconds=int(match[1])), LONGEST_WAIT) if match else timedelta()


def etag_json(request: Request, data: Any) -> HttpResponseBase:
    """Return serialized data as a JSON response with an ETag."""
    return etag_response(request, msgspec.json.encode(data, enc_hook=_plain))


def _plain(value: object) -> str:
    """Return the text of a lazy translation."""
    if isinstance(value, Promise):
        return str(value)
    raise TypeError(type(value))


def etag_response(
    request: Request, body: bytes, content_type: str = "application/json", headers: Mapping[str, str] | None = None
) -> HttpResponseBase:
    """Return a response whose ETag is a digest of its content, or 304 if the client has it already.

    Unless ``headers`` has another ``Cache-Control``, clients must revalidate each time.
    """
    etag = f'"{hashlib.sha256(body).hexdigest()}"'
    response = HttpResponse(body, content_type=content_type, headers=headers)
    response["ETag"] = etag
    response.headers.setdefault("Cache-Control", "private, no-cache")
    answer = get_conditional_response(request._request, etag=etag, response=response)
    assert answer is not None
    return answer


BEGIN_TO_WAIT: Final = "darbar.begin_to_wait"
"""The WSGI variable with a function. A request calls it when it begins to wait, so that it no longer counts towards the
share of its network in the threads."""
_SLOTS: Final = threading.BoundedSemaphore(max(1, settings.WEB_THREADS // 2))
_POLL_INTERVAL: Final = timedelta(seconds=0.2)
_NOT_MODIFIED: Final = 304


@contextmanager
def waiting_slot() -> Iterator[bool]:
    """Yield True if this request may wait. The slot is released at the end of the block."""
    free = _SLOTS.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            _SLOTS.release()


def long_poll(
    request: Request, load_list: Callable[[], list[msgspec.Raw]], get_marker: Callable[[], Any]
) -> HttpResponseBase:
    """Return a list with an ETag. With ``Prefer: wait=N`` the answer waits until there is something new.

    Nothing is new if the client has the list already (If-None-Match) or, without an ETag, if the list is empty.
    ``get_marker`` returns a cheap value that changes whenever the list may have changed, or None if it cannot change
    any more. The answer has no ``Preference-Applied`` if too many other requests were waiting.
    """
    wait = preferred_wait(request)
    before, listed = get_marker() if wait else None, load_list()
    answer, applied = _list_response(request, listed), bool(wait)
    if (
        wait
        and before is not None
        and (answer.status_code == _NOT_MODIFIED or not (listed or "If-None-Match" in request.headers))
    ):
        with waiting_slot() as applied:
            if applied:
                request.META.get(BEGIN_TO_WAIT, lambda: None)()
                if _wait_for_change(get_marker, before, wait):
                    answer = _list_response(request, load_list())
    if applied:
        answer["Preference-Applied"] = "wait"
    return answer


def _list_response(request: Request, listed: list[msgspec.Raw]) -> HttpResponseBase:
    return etag_response(request, msgspec.json.encode(page_body(listed)))


def _wait_for_change(get_marker: Callable[[], Any], before: Any, wait: timedelta) -> bool:
    """Return True if the marker changes within this time."""
    end = time.monotonic() + wait.total_seconds()
    while get_marker() == before:
        left = end - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(left, _POLL_INTERVAL.total_seconds()))
    return True

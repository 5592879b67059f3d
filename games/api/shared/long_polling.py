"""Requests that wait for the outcome of a move or for a change.

They occupy at most half of the web server's threads. Any more requests are answered immediately, or within a second if
they sent a move.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

import msgspec
from django.conf import settings
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.api.shared.etags import etag_response, preferred_wait

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
    ``get_marker`` returns a cheap value that changes whenever the list may have changed. The answer has no
    ``Preference-Applied`` if too many other requests were waiting.
    """
    wait = preferred_wait(request)
    before, listed = get_marker() if wait else None, load_list()
    answer, applied = _list_response(request, listed), bool(wait)
    if wait and (answer.status_code == _NOT_MODIFIED or not (listed or "If-None-Match" in request.headers)):
        with waiting_slot() as applied:
            if applied and _wait_for_change(get_marker, before, wait):
                answer = _list_response(request, load_list())
    if applied:
        answer["Preference-Applied"] = "wait"
    return answer


def _list_response(request: Request, listed: list[msgspec.Raw]) -> HttpResponseBase:
    return etag_response(request, msgspec.json.encode(listed))


def _wait_for_change(get_marker: Callable[[], Any], before: Any, wait: timedelta) -> bool:
    """Return True if the marker changes within this time."""
    end = time.monotonic() + wait.total_seconds()
    while get_marker() == before:
        left = end - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(left, _POLL_INTERVAL.total_seconds()))
    return True

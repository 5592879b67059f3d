"""Requests that wait for the outcome of a move or for something new.

They occupy at most half of the web server's threads. Further ones are answered immediately, or with a move within a
second.
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
"""The pause between two looks for something new."""
_NOT_MODIFIED: Final = 304


@contextmanager
def waiting_slot() -> Iterator[bool]:
    """Yield whether this request may wait, as long as the block lasts."""
    free = _SLOTS.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            _SLOTS.release()


def long_poll(
    request: Request, load_list: Callable[[], list[msgspec.Raw]], get_marker: Callable[[], Any]
) -> HttpResponseBase:
    """A list under an ETag. With ``Prefer: wait=N`` an answer that would be nothing new waits until there is another.

    Nothing new is what the client has already (If-None-Match), or without an ETag an empty list. ``get_marker``
    says cheaply when it may be otherwise. Without ``Preference-Applied`` in the answer too many others were waiting.
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
    """Return whether the mark becomes another within this time."""
    end = time.monotonic() + wait.total_seconds()
    while get_marker() == before:
        left = end - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(left, _POLL_INTERVAL.total_seconds()))
    return True

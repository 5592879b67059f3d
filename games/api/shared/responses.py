"""Responses of the API of games: ETags, pages of long lists, and requests that wait.

Waiting requests occupy at most half of the web server's threads. Any more requests are answered immediately, or within
a second if they sent a move.
"""

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from games.models import Game

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


# Clients keep cursors, so the salt stays the name of the module that signed the first ones.
_SIGNER: Final = signing.Signer(salt="games.api.shared.pagination")
USUAL_SIZE: Final = 50
LARGEST_SIZE: Final = 200

# The time at which a game was created, and its id.
_Place = tuple[datetime, UUID]


class NewestTables(BasePagination):
    """Pages of games, newest first. Nothing that is hidden from the reader changes this order.

    A cursor names the last row of a page, so new rows neither shift nor repeat a row.
    """

    def __init__(self, size: int = USUAL_SIZE) -> None:
        self.size = size

    def page(self, request: Request, find: Callable[[_Place | None, int], list[Game]]) -> list[Game]:
        """Return a page of the results of ``find`` after the request's cursor, and set the address of the next page."""
        cursor = request.query_params.get("cursor")
        rows = find(self._read_cursor(cursor) if cursor else None, self.size + 1)
        page = rows[: self.size]
        self.next = None
        if len(rows) > self.size:
            # without a time of its own, so that the same page has the same ETag
            after = _SIGNER.sign_object([page[-1].created_at.isoformat(), str(page[-1].id)])
            self.next = replace_query_param(request.build_absolute_uri(), "cursor", after)
        return page

    def _read_cursor(self, cursor: str) -> _Place:
        try:
            created_at, table = _SIGNER.unsign_object(cursor)
        except signing.BadSignature:
            sentence = _("This isn’t a cursor of this list.")
            raise ValidationError({"cursor": [ErrorDetail(sentence, code="cursor")]}) from None
        return datetime.fromisoformat(created_at), UUID(table)

    def body(self, data: Any) -> dict[str, Any]:
        """Return the body of a response with this page."""
        return {"next": self.next, "results": data}

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["next", "results"],
            "properties": {
                "next": {
                    "type": ["string", "null"],
                    "format": "uri",
                    "description": "The address of the next page; null on the last.",
                },
                "results": schema,
            },
        }

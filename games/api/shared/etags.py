"""ETags, and the waiting time that a request prefers."""

import hashlib
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

import msgspec
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.functional import Promise
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

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

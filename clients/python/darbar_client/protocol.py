"""What both clients have in common and no network: the requests, what an answer means, and when to try again."""

import uuid
from collections.abc import Mapping
from typing import Any, Final

import httpx

from darbar_client.errors import NotModified, Refused

ATTEMPTS: Final = 6
LONGEST_PAUSE: Final = 60.0
WAIT: Final = 10
"""For how many seconds the server waits for news before it answers that there are none."""
STREAM: Final = "/api/v1/stream/"
PATIENCE: Final = httpx.Timeout(30.0)
_TOO_OFTEN: Final = 429
_PASSING: Final = (502, 503, 504)


def request_headers(token: str, method: str, headers: Mapping[str, str | None]) -> dict[str, str]:
    """The headers of a request; a POST without an idempotency key gets one of its own."""
    given = {name: value for name, value in headers.items() if value is not None}
    if method == "POST" and "Idempotency-Key" in headers:
        given.setdefault("Idempotency-Key", str(uuid.uuid4()))
    return {**given, **({"Authorization": f"Bearer {token}"} if token else {})}


def may_repeat(method: str, headers: Mapping[str, str | None]) -> bool:
    """Return whether a request has no second effect: every method but POST, and a POST under a key."""
    return method != "POST" or "Idempotency-Key" in headers


def known_query(query: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that were given."""
    return {name: value for name, value in query.items() if value is not None}


def is_passing(response: httpx.Response, *, repeatable: bool) -> bool:
    """Return whether the same request may succeed later, and may be sent again."""
    return response.status_code == _TOO_OFTEN or (repeatable and response.status_code in _PASSING)


def pause_before(attempt: int, response: httpx.Response | None) -> float:
    """For how many seconds to wait before the next attempt: what the server asks for, else twice as long each time."""
    asked = response.headers.get("Retry-After", "") if response is not None else ""
    return min(float(asked) if asked.isdecimal() else 2.0**attempt / 2, LONGEST_PAUSE)


def content_of(response: httpx.Response) -> Any:
    """What an answer brings. Refused, NotModified."""
    if response.status_code == 304:
        raise NotModified
    if response.status_code >= 400:
        raise Refused(response.status_code, _problem(response))
    if not response.content:
        return None
    return response.json() if "json" in response.headers.get("Content-Type", "") else response.text


def _problem(response: httpx.Response) -> dict[str, Any]:
    try:
        problem = response.json()
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"detail": response.text[:500]}

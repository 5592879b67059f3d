"""Parts of both clients that need no network: requests, the meaning of an answer, and when to try again."""

import uuid
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import httpx

from darbar_client._generated import types as t
from darbar_client.errors import NotModified, Refused, Unreachable

Outcome = httpx.Response | httpx.TransportError
"""The outcome of one attempt at a request."""

ATTEMPTS: Final = 6
LONGEST_PAUSE: Final = 60.0
WAIT: Final = 10
"""The seconds for which the server waits for news before it answers without any."""
PATIENCE: Final = httpx.Timeout(30.0)
_CONFLICT: Final = 409
_TOO_OFTEN: Final = 429
_PASSING: Final = (502, 503, 504)


def path_and_query(address: str) -> tuple[str, dict[str, str]]:
    """Return an address without its host, so that a token is never sent to another server."""
    parts = urlsplit(address)
    return parts.path, dict(parse_qsl(parts.query))


def request_headers(token: str, method: str, headers: Mapping[str, str | None]) -> dict[str, str]:
    """Return the headers of a request. A POST without an idempotency key gets a new one."""
    result = {name: value for name, value in headers.items() if value is not None}
    if method == "POST" and "Idempotency-Key" in headers:
        result.setdefault("Idempotency-Key", str(uuid.uuid4()))
    return {**result, **({"Authorization": f"Bearer {token}"} if token else {})}


def may_repeat(method: str, headers: Mapping[str, str | None]) -> bool:
    """Return whether a request can be repeated without a second effect: every method but POST, and
    a POST with a key.
    """
    return method != "POST" or "Idempotency-Key" in headers


def known_query(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that were given."""
    return {name: value for name, value in query.items() if value is not None}


def pause_after(outcome: Outcome, attempt: int, *, repeatable: bool) -> float | None:
    """Return the seconds before the next attempt, or None if there is none."""
    if isinstance(outcome, httpx.Response):
        status = outcome.status_code
        is_busy = status == _CONFLICT and "Retry-After" in outcome.headers  # the same request is being processed
        is_passing = status == _TOO_OFTEN or (repeatable and (status in _PASSING or is_busy))
    else:
        is_passing = repeatable
    return pause_before(attempt, outcome) if is_passing and attempt < ATTEMPTS - 1 else None


def pause_before(attempt: int, outcome: Outcome | None = None) -> float:
    """Return the seconds to wait: the number in the answer, else twice as long each time."""
    seconds = outcome.headers.get("Retry-After", "") if isinstance(outcome, httpx.Response) else ""
    return min(float(seconds) if seconds.isdecimal() else 2.0**attempt / 2, LONGEST_PAUSE)


def received(outcome: Outcome) -> httpx.Response:
    """Return the response. Raises Unreachable if there is none."""
    if isinstance(outcome, httpx.TransportError):
        raise Unreachable(str(outcome)) from outcome
    return outcome


def move_request(question: t.Question, move: t.Answer | str) -> t.MoveRequest:
    """Return the body of an answer: one of the question's moves, or a move in notation."""
    if isinstance(move, str):
        return {"question": question["id"], "text": move}
    return {"question": question["id"], "move": move["move"]}


def outcome_of(refusal: Refused) -> t.StoredMove:
    """Return the outcome of a move whose question was closed in the meantime. Raises any other refusal again."""
    if refusal.code != "question-closed":
        raise refusal
    move: t.StoredMove = refusal.problem["move"]
    return move


def content_of(response: httpx.Response) -> Any:
    """Return the content of a response. Raises Refused or NotModified."""
    if response.status_code == 304:
        raise NotModified
    if response.status_code >= 400:
        raise Refused(response.status_code, _problem(response))
    if not response.content:
        return None
    return response.json() if _is_json(response) else response.text


def _is_json(response: httpx.Response) -> bool:
    """Return whether a response is one JSON document; lines of JSON are text."""
    kind = str(response.headers.get("Content-Type", "")).partition(";")[0]
    return kind == "application/json" or kind.endswith("+json")


def _problem(response: httpx.Response) -> dict[str, Any]:
    try:
        problem = response.json()
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"detail": response.text[:500]}

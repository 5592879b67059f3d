"""The health page, for monitoring."""

import threading
import time
from typing import Any, Final, NamedTuple

from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.core import clock
from config.server.problems import RETRY_AFTER
from games.models import Heartbeat
from games.operations import health

FRESH: Final = 1.0
"""Seconds for which an answer is used again, so that many requests do not keep the database busy."""


class _Answer(NamedTuple):
    """The last answer of this process, and the monotonic time at which it was made."""

    content: dict[str, Any]
    is_available: bool
    made_at: float


_last_answer: _Answer | None = None
_making_answer: Final = threading.Lock()


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Return the results of the health checks, with status 503 if the database does not answer.

    With ``?strict``, any failed check is a 503. The lengths of queues are on the operator's page (``/admin/health/``)
    only, because they depend on the actions of players.
    """
    content, is_available, _ = _current_answer()
    if not is_available:
        return JsonResponse(content, status=503, headers={"Retry-After": str(RETRY_AFTER)})
    if content["red"] and "strict" in request.GET:
        return JsonResponse({**content, "status": "red"}, status=503)
    return JsonResponse(content)


def forget_answer() -> None:
    """Forget the last answer, so that the next request runs the checks again."""
    global _last_answer
    _last_answer = None


def _current_answer() -> _Answer:
    """Return an answer that is at most a second old. Requests that come while one is made wait for it."""
    global _last_answer
    with _making_answer:
        if _last_answer is None or time.monotonic() - _last_answer.made_at > FRESH:
            content, is_available = _make_answer()
            _last_answer = _Answer(content, is_available, time.monotonic())
        return _last_answer


def _make_answer() -> tuple[dict[str, Any], bool]:
    try:
        heart = Heartbeat.objects.first()
        signs = list(health.signs(clock.now(), health.uptime()))
    except Error:
        red = [sign.name for sign in (health.database(answers=False), health.disk()) if sign.red]
        return {"status": "the database does not answer", "red": red}, False
    return {
        "status": "ok",
        "heartbeat": heart and heart.at,
        "red": [sign.name for sign in signs if sign.red],
        "signs": {sign.name: {"red": sign.red, "bound": sign.bound} for sign in signs},
    }, True

"""The health page: tells those who watch the server whether it can do its work and keeps up with it."""

from typing import Any

from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.database import database_clock
from config.http.unavailability.outages import RETRY_AFTER
from games.models import Heartbeat
from games.operations import health


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the database answers, else 503; and which signs are red. With ``?strict`` any red sign is a 503 too.

    How long the queues are is for the operator (``/admin/health/``): it tells of what players do.
    """
    answer: dict[str, Any]
    try:
        heart = Heartbeat.objects.first()
        signs = list(health.signs(database_clock.now(), health.uptime()))
    except Error:
        red = [sign.name for sign in (health.database(answers=False), health.disk()) if sign.red]
        answer = {"status": "the database does not answer", "red": red}
        return JsonResponse(answer, status=503, headers={"Retry-After": str(RETRY_AFTER)})
    red = [sign.name for sign in signs if sign.red]
    answer = {
        "status": "ok",
        "heartbeat": heart and heart.at,
        "red": red,
        "signs": {sign.name: {"red": sign.red, "bound": sign.bound} for sign in signs},
    }
    if red and "strict" in request.GET:
        return JsonResponse({**answer, "status": "red"}, status=503)
    return JsonResponse(answer)

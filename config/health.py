"""Whether the server can do its work: asked by those who watch it."""

from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Heartbeat


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the database answers, else 503; and when the worker's clock last beat, which it does twice a minute."""
    try:
        heart = Heartbeat.objects.first()
    except Error:
        return JsonResponse({"status": "the database does not answer"}, status=503)
    return JsonResponse({"status": "ok", "heartbeat": heart and heart.at})

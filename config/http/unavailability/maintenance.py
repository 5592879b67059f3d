"""Maintenance, in which everything can be read and nothing changed, and the banner of pages."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext

from config.http.problems import unavailable_response

RETRY_AFTER: Final = 300
"""Seconds."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")

_Respond = Callable[[HttpRequest], HttpResponse]


def maintenance_middleware(get_response: _Respond) -> _Respond:
    """Refuse requests that may change something with 503, while ``MAINTENANCE`` is set."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not settings.MAINTENANCE or request.method in _SAFE:
            return get_response(request)
        detail = gettext("Your request was not stored. Please send it again when the maintenance is over.")
        return unavailable_response(request, f"{_explain()} {detail}", RETRY_AFTER, "maintenance.html")

    return respond


def banner(request: HttpRequest) -> dict[str, str]:
    """Return the operator's message for templates, as ``banner``."""
    message = str(settings.BANNER.get(get_language() or "", ""))
    return {"banner": f"{message} {_explain()}".strip() if settings.MAINTENANCE else message}


def _explain() -> str:
    return gettext(
        "Darbar is under maintenance. You can read everything. If it takes more than five minutes, all deadlines move "
        "by as long as it took."
    )

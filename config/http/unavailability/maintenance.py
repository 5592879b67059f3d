"""Maintenance: what is there may be read, and nothing may be changed. And the banner that pages show."""

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
    """Refuse with 503 whatever would change something, while ``MAINTENANCE`` is set."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not settings.MAINTENANCE or request.method in _SAFE:
            return get_response(request)
        detail = gettext("Your request was not stored. Please send it again when the maintenance is over.")
        return unavailable_response(request, f"{_explain()} {detail}", RETRY_AFTER, "maintenance.html")

    return respond


def banner(request: HttpRequest) -> dict[str, str]:
    """Return what the operator has to say to everybody for templates, as ``banner``; blank where that is nothing."""
    said = str(settings.BANNER.get(get_language() or "", ""))
    return {"banner": f"{said} {_explain()}".strip() if settings.MAINTENANCE else said}


def _explain() -> str:
    return gettext(
        "Darbar is under maintenance. You can read everything. If it takes more than five minutes, all deadlines move "
        "by as long as it took."
    )

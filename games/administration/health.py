"""The page with the signs of health: how long work has been waiting, without naming players or games."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.core import clock
from games.operations import health
from games.phrases import number, period

_REFRESH_SECONDS: Final = "15"
"""The interval in seconds at which the page reloads."""


@require_safe
@never_cache
def page(request: HttpRequest, site: Mapping[str, Any]) -> HttpResponse:
    """Return all signs with their values and bounds, the red ones first. ``site`` is the context of all pages of the
    admin.
    """
    now = clock.now()
    signs = sorted(health.signs(now, health.uptime()), key=lambda sign: not sign.red)
    context = {
        **site,
        "title": _("Health of the server"),
        "signs": [
            (sign, _(sign.title), _format_value(sign, sign.value), _format_value(sign, sign.bound)) for sign in signs
        ],
        "now": now,
    }
    response = render(request, "games/administration/health.html", context)
    response.headers["Refresh"] = _REFRESH_SECONDS
    return response


def red_titles() -> list[str]:
    """Return the titles of all signs that are red now."""
    return [_(sign.title) for sign in health.signs(clock.now(), health.uptime()) if sign.red]


def _format_value(sign: health.Sign, value: float | None) -> str:
    if value is None:
        return "–"
    if sign.counted:
        return number(int(value))
    return _("%(seconds)s s") % {"seconds": number(int(value))} if value < 120 else period(timedelta(seconds=value))

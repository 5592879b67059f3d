"""The tables that somebody may see."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.play.access import visible


@require_safe
@login_required
def tables(request: HttpRequest) -> HttpResponse:
    """Public tables and those at which I sit, the newest first."""
    found = visible(request.user).order_by("-opened_at", "-id")[:50]
    return render(request, "games/tables.html", {"place": "tables", "tables": found})

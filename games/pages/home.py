"""The first page: what this is, for a visitor; what waits for me, for whoever is signed in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The first page."""
    return render(request, "games/welcome.html", {"place": "home"})

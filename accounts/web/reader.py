"""Middleware that uses the language and time zone of the logged-in account rather than those of the browser."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control

from accounts.models import Account


def reader_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Activate the reader's language and time zone, and keep personal pages out of caches."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not isinstance(request.user, Account):
            return get_response(request)
        translation.activate(request.user.language)
        request.LANGUAGE_CODE = request.user.language
        with timezone.override(ZoneInfo(request.user.time_zone)):
            response = get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_store=True)
        return response

    return respond

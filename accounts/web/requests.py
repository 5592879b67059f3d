"""Requests of a logged-in account: their types, their language and time zone, and the compression of pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from rest_framework.request import Request

from accounts.models import Account


class AccountRequest(Request):
    """A request to an API view that requires an account (``HasScope``)."""

    user: Account


def account_of(request: HttpRequest) -> Account | None:
    """Return the logged-in account, or None."""
    return request.user if isinstance(request.user, Account) else None


class AccountHttpRequest(HttpRequest):
    """A request to a page behind ``login_required``."""

    user: Account


View = Callable[..., HttpResponseBase]


def compressed_for_visitors(view: View) -> View:
    """Compress the page of a view for visitors who are not logged in.

    Pages with a reader's hand, chat or name are never compressed together with texts of other people, because their
    size would reveal their content. The same holds for a form that is shown again with its values.
    """
    compressed = gzip_page(view)

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        is_public = request.method in ("GET", "HEAD") and not request.user.is_authenticated
        return (compressed if is_public else view)(request, *args, **kwargs)

    return wrapper


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

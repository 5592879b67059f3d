"""Compressed pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.gzip import gzip_page

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

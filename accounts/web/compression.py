"""Pages that are sent compressed."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.gzip import gzip_page

View = Callable[..., HttpResponseBase]


def compressed_for_visitors(view: View) -> View:
    """A view whose page is sent compressed to people who are not signed in.

    Pages that hold a hand, a chat or a name of their reader are never compressed beside what others wrote: their
    sizes would tell what they hold. Nor is a form that comes back with what was typed into it.
    """
    compressed = gzip_page(view)

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        is_public = request.method in ("GET", "HEAD") and not request.user.is_authenticated
        return (compressed if is_public else view)(request, *args, **kwargs)

    return wrapper

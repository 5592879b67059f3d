"""Pages that are sent compressed."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.gzip import gzip_page

View = Callable[..., HttpResponse]


def compressed_for_visitors(view: View) -> View:
    """A view whose page is sent compressed to people who are not signed in.

    Pages that hold a hand, a chat or a name of their reader are never compressed beside what others wrote: their
    sizes would tell what they hold.
    """
    compressed = gzip_page(view)

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return (view if request.user.is_authenticated else compressed)(request, *args, **kwargs)

    return wrapper

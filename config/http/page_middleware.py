"""The omission of middleware for pages, such as sessions and messages, from requests to the API.

These requests have a token and no cookie, so this middleware would do nothing, and take a quarter of the time of a move
(``python -m bench.server doors``). In ``MIDDLEWARE`` it stands between the two functions of this module. Django still
calls every ``process_view``.
"""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.http.headers import API

Respond = Callable[[HttpRequest], HttpResponseBase]

_FOLLOWING: Final[list[Respond]] = []
"""The middleware after that for pages. Django creates the last middleware first, so it is here when ``begin`` runs."""


def begin_page_middleware(get_response: Respond) -> Respond:
    """Begin the middleware for pages."""
    for_pages, for_programs = get_response, _FOLLOWING.pop()

    def respond(request: HttpRequest) -> HttpResponseBase:
        return for_programs(request) if request.path.startswith(API) else for_pages(request)

    return respond


def end_page_middleware(get_response: Respond) -> Respond:
    """End the middleware for pages."""
    _FOLLOWING.append(get_response)
    return get_response

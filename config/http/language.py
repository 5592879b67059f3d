"""The language of a request, from its cookie or ``Accept-Language``.

Django's own middleware also looks for a language in the path, four times, and no path of this server has one.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers


def language_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Activate the language of the request, and set the header Content-Language of the response."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        translation.activate(translation.get_language_from_request(request))
        request.LANGUAGE_CODE = translation.get_language()
        response = get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language())
        return response

    return respond

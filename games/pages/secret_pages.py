"""Pages whose address is a secret, such as the links in emails."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language_info

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    # The address is a secret, and the page has no links to other sites. "no-referrer" would not do: with it browsers
    # send forms with the origin "null", which the protection against forged requests must refuse.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}


def render_secret_page(request: HttpRequest, template: str, language: str, context: dict[str, Any]) -> HttpResponse:
    """Render a template with ``context`` in a language, and add the headers of secret pages."""
    direction = "rtl" if get_language_info(language)["bidi"] else "ltr"
    response = render(request, template, {"language": language, "direction": direction, **context})
    for name, value in _HEADERS.items():
        response.headers[name] = value
    return response

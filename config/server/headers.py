"""The headers of every response."""

from functools import cache
from typing import Final

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from config.server.security_policy import HEADERS
from games.templatetags.live import HEADER as LIVE

API: Final = "/api/v1/"
OF_DOCUMENTS: Final = (
    "Cross-Origin-Opener-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "X-Frame-Options",
)
"""The headers that a browser uses for pages only."""
USED_BY_PAGES: Final = ("text/css", "text/javascript", "font/woff2", "image/png")
"""The types of static files that are not pages themselves, as HTML and SVG can be."""
NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
"""The policy of a response that loads nothing, even if a browser shows it."""


class SecurityHeaders(CSPMiddleware):
    """Adds security headers, and removes headers that mean nothing on a response that is not shown as a page.

    django-csp builds the policy again for every response. Here the usual one is cached.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Make no nonce. No policy here has one, and it would be a reference cycle."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        headers = response.headers
        if request.path.startswith(API):
            # A client may store a response with an ETag and validate it. Shared caches may store none.
            headers.setdefault("Cache-Control", "private, no-cache" if "ETag" in response else "no-store")
        if LIVE in request.headers:
            # This is a part of a page without its policy, so no cache may use it for the whole page.
            headers["Cache-Control"] = "no-store"
        if _is_never_shown(request, response):
            for name in OF_DOCUMENTS:
                headers.pop(name, None)
            headers.setdefault(HEADER, NOTHING)
            return response
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if self.get_policy_parts(request, response) != PolicyParts() or hasattr(response, "_csp_exempt"):
            return super().process_response(request, response)
        headers.setdefault(HEADER, _policy())
        return response


def _is_never_shown(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return True if no browser shows this response as a page, which saves nearly 900 bytes of headers.

    That is JSON of the API, a static file that a page uses, or a part for the script of an open page. No link or form
    can send the header of that script.
    """
    if LIVE in request.headers:
        return True
    kind = response.headers.get("Content-Type", "").split(";")[0]
    if request.path.startswith(settings.STATIC_URL):
        return kind in USED_BY_PAGES
    return request.path.startswith(API) and kind.endswith("json")


@cache
def _policy() -> str:
    return build_policy()

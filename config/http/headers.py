"""The headers that every answer bears."""

from functools import cache
from typing import Final

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from config.http.security_policy import HEADERS
from games.templatetags.live import HEADER as LIVE

API: Final = "/api/v1/"
OF_DOCUMENTS: Final = (
    "Cross-Origin-Opener-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "X-Frame-Options",
)
"""The headers that a browser reads of a page, and of nothing else."""
USED_BY_PAGES: Final = ("text/css", "text/javascript", "font/woff2", "image/png")
"""The kinds of static files that are no pages themselves, as HTML and SVG can be."""
NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
"""The policy of an answer that loads nothing, should a browser show it all the same."""


class SecurityHeaders(CSPMiddleware):
    """Adds what Django has no setting for, and takes off what means nothing on an answer that no browser shows.

    django-csp puts the policy together anew for every answer: the one that nearly all have is kept.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Make no nonce: no policy here has one, and it would refer to the request that refers to it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        headers = response.headers
        if request.path.startswith(API):
            # A client may keep an answer that it asks about again with the ETag; no cache between may keep any.
            headers.setdefault("Cache-Control", "private, no-cache" if "ETag" in response else "no-store")
        if LIVE in request.headers:
            # Of a page there is only a part, without its policy: no cache may keep it for whoever opens the page.
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
    """Return whether no browser shows this answer as a page: nearly 900 bytes of headers are for pages alone.

    It is JSON of the API, a static file that a page uses, or what the script of an open page takes apart: no link or
    form can send its header.
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

"""The headers that every answer bears."""

from functools import cache
from typing import Final

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from config.http.security_policy import HEADERS

API: Final = "/api/v1/"


class SecurityHeaders(MiddlewareMixin):
    """Adds what Django and django-csp have no setting for."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.path.startswith(API):
            # A client may keep an answer that it asks about again with the ETag; no cache between may keep any.
            response.headers.setdefault("Cache-Control", "private, no-cache" if "ETag" in response else "no-store")
        return response


class ContentSecurityPolicy(CSPMiddleware):
    """django-csp's, which puts the policy together anew for every answer: the one that nearly all have is kept."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if self.get_policy_parts(request, response) != PolicyParts() or hasattr(response, "_csp_exempt"):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, _policy())
        return response


@cache
def _policy() -> str:
    return build_policy()

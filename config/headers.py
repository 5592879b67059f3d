"""The headers that every answer bears."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from config.security import HEADERS


class SecurityHeaders(MiddlewareMixin):
    """Adds what Django and django-csp have no setting for."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

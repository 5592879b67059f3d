"""Limits on the size of a request body, which are checked before a view or a parser reads it."""

from typing import Any, Final

from django.conf import global_settings, settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from config.http.problems import too_large
from games.mail.intake.provider_webhooks import webhook

LARGEST: Final = global_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
"""Bytes of a form or a document."""
LARGEST_OF_PROVIDERS: Final = "/anymail/"
"""The beginning of the paths to which mail providers send whole emails."""


def largest_body(path: str) -> int:
    """Return the number of bytes that the server reads of a request to this path."""
    is_of_provider = settings.MAIL_WEBHOOKS and path.startswith(LARGEST_OF_PROVIDERS)
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE if is_of_provider else LARGEST


class BodyLimits(MiddlewareMixin):
    """Refuses large requests. The emails that mail providers send have Django's own limit."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        # The server never reads more than CONTENT_LENGTH bytes.
        if view is webhook or int(request.META.get("CONTENT_LENGTH") or 0) <= LARGEST:
            return None
        return too_large(request, LARGEST)

"""Redirects to the same path with a slash at its end."""

from functools import partial

from django.http import HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware


class SlashRedirects(CommonMiddleware):
    """Django's own, but that a request keeps its method and its body on its way (308, not 301)."""

    response_redirect_class = partial(HttpResponsePermanentRedirect, preserve_request=True)  # type: ignore[assignment]

"""Redirects to the same path with a trailing slash."""

from functools import partial

from django.http import HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware


class SlashRedirects(CommonMiddleware):
    """Django's redirects, with status 308, so that a request keeps its method and body."""

    response_redirect_class = partial(HttpResponsePermanentRedirect, preserve_request=True)  # type: ignore[assignment]

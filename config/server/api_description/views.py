"""The views of the OpenAPI documents, and of the addresses from which programs find it."""

from typing import ClassVar, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.urls import reverse
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.web.api_view import PublicApiView
from config.server.api_description.document import ACCOUNT, CORE, MAIN, document
from games.api.shared.responses import etag_response

MAX_AGE: Final = 300
"""Seconds for which clients may cache the document. After an update of the server it is old for as long."""


class ApiSchema(SpectacularAPIView):
    """The OpenAPI document, as YAML or JSON."""

    document: ClassVar = MAIN

    def _get_schema_response(self, request: Request) -> HttpResponseBase:
        renderer = request.accepted_renderer
        name = f"{self.document}.{renderer.format}"
        headers = {
            "Cache-Control": f"max-age={MAX_AGE}",
            "Content-Disposition": f'inline; filename="{name}"',
            "Vary": "Accept-Encoding",
        }
        plain, compressed = document(name)
        if re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
            return etag_response(request, compressed, str(renderer.media_type), {**headers, "Content-Encoding": "gzip"})
        return etag_response(request, plain, str(renderer.media_type), headers)


class AccountSchema(ApiSchema):
    """The operations on accounts, tokens, apps and devices, and the sandbox."""

    document = ACCOUNT


class CoreSchema(ApiSchema):
    """The operations that most programs need, as a document of their own."""

    document = CORE


_LINKS: Final = {
    "description": "schema",
    "core_description": "core-schema",
    "account_description": "account-schema",
    "reference": "docs",
    "me": "me",
}


class ApiRoot(PublicApiView):
    """The addresses from which a program finds its way."""

    schema = None

    def get(self, request: Request) -> Response:
        """Return the addresses."""
        links = {name: settings.PUBLIC_URL + reverse(view) for name, view in _LINKS.items()}
        return Response({"version": "1", **links, "guide": f"{settings.PUBLIC_URL}/docs/en/api/"})


_LLMS: Final = """\
# Darbar

> A server for slow games of bluff. Bots and apps play by an HTTP API.
> A bot needs four operations: create_game, list_questions, send_move and get_view.

## API

- [Fifteen operations]({site}/api/schema/core/?format=json): OpenAPI, all that a bot needs
- [All operations that play]({site}/api/schema/?format=json): OpenAPI
- [Accounts, tokens, apps and the sandbox]({site}/api/schema/account/?format=json): OpenAPI
- [First requests]({site}/docs/en/api/): tokens, games, questions and moves, with curl
- [Your first bot]({site}/docs/en/start/bot/): a whole bot in Python without a library
- [The contract]({site}/docs/en/api/contract/): idempotency keys, lists, what may change
- [Errors by code]({site}/docs/en/api/errors/): what each code means, and what to do
- [Notation]({site}/docs/en/api/notation/): moves as texts
- [Rules]({site}/rules/): those of all games, with numbers
"""


@require_safe
def llms(request: HttpRequest) -> HttpResponse:
    """Return a list of links for language models (llmstxt.org)."""
    return HttpResponse(_LLMS.format(site=settings.PUBLIC_URL), content_type="text/plain; charset=utf-8")

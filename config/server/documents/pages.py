"""The views of the documents site."""

import json
import mimetypes
from pathlib import Path
from typing import Final, cast

from csp.constants import SELF
from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from config.server.documents.build import POLICY, is_complete, source

_AGE: Final = 600
"""Seconds for which browsers may cache a page."""


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
def documents(request: HttpRequest) -> HttpResponse:
    """Redirect to the documents in the reader's language."""
    language = get_language()
    has_language = (settings.DOCUMENTS / (language or "")).is_dir() if _is_built() else source(f"{language}/")
    return HttpResponseRedirect(f"{reverse('documents')}{language if has_language else settings.LANGUAGE_CODE}/")


@gzip_page
@require_safe
def document(request: HttpRequest, path: str) -> HttpResponse:
    """Return a file of the site. The policy of a page allows only inline scripts and styles with known hashes.

    While the site is not built, return the Markdown of the page, or explain how to build the site.
    """
    root: Path = settings.DOCUMENTS
    if not _is_built():
        if (text := source(path)) is not None:
            return render(request, "document_source.html", {"text": text, "language": path[:2]})
        return render(request, "documents_missing.html", status=404)
    file = (root / path).resolve()
    if not file.is_relative_to(root.resolve()) or file.name == POLICY:
        raise Http404
    if file.is_dir():
        if not path.endswith("/"):
            return HttpResponseRedirect(f"{request.path}/")
        file = file / "index.html"
    if not file.is_file():
        raise Http404
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    answer = HttpResponse(file.read_bytes(), content_type=kind)
    answer.headers["Cache-Control"] = f"public, max-age={_AGE}"
    if kind == "text/html":
        return cast(HttpResponse, csp_update(_policy())(lambda _request: answer)(request))
    return answer


def _is_built() -> bool:
    return is_complete(settings.DOCUMENTS)


def _policy() -> dict[str, list[str]]:
    """Return the additions to the usual policy, with the hashes of inline scripts and styles."""
    hashes: dict[str, list[str]] = json.loads((settings.DOCUMENTS / POLICY).read_text())
    return {**hashes, "img-src": ["data:"], "connect-src": [SELF]}

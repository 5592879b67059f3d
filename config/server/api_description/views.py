"""The view of the OpenAPI document, which is built and compressed once for each language and format."""

import gzip
import threading
from typing import Final

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils.encoding import force_bytes
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from accounts.web.requests import compressed_for_visitors
from games.api.shared.responses import etag_response

MAX_AGE: Final = 300
"""Seconds for which clients may cache the document. After an update of the server it is old for as long."""
_built: Final[dict[tuple[str | None, str], tuple[bytes, bytes]]] = {}
"""The document and its gzip, by language and format. They never change while the process runs."""
_building: Final = threading.Lock()


class ApiSchema(SpectacularAPIView):
    """The OpenAPI document, as YAML or JSON."""

    def _get_schema_response(self, request: Request) -> HttpResponseBase:
        renderer = request.accepted_renderer
        name = self._get_filename(request, None)  # type: ignore[no-untyped-call]
        headers = {
            "Cache-Control": f"max-age={MAX_AGE}",
            "Content-Disposition": f'inline; filename="{name}"',
            "Vary": "Accept-Encoding",
        }
        plain, compressed = _document(renderer)
        if re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
            return etag_response(request, compressed, str(renderer.media_type), {**headers, "Content-Encoding": "gzip"})
        return etag_response(request, plain, str(renderer.media_type), headers)


def _document(renderer: BaseRenderer) -> tuple[bytes, bytes]:
    """Return the document in the active language, plain and compressed. Building it takes half a second."""
    key = (get_language(), str(renderer.format))
    with _building:
        if key not in _built:
            schema = SchemaGenerator().get_schema(request=None, public=True)
            plain = force_bytes(renderer.render(schema, renderer_context={}))
            _built[key] = plain, gzip.compress(plain, mtime=0)
        return _built[key]


_POLICY: Final = {"style-src": [UNSAFE_INLINE], "img-src": ["data:"]}
"""The additions to the usual policy. Swagger's page has an inline style sheet and pictures in data URLs."""

docs = compressed_for_visitors(csp_update(_POLICY)(SpectacularSwaggerSplitView.as_view(url_name="schema")))
"""Swagger's page, with its script in a file."""

"""The page with the description of the API."""

from typing import Final

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from drf_spectacular.views import SpectacularSwaggerSplitView

from accounts.web.compression import compressed_for_visitors

_POLICY: Final = {"style-src": [UNSAFE_INLINE], "img-src": ["data:"]}
"""The additions to the usual policy. Swagger's page has an inline style sheet and pictures in data URLs."""

docs = compressed_for_visitors(csp_update(_POLICY)(SpectacularSwaggerSplitView.as_view(url_name="schema")))
"""Swagger's page, with its script in a file."""

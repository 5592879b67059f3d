"""The page with the API's description, for people."""

from typing import Final

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from drf_spectacular.views import SpectacularSwaggerSplitView

from accounts.web.compression import compressed_for_visitors

_POLICY: Final = {"style-src": [UNSAFE_INLINE], "img-src": ["data:"]}
"""Beside what every page may: Swagger's page has a style sheet in itself and draws its signs from data. No script."""

docs = compressed_for_visitors(csp_update(_POLICY)(SpectacularSwaggerSplitView.as_view(url_name="schema")))
"""Swagger's page, whose script is a file of its own."""

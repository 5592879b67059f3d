"""Content negotiation for views that always answer in one format, which is not JSON."""

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request


class OneForm(BaseContentNegotiation):
    """Accepts every ``Accept`` header. Problems are JSON nevertheless."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

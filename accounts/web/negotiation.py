"""Negotiation for addresses that answer in one form, which is not JSON."""

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request


class OneForm(BaseContentNegotiation):
    """Takes every ``Accept``: a client names the form that is described. Problems are JSON all the same."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

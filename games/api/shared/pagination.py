"""Pagination by a cursor, which names the last row of a page. New rows neither shift nor repeat a row."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.core import signing
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from games.models import Game

_SIGNER: Final = signing.Signer(salt=__name__)
USUAL_SIZE: Final = 50
LARGEST_SIZE: Final = 200

# The time at which a game was created, and its id.
_Place = tuple[datetime, UUID]


class NewestTables(BasePagination):
    """Pages of games, newest first. Nothing that is hidden from the reader changes this order."""

    def __init__(self, size: int = USUAL_SIZE) -> None:
        self.size = size

    def page(self, request: Request, find: Callable[[_Place | None, int], list[Game]]) -> list[Game]:
        """Return a page of the results of ``find`` after the request's cursor, and set the address of the next page."""
        cursor = request.query_params.get("cursor")
        rows = find(self._read_cursor(cursor) if cursor else None, self.size + 1)
        page = rows[: self.size]
        self.next = None
        if len(rows) > self.size:
            # without a time of its own, so that the same page has the same ETag
            after = _SIGNER.sign_object([page[-1].created_at.isoformat(), str(page[-1].id)])
            self.next = replace_query_param(request.build_absolute_uri(), "cursor", after)
        return page

    def _read_cursor(self, cursor: str) -> _Place:
        try:
            created_at, table = _SIGNER.unsign_object(cursor)
        except signing.BadSignature:
            sentence = _("This is not a cursor of this list.")
            raise ValidationError({"cursor": [ErrorDetail(sentence, code="cursor")]}) from None
        return datetime.fromisoformat(created_at), UUID(table)

    def body(self, data: Any) -> dict[str, Any]:
        """Return the body of a response with this page."""
        return {"next": self.next, "results": data}

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["next", "results"],
            "properties": {
                "next": {
                    "type": ["string", "null"],
                    "format": "uri",
                    "description": "The address of the next page; null on the last.",
                },
                "results": schema,
            },
        }

"""Long lists, page by page, by a cursor that names the last row read: new rows neither shift nor repeat one."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.core import signing
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from games.models import Game

_SIGNER: Final = signing.Signer(salt=__name__)
USUAL_SIZE: Final = 50
LARGEST_SIZE: Final = 200


class NewestTables(BasePagination):
    """Tables in the order in which they were opened, the newest first: an order that nothing hidden changes."""

    def __init__(self, size: int = USUAL_SIZE) -> None:
        self.size = size

    def paginate_queryset(  # type: ignore[override]  # of games only
        self, queryset: QuerySet[Game], request: Request, view: APIView | None = None
    ) -> list[Game]:
        """One page, and a note of where the next one is."""
        if cursor := request.query_params.get("cursor"):
            created_at, table = self._read(cursor)
            queryset = queryset.filter(Q(created_at__lt=created_at) | Q(created_at=created_at, id__lt=table))
        rows = list(queryset.order_by("-created_at", "-id")[: self.size + 1])
        page = rows[: self.size]
        self.next = None
        if len(rows) > self.size:
            # without a time of its own, so that the same page has the same ETag
            after = _SIGNER.sign_object([page[-1].created_at.isoformat(), str(page[-1].id)])
            self.next = replace_query_param(request.build_absolute_uri(), "cursor", after)
        return page

    def _read(self, cursor: str) -> tuple[datetime, UUID]:
        try:
            created_at, table = _SIGNER.unsign_object(cursor)
        except signing.BadSignature:
            sentence = _("This is not a cursor of this list.")
            raise ValidationError({"cursor": [ErrorDetail(sentence, code="cursor")]}) from None
        return datetime.fromisoformat(created_at), UUID(table)

    def get_paginated_response(self, data: Any) -> Response:
        return Response(self.body(data))

    def body(self, data: Any) -> dict[str, Any]:
        """The body of an answer that holds this page."""
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

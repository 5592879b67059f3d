"""Pages of lists in the API and on the site, with signed cursors.

A page continues after the values by which a row of the last page is sorted, not after a number of rows. So new rows
neither shift nor repeat a row, and a late page is as fast as the first one if an index has the order of the list.
Filter the queryset before, so that every page is full. Sort it only by values that its readers see, because the holder
of a cursor can read them. The last one must be unique.

A list that is computed has no such values. Its pages continue after a number of rows.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from django.core import signing
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from accounts.web.serializers import QuerySerializer

USUAL_SIZE: Final = 50
LARGEST_SIZE: Final = 200


class PageSerializer(QuerySerializer):
    """The page of a list."""

    limit = serializers.IntegerField(
        min_value=1, max_value=LARGEST_SIZE, default=USUAL_SIZE, help_text="The most results on a page."
    )
    cursor = serializers.CharField(required=False, help_text="The `cursor` in the `next` of the page before.")


class KeysetPagination(BasePagination):
    """Pages of a queryset, in its order. ``next`` and ``previous`` are the addresses of the pages around the last one.

    With ``is_lenient``, a cursor that is not valid leads to the first page.
    """

    next: str | None = None
    previous: str | None = None
    start = 0

    def __init__(self, size: int = USUAL_SIZE, *, is_lenient: bool = False) -> None:
        self.size, self.is_lenient = size, is_lenient

    def paginate_queryset(self, queryset: Any, request: Request | HttpRequest, view: Any = None) -> list[Any]:
        """Return the rows of the page that the request's cursor leads to."""
        order = [str(name) for name in queryset.query.order_by]
        is_backward, values = self._read_cursor(request, order)
        if values:
            queryset = queryset.filter(_rows_beyond(order, values, is_backward))
        candidates = list((queryset.reverse() if is_backward else queryset)[: self.size + 1])
        rows, has_more = candidates[: self.size], len(candidates) > self.size
        if is_backward:
            rows.reverse()

        def address(row: Any, is_backward: bool) -> str:
            places = [str(attrgetter(name.lstrip("-").replace("__", "."))(row)) for name in order]
            return _address(request, order, is_backward, places)

        self.next = address(rows[-1], False) if rows and (has_more or is_backward) else None
        self.previous = address(rows[0], True) if rows and (has_more if is_backward else values) else None
        return rows

    def paginate_list(self, rows: Sequence[Any] | QuerySet[Any], request: Request | HttpRequest) -> list[Any]:
        """Return the requested page of a list that is computed, and set ``start`` to the number of rows before it."""
        _is_backward, values = self._read_cursor(request, [])
        self.start = int(values[0]) if values else 0
        end = self.start + self.size
        candidates = list(rows[self.start : end + 1])
        self.next = _address(request, [], False, [str(end)]) if len(candidates) > self.size else None
        return candidates[: self.size]

    def _read_cursor(self, request: Request | HttpRequest, order: list[str]) -> tuple[bool, list[str]]:
        """Return True if the rows before the cursor are requested, and the values of its row."""
        cursor = request.GET.get("cursor")
        try:
            is_backward, values = _signer(request, order).unsign_object(cursor) if cursor else (False, [])
        except signing.BadSignature:
            if not self.is_lenient:
                sentence = _("This cursor isn’t from this list.")
                raise ValidationError({"cursor": [ErrorDetail(sentence, code="cursor")]}) from None
            is_backward, values = False, []
        return is_backward, values

    def get_paginated_response(self, data: Any) -> Response:
        return Response(self.body(data))

    def body(self, data: Any) -> dict[str, Any]:
        """Return the body of a response with this page."""
        return page_body(data, self.next)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        description = "The address of the next page; null on the last."
        address = {"type": ["string", "null"], "format": "uri", "description": description, "example": None}
        return {"type": "object", "required": ["next", "results"], "properties": {"next": address, "results": schema}}


def page_body(results: Any, next_page: str | None = None) -> dict[str, Any]:
    """Return the body of a page of a list. ``next_page`` is the address of the next page, or None on the last page."""
    return {"next": next_page, "results": results}


def following(request: Request, last: object) -> str:
    """Return the address of the page of a log after the entry ``last``. The entry's number is no secret."""
    return replace_query_param(request.build_absolute_uri(), "after", last)


def _signer(request: Request | HttpRequest, order: list[str]) -> signing.Signer:
    """Return a signer whose cursors are valid in this list, and in no other one."""
    return signing.Signer(salt=f"{request.path} {order}")


def _address(request: Request | HttpRequest, order: list[str], is_backward: bool, places: list[str]) -> str:
    # A cursor has no time of its own, so that the same page has the same ETag.
    cursor = _signer(request, order).sign_object([is_backward, places])
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def _rows_beyond(order: list[str], values: list[str], is_backward: bool) -> Q:
    """Return the condition for the rows after a row with these values, or for the rows before it."""
    condition = Q()
    for name, value in reversed([*zip(order, values, strict=True)]):
        field, is_descending = name.lstrip("-"), name.startswith("-") != is_backward
        further = Q(**{f"{field}__{'lt' if is_descending else 'gt'}": value})
        condition = further | Q(condition, **{field: value}) if condition else further
    # This follows from the rest. An index can only use a condition that is no alternative.
    return condition & Q(**{f"{field}__{'lte' if is_descending else 'gte'}": value})

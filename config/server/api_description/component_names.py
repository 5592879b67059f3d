"""Component names that cause no collisions in generated clients."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction

from accounts.web.serializers import QuerySerializer


class OperationSchema(AutoSchema):
    """Names the body of a request ``<Thing>Request``, and that of a response ``<Thing>``.

    No name is ``New<Thing>``, because that is a constructor in Go.
    """

    def get_override_parameters(self) -> list[Any]:
        """Return the parameters of ``extend_schema``, and the query parameters that the view takes."""
        query = getattr(self.view, "query_serializer", QuerySerializer)
        takes_query = self.method == "GET" and query is not QuerySerializer
        return [*([query] if takes_query else []), *super().get_override_parameters()]

    def get_paginated_name(self, serializer_name: str) -> str:
        """Return the name of a page of a list, such as ``GamePage``."""
        return f"{serializer_name}Page"

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        """Return the name of a component, without the ``Request`` that drf-spectacular adds."""
        name = str(super().get_serializer_name(serializer, direction))
        if direction == "request":
            name = name.removesuffix("Serializer").removesuffix("Request").removeprefix("New")
        return name

"""Names of components that cause no collisions in generated clients, and required members of responses."""

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

    def _map_basic_serializer(self, serializer: Any, direction: Direction) -> Any:
        """Return the schema of a serializer. In a response every member is required, because all are always sent."""
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "response" and schema.get("properties"):
            schema["required"] = sorted(schema["properties"])
        return schema

    def get_paginated_name(self, serializer_name: str) -> str:
        """Return the name of a page of a list, such as ``GamePage``."""
        return f"{serializer_name}Page"

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        """Return the name of a component, without the ``Request`` that drf-spectacular adds."""
        name = str(super().get_serializer_name(serializer, direction))
        if direction == "request":
            name = name.removesuffix("Serializer").removesuffix("Request").removeprefix("New")
        return name

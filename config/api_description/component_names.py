"""Names of components that no generator of clients lets collide with each other."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction


class OperationSchema(AutoSchema):
    """Names the body of a request ``<Thing>Request``, and an answer ``<Thing>``.

    Nothing is called ``New<Thing>``: that is what Go calls the function that makes one.
    """

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        """The name of a component, without the ``Request`` that drf-spectacular adds."""
        name = str(super().get_serializer_name(serializer, direction))
        if direction == "request":
            name = name.removesuffix("Serializer").removesuffix("Request").removeprefix("New")
        return name

"""The unions of all games' shapes in the OpenAPI document: flat, told apart by one property, and open.

The last alternative of each takes what this document does not know yet: a new kind of event, a new game. A client that
was generated from it reads that too, instead of failing.
"""

from collections.abc import Mapping
from typing import Any, Final

COMPONENTS: Final = "#/components/schemas/"


def ref(component: str) -> dict[str, str]:
    """A pointer to a component of the OpenAPI document."""
    return {"$ref": f"{COMPONENTS}{component}"}


def open_union(description: str, mapping: Mapping[str, str], other: str, by: str) -> dict[str, Any]:
    """Return a schema for one of the components of ``mapping``, selected by the property ``by``, or the component
    ``other``.
    """
    return {
        "description": description,
        "anyOf": [*(ref(component) for component in mapping.values()), ref(other)],
        "discriminator": {"propertyName": by, "mapping": {tag: ref(name)["$ref"] for tag, name in mapping.items()}},
    }


def other_shape(description: str, by: str, said: str) -> dict[str, Any]:
    """Return the schema of unknown values, which only have the property that selects the component."""
    return {
        "type": "object",
        "description": description,
        "properties": {by: {"type": "string", "description": said}},
        "required": [by],
        "additionalProperties": {},
    }

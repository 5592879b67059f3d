"""The unions of all games' shapes in the OpenAPI document. Each is flat, and open to shapes that are not known yet.

The last alternative of a union accepts values that this document does not describe, such as a new kind of event. A
client that was generated from the document can then read them instead of failing.
"""

from collections.abc import Mapping
from typing import Any, Final

COMPONENTS: Final = "#/components/schemas/"


def ref(component: str) -> dict[str, str]:
    """Return a reference to a component of the OpenAPI document."""
    return {"$ref": f"{COMPONENTS}{component}"}


def open_union(description: str, mapping: Mapping[str, str], other: str, tag: str) -> dict[str, Any]:
    """Return a schema of the components in ``mapping``, selected by the property ``tag``, with ``other`` as the
    fallback."""
    return {
        "description": description,
        "anyOf": [*(ref(component) for component in mapping.values()), ref(other)],
        "discriminator": {
            "propertyName": tag,
            "mapping": {value: ref(name)["$ref"] for value, name in mapping.items()},
        },
    }


def other_shape(description: str, tag: str, tag_description: str) -> dict[str, Any]:
    """Return the schema of unknown values. Only the property that selects the component is required."""
    return {
        "type": "object",
        "description": description,
        "properties": {tag: {"type": "string", "description": tag_description}},
        "required": [tag],
        "additionalProperties": {},
    }

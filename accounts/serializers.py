"""What the requests of every door have in common."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail


class StrictSerializer(serializers.Serializer):
    """A serializer that refuses, by name, every field it does not take."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            taken = [name for name, field in self.fields.items() if not field.read_only]
            if strange := [name for name in data if name not in taken]:
                raise serializers.ValidationError({name: [self._refusal(name, taken)] for name in strange})
        return super().to_internal_value(data)

    def _refusal(self, name: str, taken: list[str]) -> ErrorDetail:
        if name in self.fields:
            return ErrorDetail(_("This field can be read, but not set."), code="read-only")
        sentence = _("There is no field of this name here. There are: %(fields)s.") % {"fields": ", ".join(taken)}
        return ErrorDetail(sentence, code="unknown-field")


class StrictModelSerializer(StrictSerializer, serializers.ModelSerializer):
    """The same over a model."""


class StrictScheme(OpenApiSerializerExtension):
    """Says in the API's description that a request takes no other fields."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False} if direction == "request" else schema

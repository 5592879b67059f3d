"""Base classes of serializers and fields: strict ones for requests, and a fast one for answers."""

import re
from collections.abc import Callable, Mapping
from datetime import time, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Final

from django.utils.dateparse import parse_duration
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import empty

# Days, hours, minutes and whole seconds.
_PERIOD: Final = "^P([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$"


def _has_type_of(value: Any, field: Any) -> bool:
    """Return True if a JSON value has the type of a field. The field itself checks everything else."""
    match field:
        case serializers.BooleanField():
            return value is None or isinstance(value, bool)
        case serializers.IntegerField():
            return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
        case serializers.CharField():
            return value is None or isinstance(value, str)
    return True


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer that refuses unknown fields by name, and values of another JSON type."""

    # Fields of which a request has exactly one, and the sentence for a request that has none or several.
    one_of: ClassVar[tuple[str, ...]] = ()
    one_of_sentence: ClassVar[Promise | str] = ""

    def to_internal_value(self, data: Any) -> Any:
        for field in self.fields.values():
            _name_choices(field)
        if isinstance(data, Mapping):
            names = [name for name, field in self.fields.items() if not field.read_only]
            if unknown := [name for name in data if name not in names]:
                raise serializers.ValidationError({name: [self._refusal(name, names)] for name in unknown})
            wrong = self._wrong_types(data)
            try:
                value = super().to_internal_value(data)
            except serializers.ValidationError as error:
                detail: Any = error.detail
                raise serializers.ValidationError({**detail, **wrong}) from None
            if wrong:
                raise serializers.ValidationError(wrong)
            if self.one_of and sum(name in value for name in self.one_of) != 1:
                sentence = ErrorDetail(str(self.one_of_sentence), code="malformed")
                raise serializers.ValidationError({self.one_of[0]: [sentence]})
            return value
        return super().to_internal_value(data)

    def _wrong_types(self, data: Mapping[str, Any]) -> dict[str, list[ErrorDetail]]:
        """Return the fields whose JSON type is wrong. REST framework would convert their values."""
        return {
            name: [ErrorDetail(str(field.error_messages["invalid"]), code="invalid")]
            for name, field in self.fields.items()
            if name in data and not _has_type_of(data[name], field)
        }

    def _refusal(self, name: str, names: list[str]) -> ErrorDetail:
        if name in self.fields:
            return ErrorDetail(_("This field is read-only: leave it out."), code="read-only")
        sentence = _("There’s no such field here. The fields are: %(fields)s.") % {"fields": ", ".join(names)}
        return ErrorDetail(sentence, code="unknown-field")


def _name_choices(field: Any) -> None:
    """Let the error for an impossible choice name the possible ones, also for the values of a list or an object."""
    while hasattr(field, "child"):
        field = field.child
    if type(field) is serializers.ChoiceField:
        choices = ", ".join(str(choice) for choice in field.choices if choice != "")
        sentence = _("“{input}” isn’t possible here. Write one of these: %(choices)s.")
        field.error_messages["invalid_choice"] = sentence % {"choices": choices}


class QuerySerializer(StrictSerializer):
    """A strict serializer for query parameters, which are all strings. Without fields, it refuses all parameters."""

    def _wrong_types(self, data: Mapping[str, Any]) -> dict[str, list[ErrorDetail]]:
        return {}

    def _refusal(self, name: str, names: list[str]) -> ErrorDetail:
        sentence = _("There’s no such parameter here. The parameters are: %(parameters)s.")
        described = sentence % {"parameters": ", ".join(sorted(names))}
        return ErrorDetail(
            described if names else _("This address takes no parameters: leave it out."), code="unknown-parameter"
        )


class NothingSerializer(StrictSerializer):
    """An empty object, or no body at all."""


class StrictModelSerializer(StrictSerializer, serializers.ModelSerializer[Any]):
    """A strict serializer for a model."""


class ShownSerializer(serializers.Serializer[Any]):
    """A read-only serializer that resolves its fields once, not for each object as REST framework does."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {name: reader(instance) for name, reader in self._readers}

    @cached_property
    def _readers(self) -> list[tuple[str, Callable[[Any], Any]]]:
        return [(name, _reader(field)) for name, field in self.fields.items()]


# Methods that return the value itself, or a value that all JSON encoders write in the same way.
_SHOW_UNCHANGED: Final = tuple(
    field.to_representation
    for field in (
        serializers.BooleanField,
        serializers.CharField,
        serializers.ChoiceField,
        serializers.DateTimeField,
        serializers.FloatField,
        serializers.IntegerField,
        serializers.JSONField,
        serializers.UUIDField,
    )
)


def _reader(field: Any) -> Callable[[Any], Any]:
    """Return a function that returns the serialized value of a field of an object."""
    if isinstance(field, serializers.SerializerMethodField):
        return getattr(field.parent, str(field.method_name))  # type: ignore[no-any-return]
    is_related = isinstance(field, serializers.RelatedField)  # it shows a key, and needs no row for that
    plain = field.source_attrs and field.default is empty and not is_related
    get, show = attrgetter(field.source) if plain else field.get_attribute, field.to_representation
    if plain and type(field).to_representation in _SHOW_UNCHANGED:
        return get
    return lambda instance: None if (value := get(instance)) is None else show(value)


class PeriodField(serializers.DurationField):
    """An ISO 8601 duration within bounds."""

    default_error_messages: ClassVar = {
        "invalid": gettext_lazy("Write an ISO 8601 duration from {shortest} to {longest}, such as PT30M or P2D.")
    }

    def __init__(self, *, shortest: str, longest: str, **kwargs: Any) -> None:
        if not kwargs.get("read_only"):
            kwargs["help_text"] = f"{kwargs.get('help_text', '')} From `{shortest}` to `{longest}`.".strip()
        super().__init__(**kwargs)
        self.shortest, self.longest = shortest, longest

    def to_internal_value(self, value: Any) -> timedelta:
        """Return the duration. REST framework's own field also accepts numbers of seconds and other formats."""
        period = _period(value)
        if period is None or not self._is_within_bounds(period):
            self.fail("invalid", shortest=self.shortest, longest=self.longest)
        return period

    def _is_within_bounds(self, period: timedelta) -> bool:
        least, most = parse_duration(self.shortest), parse_duration(self.longest)
        return least is not None and most is not None and least <= period <= most

    def to_representation(self, value: timedelta) -> str:
        """Return the shortest form: ``P2D``, ``PT1H30M``."""
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        time = "".join(f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if number)
        day = f"{days}D" if days else ""
        return f"P{day}{'T' + time if time else ''}" if day or time else "PT0S"


def _period(value: Any) -> timedelta | None:
    try:
        return parse_duration(value) if isinstance(value, str) and re.fullmatch(_PERIOD, value, re.ASCII) else None
    except OverflowError:
        return None


class PeriodFieldSchema(OpenApiSerializerFieldExtension):
    """Describes the field as a string. The help text names the bounds."""

    target_class = PeriodField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": "string", "format": "duration", "pattern": _PERIOD}


class LocalTimeField(serializers.TimeField):
    """A local time of day, in the time zone of the account or of the game."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="%H:%M", input_formats=["%H:%M"], **kwargs)

    def to_internal_value(self, value: Any) -> time:
        local_time: time = super().to_internal_value(value)
        return local_time


class LocalTimeFieldSchema(OpenApiSerializerFieldExtension):
    """Describes hours and minutes, because the format ``time`` of JSON Schema has seconds and a zone."""

    target_class = LocalTimeField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": ["22:30"]}


class StrictScheme(OpenApiSerializerExtension):
    """Describes a request as an object without other fields."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        if direction == "response":
            return schema
        count = sum(field.required for field in self.target.fields.values()) + 1
        exactly = {"minProperties": count, "maxProperties": count} if self.target.one_of else {}
        return {**schema, "additionalProperties": False, **exactly}

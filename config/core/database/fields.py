"""A model field whose value is a msgspec struct."""

from typing import Any

import msgspec
from django.db import models


class StructField(models.JSONField):
    """Stores a struct as JSON. Durations are in ISO 8601 format, which PostgreSQL reads as intervals."""

    def __init__(self, struct: type[msgspec.Struct], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.struct = struct

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "struct": self.struct}

    def decode(self, text: str) -> msgspec.Struct:
        return msgspec.json.decode(text, type=self.struct)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.decode(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> Any:
        return msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else value

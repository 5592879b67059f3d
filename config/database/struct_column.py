"""A column that holds a msgspec struct."""

from typing import Any

import msgspec
from django.db import models


class StructField(models.JSONField):
    """A struct as JSON. Lengths of time are ISO 8601 durations, which PostgreSQL reads as intervals."""

    def __init__(self, struct: type[msgspec.Struct], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.struct = struct

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "struct": self.struct}

    def decode(self, written: str) -> msgspec.Struct:
        """The struct that a row holds."""
        return msgspec.json.decode(written, type=self.struct)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.decode(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> Any:
        return msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else value

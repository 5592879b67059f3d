"""Serializer fields for games: values whose shape belongs to the rules, options, ids and seeds."""

from typing import Any, Final
from uuid import UUID

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers
from rest_framework.fields import empty

from games.api.shared.schema import CHOSEN_OPTIONS
from games.api.shared.unions import ref

# The most games that one request may name.
MOST_IDS: Final = 50
_ID: Final = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_IDS: Final = f"^{_ID}(,{_ID}){{0,{MOST_IDS - 1}}}$"
_AN_ID: Final = "8a1f7b1e-3c1d-4a53-9d2f-0b7a5f7f2d11"
_SEED: Final = r"^([0-9a-f]{64})?$"


class RulesOwnField(serializers.JSONField):
    """A value whose shape depends on the rules of the game."""

    def __init__(self, component: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.component = component


class RulesOwnFieldSchema(OpenApiSerializerFieldExtension):
    """Describes the field by a reference to the component with the shapes of all games."""

    target_class = RulesOwnField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return ref(self.target.component)


class OptionsField(RulesOwnField):
    """The options of a game. Options that the host leaves out have their defaults."""

    def __init__(self, component: str = CHOSEN_OPTIONS, **kwargs: Any) -> None:
        super().__init__(component, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return data


class OptionsFieldSchema(RulesOwnFieldSchema):
    target_class = OptionsField


class GameIdsField(serializers.RegexField):
    """Ids of games in a query, separated by commas."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs["help_text"] = f"{kwargs['help_text']} At most {MOST_IDS} ids, with commas between them."
        super().__init__(_IDS, **kwargs)

    def run_validation(self, data: Any = empty) -> Any:
        return [UUID(text) for text in super().run_validation(data).split(",")]


class GameIdsFieldSchema(OpenApiSerializerFieldExtension):
    target_class = GameIdsField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": "string", "pattern": _IDS, "example": _AN_ID}


class SeedField(serializers.RegexField):
    """A seed that a player contributes to the draws of a game."""

    def __init__(self) -> None:
        super().__init__(
            _SEED,
            default="",
            allow_blank=True,
            help_text="32 random bytes of your own in hexadecimal, for the game's chance. Without it: made for you.",
        )


_COMMITMENT: Final = (
    "Instead of `seed`: SHA-256 of `darbar-seed|SEED`, in hexadecimal. SEED are 32 random bytes of your own in "
    "hexadecimal, which you reveal at `seed/` once all seats are taken."
)


class SeedCommitmentField(serializers.RegexField):
    """The digest of a seed that a player reveals later."""

    def __init__(self, help_text: str = _COMMITMENT) -> None:
        super().__init__(_SEED, default="", allow_blank=True, help_text=help_text)


class SeedFieldSchema(OpenApiSerializerFieldExtension):
    """Describes a seed as 64 hexadecimal digits, or an empty string."""

    target_class: Any = SeedField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": "string", "pattern": _SEED, "maxLength": 64}


class SeedCommitmentFieldSchema(SeedFieldSchema):
    target_class = SeedCommitmentField

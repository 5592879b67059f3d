"""The terms of a game: one serializer field for each field of ``GameTerms``."""

from typing import Any

from msgspec import inspect
from rest_framework import serializers

from accounts.web.serializers import PeriodField
from games.api.shared.schedule import ScheduleSerializer
from games.terms.game_terms import TERMS, Described
from games.terms.schedule import Schedule


def chosen_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return the fields for the terms that a host may choose. A term that is left out has its default."""
    return {name: _field(described, default=_default(described)) for name, described in TERMS.items()}


def _default(described: Described) -> Any:
    """Return the default of a field. A schedule's default is not described, because client generators accept no object
    there."""
    return Schedule if isinstance(described.default, Schedule) else described.default


def agreed_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return read-only fields for the terms of an existing game."""
    return {name: _field(described, source=f"terms.{name}", read_only=True) for name, described in TERMS.items()}


def _field(described: Described, **kwargs: Any) -> serializers.Field[Any, Any, Any, Any]:
    term = described.term
    kwargs["help_text"] = term.description
    match described.shape:
        case inspect.BoolType():
            return serializers.BooleanField(**kwargs)
        case inspect.IntType():
            return serializers.IntegerField(min_value=term.least, max_value=term.most, **kwargs)
        case inspect.LiteralType():
            return serializers.ChoiceField(choices=described.values, **kwargs)
        case inspect.TimeDeltaType():
            return PeriodField(shortest=_to_text(term.least), longest=_to_text(term.most), **kwargs)
        case _:
            return ScheduleSerializer(**kwargs)


def _to_text(length: Any) -> str:
    return PeriodField(shortest="PT0S", longest="P60D").to_representation(length)

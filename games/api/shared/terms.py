"""The terms of a game in the API: one field for each field of ``GameTerms``."""

from typing import Any

from msgspec import inspect
from rest_framework import serializers

from accounts.web.serializers import PeriodField
from games.api.shared.schedule import ScheduleSerializer
from games.terms.game_terms import TERMS, Described
from games.terms.schedule import Schedule


def chosen_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return the fields for terms that a host can choose. Missing ones get their defaults."""
    return {name: _field(each, default=_default(each)) for name, each in TERMS.items()}


def _default(described: Described) -> Any:
    """Return the default of a field. A schedule's is not described: generators of clients take no object for one."""
    return Schedule if isinstance(described.default, Schedule) else described.default


def agreed_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """The terms of a game that exists, read from its ``terms``."""
    return {name: _field(each, source=f"terms.{name}", read_only=True) for name, each in TERMS.items()}


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
            return PeriodField(shortest=_written(term.least), longest=_written(term.most), **kwargs)
        case _:
            return ScheduleSerializer(**kwargs)


def _written(length: Any) -> str:
    return PeriodField(shortest="PT0S", longest="P60D").to_representation(length)

"""Form fields for the fields of a struct, such as the options of the rules or the terms of a game.

A boolean becomes a checkbox, a choice a list, a number a number field, and a duration a list of durations.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import pgettext
from msgspec import inspect

from accounts.web.selects import PlainSelect
from games.text.phrases import period

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
PERIODS: Final[Mapping[str, timedelta]] = {
    "PT5M": 5 * _MINUTE,
    "PT30M": 30 * _MINUTE,
    "PT2H": 2 * _HOUR,
    "PT8H": 8 * _HOUR,
    "P1D": _DAY,
    "P2D": 2 * _DAY,
    "P3D": 3 * _DAY,
    "P7D": 7 * _DAY,
    "P14D": 14 * _DAY,
    "P30D": 30 * _DAY,
}
"""The durations that a host may choose on a page."""
NO_TIME: Final = "PT0S"


@dataclass(frozen=True)
class StructField:
    """A form field for a field of a struct."""

    field: forms.Field
    convert: Callable[[Any], Any]
    """Return the value of the struct's field for the cleaned value of the form."""


def struct_field(
    shape: inspect.Type,
    *,
    label: "StrOrPromise",
    initial: Any,
    label_of: "Callable[[str], StrOrPromise]",
    bounds: tuple[Any, Any] = (None, None),
    seats: Sequence[int] = (),
    help_text: "StrOrPromise" = "",
    blank: "StrOrPromise" = "",
) -> StructField | None:
    """Return the form field for a type, or None for an unsupported type.

    ``label_of`` returns the label of a choice. ``seats`` are the choices of a union with a number. ``blank`` is the
    label for leaving a duration to its default.
    """
    arguments: dict[str, Any] = {"label": label, "initial": initial, "help_text": help_text}
    least, most = bounds
    match shape:
        case inspect.BoolType():
            return StructField(forms.BooleanField(required=False, **arguments), bool)
        case inspect.IntType(ge=ge, le=le):
            at_least, at_most = (ge if least is None else least), (le if most is None else most)
            field = forms.IntegerField(required=False, min_value=at_least, max_value=at_most, **arguments)
            return StructField(field, lambda value: value)
        case inspect.TimeDeltaType():
            return _length(arguments, least, most, blank)
        case inspect.LiteralType(values=values):
            return _choice(values, label_of, arguments)
        case inspect.UnionType(types=types):
            literals = [value for part in types if isinstance(part, inspect.LiteralType) for value in part.values]
            numbers = seats if any(isinstance(part, inspect.IntType) for part in types) else ()
            return _choice([*literals, *numbers], label_of, arguments)
    return None


def _choice(values: Sequence[Any], label_of: "Callable[[str], StrOrPromise]", arguments: dict[str, Any]) -> StructField:
    by_name = {str(value): value for value in values}
    choices = [(name, label_of(name)) for name in by_name]
    return StructField(forms.ChoiceField(choices=choices, required=False, widget=PlainSelect, **arguments), by_name.get)


def _length(arguments: dict[str, Any], least: timedelta, most: timedelta, blank: "StrOrPromise") -> StructField:
    """Return a field for a duration. One that may be zero, such as the longest pause, is offered in whole days."""
    none = {NO_TIME: timedelta()} if not least else {}
    offered = {name: length for name, length in PERIODS.items() if (_DAY if none else least) <= length <= most}
    lengths = {**none, **offered}
    names = {length: name for name, length in lengths.items()}
    first = [("", blank)] if blank else []
    field = forms.ChoiceField(
        choices=lambda: [
            *first,
            *((name, period(length) if length else pgettext("choice", "none")) for name, length in lengths.items()),
        ],
        required=False,
        widget=PlainSelect,
        **{**arguments, "initial": "" if blank else names[arguments["initial"]]},
    )
    return StructField(field, lengths.get)

"""Form fields for days, and for the fields of a struct, such as the options of the rules or the terms of a game.

Days are Gregorian or Jalali dates, shown in the reader's calendar. For a struct, a boolean becomes a checkbox, a choice
a list, a number a number field, and a duration a list of durations.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from msgspec import inspect
from persiantools.jdatetime import MONTH_NAMES_FA, JalaliDate

from accounts.web.selects import PlainSelect
from games.phrases import number, period

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

_LATEST_JALALI: Final = 1700
"""A year up to this one is read as a Jalali year."""
_DATE: Final = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_PARTS: Final = ("year", "month", "day")


def parse_day(text: str) -> date:
    """Return the day of a text with year, month and day, in the digits of any language.

    Raises:
        ValueError: There is no such day.
    """
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = map(int, match.groups())
    return JalaliDate(year, month, day).to_gregorian() if year <= _LATEST_JALALI else date(year, month, day)


class DayWidget(forms.DateInput):
    """A date input. Persian readers get three lists, because browsers may not know their calendar."""

    def __init__(self) -> None:
        super().__init__({"type": "date"}, "%Y-%m-%d")

    @property
    def use_fieldset(self) -> bool:  # type: ignore[override]  # Django has a plain attribute
        """Return whether the widget has several fields."""
        return get_language() == "fa"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """Return the day as text: the typed text, or the three choices joined with hyphens."""
        parts = [data.get(f"{name}_{part}", "") for part in _PARTS]
        return "-".join(parts) if any(parts[1:]) else data.get(name)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Return whether the form was sent without this field."""
        return not {name, *(f"{name}_{part}" for part in _PARTS)} & data.keys()

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """Return the input, or the three lists, with ``value`` selected."""
        if not self.use_fieldset:
            return super().render(name, value, attrs, renderer)
        selected = dict(zip(_PARTS, _split(value), strict=True))
        lists = [
            forms.Select({**(attrs or {}), "id": f"id_{name}_{part}", "aria-label": label}, choices).render(
                f"{name}_{part}", selected[part], renderer=renderer
            )
            for part, label, choices in _lists()
        ]
        return format_html('<span class="day">{}</span>', format_html_join("", "{}", ((html,) for html in lists)))


class DayField(forms.DateField):
    """A form field for a Gregorian or Jalali date."""

    widget = DayWidget

    def to_python(self, value: Any) -> date | None:
        """Return the day of a text."""
        if value in self.empty_values:
            return None
        try:
            return parse_day(value.strip())
        except ValueError:
            raise forms.ValidationError(self.error_messages["invalid"], "invalid") from None


def _split(value: Any) -> list[str]:
    """Return year, month and day of the selected date in the Jalali calendar. The year is always set."""
    this_year = str(JalaliDate(timezone.localdate()).year)
    if not value:
        return [this_year, "", ""]
    try:
        jalali = JalaliDate(parse_day(str(value)))
    except ValueError:
        parts = str(value).split("-")
        return parts if len(parts) == len(_PARTS) else [this_year, "", ""]
    return [str(jalali.year), str(jalali.month), str(jalali.day)]


def _lists() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return name, label and choices of each list, in reading order."""
    year = JalaliDate(timezone.localdate()).year
    none = ("", "–")
    return [
        ("day", pgettext("part of a date", "Day"), [none, *((str(day), number(day)) for day in range(1, 32))]),
        (
            "month",
            pgettext("part of a date", "Month"),
            [none, *((str(month), str(MONTH_NAMES_FA[month])) for month in range(1, 13))],
        ),
        ("year", pgettext("part of a date", "Year"), [(str(choice), number(choice)) for choice in (year, year + 1)]),
    ]


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

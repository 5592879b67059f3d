"""Form fields for days. They read Gregorian and Jalali dates, and show the reader's calendar."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from persiantools.jdatetime import MONTH_NAMES_FA, JalaliDate

from games.text.phrases import number

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

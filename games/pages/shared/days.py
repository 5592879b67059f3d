"""Days in forms: read by the Gregorian or the Jalali calendar, and asked for by the reader's."""

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
"""Up to this year, a year is understood in the Jalali calendar."""
_WRITTEN: Final = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_PARTS: Final = ("year", "month", "day")


def parse_day(written: str) -> date:
    """Return the day that is written as year, month and day, in the digits of any language.

    Raises:
        ValueError: There is no such day.
    """
    found = _WRITTEN.fullmatch(written)
    if found is None:
        raise ValueError(written)
    year, month, day = map(int, found.groups())
    return JalaliDate(year, month, day).to_gregorian() if year <= _LATEST_JALALI else date(year, month, day)


class DayWidget(forms.DateInput):
    """The browser's own field for a date; for Persian readers, whose calendar it may not know, three lists."""

    def __init__(self) -> None:
        super().__init__({"type": "date"}, "%Y-%m-%d")

    @property
    def use_fieldset(self) -> bool:  # type: ignore[override]  # Django has a plain attribute
        """Return whether there is more than one field."""
        return get_language() == "fa"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """Return the day as text: the typed text, or the three choices joined with hyphens."""
        chosen = [data.get(f"{name}_{part}", "") for part in _PARTS]
        return "-".join(chosen) if any(chosen[1:]) else data.get(name)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Return whether the form was sent without this field."""
        return not {name, *(f"{name}_{part}" for part in _PARTS)} & data.keys()

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """Return the field, or the lists, with ``value`` chosen."""
        if not self.use_fieldset:
            return super().render(name, value, attrs, renderer)
        chosen = dict(zip(_PARTS, _split(value), strict=True))
        lists = [
            forms.Select({**(attrs or {}), "id": f"id_{name}_{part}", "aria-label": label}, choices).render(
                f"{name}_{part}", chosen[part], renderer=renderer
            )
            for part, label, choices in _lists()
        ]
        return format_html('<span class="day">{}</span>', format_html_join("", "{}", ((each,) for each in lists)))


class DayField(forms.DateField):
    """A day, of either calendar."""

    widget = DayWidget

    def to_python(self, value: Any) -> date | None:
        """Return the day that was written."""
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
    """Return the lists in the order in which they are read."""
    year = JalaliDate(timezone.localdate()).year
    none = ("", "–")
    return [
        ("day", pgettext("part of a date", "Day"), [none, *((str(each), number(each)) for each in range(1, 32))]),
        (
            "month",
            pgettext("part of a date", "Month"),
            [none, *((str(each), str(MONTH_NAMES_FA[each])) for each in range(1, 13))],
        ),
        ("year", pgettext("part of a date", "Year"), [(str(each), number(each)) for each in (year, year + 1)]),
    ]

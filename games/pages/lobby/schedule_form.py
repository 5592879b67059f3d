"""Form fields for the schedule of a game: fixed hours, days off, time banks, sleep and vacations."""

import re
from collections.abc import Mapping
from datetime import date, time, timedelta
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy

from accounts.profile import time_zones
from accounts.web.selects import PlainSelect, TimeZoneSelect
from games.deadlines.deadline_words import WEEKDAYS, hour
from games.pages.shared.days import parse_day
from games.terms.schedule import MOST_SLEEP, MOST_VACATION, Schedule, TimeBank
from games.terms.speeds import Speed
from games.text.phrases import number, period

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_TIME_BANKS: Final[Mapping[str, timedelta]] = {
    "PT1H": _HOUR,
    "P1D": _DAY,
    "P3D": 3 * _DAY,
    "P7D": 7 * _DAY,
    "P14D": 14 * _DAY,
}
_INCREMENTS: Final[Mapping[str, timedelta]] = {
    "PT5M": timedelta(minutes=5),
    "PT1H": _HOUR,
    "PT6H": 6 * _HOUR,
    "PT12H": 12 * _HOUR,
    "P1D": _DAY,
}
AS_SPEED: Final = gettext_lazy("set by the speed")
_NONE: Final = pgettext_lazy("fixed hours, days off, time banks", "none")


def _hours() -> list[tuple[str, Any]]:
    return [("", _NONE), *((f"{full:02}:00", hour(time(full))) for full in range(24))]


def _periods(lengths: Mapping[str, timedelta]) -> list[tuple[str, str]]:
    return [(name, period(length)) for name, length in lengths.items()]


def _counts(most: int, *some: int) -> list[tuple[str, Any]]:
    return [("", AS_SPEED), *((str(count), number(count)) for count in (0, *some, most))]


_DATE_FORMAT: Final = gettext_noop("Days are written as year, month and day, with hyphens between them.")


class DatesField(forms.CharField):
    """A list of Gregorian or Jalali dates, such as 2027-03-21 or 1406-01-01, separated by spaces or commas."""

    def clean(self, value: Any) -> tuple[date, ...]:
        parts = re.split(r"[\s,،]+", super().clean(value).strip())
        try:
            return tuple(dict.fromkeys(parse_day(part) for part in parts if part))
        except ValueError:
            raise forms.ValidationError(_(_DATE_FORMAT)) from None


class ScheduleFields(forms.Form):
    """The fields for the schedule of a game."""

    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone of the schedule"),
        choices=time_zones.choices,
        widget=TimeZoneSelect,
        initial="UTC",
        required=False,
        help_text=gettext_lazy("The hours and days below are in this time zone."),
    )
    closes_at = forms.ChoiceField(
        label=gettext_lazy("Deadlines end only at"),
        choices=_hours,
        required=False,
        widget=PlainSelect,
        help_text=gettext_lazy("The first such hour after the whole limit has passed."),
    )
    days_off = forms.MultipleChoiceField(
        label=gettext_lazy("Days off"),
        choices=lambda: list(WEEKDAYS.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("No time passes on these days."),
    )
    dates_off = DatesField(
        label=gettext_lazy("Single days off"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy(_DATE_FORMAT),
        widget=forms.TextInput({"placeholder": gettext_lazy("2027-03-21, 2027-03-22"), "dir": "ltr"}),
    )
    time_bank = forms.ChoiceField(
        label=gettext_lazy("Time bank of each player"),
        choices=lambda: [("", _NONE), *_periods(_TIME_BANKS)],
        required=False,
        widget=PlainSelect,
        help_text=gettext_lazy("One budget per player, in place of limits for turns and choices."),
    )
    increment = forms.ChoiceField(
        label=gettext_lazy("Added to the time bank with each move"),
        choices=lambda: _periods(_INCREMENTS),
        initial="PT12H",
        required=False,
        widget=PlainSelect,
    )
    sleep = forms.TypedChoiceField(
        label=gettext_lazy("Respect sleep: hours a night"),
        choices=lambda: _counts(MOST_SLEEP, 6, 8, 10),
        coerce=int,
        required=False,
        widget=PlainSelect,
        empty_value=None,
        help_text=gettext_lazy("No deadline ends while a player sleeps."),
    )
    vacation = forms.TypedChoiceField(
        label=gettext_lazy("Respect vacations: days a year"),
        choices=lambda: _counts(MOST_VACATION, 7, 14),
        coerce=int,
        required=False,
        widget=PlainSelect,
        empty_value=None,
        help_text=gettext_lazy("No time passes for a player on vacation."),
    )

    def schedule_fields(self) -> list[BoundField]:
        """Return the fields of the schedule."""
        return [self[name] for name in ScheduleFields.base_fields]

    def schedule(self, speed: Speed) -> Schedule:
        """Return the schedule of a valid form, with the values of the speed for blank fields."""
        cleaned = self.cleaned_data
        time_bank = _TIME_BANKS.get(cleaned["time_bank"])
        return Schedule(
            zone=cleaned["zone"] or "UTC",
            closes_at=(time.fromisoformat(cleaned["closes_at"]),) if cleaned["closes_at"] else (),
            days_off=tuple(cleaned["days_off"]),
            dates_off=cleaned["dates_off"],
            time_bank=None if time_bank is None else TimeBank(time_bank, _INCREMENTS[cleaned["increment"] or "PT12H"]),
            sleep=speed.sleep if cleaned["sleep"] is None else cleaned["sleep"],
            vacation=speed.vacation if cleaned["vacation"] is None else cleaned["vacation"],
        )

"""The form for a new game: common fields, the schedule, and fields for the options of its rules.

A boolean option becomes a checkbox, a choice a list, and a number a field. The labels are in the words of the rules.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import msgspec
from django import forms
from django.forms import BoundField
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, gettext_noop, pgettext, pgettext_lazy
from django.utils.translation import gettext as _
from msgspec import inspect

from accounts import local_times
from accounts.web.selects import PlainSelect, TimeZoneSelect
from games.deadlines.deadline_words import WEEKDAYS, hour
from games.engine import AnyRules
from games.engine.types import BALANCED, NORMAL
from games.engine.validation import FILLED_IN, NOT_OFFERED
from games.models import Bot, Club
from games.pages.form_fields import PERIODS, StructField, parse_day, struct_field
from games.pages.posted_forms import refusal_text
from games.pages.titles import LEVEL_LABELS
from games.phrases import isolated, number, period
from games.refusals import Refusal
from games.tables.new_game import NewGame
from games.terms import LIMITS, MOST_SLEEP, MOST_VACATION, SPEEDS, TERMS, USUAL, Schedule, Speed, Term, TimeBank
from games.visibility.words import option_label, value_label

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

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


_DATE_FORMAT: Final = gettext_noop("Write days as year, month and day, with hyphens between them.")


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
        choices=local_times.zone_choices,
        widget=TimeZoneSelect,
        initial="UTC",
        required=False,
        help_text=gettext_lazy("The hours and days below are in this time zone."),
    )
    closes_at = forms.ChoiceField(
        label=gettext_lazy("Deadlines only at"),
        choices=_hours,
        required=False,
        widget=PlainSelect,
        help_text=gettext_lazy("The first of these hours after the whole limit has passed."),
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
        help_text=gettext_lazy("One budget per player, instead of limits for turns and choices."),
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
        help_text=gettext_lazy("No deadline passes while a player sleeps."),
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


_PREFIX: Final = "option-"
_WHO: Final = {
    "friends": gettext_lazy("Friends: anyone with the link"),
    "anybody": gettext_lazy("Anyone: everyone here sees the game and can join"),
    "bots": gettext_lazy("Bots: starts right away"),
}
_STYLES: Final = {
    "balanced": pgettext_lazy("style of a bot", "Balanced"),
    "bold": pgettext_lazy("style of a bot", "Bold: lies and doubts more"),
    "patient": pgettext_lazy("style of a bot", "Patient: saves, and seldom lies"),
    "vengeful": pgettext_lazy("style of a bot", "Vengeful: strikes back"),
    "scholar": pgettext_lazy("style of a bot", "Scholar: rarely lies, doubts more"),
}
_BOTS: Final = ("bots", "level", "style")
_CLUB: Final = "club:"
_DELAYS: Final = ("PT30M", "PT2H", "PT8H", "P1D", "P2D", "P7D")
_SEATS: Final = 4
"""The number of players that is selected at first, if the rules allow it."""
_ABSENCE: Final = ("misses", "absence")
_PAUSES: Final = ("pauses", "longest_pause")


class NewGameForm(ScheduleFields):
    """The form for a new game: a few main choices, and all others folded away."""

    seat_count = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players"), coerce=int, widget=PlainSelect
    )
    who = forms.ChoiceField(
        label=gettext_lazy("Who plays?"), choices=list(_WHO.items()), initial="friends", widget=forms.RadioSelect
    )
    speed = forms.ChoiceField(
        label=gettext_lazy("How fast?"), choices=lambda: list_speeds(), initial=USUAL, widget=forms.RadioSelect
    )
    bots = forms.TypedChoiceField(
        label=gettext_lazy("Bots among them"),
        coerce=int,
        initial=0,
        help_text=gettext_lazy("Darbar bots answer right away."),
        widget=PlainSelect,
    )

    level = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Level of the bots"),
        choices=list(LEVEL_LABELS.items()),
        initial=NORMAL,
        required=False,
        help_text=gettext_lazy("Strong bots and masters think ahead, so they take a few seconds."),
        widget=PlainSelect,
    )
    style = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Style of the bots"),
        choices=list(_STYLES.items()),
        initial=BALANCED,
        required=False,
        widget=PlainSelect,
    )

    spectator_delay = forms.ChoiceField(
        label=gettext_lazy("Delay for spectators"),
        choices=lambda: [("", pgettext("choice", "none")), *((name, period(PERIODS[name])) for name in _DELAYS)],
        required=False,
        help_text=gettext_lazy(
            "They see the game as it was that long ago, so they can’t tell players what’s happening now."
        ),
        widget=PlainSelect,
    )

    def __init__(
        self,
        rules: AnyRules,
        data: Mapping[str, Any] | None = None,
        zone: str = "UTC",
        clubs: Sequence[Club] = (),
        club: str = "",
    ) -> None:
        """Build the form for a member of ``clubs``. ``club`` is the id of the preselected club, if any."""
        super().__init__(data, initial={"zone": zone})
        self.rules = rules
        fields: dict[str, Any] = self.fields
        fields["who"].choices = [*_WHO.items(), *((f"{_CLUB}{club.pk}", _club_label(club)) for club in clubs)]
        if any(str(choice.pk) == club for choice in clubs):
            fields["who"].initial = f"{_CLUB}{club}"
        fields["seat_count"].choices = _numbers(rules.players)
        fields["seat_count"].initial = min(_SEATS, max(rules.players))
        fields["bots"].choices = _numbers(range(max(rules.players)))
        self.terms = dict(_term_fields())
        self.options = dict(_option_fields(rules))
        self.fields |= {name: term.field for name, term in self.terms.items()}
        self.fields |= {f"{_PREFIX}{name}": option.field for name, option in self.options.items()}

    def main_fields(self) -> list[BoundField]:
        """Return the fields that come before the expansions."""
        return [self[name] for name in ("seat_count", "who", *_BOTS, "speed")]

    def expansions(self) -> list[tuple[BoundField, str]]:
        """Return the options that have a figure in the rules, with the addresses of these figures."""
        return [
            (self[f"{_PREFIX}{name}"], reverse("pages:figure", args=[self.rules.name, name, get_language()]))
            for name in self.options
            if name in self.rules.figures
        ]

    def groups(self) -> list[tuple[str, list[BoundField]]]:
        """Return all other fields in groups with headings."""
        options = [self[f"{_PREFIX}{name}"] for name in self.options if name not in self.rules.figures]
        others = [name for name in self.terms if name not in (*LIMITS, *_PAUSES, *_ABSENCE)]
        return [
            *([(pgettext("title of a page or section", "Options"), options)] if options else []),
            (
                pgettext("title of a page or section", "Players"),
                [self[name] for name in (*others, "spectator_delay")],
            ),
            (_("Time limits"), [self[name] for name in (*LIMITS, *_PAUSES)]),
            (pgettext("title of a page or section", "Schedule"), self.schedule_fields()),
            (_("Absent players"), [self[name] for name in _ABSENCE]),
        ]

    def details_are_wrong(self) -> bool:
        """Return whether a field of ``groups`` has an error."""
        return any(field.errors for _legend, fields in self.groups() for field in fields)

    def new_game(self) -> NewGame:
        """Return the new game of a valid form."""
        cleaned = self.cleaned_data
        speed = SPEEDS[cleaned["speed"]]
        alone = cleaned["who"] == "bots"
        bot = Bot(cleaned["level"] or NORMAL, cleaned["style"] or BALANCED)
        return NewGame(
            rules=self.rules.name,
            seat_count=cleaned["seat_count"],
            options=_struct_values(self.options, cleaned, _PREFIX),
            bots=(bot,) * (cleaned["seat_count"] - 1 if alone else cleaned["bots"]),
            private=cleaned["who"] != "anybody",
            club=UUID(cleaned["who"].removeprefix(_CLUB)) if cleaned["who"].startswith(_CLUB) else None,
            spectator_delay=PERIODS.get(cleaned["spectator_delay"]),
            schedule=self.schedule(speed),
            **(speed.limits | _struct_values(self.terms, cleaned)),
        )

    def refuse(self, refusal: Refusal) -> None:
        """Add the reason of a refusal to its field, or to the whole form."""
        field = refusal.field.replace("options.", _PREFIX).removeprefix("schedule.").removesuffix(".time")
        self.add_error(field if field in self.fields else None, refusal_text(refusal))


def _club_label(club: Club) -> str:
    return _("%(club)s: its members see the game and can join") % {"club": isolated(club.name)}


def list_speeds() -> list[tuple[str, SafeString]]:
    """Return the speeds with their labels and descriptions."""
    return [
        (name, format_html("{} <small>{}</small>", _(speed.label), _(speed.help))) for name, speed in SPEEDS.items()
    ]


def _numbers(numbers: range) -> list[tuple[int, str]]:
    return [(value, number(value)) for value in numbers]


def _struct_values(fields: Mapping[str, StructField], cleaned: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the values of these fields. Blank fields are left out."""
    values = {name: field.convert(cleaned[f"{prefix}{name}"]) for name, field in fields.items()}
    return {name: value for name, value in values.items() if value is not None}


def _choice_label(term: Term, value: str) -> "StrOrPromise":
    return gettext_lazy(term.choices[value])


def _term_fields() -> Iterator[tuple[str, StructField]]:
    """Yield a field for each term except the schedule, which has its own fields."""
    for name, term_field in TERMS.items():
        field = struct_field(
            term_field.shape,
            label=gettext_lazy(term_field.term.label),
            initial=term_field.default,
            label_of=partial(_choice_label, term_field.term),
            bounds=(term_field.term.least, term_field.term.most),
            help_text=gettext_lazy(term_field.term.help) if term_field.term.help else "",
            blank=AS_SPEED if name in LIMITS else "",
        )
        if field is not None:
            yield name, field


def _option_fields(rules: AnyRules) -> Iterator[tuple[str, StructField]]:
    """Yield a field for each option that a host may choose, if a form supports its type."""
    shape = inspect.type_info(rules.option_type)
    assert isinstance(shape, inspect.StructType)
    for option in shape.fields:
        if option.name in (FILLED_IN, NOT_OFFERED):
            continue
        field = struct_field(
            option.type,
            label=option_label(rules, option.name),
            initial=None if option.default is msgspec.NODEFAULT else option.default,
            label_of=partial(value_label, rules, option.name),
            seats=range(1, max(rules.players) + 1),
        )
        if field is not None:
            yield option.name, field

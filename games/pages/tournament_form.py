"""Forms for tournaments: a new one, and changes."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from accounts.web.selects import PlainSelect
from config.core import clock
from games.deadlines.deadline_words import hour
from games.engine import AnyRules
from games.models import LONGEST_ABOUT, LONGEST_NAME, Club, Tournament
from games.pages.form_fields import PERIODS, DayField
from games.pages.new_game_form import list_speeds
from games.pages.posted_forms import refusal_text
from games.phrases import number, period, render_phrase
from games.refusals import Refusal
from games.templatetags.reading import moment
from games.terms import USUAL
from games.tournaments.core import least_at_table
from games.tournaments.new_tournament import LEAST_DIVISION, MOST_DIVISION, MOST_ROUNDS, NewTournament

Format = Tournament.Format
_PREFIX: Final = "option-"
_TABLE: Final = 4
_ROUND_LENGTHS: Final = ("PT8H", "P1D", "P3D", "P7D", "P14D", "P30D")
_STARTS: Final = ("PT2H", "P1D", "P3D", "P7D", "P14D", "P30D")
_BREAKS: Final = ("P1D", "P3D", "P7D", "P14D", "P30D")
_LINE: Final = forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"})
FORMATS: Final = {
    Format.SWISS.value: pgettext_lazy("format of a tournament", "Swiss: players with similar points meet"),
    Format.ROUND_ROBIN.value: pgettext_lazy("format of a tournament", "Round robin: everyone meets everyone"),
    Format.KNOCK_OUT.value: pgettext_lazy("format of a tournament", "Knock-out: the best at each table go on"),
    Format.LEAGUE.value: pgettext_lazy("format of a tournament", "League: seasons in divisions, with promotion"),
}


_ONLY: Final = {
    "rounds": Format.SWISS,
    "advance": Format.KNOCK_OUT,
    **dict.fromkeys(("division_size", "promoted", "season_break"), Format.LEAGUE),
}
"""The fields of a new tournament that belong to one format. The page hides those of the other formats."""


class NameForm(forms.Form):
    """The name and description of a tournament."""

    name = forms.CharField(
        label=pgettext_lazy("label of a field", "Name of the tournament"), max_length=LONGEST_NAME, widget=_LINE
    )
    about = forms.CharField(
        label=gettext_lazy("A line about it (optional)"), max_length=LONGEST_ABOUT, required=False, widget=_LINE
    )

    def refuse(self, refusal: Refusal) -> None:
        """Add a refusal to its field, or to the whole form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, refusal_text(refusal))


class ChangesForm(NameForm):
    """The form for changes of a tournament, also of its date before it starts, in the reader's time zone."""

    day = DayField(label=pgettext_lazy("label of a field", "Start date"))
    time = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Start time"), coerce=time.fromisoformat, widget=PlainSelect
    )

    def __init__(self, tournament: Tournament, data: Mapping[str, Any] | None = None) -> None:
        begins = timezone.localtime(tournament.starts_at)
        initial = {"name": tournament.name, "about": tournament.about, "day": begins.date(), "time": f"{begins:%H:%M}"}
        super().__init__(data, initial=initial)
        fields: dict[str, Any] = self.fields
        if tournament.state != Tournament.State.OPEN:
            del fields["day"], fields["time"]
            return
        times = {time(full, half) for full in range(24) for half in (0, 30)} | {time(begins.hour, begins.minute)}
        fields["time"].choices = [(f"{time_:%H:%M}", hour(time_)) for time_ in sorted(times)]

    def refuse(self, refusal: Refusal) -> None:
        """Add a refusal to its field, or to the whole form. A wrong date is shown beside its day."""
        if refusal.field == "starts_at":
            self.add_error("day", refusal_text(refusal))
        else:
            super().refuse(refusal)

    def changes(self) -> dict[str, Any]:
        """Return the changes of a valid form."""
        changes = {name: self.cleaned_data[name] for name in ("name", "about")}
        if {"day", "time"}.isdisjoint(self.changed_data):
            return changes
        starts_at = datetime.combine(self.cleaned_data["day"], self.cleaned_data["time"])
        return {**changes, "starts_at": timezone.make_aware(starts_at)}


class TournamentForm(NameForm):
    """The form for a new tournament."""

    format = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Format"),
        choices=list(FORMATS.items()),
        initial=Format.SWISS.value,
        widget=forms.RadioSelect,
    )
    table_size = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Most players at a table"), coerce=int, widget=PlainSelect
    )
    rounds = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Rounds of a Swiss tournament"),
        coerce=int,
        initial=4,
        choices=lambda: [(count, number(count)) for count in range(1, MOST_ROUNDS + 1)],
        widget=PlainSelect,
    )
    advance = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players who go on from each table of a knock-out"),
        coerce=int,
        initial=1,
        widget=PlainSelect,
    )
    division_size = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players in a division of a league"),
        help_text=gettext_lazy("In a division everyone meets everyone. The last division has the remaining players."),
        coerce=int,
        initial=6,
        choices=lambda: [(count, number(count)) for count in range(LEAST_DIVISION, MOST_DIVISION + 1)],
        widget=PlainSelect,
    )
    promoted = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players who go up, and who go down, in a league"),
        coerce=int,
        initial=1,
        choices=lambda: [(count, number(count)) for count in range(1, MOST_DIVISION // 2 + 1)],
        widget=PlainSelect,
    )
    season_break = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Break between seasons of a league"),
        choices=lambda: _lengths(_BREAKS),
        initial="P7D",
        widget=PlainSelect,
    )
    speed = forms.ChoiceField(
        label=gettext_lazy("How fast?"), choices=list_speeds, initial=USUAL, widget=forms.RadioSelect
    )
    round_length = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "A round takes at most"),
        help_text=gettext_lazy(
            "It ends as soon as all of its games are over. A game that isn’t over in time is a draw."
        ),
        choices=lambda: _lengths(_ROUND_LENGTHS),
        initial="P14D",
        widget=PlainSelect,
    )
    starts_in = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Starts in"),
        help_text=gettext_lazy("You can start earlier. With fewer than three players, it’s cancelled."),
        choices=lambda: _starts(),
        initial="P7D",
        widget=PlainSelect,
    )

    def __init__(
        self, rules: AnyRules, clubs: Iterable[Club], data: Mapping[str, Any] | None = None, club: str = ""
    ) -> None:
        super().__init__(data)
        self.rules = rules
        fields: dict[str, Any] = self.fields
        sizes = range(least_at_table(rules), max(rules.players) + 1)
        fields["table_size"].choices = [(size, number(size)) for size in sizes]
        fields["table_size"].initial = min(_TABLE, max(sizes))
        fields["advance"].choices = [(count, number(count)) for count in range(1, max(sizes))]
        listed = [(str(club.pk), club.name) for club in clubs]
        if listed:
            everybody = ("", pgettext("players of a tournament", "everyone"))
            fields["club"] = forms.ChoiceField(
                label=pgettext_lazy("label of a field", "Open to"),
                choices=[everybody, *listed],
                required=False,
                initial=club,
                widget=PlainSelect,
            )
        for name, label in rules.words.options.items():
            if name in rules.figures and isinstance(getattr(rules.options(), name, None), bool):
                fields[f"{_PREFIX}{name}"] = forms.BooleanField(label=render_phrase(label, {}), required=False)

    def main(self) -> list[tuple[str, BoundField]]:
        """Return all fields except the expansions, each with the format it belongs to, or an empty string."""
        return [(_ONLY.get(name, ""), self[name]) for name in self.fields if not name.startswith(_PREFIX)]

    def expansions(self) -> list[BoundField]:
        """Return the fields for the expansions."""
        return [self[name] for name in self.fields if name.startswith(_PREFIX)]

    def new_tournament(self, now: datetime) -> NewTournament:
        """Return the new tournament of a valid form."""
        cleaned = self.cleaned_data
        return NewTournament(
            **{name: cleaned[name] for name in ("name", "about", "format", "table_size", "speed")},
            rules=self.rules.name,
            rounds=cleaned["rounds"] if cleaned["format"] == Format.SWISS else None,
            advance=cleaned["advance"] if cleaned["format"] == Format.KNOCK_OUT else None,
            **(self._terms_of_league() if cleaned["format"] == Format.LEAGUE else {}),
            round_length=_length(cleaned["round_length"]),
            starts_at=now + _length(cleaned["starts_in"]),
            options={
                name.removeprefix(_PREFIX): value
                for name, value in cleaned.items()
                if name.startswith(_PREFIX) and value
            },
            club=cleaned.get("club") or None,
        )

    def _terms_of_league(self) -> dict[str, Any]:
        numbers = {name: self.cleaned_data[name] for name in ("division_size", "promoted")}
        return {**numbers, "season_break": _length(self.cleaned_data["season_break"])}


def _length(name: str) -> timedelta:
    return PERIODS[name]


def _lengths(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, period(PERIODS[name])) for name in names]


def _starts() -> list[tuple[str, str]]:
    """Return the possible lengths of time until the start, each with its date."""
    now = clock.now()
    return [(name, f"{label}: {strip_tags(moment(now + PERIODS[name]))}") for name, label in _lengths(_STARTS)]


def next_rounds(latest: int, last: int, announced: Collection[int]) -> Iterator[tuple[int, bool]]:
    """Yield the numbers of the next rounds that can be sat out, and of announced later ones, with whether they are
    announced.
    """
    later = {number for number in announced if number > latest}
    for round in sorted({*range(latest + 1, min(latest + 3, last) + 1), *later}):
        yield round, round in announced

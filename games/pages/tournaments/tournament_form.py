"""The forms of tournaments: a new one, changes, and rounds to sit out."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from accounts.web.plain_select import PlainSelect
from games.deadlines.deadline_words import hour
from games.engine import AnyRules
from games.models import LONGEST_ABOUT, LONGEST_NAME, Club, Tournament
from games.pages.lobby.new_game_form import list_speeds
from games.pages.lobby.struct_fields import PERIODS
from games.pages.shared.days import DayField
from games.pages.shared.views import refusal_text
from games.refusals import Refusal
from games.terms.speeds import USUAL
from games.text.phrases import number, period, render_phrase
from games.tournaments.core.tables import least_at_table
from games.tournaments.new_tournament import LEAST_DIVISION, MOST_DIVISION, MOST_ROUNDS, NewTournament

Format = Tournament.Format
_PREFIX: Final = "option-"
_TABLE: Final = 4
_ROUND_LENGTHS: Final = ("PT8H", "P1D", "P3D", "P7D", "P14D", "P30D")
_STARTS: Final = ("PT2H", "P1D", "P3D", "P7D", "P14D", "P30D")
_BREAKS: Final = ("P1D", "P3D", "P7D", "P14D", "P30D")
_LINE: Final = forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"})
FORMATS: Final = {
    Format.SWISS.value: pgettext_lazy("format of a tournament", "Swiss: players with about equal points meet"),
    Format.ROUND_ROBIN.value: pgettext_lazy("format of a tournament", "Round robin: everybody meets everybody"),
    Format.KNOCK_OUT.value: pgettext_lazy("format of a tournament", "Knock-out: the first at each table go on"),
    Format.LEAGUE.value: pgettext_lazy("format of a tournament", "League: seasons in divisions, with promotion"),
}


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
    """The form for changes of a tournament and, before its start, of its date, in the reader's time zone."""

    day = DayField(label=pgettext_lazy("label of a field", "It begins on"))
    time = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "At"), coerce=time.fromisoformat, widget=PlainSelect
    )

    def __init__(self, tournament: Tournament, data: Mapping[str, Any] | None = None) -> None:
        begins = timezone.localtime(tournament.starts_at)
        initial = {"name": tournament.name, "about": tournament.about, "day": begins.date(), "time": f"{begins:%H:%M}"}
        super().__init__(data, initial=initial)
        fields: dict[str, Any] = self.fields
        if tournament.state != Tournament.State.OPEN:
            del fields["day"], fields["time"]
            return
        times = {time(each, half) for each in range(24) for half in (0, 30)} | {time(begins.hour, begins.minute)}
        fields["time"].choices = [(f"{time_:%H:%M}", hour(time_)) for time_ in sorted(times)]

    def refuse(self, refusal: Refusal) -> None:
        """Add a refusal to its field, or to the whole form. A wrong date is shown beside its day."""
        if refusal.field == "starts_at":
            self.add_error("day", refusal_text(refusal))
        else:
            super().refuse(refusal)

    def changes(self) -> dict[str, Any]:
        """Return the changes of a valid form."""
        said = {name: self.cleaned_data[name] for name in ("name", "about")}
        if {"day", "time"}.isdisjoint(self.changed_data):
            return said
        chosen = datetime.combine(self.cleaned_data["day"], self.cleaned_data["time"])
        return {**said, "starts_at": timezone.make_aware(chosen)}


class TournamentForm(NameForm):
    """A new tournament of one game."""

    format = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Format"),
        choices=list(FORMATS.items()),
        initial=Format.SWISS.value,
        widget=forms.RadioSelect,
    )
    table_size = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players at a table, at most"), coerce=int, widget=PlainSelect
    )
    rounds = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Rounds of a Swiss tournament"),
        coerce=int,
        initial=4,
        choices=lambda: [(each, number(each)) for each in range(1, MOST_ROUNDS + 1)],
        widget=PlainSelect,
    )
    advance = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players who go on at each table of a knock-out"),
        coerce=int,
        initial=1,
        widget=PlainSelect,
    )
    division_size = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players in a division of a league"),
        help_text=gettext_lazy("In a division everybody meets everybody. The last one has the players who are left."),
        coerce=int,
        initial=6,
        choices=lambda: [(each, number(each)) for each in range(LEAST_DIVISION, MOST_DIVISION + 1)],
        widget=PlainSelect,
    )
    promoted = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players of a league who go up, and who go down"),
        coerce=int,
        initial=1,
        choices=lambda: [(each, number(each)) for each in range(1, MOST_DIVISION // 2 + 1)],
        widget=PlainSelect,
    )
    season_break = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Between seasons of a league"),
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
            "It ends as soon as all of its games are over. A game that is not over in time is a draw."
        ),
        choices=lambda: _lengths(_ROUND_LENGTHS),
        initial="P14D",
        widget=PlainSelect,
    )
    starts_in = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "It begins in"),
        help_text=gettext_lazy("You can begin earlier. With fewer than three players it is cancelled."),
        choices=lambda: _lengths(_STARTS),
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
        fields["advance"].choices = [(each, number(each)) for each in range(1, max(sizes))]
        listed = [(str(club.pk), club.name) for club in clubs]
        if listed:
            everybody = ("", pgettext("players of a tournament", "everybody"))
            fields["club"] = forms.ChoiceField(
                label=pgettext_lazy("label of a field", "For"),
                choices=[everybody, *listed],
                required=False,
                initial=club,
                widget=PlainSelect,
            )
        for name, label in rules.words.options.items():
            if name in rules.figures and isinstance(getattr(rules.options(), name, None), bool):
                fields[f"{_PREFIX}{name}"] = forms.BooleanField(label=render_phrase(label, {}), required=False)

    def main(self) -> list[BoundField]:
        """Everything but the expansions."""
        return [self[name] for name in self.fields if not name.startswith(_PREFIX)]

    def expansions(self) -> list[BoundField]:
        """The expansions of the game."""
        return [self[name] for name in self.fields if name.startswith(_PREFIX)]

    def new_tournament(self, now: datetime) -> NewTournament:
        """Return the new tournament of a valid form."""
        chosen = self.cleaned_data
        return NewTournament(
            **{name: chosen[name] for name in ("name", "about", "format", "table_size", "speed")},
            rules=self.rules.name,
            rounds=chosen["rounds"] if chosen["format"] == Format.SWISS else None,
            advance=chosen["advance"] if chosen["format"] == Format.KNOCK_OUT else None,
            **(self._terms_of_league() if chosen["format"] == Format.LEAGUE else {}),
            round_length=_length(chosen["round_length"]),
            starts_at=now + _length(chosen["starts_in"]),
            options={
                name.removeprefix(_PREFIX): value
                for name, value in chosen.items()
                if name.startswith(_PREFIX) and value
            },
            club=chosen.get("club") or None,
        )

    def _terms_of_league(self) -> dict[str, Any]:
        numbers = {name: self.cleaned_data[name] for name in ("division_size", "promoted")}
        return {**numbers, "season_break": _length(self.cleaned_data["season_break"])}


def _length(name: str) -> timedelta:
    return PERIODS[name]


def _lengths(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, period(PERIODS[name])) for name in names]


def next_rounds(drawn: int, last: int, chosen: Iterable[int]) -> Iterator[tuple[int, bool]]:
    """Yield the next rounds that can be sat out and later ones that are announced, each with whether it is."""
    announced = set(chosen)
    later = {each for each in announced if each > drawn}
    for each in sorted({*range(drawn + 1, min(drawn + 3, last) + 1), *later}):
        yield each, each in announced

"""The form for finding players."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from accounts.web.selects import PlainSelect
from games.engine import AnyRules
from games.pages.lobby.new_game_form import list_speeds
from games.pages.lobby.struct_fields import PERIODS
from games.refusals import Refusal
from games.seeks.new_seek import NewSeek, usual_numbers
from games.terms.speeds import USUAL
from games.text.phrases import number, period, render_phrase

_FILLS: Final = ("PT5M", "PT30M", "PT2H", "PT8H", "P1D", "P3D")
_WISHES: Final = (
    ("no", pgettext_lazy("an expansion of a game", "without it")),
    ("yes", pgettext_lazy("an expansion of a game", "with it")),
    ("", pgettext_lazy("an expansion of a game", "with or without")),
)
_PREFIX: Final = "option-"


class SeekForm(forms.Form):
    """The numbers of players, a speed, expansions, and whether bots may take free seats."""

    least = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players at least"), coerce=int, widget=PlainSelect
    )
    most = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Players at most"), coerce=int, widget=PlainSelect
    )
    speed = forms.ChoiceField(
        label=gettext_lazy("How fast?"), choices=list_speeds, initial=USUAL, widget=forms.RadioSelect
    )
    fill_after = forms.ChoiceField(
        label=gettext_lazy("Bots on the free seats"),
        help_text=gettext_lazy("A game of people only is rated among people."),
        choices=lambda: [("", pgettext("bots on free seats", "never")), *_fills()],
        required=False,
        widget=PlainSelect,
    )

    def __init__(self, rules: AnyRules, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.rules = rules
        fields: dict[str, Any] = self.fields
        numbers = [(player, number(player)) for player in rules.players]
        fields["least"].choices = fields["most"].choices = numbers
        fields["least"].initial, fields["most"].initial = usual_numbers(rules)
        for name, label in rules.words.options.items():
            if name in rules.figures and isinstance(getattr(rules.options(), name, None), bool):
                fields[f"{_PREFIX}{name}"] = forms.ChoiceField(
                    label=render_phrase(label, {}), choices=_WISHES, initial="no", required=False, widget=PlainSelect
                )

    def numbers(self) -> list[BoundField]:
        """Return the fields for the numbers of players."""
        return [self["least"], self["most"]]

    def expansions(self) -> list[BoundField]:
        """Return the fields for the expansions."""
        return [self[name] for name in self.fields if name.startswith(_PREFIX)]

    def new_seek(self) -> NewSeek:
        """Return the new seek of a valid form."""
        cleaned = self.cleaned_data
        fill = cleaned["fill_after"]
        return NewSeek(
            rules=self.rules.name,
            least=cleaned["least"],
            most=cleaned["most"],
            speed=cleaned["speed"],
            options={
                name.removeprefix(_PREFIX): value == "yes"
                for name, value in cleaned.items()
                if name.startswith(_PREFIX) and value
            },
            fill_after=PERIODS[fill] if fill else None,
        )

    def refuse(self, refusal: Refusal, sentence: str) -> None:
        """Add a refusal to its field, or to the whole form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, sentence)


def _fills() -> Iterator[tuple[str, str]]:
    """Yield the times after which bots may take free seats."""
    after = pgettext("bots on free seats", "after %(time)s")
    for name in _FILLS:
        yield name, after % {"time": period(PERIODS[name])}

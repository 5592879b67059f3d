"""The form in which a host chooses: the table's own fields, and the game's options as its option type says.

A game's options need nothing here: a flag is a box to tick, a choice a list, a number a field; what the
game's words say of them is what the form says.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec
from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import inspect

from games.engine import AnyRules
from games.engine.rules import FILLED_IN, NOT_OFFERED
from games.lobby.tables import NewGame
from games.models import Bot, Game
from games.pages.lobby.schedule_form import ScheduleFields
from games.play import absence
from games.refusals import Refusal
from games.text.phrases import number, period, render_phrase

_PREFIX: Final = "option-"
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
TIMES: Final[Mapping[str, timedelta]] = {
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
"""The times to answer that a host may choose on a page."""
USUAL: Final = 4
"""So many players are proposed where the game can be played by so many."""
_CHAT: Final = (
    (Game.Chat.ALL.value, gettext_lazy("with everybody, and in private messages")),
    (Game.Chat.TABLE.value, gettext_lazy("with everybody only")),
    (Game.Chat.NONE.value, gettext_lazy("not at all")),
)
_ABSENCE: Final = (
    (Game.Absence.BOT.value, gettext_lazy("has a bot sit in until they are back")),
    (Game.Absence.INVITE.value, gettext_lazy("may lose the seat to somebody whom the others invite")),
    (Game.Absence.FORFEIT.value, gettext_lazy("is out of the game")),
)


@dataclass(frozen=True)
class _Wish:
    """An option as a form asks for it."""

    field: forms.Field
    read: Callable[[Any], Any]
    """What was chosen, as the game understands it."""


def _times() -> list[tuple[str, str]]:
    return [(name, period(length)) for name, length in TIMES.items()]


def _pauses() -> list[tuple[str, str]]:
    """The times for pauses that a host may choose on a page."""
    return [("", _("none")), *((name, period(length)) for name, length in TIMES.items() if length >= _DAY)]


class NewGameForm(ScheduleFields):
    """A table of one game as its host wants it."""

    seat_count = forms.TypedChoiceField(label=gettext_lazy("Players"), coerce=int)
    bots = forms.TypedChoiceField(
        label=gettext_lazy("Bots among them"),
        coerce=int,
        initial=0,
        help_text=gettext_lazy("Darbar bots: programs of this server, which answer at once."),
    )
    private = forms.BooleanField(
        label=gettext_lazy("Private: seen and joined only by those who have its code"), required=False
    )
    chat = forms.ChoiceField(label=gettext_lazy("Players may chat"), choices=_CHAT)
    turn_limit = forms.ChoiceField(label=gettext_lazy("Turn limit"), choices=_times, initial="P2D")
    reaction_limit = forms.ChoiceField(label=gettext_lazy("Reaction limit"), choices=_times, initial="P1D")
    choice_limit = forms.ChoiceField(
        label=gettext_lazy("Choice limit"),
        choices=_times,
        initial="P1D",
        help_text=gettext_lazy("Which card to lose, what to keep."),
    )
    pauses = forms.ChoiceField(
        label=gettext_lazy("Pauses in all"),
        choices=_pauses,
        initial="P14D",
        required=False,
        help_text=gettext_lazy("For so long the game may be paused, if everybody at the table agrees."),
    )
    misses = forms.TypedChoiceField(
        label=gettext_lazy("Questions missed in a row that are too many"),
        choices=lambda: _numbers(range(absence.FEWEST, absence.MOST + 1)),
        coerce=int,
        initial=3,
        required=False,
        help_text=gettext_lazy("A question is missed when it times out; the first in a game is not counted."),
    )
    absence = forms.ChoiceField(
        label=gettext_lazy("Whoever misses so many"),
        choices=_ABSENCE,
        required=False,
    )

    def __init__(self, rules: AnyRules, data: Mapping[str, Any] | None = None, zone: str = "UTC") -> None:
        super().__init__(data, initial={"zone": zone})
        self.rules = rules
        self.fields["seat_count"].choices = _numbers(rules.players)
        self.fields["seat_count"].initial = min(USUAL, max(rules.players))
        self.fields["bots"].choices = _numbers(range(max(rules.players)))
        self.wishes = dict(_wishes(rules))
        self.fields |= {f"{_PREFIX}{name}": wish.field for name, wish in self.wishes.items()}

    def groups(self) -> list[tuple[str, list[BoundField]]]:
        """The fields with what stands above each group of them."""
        own = [field for field in self.visible_fields() if field.name.startswith(_PREFIX)]
        table = [self[name] for name in ("seat_count", "bots", "chat", "private")]
        return [
            (_("The table"), table),
            (_("Time limits"), [self["turn_limit"], self["reaction_limit"], self["choice_limit"], self["pauses"]]),
            (_("Schedule"), self.schedule_fields()),
            (_("Who does not answer"), [self["misses"], self["absence"]]),
            *([(_("Options"), own)] if own else []),
        ]

    def new_game(self) -> NewGame:
        """What was chosen; only of a valid form."""
        chosen = self.cleaned_data
        options = {name: wish.read(chosen[f"{_PREFIX}{name}"]) for name, wish in self.wishes.items()}
        return NewGame(
            rules=self.rules.name,
            seat_count=chosen["seat_count"],
            options={name: value for name, value in options.items() if value is not None},
            bots=(Bot(),) * chosen["bots"],
            turn_limit=TIMES[chosen["turn_limit"]],
            reaction_limit=TIMES[chosen["reaction_limit"]],
            choice_limit=TIMES[chosen["choice_limit"]],
            schedule=self.schedule(),
            private=chosen["private"],
            chat=chosen["chat"],
            misses=chosen["misses"] or 3,
            absence=chosen["absence"] or Game.Absence.BOT.value,
            pauses=TIMES.get(chosen["pauses"], timedelta()),
        )

    def refuse(self, refusal: Refusal) -> None:
        """Say beside the field, or above the form, why the table cannot be opened so."""
        field = refusal.field.replace("options.", _PREFIX).removeprefix("schedule.").removesuffix(".time")
        self.add_error(field if field in self.fields else None, render_phrase(refusal.phrase, {}))


def _numbers(numbers: range) -> list[tuple[int, str]]:
    return [(each, number(each)) for each in numbers]


def _wishes(rules: AnyRules) -> Iterator[tuple[str, _Wish]]:
    """A field for each option that a host may choose, as far as its type can be asked for in a form."""
    shape = inspect.type_info(rules.option_type)
    assert isinstance(shape, inspect.StructType)
    for option in shape.fields:
        if option.name in (FILLED_IN, NOT_OFFERED):
            continue
        initial = None if option.default is msgspec.NODEFAULT else option.default
        wish = _wish(rules, option.name, option.type, initial)
        if wish is not None:
            yield option.name, wish


def _wish(rules: AnyRules, name: str, shape: inspect.Type, initial: Any) -> _Wish | None:
    how: dict[str, Any] = {"label": _label(rules, name), "initial": initial}
    match shape:
        case inspect.BoolType():
            return _Wish(forms.BooleanField(required=False, **how), bool)
        case inspect.IntType(ge=least, le=most):
            return _Wish(forms.IntegerField(required=False, min_value=least, max_value=most, **how), _as_it_is)
        case inspect.LiteralType(values=values):
            return _choice(rules, name, values, how)
        case inspect.UnionType(types=types):
            named = [value for part in types if isinstance(part, inspect.LiteralType) for value in part.values]
            seats = rules.players if any(isinstance(part, inspect.IntType) for part in types) else ()
            return _choice(rules, name, [*named, *range(1, max(seats) + 1)] if seats else named, how)
    return None


def _choice(rules: AnyRules, name: str, values: Any, how: dict[str, Any]) -> _Wish:
    known = {str(value): value for value in values}
    choices = [(each, _label(rules, f"{name}.{each}")) for each in known]
    return _Wish(forms.ChoiceField(choices=choices, **how), known.get)


def _as_it_is(value: Any) -> Any:
    return value


def _label(rules: AnyRules, name: str) -> str:
    """What the game's words say of an option or a value of one; else a seat's number, or the name as it is."""
    if phrase := rules.words.options.get(name):
        return render_phrase(phrase, {})
    value = name.rpartition(".")[2]
    if value.isdigit():
        return _("seat %(number)s") % {"number": number(int(value))}
    return value.replace("_", " ")

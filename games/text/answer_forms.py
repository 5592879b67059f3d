"""Forms of pages and emails for answers and plans that consist of several parts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine import AnyRules, NumberSlot, Phrase, SeatNumber, Slot
from games.engine.forms import AnswerForm, examples
from games.text.notation import localized
from games.text.phrases import number, render_phrase


@dataclass(frozen=True)
class FormSlot:
    """A field of a form in the active language."""

    label: str
    choices: tuple[tuple[str, str], ...] = ()
    """Words in notation with their meanings. Empty for a number."""
    is_single: bool = True
    lowest: int = 0
    highest: int = 0
    help: str = ""
    """The allowed values, or an empty string for a choice of one word."""


@dataclass(frozen=True)
class Form:
    """A form in the active language."""

    title: str
    begins: str
    """The first words of the notation."""
    slots: tuple[FormSlot, ...]
    example: str = ""
    """An example of the notation in the active language, or an empty string for a plan."""

    @property
    def line(self) -> str:
        """Return the form as one line of an email."""
        return " ".join([self.title, *(f"{slot.label}: {slot.help}" for slot in self.slots if slot.help)])


def form_of(title: Phrase, begins: str, slots: Iterable[Slot | NumberSlot], names: Mapping[SeatNumber, str]) -> Form:
    """Return a form in the active language."""
    return Form(render_phrase(title, names), begins, tuple(_slot(slot, names) for slot in slots))


def render_forms(rules: AnyRules, forms: Iterable[AnswerForm], names: Mapping[SeatNumber, str]) -> tuple[Form, ...]:
    """Return the forms for answers to a question."""
    rendered_forms = []
    for answer_form in forms:
        form = form_of(answer_form.title, answer_form.verb, answer_form.slots, names)
        example = localized(rules, examples(answer_form)[1])
        rendered_forms.append(Form(form.title, form.begins, form.slots, example))
    return tuple(rendered_forms)


def _slot(slot: Slot | NumberSlot, names: Mapping[SeatNumber, str]) -> FormSlot:
    label = render_phrase(slot.label, names)
    if isinstance(slot, NumberSlot):
        bounds = {"lowest": number(slot.lowest), "highest": number(slot.highest)}
        range_text = _("a number from %(lowest)s to %(highest)s") % bounds
        return FormSlot(label, lowest=slot.lowest, highest=slot.highest, help=range_text)
    choices = tuple((word, render_phrase(meaning, names)) for word, meaning in slot.choices)
    if slot.is_single:
        return FormSlot(label, choices)
    counts = {"least": number(slot.least), "most": number(slot.most)}
    return FormSlot(label, choices, is_single=False, help=_("choose from %(least)s to %(most)s") % counts)

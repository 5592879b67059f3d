"""Forms as pages and emails show them: answers that are filled in, and plans that are put together of words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine import AnyRules, NumberSlot, Phrase, SeatNumber, Slot
from games.engine.answers.forms import AnswerForm, examples
from games.text.notation import localized
from games.text.phrases import number, render_phrase


@dataclass(frozen=True)
class FormSlot:
    """A place in a form, in the reader's language."""

    label: str
    choices: tuple[tuple[str, str], ...] = ()
    """Words in notation with their meanings. Empty for a number."""
    is_single: bool = True
    lowest: int = 0
    highest: int = 0
    help: str = ""
    """The length that may be filled in; blank where one word is chosen."""


@dataclass(frozen=True)
class Form:
    """A form in the reader's language."""

    title: str
    begins: str
    """The first words of its notation."""
    slots: tuple[FormSlot, ...]
    example: str = ""
    """The notation of one way to fill it in, in the reader's language; blank for a plan."""

    @property
    def line(self) -> str:
        """The form as one line of an email."""
        return " ".join([self.title, *(f"{slot.label}: {slot.help}" for slot in self.slots if slot.help)])


def form_of(title: Phrase, begins: str, slots: Iterable[Slot | NumberSlot], names: Mapping[SeatNumber, str]) -> Form:
    """A form for a reader of the active language."""
    return Form(render_phrase(title, names), begins, tuple(_slot(slot, names) for slot in slots))


def of_answers(rules: AnyRules, forms: Iterable[AnswerForm], names: Mapping[SeatNumber, str]) -> tuple[Form, ...]:
    """The answers that a question lets one fill in."""
    found = []
    for each in forms:
        form = form_of(each.title, each.verb, each.slots, names)
        found.append(Form(form.title, form.begins, form.slots, localized(rules, examples(each)[1])))
    return tuple(found)


def _slot(slot: Slot | NumberSlot, names: Mapping[SeatNumber, str]) -> FormSlot:
    label = render_phrase(slot.label, names)
    if isinstance(slot, NumberSlot):
        bounds = {"lowest": number(slot.lowest), "highest": number(slot.highest)}
        says = _("a number from %(lowest)s to %(highest)s") % bounds
        return FormSlot(label, lowest=slot.lowest, highest=slot.highest, help=says)
    choices = tuple((word, render_phrase(meaning, names)) for word, meaning in slot.choices)
    if slot.is_single:
        return FormSlot(label, choices)
    counts = {"least": number(slot.least), "most": number(slot.most)}
    return FormSlot(label, choices, is_single=False, help=_("choose from %(least)s to %(most)s") % counts)

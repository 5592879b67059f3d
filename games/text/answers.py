"""Answers to a question for pages and emails: in groups, and as forms with several parts.

Answers that differ in one value only are in one row. "Steal from Heron", "Steal from Jazari" and "Steal from Sepideh"
become the row "Steal from …" with a button for each player. The values of the labels' phrases show the difference, so
the rules need no code for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine import AnyRules, NumberSlot, Phrase, Question, SeatName, SeatNumber, Slot
from games.engine.drawing import hand_place
from games.engine.forms import AnswerForm, examples
from games.engine.phrases import Value
from games.text.phrases import localized, number, render_phrase


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
    slot_lines: tuple[str, ...] = ()
    """The label of each slot with the words that fit, for emails. Empty for a plan."""


def form_of(title: Phrase, begins: str, slots: Iterable[Slot | NumberSlot], names: Mapping[SeatNumber, str]) -> Form:
    """Return a form in the active language."""
    return Form(render_phrase(title, names), begins, tuple(_slot(slot, names) for slot in slots))


def render_forms(rules: AnyRules, forms: Iterable[AnswerForm], names: Mapping[SeatNumber, str]) -> tuple[Form, ...]:
    """Return the forms for answers to a question."""
    rendered_forms = []
    for answer_form in forms:
        form = form_of(answer_form.title, answer_form.verb, answer_form.slots, names)
        example = localized(rules, examples(answer_form)[1])
        slot_lines = tuple(_slot_line(rules, slot) for slot in form.slots)
        rendered_forms.append(Form(form.title, form.begins, form.slots, example, slot_lines))
    return tuple(rendered_forms)


def _slot_line(rules: AnyRules, slot: FormSlot) -> str:
    """Return the label of a slot, how much may be chosen, and the words with their meanings: “card: toad, 2 (Zoë)”."""
    words = [(localized(rules, word), meaning) for word, meaning in slot.choices]
    choices = [word if word.casefold() == meaning.casefold() else f"{word} ({meaning})" for word, meaning in words]
    between = pgettext("between answers", ", ")
    return f"{slot.label}: {'. '.join(filter(None, (slot.help, between.join(choices))))}"


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


_OPEN: Final = "…"
_FEWEST: Final = 3
"""Fewer answers do not form a row, unless they name players."""


@dataclass(frozen=True)
class Choice:
    """A button for an answer."""

    number: int
    """The number of the answer, from 1."""
    move: str
    """The answer in canonical notation."""
    notation: str
    """The notation in the active language."""
    label: str
    """The whole answer as a sentence."""
    short: str
    """The label of the button. In a row it is only the value that differs."""
    meanings: tuple[str, ...]
    """The consequences for the reader, as sentences."""
    places: str
    """The parts of the picture that the answer is about, such as ``seat-3``, separated by spaces."""


@dataclass(frozen=True)
class Group:
    """Answers in one row."""

    heading: str
    """The common part of the labels, or an empty string for a single answer."""
    choices: tuple[Choice, ...]

    @property
    def meanings(self) -> tuple[str, ...]:
        """Return the consequences that all answers of the group have."""
        first, *others = self.choices
        return tuple(meaning for meaning in first.meanings if all(meaning in other.meanings for other in others))


@dataclass(frozen=True)
class _Offer:
    number: int
    move: str
    notation: str
    phrase: Phrase
    meanings: tuple[Phrase, ...]


def group_answers(
    rules: AnyRules, state: Any, question: Question, names: Mapping[SeatNumber, str]
) -> tuple[Group, ...]:
    """Return the answers to a question in groups, in the order of the first answer of each group."""
    moves = rules.legal_moves(state, question)
    view = rules.view(state, question.seat)
    offers = [_offer(number, rules, view, move) for number, move in enumerate(moves, start=1)]
    return tuple(_grouped(offers, names))


def _offer(number: int, rules: AnyRules, view: Any, move: Any) -> _Offer:
    notation = rules.text(move)
    return _Offer(
        number, notation, localized(rules, notation), rules.words.label(move), rules.words.meanings(view, move)
    )


def _grouped(offers: Iterable[_Offer], names: Mapping[SeatNumber, str]) -> Iterator[Group]:
    rows: dict[object, list[_Offer]] = {}
    for offer in offers:
        rows.setdefault(_row_of(offer), []).append(offer)
    for row in rows.values():
        key = _last_value(row[0].phrase)
        about_players = isinstance(row[0].phrase.values.get(key), SeatName)
        if len(row) >= (2 if about_players else _FEWEST):
            heading = Phrase(row[0].phrase.text, {**row[0].phrase.values, key: _OPEN})
            yield Group(render_phrase(heading, names), tuple(_choice(offer, names, key) for offer in row))
        else:
            yield from (Group("", (_choice(offer, names, ""),)) for offer in row)


def _row_of(offer: _Offer) -> object:
    """Return the key of a row: the sentence with all its values except the last one."""
    key = _last_value(offer.phrase)
    common = tuple(repr(value) for name, value in offer.phrase.values.items() if name != key)
    return (offer.phrase.text, common) if key else offer.number


def _last_value(phrase: Phrase) -> str:
    """Return the name of the last value of a sentence, or an empty string."""
    return next(reversed(phrase.values), "")


def _choice(offer: _Offer, names: Mapping[SeatNumber, str], key: str) -> Choice:
    label = render_phrase(offer.phrase, names)
    short = render_phrase(Phrase("%(value)s", {"value": offer.phrase.values[key]}), names) if key else label
    places = (_place(name, value) for name, value in offer.phrase.values.items())
    meanings = tuple(render_phrase(meaning, names) for meaning in offer.meanings)
    return Choice(offer.number, offer.move, offer.notation, label, short, meanings, " ".join(filter(None, places)))


def _place(name: str, value: Value) -> str:
    """Return the part of the picture that a value names: a seat, a numbered thing, or a card. Otherwise an empty
    string.

    The number 2 as value ``pile`` or ``other_pile`` of a phrase names the place ``pile-2``. The value ``card`` names
    that card of the reader's hand.
    """
    match value:
        case SeatName(seat):
            return f"seat-{seat}"
        case int():
            return f"{name.rpartition('_')[2]}-{value}"
        case str() | Phrase() if name == "card":
            return hand_place(value)
        case _:
            return ""

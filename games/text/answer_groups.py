"""The answers to a question as pages and long emails offer them: those that differ in one thing alone stand in one row.

"Steal from Heron", "Steal from Jazari" and "Steal from Sepideh" become the row "Steal from …" with a button for each
player. The phrases of the labels say what differs, so no game has to know of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine import AnyRules, Phrase, Question, SeatName, SeatNumber
from games.engine.drawing import hand_place
from games.engine.phrases import Value
from games.text.notation import localized
from games.text.phrases import render_phrase

_OPEN: Final = "…"
_FEWEST: Final = 3
"""Fewer answers than this are not worth a row of their own, unless they name players."""


@dataclass(frozen=True)
class Choice:
    """A button."""

    number: int
    """The number of the answer, from 1."""
    move: str
    """The answer in canonical notation."""
    notation: str
    """The notation in the active language."""
    label: str
    """The whole answer as a sentence."""
    short: str
    """The words on the button: in a row, only those that differ."""
    meanings: tuple[str, ...]
    """The consequences for the reader, as sentences."""
    places: str
    """The places of the picture that it is about, such as ``seat-3``, with blanks between them."""


@dataclass(frozen=True)
class Group:
    """Answers that stand together."""

    heading: str
    """The words they have in common; blank for an answer that stands alone."""
    choices: tuple[Choice, ...]

    @property
    def meanings(self) -> tuple[str, ...]:
        """The sentences that hold for all of them."""
        first, *others = self.choices
        return tuple(meaning for meaning in first.meanings if all(meaning in other.meanings for other in others))


@dataclass(frozen=True)
class _Offer:
    number: int
    move: str
    notation: str
    phrase: Phrase
    meanings: tuple[Phrase, ...]


def of_question(rules: AnyRules, state: Any, question: Question, names: Mapping[SeatNumber, str]) -> tuple[Group, ...]:
    """The answers that a question offers, in the order of the first of each group."""
    moves = rules.legal_moves(state, question)
    view = rules.view(state, question.seat)
    offers = [_offer(number, rules, view, move) for number, move in enumerate(moves, start=1)]
    return tuple(_grouped(offers, names))


def _offer(number: int, rules: AnyRules, view: Any, move: Any) -> _Offer:
    written = rules.text(move)
    return _Offer(number, written, localized(rules, written), rules.words.label(move), rules.words.meanings(view, move))


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
    """Return the common part of the answers in one row: the sentence, and all its values except the last."""
    key = _last_value(offer.phrase)
    common = tuple(repr(value) for name, value in offer.phrase.values.items() if name != key)
    return (offer.phrase.text, common) if key else offer.number


def _last_value(phrase: Phrase) -> str:
    """Return the name of the last value of a sentence; blank for a sentence without values."""
    return next(reversed(phrase.values), "")


def _choice(offer: _Offer, names: Mapping[SeatNumber, str], key: str) -> Choice:
    label = render_phrase(offer.phrase, names)
    short = render_phrase(Phrase("%(value)s", {"value": offer.phrase.values[key]}), names) if key else label
    places = (_place(name, value) for name, value in offer.phrase.values.items())
    meanings = tuple(render_phrase(meaning, names) for meaning in offer.meanings)
    return Choice(offer.number, offer.move, offer.notation, label, short, meanings, " ".join(filter(None, places)))


def _place(name: str, value: Value) -> str:
    """Return the place of the picture that a value names, if it does: a seat, something with a number, or a card.

    The number 2 as value ``pile`` or ``other_pile`` of a phrase names the place ``pile-2``; the value ``card`` names
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

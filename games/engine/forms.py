"""Forms: answers with slots to fill in, for moves that are too many to list, such as bids or sets of cards.

A form has one slot for each field of the move, in their order. So the notation of a filled form is the usual one: the
verb, and the words in its slots.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

import msgspec

from games.engine.chance import Chance
from games.engine.phrases import MoveText, Phrase, as_written, gettext_noop
from games.engine.types import Move, Question

M = TypeVar("M", bound=Move)


class Slot(msgspec.Struct, frozen=True):
    """A slot for words from a list: one word, or from ``least`` to ``most`` different words."""

    label: Phrase
    choices: tuple[tuple[str, Phrase], ...]
    """The choices: the word in notation, which may be blank, and its meaning."""
    least: int = 1
    most: int = 1

    @property
    def is_single(self) -> bool:
        """True if exactly one word is chosen. The field of the move is then a word and not a tuple."""
        return self.least == self.most == 1

    @property
    def is_fillable(self) -> bool:
        are_words = all(word and word == "".join(word.split()) for word, _ in self.choices)
        return bool(self.choices) and are_words and 0 <= self.least <= self.most <= len(self.choices)


class NumberSlot(msgspec.Struct, frozen=True):
    """A slot for a whole number."""

    label: Phrase
    lowest: int
    highest: int

    @property
    def is_fillable(self) -> bool:
        return self.lowest <= self.highest


class AnswerForm(msgspec.Struct, frozen=True):
    """A form for one kind of move. Every way to fill it in gives a legal move."""

    move: type[Move]
    title: Phrase
    slots: tuple[Slot | NumberSlot, ...]
    """The slots of the move's fields, in their order."""

    @property
    def verb(self) -> str:
        """The first word of the notation."""
        return str(self.move.__struct_config__.tag)

    @property
    def named_slots(self) -> tuple[tuple[str, Slot | NumberSlot], ...]:
        """Return the slots with the names of their fields."""
        fields = (field for field in self.move.__struct_fields__ if field != "question")
        return tuple(zip(fields, self.slots, strict=True))


def no_forms(view: Any, question: Question) -> tuple[AnswerForm, ...]:
    return ()


def forms_of(rules: Any, state: Any, question: Question) -> tuple[AnswerForm, ...]:
    """Return the forms that a question offers, without those that cannot be filled in."""
    if rules.forms is no_forms:
        return ()
    return fillable(rules.forms(rules.view(state, question.seat), question))


def fillable(forms: Sequence[AnswerForm]) -> tuple[AnswerForm, ...]:
    """Return the forms that can be filled in."""
    return tuple(form for form in forms if all(slot.is_fillable for slot in form.slots))


def fill(form: AnswerForm, words: Sequence[str], question: str = "") -> Any | None:
    """Return the move that these words make of a form, or None if they do not fit."""
    left = [word.removeprefix("seat ") for word in words]
    filled: dict[str, Any] = {"type": form.verb, "question": question}
    for field, slot in form.named_slots:
        value = _number(slot, left) if isinstance(slot, NumberSlot) else _words(slot, left)
        if value is None:
            return None
        filled[field] = value
    return None if left else msgspec.convert(filled, form.move, strict=False)


def _number(slot: NumberSlot, left: list[str]) -> int | None:
    """Remove the next word and return it as a number, or None if it does not fit the slot."""
    word = left.pop(0) if left else ""
    if not (word.removeprefix("-").isdecimal() and word.isascii()):
        return None
    return int(word) if slot.lowest <= int(word) <= slot.highest else None


def _words(slot: Slot, left: list[str]) -> str | list[str] | None:
    """Remove words of the slot's list and return them in the order of the list, or None if there are too few."""
    choices, matches = [word for word, _ in slot.choices], list[str]()
    while left and left[0] in choices and left[0] not in matches and len(matches) < slot.most:
        matches.append(left.pop(0))
    if len(matches) < slot.least:
        return None
    return matches[0] if slot.is_single else sorted(matches, key=choices.index)


def allows(forms: Sequence[AnswerForm], move: Move) -> bool:
    """Return whether one of these forms can be filled in so that it makes this move."""
    verb, *words = str(move).split()
    return any(form.verb == verb and fill(form, words, move.question) == move for form in forms)


def fill_at_random(form: AnswerForm, chance: Chance, question: str) -> Any:
    """Fill a form in at random."""
    words: list[str] = []
    for slot in form.slots:
        if isinstance(slot, NumberSlot):
            words.append(str(chance.choose(range(slot.lowest, slot.highest + 1))))
        else:
            count = chance.choose(range(slot.least, slot.most + 1))
            words += chance.take([word for word, _ in slot.choices], count)
    return fill(form, words, question)


def fillings(form: AnswerForm, question: str) -> Iterator[Any]:
    """Yield every move that a form makes. There may be very many."""
    for words in product(*map(_ways, form.slots)):
        yield fill(form, [word for group in words for word in group], question)


def _ways(slot: Slot | NumberSlot) -> Iterator[tuple[str, ...]]:
    if isinstance(slot, NumberSlot):
        yield from ((str(number),) for number in range(slot.lowest, slot.highest + 1))
    else:
        choices = [word for word, _ in slot.choices]
        for count in range(slot.least, slot.most + 1):
            yield from combinations(choices, count)


def examples(form: AnswerForm) -> tuple[str, str]:
    """Return the notation of two ways to fill a form in, the first and the last."""
    return " ".join([form.verb, *_extreme(form, 0)]), " ".join([form.verb, *_extreme(form, -1)])


def written_so(form: AnswerForm) -> tuple[Phrase, ...]:
    """Return the notation of a form for a refusal: ``bid 1 to 4``, or the first and the last answer."""
    texts = tuple(dict.fromkeys(examples(form)))
    if len(texts) > 1 and len(form.slots) == 1 and isinstance(slot := form.slots[0], NumberSlot):
        return (
            Phrase(gettext_noop("%(lowest)s to %(highest)s"), {"lowest": MoveText(texts[0]), "highest": slot.highest}),
        )
    return tuple(map(as_written, texts))


def _extreme(form: AnswerForm, which: int) -> Iterator[str]:
    for slot in form.slots:
        if isinstance(slot, NumberSlot):
            yield str((slot.lowest, slot.highest)[which])
        else:
            words = [word for word, _ in slot.choices]
            count = max(1, slot.least)
            yield from words[:count] if which == 0 else words[-count:]


def any_answer(moves: Sequence[M], forms: Sequence[AnswerForm], question: Question, chance: Chance) -> M:
    """Return a random legal move. Each form counts as one move and is filled in at random."""
    offered: list[M | AnswerForm] = [*moves, *forms]
    choice = chance.choose(offered)
    if not isinstance(choice, AnswerForm):
        return choice
    filled: M = fill_at_random(choice, chance, question.id)
    return filled


def is_legal(rules: Any, state: Any, question: Question, move: Move) -> bool:
    """Return whether a move is a legal answer to a question."""
    listed = rules.legal_moves(state, question)
    return move in listed or allows(forms_of(rules, state, question), move)


def offered_moves(rules: Any, state: Any, question: Question) -> tuple[Phrase, ...]:
    """Return the moves and forms that a question offers, as phrases for a refusal."""
    texts = (as_written(rules.text(move)) for move in rules.legal_moves(state, question))
    return *texts, *(phrase for form in forms_of(rules, state, question) for phrase in written_so(form))


def offered_texts(rules: Any, state: Any, question: Question) -> list[str]:
    """Return the notation of all moves that a question offers, with the first and the last move of each form."""
    texts = [rules.text(move) for move in rules.legal_moves(state, question)]
    for form in forms_of(rules, state, question):
        texts += dict.fromkeys(examples(form))
    return texts

"""Checks that forms can be filled in."""

from collections.abc import Iterator

from games.engine.answers.forms import AnswerForm, NumberSlot, Slot
from games.engine.testing.playing import Decision, RandomGame


def fillable(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield the slots of the present forms that cannot be filled."""
    rules = game.rules
    for question in rules.questions(decision.after):
        # Not `forms_of`, which leaves out what cannot be filled in.
        for form in rules.forms(rules.view(decision.after, question.seat), question):
            yield from _form(form)


def _form(form: AnswerForm) -> Iterator[str]:
    fields = [field for field in form.move.__struct_fields__ if field != "question"]
    if len(fields) != len(form.slots):
        yield (
            f"The form `{form.verb}` has {len(form.slots)} slots, and its move has {len(fields)} fields: one list is "
            "longer than the other."
        )
        return
    for name, slot in zip(fields, form.slots, strict=True):
        if isinstance(slot, NumberSlot):
            if slot.lowest > slot.highest:
                yield (
                    f"The slot `{name}` of the form `{form.verb}` takes a number from {slot.lowest} to {slot.highest}, "
                    "and there is none. Leave the form out."
                )
        else:
            yield from _choices(f"The slot `{name}` of the form `{form.verb}`", slot)


def _choices(slot_name: str, slot: Slot) -> Iterator[str]:
    words = [word for word, _ in slot.choices]
    if not words:
        yield f"{slot_name} has no choices. Leave the form out."
    elif not 0 <= slot.least <= slot.most <= len(words):
        yield (
            f"{slot_name} takes {slot.least} to {slot.most} of {len(words)} choices. `least` is at most `most`, and "
            "`most` at most their number."
        )
    if len(set(words)) < len(words):
        yield f"{slot_name} has a choice twice: {words}."
    strange = next((word for word in words if word != "".join(word.split()) or not word), None)
    if strange is not None:
        yield f"{slot_name} has the choice {strange!r}. A choice is one word of the notation."

"""Reading plans as people write them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from games.engine.phrases import MoveText, Phrase, gettext_noop
from games.engine.plans import Plan
from games.engine.reading import Vocabulary, fold, matching_move, plan_tokens, unread_plan, with_suggestion
from games.engine.types import Move, SeatNumber
from games.engine.validation import MALFORMED, RuleViolation

ReadPlan = TypeVar("ReadPlan", bound=Plan)

_LONGEST: Final = 500
Read = Callable[[Any, SeatNumber, tuple[str, ...]], ReadPlan | None]
"""``read(view, seat, words)`` returns the plan with these words, or None if there is none or more than one."""


def parse_plans(
    read_tokens: Read[ReadPlan],
    vocabulary: Vocabulary,
    wrong: Callable[[Any, SeatNumber, ReadPlan], Phrase | None],
    examples: Callable[[Any, SeatNumber], Sequence[ReadPlan]],
    names_players: bool = True,
) -> Callable[[Any, SeatNumber, str, Mapping[str, SeatNumber]], ReadPlan]:
    """Return a ``parse`` function for plans. It raises RuleViolation(malformed) for a text that is not a possible plan.

    A plan in canonical notation is always understood, even if a player's name contains the same words.
    """

    def parse(view: Any, seat: SeatNumber, text: str, names: Mapping[str, SeatNumber]) -> ReadPlan:
        readable_names = names if names_players else {}

        def read(words: str) -> ReadPlan | None:
            in_notation = read_tokens(view, seat, plan_tokens(words, vocabulary, {}))
            return in_notation or read_tokens(view, seat, plan_tokens(words, vocabulary, readable_names))

        plan = read(text)
        if plan is None:
            violation = _unread(text, plan_tokens(text, vocabulary, readable_names), examples(view, seat))
            nearest = read(vocabulary.corrected(fold(text[:_LONGEST]), readable_names))
            is_possible = nearest is not None and not wrong(view, seat, nearest)
            raise with_suggestion(violation, str(nearest)) if is_possible else violation
        if why := wrong(view, seat, plan):
            raise RuleViolation(MALFORMED, why)
        return plan

    return parse


def _unread(text: str, tokens: tuple[str, ...], examples: Sequence[Plan]) -> RuleViolation:
    """Return the error for a text that is not a plan. For the first half of a plan with two, it shows both."""
    for plan in examples:
        if " else " in plan.beginning() and tokens[:1] == (plan.beginning().split()[0],):
            sentence = gettext_noop("Write both halves of this plan, or neither: “%(plan)s”.")
            return RuleViolation(MALFORMED, Phrase(sentence, {"plan": MoveText(str(plan))}))
    return unread_plan(text, [str(plan) for plan in examples])


def read_fields(
    kinds: Iterable[type[ReadPlan]],
    tokens: tuple[str, ...],
    lists: Mapping[Any, Collection[str]],
    turns: Sequence[Move],
) -> ReadPlan | None:
    """Return the first plan of these kinds with exactly these words. Those after its beginning may be in any order.

    ``lists`` has the possible words of a field by its type. ``turns`` are the possible values of the field ``move``.
    """
    for kind in kinds:
        begins = tuple(kind.beginning().split())
        if tokens[: len(begins)] == begins and (plan := _filled(kind, [*tokens[len(begins) :]], lists, turns)):
            return plan
    return None


def _filled(
    kind: type[ReadPlan], words: list[str], lists: Mapping[Any, Collection[str]], turns: Sequence[Move]
) -> ReadPlan | None:
    """Return the plan of a kind with these words as its fields, or None if a word is missing or superfluous."""
    filled: dict[str, Any] = {}
    for name, ways in kind.boolean_words.items():
        filled[name], words = _without_ending(ways, words)
    for field in msgspec.structs.fields(kind):
        if field.name in filled:
            continue
        if field.name == "move":
            filled["move"], words = matching_move(words, turns, str), []
            continue
        fitting = [word for word in words if _fits(field.type, word, lists)]
        if len(fitting) > 1 or (field.required and not fitting):
            return None
        words = [word for word in words if word not in fitting]
        filled[field.name] = _value(fitting[0]) if fitting else None
    return None if words or None in (filled.get(name, "") for name in (*kind.boolean_words, "move")) else kind(**filled)


def _without_ending(ways: tuple[str, str], words: list[str]) -> tuple[bool | None, list[str]]:
    """Return the boolean value that the last of these words express, if any, and the words before them."""
    for fact in (True, False):
        before = len(words) - len(ways[fact].split())
        if words[before:] == ways[fact].split():
            return fact, words[:before]
    return None, words


def _fits(kind: Any, word: str, lists: Mapping[Any, Collection[str]]) -> bool:
    """Return whether a field of this type can have this word as its value."""
    if kind in (SeatNumber, SeatNumber | None) or isinstance(_value(word), int):
        return kind in (SeatNumber, SeatNumber | None) and isinstance(_value(word), int)
    matching = [words for listed, words in lists.items() if kind in (listed, listed | None)]
    return word in matching[0] if matching else not any(word in words for words in lists.values())


def _value(word: str) -> Any:
    number = word.removeprefix("seat ")
    return SeatNumber(int(number)) if number.isdigit() else word

"""Plans as people write them: read by the fields of their kinds, and refused with the reason."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from games.engine.answers.plans import Plan
from games.engine.errors import MALFORMED, RuleViolation
from games.engine.phrases import MoveText, Phrase, gettext_noop
from games.engine.reading import Vocabulary, meant, plan_tokens, unread_plan
from games.engine.types import Move, SeatNumber

P = TypeVar("P", bound=Plan)

Read = Callable[[Any, SeatNumber, tuple[str, ...]], P | None]
"""``read(view, seat, words)``: the plan that the words say; None where they say nothing, or more than one thing."""


def parse_plans(
    read: Read[P],
    vocabulary: Vocabulary,
    wrong: Callable[[Any, SeatNumber, P], Phrase | None],
    examples: Callable[[Any, SeatNumber], Sequence[P]],
    names_players: bool = True,
) -> Callable[[Any, SeatNumber, str, Mapping[str, SeatNumber]], P]:
    """The ``parse`` of a game's plans. RuleViolation ``malformed`` where it is none, or cannot be given now.

    A plan in notation is read as it is, whatever players are called.
    """

    def parse(view: Any, seat: SeatNumber, written: str, names: Mapping[str, SeatNumber]) -> P:
        tokens = plan_tokens(written, vocabulary, names if names_players else {})
        plan = read(view, seat, plan_tokens(written, vocabulary, {})) or read(view, seat, tokens)
        if plan is None:
            raise _unread(written, tokens, examples(view, seat))
        if why := wrong(view, seat, plan):
            raise RuleViolation(MALFORMED, why)
        return plan

    return parse


def _unread(written: str, tokens: tuple[str, ...], examples: Sequence[Plan]) -> RuleViolation:
    """The refusal of a text that is no plan. Where it begins a plan of two halves, it shows both."""
    for plan in examples:
        if " else " in plan.beginning() and tokens[:1] == (plan.beginning().split()[0],):
            sentence = gettext_noop("This plan has both halves or none: “%(plan)s”.")
            return RuleViolation(MALFORMED, Phrase(sentence, {"plan": MoveText(str(plan))}))
    return unread_plan(written, [str(plan) for plan in examples])


def read_fields(
    kinds: Iterable[type[P]], tokens: tuple[str, ...], lists: Mapping[Any, Collection[str]], turns: Sequence[Move]
) -> P | None:
    """The plan of the first of these kinds that the words say in full, those behind its beginning in any order.

    ``lists`` has the words that a field of a type may be; ``turns`` are the moves for a field that is one.
    """
    for kind in kinds:
        begins = tuple(kind.beginning().split())
        if tokens[: len(begins)] == begins and (plan := _filled(kind, [*tokens[len(begins) :]], lists, turns)):
            return plan
    return None


def _filled(kind: type[P], words: list[str], lists: Mapping[Any, Collection[str]], turns: Sequence[Move]) -> P | None:
    """The plan of a kind whose fields these words are; None where one is missing, or left over."""
    filled: dict[str, Any] = {}
    for name, ways in kind.said.items():
        filled[name], words = _without_ending(ways, words)
    for field in msgspec.structs.fields(kind):
        if field.name in filled:
            continue
        if field.name == "move":
            filled["move"], words = meant(words, turns, str), []
            continue
        fitting = [word for word in words if _fits(field.type, word, lists)]
        if len(fitting) > 1 or (field.required and not fitting):
            return None
        words = [word for word in words if word not in fitting]
        filled[field.name] = _value(fitting[0]) if fitting else None
    return None if words or None in (filled.get(name, "") for name in (*kind.said, "move")) else kind(**filled)


def _without_ending(ways: tuple[str, str], words: list[str]) -> tuple[bool | None, list[str]]:
    """A fact that the last of these words say in one of its two ways, and the words before them."""
    for fact in (True, False):
        before = len(words) - len(ways[fact].split())
        if words[before:] == ways[fact].split():
            return fact, words[:before]
    return None, words


def _fits(kind: Any, word: str, lists: Mapping[Any, Collection[str]]) -> bool:
    """Return whether a field of this type may be this word: a seat, a word of a list, or any other word."""
    if kind in (SeatNumber, SeatNumber | None) or isinstance(_value(word), int):
        return kind in (SeatNumber, SeatNumber | None) and isinstance(_value(word), int)
    own = [known for listed, known in lists.items() if kind in (listed, listed | None)]
    return word in own[0] if own else not any(word in known for known in lists.values())


def _value(word: str) -> Any:
    number = word.removeprefix("seat ")
    return SeatNumber(int(number)) if number.isdigit() else word

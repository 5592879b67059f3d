"""Plans: answers that players give in advance, and how their texts are read."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import msgspec

from games.engine.forms import Slot
from games.engine.phrases import MoveText, Phrase, gettext_noop
from games.engine.reading import Vocabulary, fold, matching_move, plan_tokens, unread_plan, with_suggestion
from games.engine.types import Move, Question, SeatNumber
from games.engine.validation import MALFORMED, RuleViolation

View = TypeVar("View", bound=msgspec.Struct)
M = TypeVar("M", bound=Move)
P = TypeVar("P", bound=msgspec.Struct)


class Plan(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """An answer that a player has planned. A game has a subclass for each kind of plan."""

    begins: ClassVar[str] = ""
    """The first words of the notation, if they are not the tag. The words of the fields follow."""

    order: ClassVar[tuple[str, ...]] = ()
    """The order in which the fields are written, if it differs from the order of their definition."""

    boolean_words: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """The words for a boolean field: for False, and for True."""

    @classmethod
    def beginning(cls) -> str:
        """Return the first words of the notation."""
        return cls.begins or str(cls.__struct_config__.tag)

    def __str__(self) -> str:
        """Return the plan in notation. Fields that are None are left out."""
        words = [self.beginning()]
        for field in self.order or self.__struct_fields__:
            value = getattr(self, field)
            words.append(
                self.boolean_words[field][value] if field in self.boolean_words else "" if value is None else str(value)
            )
        return " ".join(filter(None, words))


class PlanForm(msgspec.Struct, frozen=True):
    """A form for one kind of plan. The notation of the plan is ``begins`` and the chosen words."""

    title: Phrase
    begins: str
    slots: tuple[Slot, ...] = ()


def no_rank(plan: Any) -> int:
    return 0


def no_subject(plan: Any) -> None:
    return None


def for_one_turn(plan: Any) -> bool:
    return True


def spent_with_turn(view: Any, question: Question, plan: Any) -> bool:
    return question.kind == "turn"


def always_aimed(view: Any, question: Question) -> bool:
    return True


class PlanRules(msgspec.Struct, Generic[View, M, P], frozen=True, kw_only=True):
    """The plans of a game.

    ``answer`` gets the view of the plan's owner. Whether and when a plan answers must not depend on facts that are
    hidden from the other players, or its timing would reveal them; only the answer may depend on them. For example, a
    plan that plays a card if the owner holds it must also say what to play otherwise.

    The defaults are those of a game in which players can plan only their own turns.
    """

    plan_type: Any
    """The union of the game's plans, tagged by ``type``."""
    rank: Callable[[P], Any] = no_rank
    """The key by which the plans of one seat are sorted. The first one that has an answer is used."""
    subject: Callable[[P], Any] = no_subject
    """The subject of a plan. A seat can have only one plan for a subject, because the second would never be used.

    None for plans of which several may be waiting.
    """
    is_once: Callable[[P], bool] = for_one_turn
    """True if a plan is deleted after its first answer."""
    is_spent: Callable[[View, Question, P], bool] = spent_with_turn
    """True if a plan that has no answer to this question is deleted."""
    is_aimed: Callable[[View, Question], bool] = always_aimed
    """True if a question is about an action of its player or against them, and not about other players only.

    It must depend on public facts only, because the deadline depends on it."""
    answer: Callable[[View, Question, Sequence[M], P], M | None]
    """The legal move with which a plan answers a question, or None if the plan does not apply to it."""
    wrong: Callable[[View, SeatNumber, P], Phrase | None]
    """The reason why a seat cannot have a plan in this state of the game, or None if it can."""
    text: Callable[[P], str] = str
    """The canonical notation of a plan: its beginning and its fields."""
    parse: Callable[[View, SeatNumber, str, Mapping[str, SeatNumber]], P]
    """``parse(view, seat, text, names)`` reads a plan as people write it. Raises RuleViolation(malformed). See
    ``games.engine.plans``."""
    describe: Callable[[P], Phrase]
    """A sentence that describes a plan."""
    examples: Callable[[View, SeatNumber], Sequence[P]]
    """A plan of each kind that is possible for the seat, as examples of the notation."""
    forms: Callable[[View, SeatNumber], Sequence[PlanForm]]
    """The forms for all kinds of plans."""
    usual: P | None = None
    """The plan for players who want only questions that concern them. None if every question concerns its player."""
    second: Callable[[View, Question], Sequence[tuple[P, Phrase]]] = lambda view, question: ()
    """``second(view, question)`` returns plans for the next turn that can be chosen together with an answer, each with
    the text of its button. It must depend on public facts only."""
    is_next: Callable[[View, SeatNumber], bool] = lambda view, seat: False
    """True if a seat certainly has the next turn. The page then shows the plans for that turn without a click. It must
    depend on public facts only."""


def offered(moves: Sequence[M], template: Move) -> M | None:
    """Return the move of the list that equals ``template`` apart from its question, or None."""
    return next((move for move in moves if msgspec.structs.replace(move, question="") == template), None)


def no_such_turn(move: Move) -> Phrase:
    """Return the reason why a plan with a move that is never possible is wrong."""
    sentence = gettext_noop("“%(move)s” isn’t an action you can take in this game.")
    return Phrase(sentence, {"move": MoveText(str(move)[:40])})


def on_next_turn(move: Phrase) -> Phrase:
    """Return the sentence that describes a plan for the next turn. ``move`` is the label of its move."""
    return Phrase(gettext_noop("On my next turn, if possible: %(move)s"), {"move": move})


def next_turn_form(turns: Slot, begins: str = "next-turn") -> PlanForm:
    """Return the form for plans for the next turn."""
    title = gettext_noop("On my next turn, if possible. If you add several, they’re played one after another.")
    return PlanForm(Phrase(title), begins, (turns,))


class PlannedAnswer(NamedTuple):
    """The answer of a seat's plans to a question."""

    answer: Move | None
    """The legal move, or None if no plan applies to the question."""
    which: int | None
    """The index of the plan that answers."""
    spent: tuple[int, ...]
    """The indexes of the plans to delete that did not answer."""


def first_answer(rules: Any, state: Any, question: Question, plans: Sequence[Any]) -> PlannedAnswer:
    """Return the answer of the first plan that has one. ``plans`` are those of the seat, sorted by rank."""
    plan_rules = rules.plans
    view = rules.view(state, question.seat)
    moves = rules.legal_moves(state, question)
    spent: list[int] = []
    for index, plan in enumerate(plans):
        answer = plan_rules.answer(view, question, moves, plan)
        if answer is not None:
            return PlannedAnswer(answer, index, tuple(spent))
        if plan_rules.is_spent(view, question, plan):
            spent.append(index)
    return PlannedAnswer(None, None, tuple(spent))


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

"""Plans: moves that players plan ahead, and how a plan answers a question."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from games.engine.forms import Slot
from games.engine.phrases import MoveText, Phrase, gettext_noop
from games.engine.types import Move, Question, SeatNumber

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
    """True if a seat certainly has the next turn. The page then offers plans for it more openly. It must depend on
    public facts only."""


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

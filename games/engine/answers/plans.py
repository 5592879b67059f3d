"""Plans: what a game says of moves that players plan ahead, and how a plan is asked for its move. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from games.engine.answers.forms import Slot
from games.engine.phrases import MoveText, Phrase, gettext_noop
from games.engine.types import Move, Question, SeatNumber

View = TypeVar("View", bound=msgspec.Struct)
M = TypeVar("M", bound=Move)
P = TypeVar("P", bound=msgspec.Struct)


class Plan(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Something that a player wants to be answered for them. A game subclasses it once for every kind of plan."""

    begins: ClassVar[str] = ""
    """The words with which its notation begins, if not with its tag; those of its fields follow."""

    order: ClassVar[tuple[str, ...]] = ()
    """The fields in the order in which they are written, where it is another one."""

    said: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """The ways in which a field that is a fact is written: where it is not so, and where it is."""

    @classmethod
    def beginning(cls) -> str:
        """The words with which its notation begins."""
        return cls.begins or str(cls.__struct_config__.tag)

    def __str__(self) -> str:
        """The plan in notation. What is None is left out."""
        words = [self.beginning()]
        for field in self.order or self.__struct_fields__:
            value = getattr(self, field)
            words.append(self.said[field][value] if field in self.said else "" if value is None else str(value))
        return " ".join(filter(None, words))


class PlanForm(msgspec.Struct, frozen=True):
    """One kind of plan as a form offers it: its notation is ``begins`` and the words chosen."""

    title: Phrase
    begins: str
    slots: tuple[Slot, ...] = ()


def no_rank(plan: Any) -> int:
    """Return the rank of the plans of a game in which none is more particular than another."""
    return 0


def no_subject(plan: Any) -> None:
    """Return what plans for turns are about: there are more turns to come, so two may be alike."""


def for_one_turn(plan: Any) -> bool:
    """Return that a plan is gone once it has answered, as plans for turns are."""
    return True


def spent_with_turn(view: Any, question: Question, plan: Any) -> bool:
    """Return whether the turn has come for which a plan was."""
    return question.kind == "turn"


def always_aimed(view: Any, question: Question) -> bool:
    """Return that a question is about its owner, in a game in which every one is."""
    return True


class PlanRules(msgspec.Struct, Generic[View, M, P], frozen=True, kw_only=True):
    """The plans of a game: moves that players plan ahead.

    ``answer`` is handed its owner's view; whether and when it answers must not depend on what of it the others may not
    know, only what it answers may. The other functions that are handed a view speak to the owner alone.

    So a plan may say to play something if its owner holds it, where it says too what to play otherwise: it answers in
    either case. What is left out here is as in a game in which all that can be planned are one's own turns.
    """

    plan_type: Any
    """The union of the game's plans, tagged by ``type``."""
    rank: Callable[[P], Any] = no_rank
    """The key by which the plans of one seat are sorted before they are asked."""
    subject: Callable[[P], Any] = no_subject
    """The subject of a plan: of two plans on one subject the second would never be asked, so there may not be two.

    None for plans of which several may wait for their turn to come.
    """
    is_once: Callable[[P], bool] = for_one_turn
    """True where a plan is gone once it has answered."""
    is_spent: Callable[[View, Question, P], bool] = spent_with_turn
    """True where a plan that has not answered this question has lapsed with it."""
    is_aimed: Callable[[View, Question], bool] = always_aimed
    """True where a question is about what its owner does or what is done to them, and not about others alone.

    By public facts: how long it may be answered depends on it."""
    answer: Callable[[View, Question, Sequence[M], P], M | None]
    """One of the legal moves; None where the plan says nothing about this question."""
    wrong: Callable[[View, SeatNumber, P], Phrase | None]
    """The reason that a seat cannot give a plan as the game stands; None where it can."""
    text: Callable[[P], str] = str
    """A plan in its one canonical notation: its beginning and its fields."""
    parse: Callable[[View, SeatNumber, str, Mapping[str, SeatNumber]], P]
    """``parse(view, seat, text, names)``: a plan as people write it, else RuleViolation ``malformed``
    (``games.engine.answers.plan_reading``)."""
    describe: Callable[[P], Phrase]
    """A plan as a sentence."""
    examples: Callable[[View, SeatNumber], Sequence[P]]
    """A plan of each kind that the seat could give: by them people learn the notation."""
    forms: Callable[[View, SeatNumber], Sequence[PlanForm]]
    """All kinds of plans, for a page."""
    usual: P | None = None
    """The plan of whoever wants to be asked only what concerns them; None where every question concerns its owner."""
    second: Callable[[View, Question], Sequence[tuple[P, Phrase]]] = lambda view, question: ()
    """``second(view, question)``: the next turns that may be said together with a question during another's turn, each
    as a plan and as a button says it. By public facts."""
    is_next: Callable[[View, SeatNumber], bool] = lambda view, seat: False
    """True where a seat surely takes the turn after this one: it is asked for its turn more openly. By public facts."""


def offered(moves: Sequence[M], wanted: Move) -> M | None:
    """The move of the list that means the same, whatever it answers; None where it is not there."""
    return next((move for move in moves if msgspec.structs.replace(move, question="") == wanted), None)


def no_such_turn(move: Move) -> Phrase:
    """The reason why a plan for a turn is wrong that nobody could ever take."""
    sentence = gettext_noop("“%(move)s” is no action that you could take in this game.")
    return Phrase(sentence, {"move": MoveText(str(move)[:40])})


def on_next_turn(move: Phrase) -> Phrase:
    """A plan for the next turn as a sentence; ``move`` is what a button says of its move."""
    return Phrase(gettext_noop("On my next turn, if it is possible then: %(move)s"), {"move": move})


def next_turn_form(turns: Slot, begins: str = "next-turn") -> PlanForm:
    """The form of plans for the next turn."""
    title = gettext_noop("On my next turn, if it is possible then; several are taken one after another.")
    return PlanForm(Phrase(title), begins, (turns,))


class PlannedAnswer(NamedTuple):
    """The result of asking a seat's plans about a question."""

    answer: Move | None
    """One of the legal moves; None where no plan says anything."""
    which: int | None
    """The index of the plan that answers."""
    spent: tuple[int, ...]
    """The indexes of those that have lapsed with the question."""


def first_answer(rules: Any, state: Any, question: Question, plans: Sequence[Any]) -> PlannedAnswer:
    """The answer of the first of a seat's plans that has one; they are given in the order in which they are asked."""
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

"""The rules as data, and the changes of an expansion.

``Law`` is the rules for one set of options: the classic rules with the changes of each chosen expansion. The classic
game uses it and names no expansion.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from games.engine import Chance, Event, Move, SeatNumber
from games.engine.types import Pace
from games.rules.coup.state import Action, Character, Claim, State, others

Step = Callable[["Play"], None]
"""A part of a decision that ends in a question or in another step."""

Target = Literal["none", "one", "optional"]


class Play:
    """A decision in progress: the present state, and the events that led to it."""

    __slots__ = ("chance", "events", "law", "state")

    def __init__(self, law: "Law", state: State, chance: Chance) -> None:
        self.law = law
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    @property
    def action(self) -> Action:
        """Return the action of this turn. Raises AssertionError if there is none."""
        assert self.state.action is not None
        return self.state.action

    @property
    def action_law(self) -> "ActionLaw":
        """The law of the action that is pending."""
        assert self.state.action is not None
        return self.law.actions[self.state.action.verb]

    @property
    def target(self) -> SeatNumber:
        """The target of the pending action, if it has one."""
        assert self.state.action is not None
        assert self.state.action.target is not None
        return self.state.action.target

    @property
    def claim(self) -> Claim:
        """The claim that can be challenged, if there is one."""
        assert self.state.claim is not None
        return self.state.claim

    def emit(self, event: Event) -> None:
        """Add an event and fold it into the state."""
        self.events.append(event)
        self.state = event.after(self.state)

    def step(self, name: str) -> None:
        """Continue with the step of this name."""
        self.law.steps[name](self)


@dataclass(frozen=True, slots=True)
class ActionLaw:
    """A line of the rulebook's table of actions."""

    verb: str
    move: type[Move]
    effect: Step
    cost: int = 0
    cost_with_target: int | None = None
    """The cost where an optional target is named."""
    pays_reserve: bool = False
    claims: Character | None = None
    denies: bool = False
    """The claim is to hold *none* of that character."""
    target: Target = "none"
    blocked_by: tuple[Character, ...] = ()
    blockers: Literal["target", "opponents"] = "target"
    costs_influence: bool = False
    """The action costs the target an influence."""
    takes_purse: bool = False
    """The target's coins are reserved for the action, even if the target goes out (Coup C15)."""
    possible: Callable[[State, SeatNumber | None], bool] | None = None
    """Return whether the action could do anything to this target (Coup C3). None for an action that always could."""

    def price(self, target: SeatNumber | None) -> int:
        """Return the cost of the action against this target, or without one."""
        return self.cost if target is None or self.cost_with_target is None else self.cost_with_target


@dataclass(frozen=True, slots=True)
class QuestionLaw:
    """The rules of one kind of question: who answers, and how."""

    moves: Callable[["Law", State, SeatNumber, str], tuple[Move, ...]]
    """``moves(law, state, seat, question id)`` returns the legal moves."""
    default: Callable[["Law", State, SeatNumber, tuple[Move, ...], Chance], Move]
    """``default(law, state, seat, legal moves, chance)`` returns the move that is played at the deadline."""
    pace: Pace = "choice"
    """The kind of time limit of the question."""


@dataclass(frozen=True, slots=True)
class Protection:
    """A prohibition of moves between certain players."""

    actions: frozenset[str]
    """Actions that may not be aimed at a protected player."""
    blocks: frozenset[str]
    """Actions of a protected player that may not be blocked."""
    exposed: Callable[[State, SeatNumber, tuple[SeatNumber, ...]], tuple[SeatNumber, ...]]
    """``(state, seat, others)`` returns the seats in ``others`` (all that live) that ``seat`` may act against."""


def everybody(state: State, seat: SeatNumber, others: tuple[SeatNumber, ...]) -> tuple[SeatNumber, ...]:
    """Return all other seats: no seat is protected."""
    return others


NO_PROTECTION: Final = Protection(frozenset(), frozenset(), everybody)
"""No action is forbidden against any seat."""


Resignation = Callable[["Play", SeatNumber], bool]
"""The step of an expansion when a seat resigns. Returns True if nothing else has to happen."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The changes of an expansion where it differs from the law before it."""

    replaces: Mapping[Character, Character] = field(default_factory=dict)
    """Characters that replace others everywhere."""
    actions: tuple[ActionLaw, ...] = ()
    """Actions that are added, or that replace one with the same verb."""
    questions: Mapping[str, QuestionLaw] = field(default_factory=dict)
    answers: Mapping[type[Move], Callable[["Play", SeatNumber, Any], None]] = field(default_factory=dict)
    steps: Mapping[str, Step] = field(default_factory=dict)
    protection: Protection | None = None
    resignation: Resignation | None = None
    claims: Mapping[type[Event], Character] = field(default_factory=dict)
    """Events of the expansion that claim a character to escape a loss. Bots learn from them as from blocks."""
    worth: Mapping[Character, float] = field(default_factory=dict)
    """The value that characters gain by the expansion, as bots estimate it."""


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The law of a game. It is built once for each set of options, and equal only to itself."""

    characters: tuple[Character, ...]
    actions: Mapping[str, ActionLaw]
    questions: Mapping[str, QuestionLaw]
    answers: Mapping[type[Move], Callable[[Play, SeatNumber, Any], None]]
    steps: Mapping[str, Step]
    protection: Protection = NO_PROTECTION
    resignations: tuple[Resignation, ...] = ()
    worth: Mapping[Character, float] = field(default_factory=dict)

    def amended(self, expansion: Expansion) -> "Law":
        """Return this law with the changes of an expansion."""

        def renamed(character: Character) -> Character:
            return expansion.replaces.get(character, character)

        actions = {
            verb: replace(
                action,
                claims=action.claims and renamed(action.claims),
                blocked_by=tuple(renamed(character) for character in action.blocked_by),
            )
            for verb, action in self.actions.items()
        }
        return Law(
            characters=tuple(sorted(renamed(character) for character in self.characters)),
            actions=actions | {action.verb: action for action in expansion.actions},
            questions={**self.questions, **expansion.questions},
            answers={**self.answers, **expansion.answers},
            steps={**self.steps, **expansion.steps},
            protection=expansion.protection or self.protection,
            resignations=(*([expansion.resignation] if expansion.resignation else ()), *self.resignations),
            worth={**self.worth, **expansion.worth},
        )

    def opponents(self, state: State, actor: SeatNumber, verb: str) -> tuple[SeatNumber, ...]:
        """Return the living other seats that are allowed to block this action (Coup C9, C19)."""
        able = others(state, actor)
        return self.protection.exposed(state, actor, able) if verb in self.protection.blocks else able

"""The engine: pure functions over frozen data. It uses no web framework, no database, no clock and no random numbers.

``games/engine/rules.py`` is the contract of a game: frozen data and plain functions such as ``setup``, ``evolve``,
``questions``, ``legal_moves``, ``decide``, ``show`` and ``view``. The caller passes in the chance, and the results of
all draws are written into the events, so a replay draws nothing. ``SeededChance`` derives every draw from the seed of
the game. ``show`` is the only filter for secrets: a fact that it does not name stays hidden. ``games/__init__.py`` is
empty, so that programs can import the engine and the rules alone and simulate millions of games.

Simulations use ``games.engine.play``, which returns the events of a move and the state after them. A game that computes
the state while it decides (``Rules.play``) avoids folding the events a second time. Results that depend on public
arguments alone are cached with ``functools.lru_cache``: the law of a set of options, the question of a seat and its
legal moves, the points of a pyramid. Frozen structs are declared with ``gc=False``, because no reference cycles are
possible in frozen data and the garbage collector need not visit them.

``games/engine/chain.py`` makes the log tamper-evident, and ``games/engine/record.py`` is the document that a finished
game becomes. docs/fairness.md explains the proofs.
"""

from games.engine.chance import Chance, ScriptedChance, SeededChance
from games.engine.drawing import Reader
from games.engine.forms import AnswerForm, NumberSlot, Slot, allows
from games.engine.open_questions import OpenQuestions, in_steps, next_seat, no_questions
from games.engine.phrases import MoveText, Notation, Phrase, SeatName, Sentence, gettext_noop
from games.engine.plans import PlanForm, PlanRules
from games.engine.rules import AnyRules, Rules, Words, know, one_by_one, play, replay, show_all
from games.engine.types import (
    EVERYONE,
    SPECTATOR,
    Event,
    Knowledge,
    Move,
    Number,
    Outcome,
    Question,
    SeatEvent,
    SeatNumber,
    Viewer,
    code,
    evolve,
    places_by,
    question_to,
)
from games.engine.validation import RuleViolation

__all__ = [
    "EVERYONE",
    "SPECTATOR",
    "AnswerForm",
    "AnyRules",
    "Chance",
    "Event",
    "Knowledge",
    "Move",
    "MoveText",
    "Notation",
    "Number",
    "NumberSlot",
    "OpenQuestions",
    "Outcome",
    "Phrase",
    "PlanForm",
    "PlanRules",
    "Question",
    "Reader",
    "RuleViolation",
    "Rules",
    "ScriptedChance",
    "SeatEvent",
    "SeatName",
    "SeatNumber",
    "SeededChance",
    "Sentence",
    "Slot",
    "Viewer",
    "Words",
    "allows",
    "code",
    "evolve",
    "gettext_noop",
    "in_steps",
    "know",
    "next_seat",
    "no_questions",
    "one_by_one",
    "places_by",
    "play",
    "question_to",
    "replay",
    "show_all",
]

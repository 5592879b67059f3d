"""The engine: pure functions over frozen data. It knows no web framework, database, clock or luck of its own."""

from games.engine.chance import Chance, ScriptedChance, SeededChance
from games.engine.errors import RuleViolation
from games.engine.phrases import Notation, Phrase, SeatName, gettext_noop
from games.engine.plans import PlanForm, PlanRules, Slot
from games.engine.rules import AnyRules, Reader, Rules, Words, play, replay, show_all
from games.engine.types import (
    EVERYONE,
    SPECTATOR,
    Event,
    Move,
    Number,
    Outcome,
    Question,
    SeatNumber,
    Viewer,
    question_to,
)

__all__ = [
    "EVERYONE",
    "SPECTATOR",
    "AnyRules",
    "Chance",
    "Event",
    "Move",
    "Notation",
    "Number",
    "Outcome",
    "Phrase",
    "PlanForm",
    "PlanRules",
    "Question",
    "Reader",
    "RuleViolation",
    "Rules",
    "ScriptedChance",
    "SeatName",
    "SeatNumber",
    "SeededChance",
    "Slot",
    "Viewer",
    "Words",
    "gettext_noop",
    "play",
    "question_to",
    "replay",
    "show_all",
]

"""The engine: pure functions over frozen data. It knows no web framework, database, clock or luck of its own.

``games/engine/rules.py`` is the contract of a game: frozen data and plain functions (``setup``, ``evolve``,
``questions``, ``legal_moves``, ``decide``, ``show``, ``view`` and so on). Chance is handed in and what it gave is
written into the events, so that replay draws nothing; ``SeededChance`` derives every draw from the game's seed.
``show`` is the only gate for secrets: what it does not name stays hidden. ``games/__init__.py`` is empty, so that
anyone can import engine and rules and simulate a million games.

Simulations go on with ``games.engine.play``, which gives the events of a move and the state after them; a game that
works the state out while it decides (``Rules.play``) saves folding them again. What the same arguments
always give is remembered (``functools.lru_cache``): the law of a set of options, a seat's question and the moves it
may be answered with, a pyramid's points; never by what is hidden. Frozen structs are declared ``gc=False``: they
cannot refer back to themselves, so Python's collector of cycles need not walk them. A game may keep the last list of
moves it made, since what is decided has mostly just been listed.

What can be checked:

``games/engine/chain.py`` chains the log, line by line with the moves that led to them; ``event_log.sealing`` does so as
lines are added, and keeps two heads on the game's row: the true one, and the one that may be published, which stops
before what not everybody knows to have happened. Players' own seeds stand in the log (``table.joined``) and in their
seats' rows. ``games/engine/record.py`` is the document that a finished game becomes, ``games/archive/records.py``
writes it and takes it in, ``games/archive/replay.py`` shows the game after each line. What all of it proves:
docs/fairness.md.
"""

from games.engine.answers.forms import AnswerForm, NumberSlot, Slot, allows
from games.engine.answers.plans import PlanForm, PlanRules
from games.engine.chance import Chance, ScriptedChance, SeededChance
from games.engine.errors import RuleViolation
from games.engine.phrases import MoveText, Notation, Phrase, SeatName, Told, gettext_noop
from games.engine.rules import AnyRules, Reader, Rules, Words, know, one_by_one, play, replay, show_all
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
    "Slot",
    "Told",
    "Viewer",
    "Words",
    "allows",
    "code",
    "evolve",
    "gettext_noop",
    "know",
    "one_by_one",
    "places_by",
    "play",
    "question_to",
    "replay",
    "show_all",
]

"""The list of expansions, and the law for a set of options."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from games.engine.types import Pace
from games.rules.coup import events as e
from games.rules.coup.classic import LAW
from games.rules.coup.expansions import anarchist, draft, inquisitor, reformation
from games.rules.coup.law import Expansion, Law
from games.rules.coup.options import Options

EXPANSIONS: Final[Mapping[str, Expansion]] = {
    "inquisitor": inquisitor.INQUISITION,
    "reformation": reformation.REFORMATION,
    "anarchist": anarchist.ANARCHY,
}
"""The expansions by the option that names them."""


@lru_cache(maxsize=256)
def law_of(options: Options, seats: int) -> Law:
    """Return the classic law with the changes of every chosen expansion."""
    law = LAW
    for option, expansion in EXPANSIONS.items():
        if getattr(options, option):
            law = law.amended(expansion)
    if seats == 2 and options.two_player_setup == "draft":
        law = law.amended(draft.DRAFT)
    return law


PACES: Final[Mapping[str, Pace]] = {
    kind: question.pace
    for questions in (LAW.questions, draft.DRAFT.questions, *(expansion.questions for expansion in EXPANSIONS.values()))
    for kind, question in questions.items()
}
"""The length of time that each kind of question gives for thought."""

AnyEvent = (
    e.SetUp | e.Dealt | e.TurnBegan | e.Declared | e.WindowOpened | e.Answered | e.WindowClosed | e.Challenged
    | e.ChallengeDropped | e.Proved | e.Replaced | e.Conceded | e.Refunded | e.Blocked | e.BlockLapsed | e.Stopped
    | e.LossAsked | e.Lost | e.WentOut | e.PurseEmptied | e.Gained | e.Stole | e.Drew | e.Kept | e.Resigned
    | e.AskedAnew | e.GameEnded
    | draft.DraftOpened | draft.Picked | draft.PutOut
    | reformation.PartyAsked | reformation.PartiesChosen | reformation.Converted | reformation.Embezzled
    | inquisitor.ShowAsked | inquisitor.Shown | inquisitor.HandedBack | inquisitor.Swapped
    | anarchist.BombHanded | anarchist.BombClaimed | anarchist.Exploded | anarchist.BombReturned
)  # fmt: skip
"""Every event of every game of Coup."""

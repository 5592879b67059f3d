"""Guesses about hidden cards whose likelihood an analysis gives: was a claim that could be challenged true?"""

from typing import Any

from games.engine import Phrase, Question, SeatName
from games.engine import gettext_noop as _
from games.engine.rules import Guess
from games.rules.coup.flow import WINDOWS
from games.rules.coup.state import Claim, State
from games.rules.coup.text.characters import CHARACTERS

HELD = _("The chance that %(player)s held the %(claim)s was %(percent)s%%.")
HELD_NONE = _("The chance that %(player)s held no %(claim)s was %(percent)s%%.")


def guesses(state: State, question: Question) -> tuple[Guess, ...]:
    """Return the statements about hidden cards that mattered for an answer. The state is that of the seat."""
    claim = state.claim
    if question.kind not in WINDOWS or claim is None or claim.seat == question.seat:
        return ()
    return (Guess(lambda percent: _sentence(claim, percent), lambda world: _is_true(claim, world)),)


def _sentence(claim: Claim, percent: int) -> Phrase:
    values: dict[str, Any] = {
        "player": SeatName(claim.seat), "claim": CHARACTERS[claim.character], "percent": percent,
    }  # fmt: skip
    return Phrase(HELD_NONE if claim.denies else HELD, values)


def _is_true(claim: Claim, world: State) -> bool:
    return (claim.character in world.hands[claim.seat - 1]) != claim.denies

"""The turning point of a game of Coup: the lost card after which the winner had more influence than all others."""

from collections.abc import Sequence
from typing import Final

from games.engine import gettext_noop as _
from games.engine.hindsight import turning_point_by
from games.rules.coup.game import outcome
from games.rules.coup.state import State

HELD: Final = 2
"""The number of cards at the start. Only lost cards are subtracted: an exchange or a proof changes nothing."""
_AHEAD: Final = _("From here on %(winner)s had more influence than anybody else.")
_LAST: Final = _("Nobody was ahead until the last card fell: then %(winner)s had won.")


def influence(state: State) -> list[int]:
    """Return how much influence each seat has."""
    return [HELD - len(lost) for lost in state.lost]


def why(left: Sequence[int]) -> str:
    """Return the sentence about the effect of the lost card."""
    return _LAST if sum(cards > 0 for cards in left) == 1 else _AHEAD


turning_point: Final = turning_point_by(outcome, influence, why)

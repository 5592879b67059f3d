"""The turning point of Skulls of Sedlec: the card after which the winner had the most points to the end."""

from typing import Final

from games.engine import gettext_noop as _
from games.engine.hindsight import turning_point_by
from games.rules.sedlec.decide import outcome
from games.rules.sedlec.scoring import score
from games.rules.sedlec.state import State

_AHEAD: Final = _("From here on %(winner)s had the most points.")


def points(state: State) -> list[int]:
    """Return the points of each seat. A seat that gave up, and cannot win, has -1."""
    forfeited = state.forfeited
    return [-1 if seat in forfeited else score(pyramid).total for seat, pyramid in enumerate(state.pyramids, start=1)]


turning_point: Final = turning_point_by(outcome, points, lambda standing: _AHEAD)

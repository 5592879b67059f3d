"""The turning point of Skulls of Sedlec: the card after which the winner had the most points to the end."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.engine import Phrase, SeatName, gettext_noop
from games.engine.hindsight import TurningPoint, lead_for_good
from games.rules.sedlec.events import GameEnded, SedlecEvent
from games.rules.sedlec.evolve import evolve
from games.rules.sedlec.scoring import score
from games.rules.sedlec.state import State

_AHEAD: Final = gettext_noop("From here on %(winner)s had the most points.")


def turning_point(events: Iterable[SedlecEvent]) -> TurningPoint | None:
    """Return it, from the open log of a game that is over; None where several won, or a tie decided."""
    known = list(events)
    ended = next((event for event in known if isinstance(event, GameEnded)), None)
    if ended is None or len(ended.winners) != 1:
        return None
    [winner] = ended.winners
    found = lead_for_good(_points(known), winner)
    return None if found is None else TurningPoint(found, Phrase(_AHEAD, {"winner": SeatName(winner)}))


def _points(events: Sequence[SedlecEvent]) -> Iterator[list[int]]:
    """Yield the points of each seat after each event; of one who gave up, who cannot win, less than none."""
    state: State | None = None
    for event in events:
        state = evolve(state, event)
        yield [
            -1 if seat in state.forfeited else score(pyramid).total
            for seat, pyramid in enumerate(state.pyramids, start=1)
        ]

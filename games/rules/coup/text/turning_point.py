"""The turning point of a game of Coup: the lost card after which the winner had more influence than anybody else."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.engine import Event, Phrase, SeatName, gettext_noop
from games.engine.hindsight import TurningPoint, lead_for_good
from games.rules.coup.events import GameEnded
from games.rules.coup.game import evolve
from games.rules.coup.state import State

HELD: Final = 2
"""The cards a player begins with: what is lost is what one has less. An exchange or a proof changes nothing."""
_AHEAD: Final = gettext_noop("From here on %(winner)s had more influence than anybody else.")
_LAST: Final = gettext_noop("Nobody was ahead until the last card fell: then %(winner)s had won.")


def turning_point(events: Iterable[Event]) -> TurningPoint | None:
    """Return it, from the open log of a game that is over; None of a game without an end."""
    known = list(events)
    ended = next((event for event in known if isinstance(event, GameEnded)), None)
    if ended is None:
        return None
    left = [*_influence(known)]
    found = lead_for_good(left, ended.winner)
    if found is None:
        return None
    is_last = sum(each > 0 for each in left[found]) == 1
    return TurningPoint(found, Phrase(_LAST if is_last else _AHEAD, {"winner": SeatName(ended.winner)}))


def _influence(events: Sequence[Event]) -> Iterator[list[int]]:
    """Yield how much influence each seat has after each event."""
    state: State | None = None
    for event in events:
        state = evolve(state, event)
        yield [HELD - len(lost) for lost in state.lost]

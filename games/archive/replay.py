"""Finished games line by line: as all viewers see them now, or as one player saw them at the time."""

from dataclasses import dataclass
from typing import Any

from games.engine import EVERYONE, SPECTATOR, Phrase, Viewer, gettext_noop
from games.event_log import log_store
from games.event_log.log_store import Position
from games.models import Game
from games.refusals import Refusal, not_found
from games.visibility.shown_events import ShownEvent, is_of_former_player, show_log, takeovers


@dataclass(frozen=True)
class Step:
    """The game after one line of its log, for one viewer."""

    number: int
    """The number of the line in the whole log, from 1."""
    last: int
    """The number of the last line."""
    line: ShownEvent | None
    """The line as this viewer was shown it, or None if they were not."""
    former: bool
    """True if the line is about a seat that has another player now."""
    state: Any
    """The state of the rules, or None before the deal. It must not be shown: ``view`` is for the viewer."""
    view: Any
    """The viewer's view at that time. None before the deal."""


def require_over(game: Game) -> None:
    """Raise Refusal(conflict) if a game is not over. The functions of this module show everything to all viewers of
    the game.
    """
    if game.state != Game.State.OVER:
        raise Refusal("conflict", Phrase(gettext_noop("This game is not over yet.")))


def step(game: Game, number: int, viewer: Viewer = EVERYONE) -> Step:
    """Return the game after line ``number``. Raises Refusal(not-found) for an unknown line or seat."""
    require_over(game)
    if not 1 <= number <= game.version or not (viewer in (EVERYONE, SPECTATOR) or 1 <= viewer <= game.seat_count):
        raise not_found()
    rules = log_store.rules_of(game)
    whole = log_store.read(game)
    lines = whole[:number]
    position = Position()
    for line in lines:
        position = log_store.fold(rules, position, line.event)
    visible = show_log(rules, lines, viewer)
    before = len(show_log(rules, lines[:-1], viewer))
    last = visible[-1] if len(visible) > before else None
    former = last is not None and is_of_former_player(last, takeovers(show_log(rules, whole, viewer)))
    view = None if position.state is None else rules.view(position.state, viewer)
    return Step(number, game.version, last, former, position.state, view)

"""A game that is over, line by line: as anyone sees it now, or as one player saw it at that moment."""

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
    """The line's place in the whole log, from 1."""
    last: int
    """The number of lines."""
    line: ShownEvent | None
    """The sentence that this viewer was told, or None if they were told nothing."""
    former: bool
    """True where the line tells of a seat whose player is another one now."""
    state: Any
    """The game's own state; None until the cards are dealt. Not for the viewer: their view is."""
    view: Any
    """The viewer's knowledge at that time; None until the cards are dealt."""


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

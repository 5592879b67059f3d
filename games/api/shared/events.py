"""Events of a game as JSON, as a viewer may know them."""

from typing import Any

import msgspec

from games.api.shared.schema import qualify
from games.event_log import log_store
from games.event_log.table_events import TableEvent
from games.phrases import render_phrase
from games.visibility import words
from games.visibility.access import GameAccess
from games.visibility.shown_events import ShownEvent, is_of_former_player, show_log, takeovers


def shown_lines(access: GameAccess, after: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return up to ``limit`` events after a number as the viewer may know them, and True if more follow."""
    game, viewer = access.game, access.viewer
    lines = show_log(log_store.rules_of(game), log_store.read_shown(game, viewer, after), viewer)
    further = [line for line in lines if line.number > after]
    seats = takeovers(further)
    events = [serialize_event(access, line, former=is_of_former_player(line, seats)) for line in further[:limit]]
    return events, len(further) > limit


def serialize_event(access: GameAccess, line: ShownEvent, *, former: bool = False) -> dict[str, Any]:
    """Return an event of the log as JSON. ``former`` is True if its seat has another player now."""
    rules = log_store.rules_of(access.game)
    if isinstance(line.event, TableEvent):
        phrase = words.event_sentence(line.event, access.seat, former=former)
        phrases = [] if phrase is None else [phrase]
    else:
        phrases = [phrase for _, phrase in rules.words.story([line.event], access.seat)]
    text = render_phrase(phrases[0], access.names) if phrases else None
    data = {**msgspec.to_builtins(line), "text": text}
    if not isinstance(line.event, TableEvent):
        data["event"] = qualify(rules.name, data["event"])
    return data

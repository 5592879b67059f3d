"""The events of a game as JSON, as one viewer may know them."""

from typing import Any

import msgspec

from games.api.shared.type_names import qualify
from games.event_log import log_store
from games.event_log.table_events import TableEvent
from games.models import Move
from games.text import table_story
from games.text.phrases import render_phrase
from games.visibility.access import GameAccess
from games.visibility.shown_events import ShownEvent, is_of_former_player, show_log, takeovers


def shown_lines(seen: GameAccess, after: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Up to ``limit`` lines of the log behind number ``after``, as this viewer may know it, and whether more follow."""
    game, viewer = seen.game, seen.viewer
    lines = show_log(log_store.rules_of(game), log_store.read_shown(game, viewer, after), viewer)
    further = [line for line in lines if line.number > after]
    taken_over = takeovers(further)
    told = [told_line(seen, line, former=is_of_former_player(line, taken_over)) for line in further[:limit]]
    return told, len(further) > limit


def lines_of(access: GameAccess, move: Move) -> list[dict[str, Any]]:
    """Return the events that an applied move led to, as its sender may know them."""
    rules = log_store.rules_of(access.game)
    lines = log_store.read(access.game, (move.first_event or 1) - 1)
    return [told_line(access, line) for line in show_log(rules, lines, access.viewer) if line.move == move.id]


def told_line(seen: GameAccess, line: ShownEvent, *, former: bool = False) -> dict[str, Any]:
    """One line of the log, ready to be sent. ``former``: the player of its seat is another one now."""
    rules = log_store.rules_of(seen.game)
    if isinstance(line.event, TableEvent):
        phrase = table_story.story(line.event, seen.seat, former=former)
        phrases = [] if phrase is None else [phrase]
    else:
        phrases = [phrase for _, phrase in rules.words.story([line.event], seen.seat)]
    text = render_phrase(phrases[0], seen.names) if phrases else None
    told = {**msgspec.to_builtins(line), "text": text}
    if not isinstance(line.event, TableEvent):
        told["event"] = qualify(rules.name, told["event"])
    return told

"""The story of a game: the events that a viewer has seen, as sentences, one line for each turn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from games.engine import AnyRules, Phrase, SeatNumber
from games.event_log.table_events import TableEvent
from games.text.phrases import isolated, render_phrase
from games.text.table_story import story_sentence
from games.visibility.shown_events import ShownEvent, is_of_former_player, takeovers

_TIMEOUT: Final = "timeout"


def story(
    rules: AnyRules,
    names: Mapping[SeatNumber, str],
    events: Sequence[ShownEvent],
    reader: SeatNumber | None,
    planned: Mapping[UUID, str] | None = None,
    answered_by: Mapping[UUID, str] | None = None,
    taken_over: Mapping[SeatNumber, int] | None = None,
) -> list[str]:
    """Return the story of these lines of the log, for the player on the seat ``reader`` or for a spectator (None).

    ``planned`` and ``answered_by`` annotate own moves: with the plan that made them, or the player who answered.
    """
    story_lines: list[str] = []
    line = -1
    last_source = None
    for index, phrase in _phrases(rules, events, reader, takeovers(events) if taken_over is None else taken_over):
        sentence = render_phrase(phrase, names)
        annotation, value = _annotation(events[index], planned or {}, answered_by or {})
        source = (events[index].via, events[index].at, value) if annotation else None
        if source not in (None, last_source):
            sentence = annotation % {"sentence": sentence, "plan": value, "player": value}
        last_source = source
        if story_lines and not _begins(events[line + 1 : index + 1]):
            story_lines[-1] = f"{story_lines[-1]} {sentence}"
        else:
            story_lines.append(sentence)
        line = index
    return story_lines


def _phrases(
    rules: AnyRules, events: Sequence[ShownEvent], reader: SeatNumber | None, taken_over: Mapping[SeatNumber, int]
) -> Iterator[tuple[int, Phrase]]:
    """Yield each sentence with the index of its first line. Sentences about table events come between those of the
    game.
    """
    game_lines = [index for index, line in enumerate(events) if not isinstance(line.event, TableEvent)]
    sentences = {
        game_lines[index]: phrase for index, phrase in rules.words.story([events[n].event for n in game_lines], reader)
    }
    for index, line in enumerate(events):
        if isinstance(line.event, TableEvent):
            phrase = story_sentence(line.event, reader, former=is_of_former_player(line, taken_over))
        else:
            phrase = sentences.get(index)
        if phrase is not None:
            yield index, phrase


def _begins(events: Sequence[ShownEvent]) -> bool:
    """Return whether one of these events begins a new line: a turn, the end of the game, or a table event."""
    return any(line.event.begins_line or isinstance(line.event, TableEvent) for line in events)


def _annotation(line: ShownEvent, planned: Mapping[UUID, str], answered_by: Mapping[UUID, str]) -> tuple[str, str]:
    """Return a sentence template for how a line came about, and its value, or empty strings."""
    if line.move is not None and line.move in planned:
        return _("%(sentence)s (Your plan: %(plan)s)"), planned[line.move]
    if line.move is not None and line.move in answered_by:
        return _("%(sentence)s (Answered by %(player)s.)"), isolated(answered_by[line.move])
    if line.via == _TIMEOUT and not isinstance(line.event, TableEvent):
        return _("%(sentence)s (The time was up.)"), ""
    return "", ""

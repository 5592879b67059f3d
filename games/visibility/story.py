"""The story of a game: what a viewer was shown, told to its reader, a line a turn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from games.engine import AnyRules, Phrase, SeatNumber
from games.event_log.table_events import TableEvent
from games.text.phrases import isolated, render_phrase
from games.text.table_story import news
from games.visibility.shown_events import Shown, is_of_former_player, takeovers

_TIMEOUT: Final = "timeout"


def story(
    rules: AnyRules,
    names: Mapping[SeatNumber, str],
    shown: Sequence[Shown],
    reader: SeatNumber | None,
    planned: Mapping[UUID, str] | None = None,
    answered_by: Mapping[UUID, str] | None = None,
    taken_over: Mapping[SeatNumber, int] | None = None,
) -> list[str]:
    """Return the story of these lines of the log for the player on the seat ``reader``, or for a spectator if it is
    None.
    """
    told: list[str] = []
    line = -1
    before = None
    for index, phrase in _phrases(rules, shown, reader, takeovers(shown) if taken_over is None else taken_over):
        sentence = render_phrase(phrase, names)
        annotation, said = _annotation(shown[index], planned or {}, answered_by or {})
        how = (shown[index].via, shown[index].at, said) if annotation else None
        if how not in (None, before):
            sentence = annotation % {"sentence": sentence, "plan": said, "player": said}
        before = how
        if told and not _begins(shown[line + 1 : index + 1]):
            told[-1] = f"{told[-1]} {sentence}"
        else:
            told.append(sentence)
        line = index
    return told


def _phrases(
    rules: AnyRules, shown: Sequence[Shown], reader: SeatNumber | None, taken_over: Mapping[SeatNumber, int]
) -> Iterator[tuple[int, Phrase]]:
    """Yield each sentence with the index of its first line. Sentences about events of the table come between."""
    of_game = [index for index, line in enumerate(shown) if not isinstance(line.event, TableEvent)]
    told = {of_game[index]: phrase for index, phrase in rules.words.story([shown[n].event for n in of_game], reader)}
    for index, line in enumerate(shown):
        if isinstance(line.event, TableEvent):
            phrase = news(line.event, reader, former=is_of_former_player(line, taken_over))
        else:
            phrase = told.get(index)
        if phrase is not None:
            yield index, phrase


def _begins(shown: Sequence[Shown]) -> bool:
    """Return whether a new line begins with one of these: a turn, the end of the game, or what befell the table."""
    return any(line.event.begins_line or isinstance(line.event, TableEvent) for line in shown)


def _annotation(line: Shown, planned: Mapping[UUID, str], answered_by: Mapping[UUID, str]) -> tuple[str, str]:
    """Return a remark on how a line came about, if there is one."""
    if line.move is not None and line.move in planned:
        return _("%(sentence)s (Your plan: %(plan)s)"), planned[line.move]
    if line.move is not None and line.move in answered_by:
        return _("%(sentence)s (Answered by %(player)s.)"), isolated(answered_by[line.move])
    if line.via == _TIMEOUT and not isinstance(line.event, TableEvent):
        return _("%(sentence)s (The time was up.)"), ""
    return "", ""

"""The log, the story and the claims as a viewer may see them.

The rules hide events or parts of them, and this module their envelopes. Other players do not learn when or how an
answer in an open reaction was sent. Once the reaction is closed, such an answer has the time of the closing. The
numbers of the lines have no gaps for the viewer.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final
from uuid import UUID

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import EVERYONE, SPECTATOR, AnyRules, Event, Phrase, SeatEvent, SeatNumber, Viewer, gettext_noop
from games.engine.hindsight import Claims
from games.event_log.log_store import Line
from games.event_log.table_events import PlayerTakeover, TableEvent
from games.models import Move
from games.phrases import isolated, number, player, render_phrase
from games.visibility.words import story_sentence


class ShownEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the log as one viewer may see it."""

    number: int
    """The number of the line for this viewer."""
    event: Event
    at: datetime | None
    """The time of the event, or None for another player's answer in a reaction that is still open."""
    via: str | None
    """The channel of the viewer's own move, or ``timeout`` for a default move. Null if it is hidden from the viewer."""
    seat: SeatNumber | None
    """The viewer's seat, if their own move led to the event. After the game, the seat whose move led to it."""
    move: UUID | None
    """The id of the viewer's own move that led to the event."""


def show_log(rules: AnyRules, lines: Iterable[Line], viewer: Viewer) -> list[ShownEvent]:
    """Return the log as ``viewer`` may see it. ``lines`` must begin where a decision begins, and go to the end of the
    log.
    """
    lines = list(lines)
    secret = {line.move for line in lines if line.event.in_open_window}
    return [
        _enveloped(line, event, viewer, closed, _public_channel(line, secret))
        for line, closed in _with_closing(lines)
        if (event := _event(rules, line.event, viewer)) is not None
    ]


def takeovers(lines: Iterable[ShownEvent]) -> dict[SeatNumber, int]:
    """Return the number of the line with the last takeover for each seat that other players have taken over."""
    return {line.event.seat: line.number for line in lines if isinstance(line.event, PlayerTakeover)}


def is_of_former_player(line: ShownEvent, taken_over: Mapping[SeatNumber, int]) -> bool:
    """Return whether a line is about the former player of a seat that was taken over (``takeovers``)."""
    return line.number < taken_over.get(getattr(line.event, "seat", SeatNumber(0)), 0)


def _event(rules: AnyRules, event: Event, viewer: Viewer) -> Event | None:
    if viewer == EVERYONE or isinstance(event, TableEvent):
        return event
    return rules.show(event, viewer)


def _with_closing(lines: list[Line]) -> Iterator[tuple[Line, datetime | None]]:
    """Yield each line with the time when its reaction was closed, or None for an open one."""
    closing: datetime | None = None
    backwards = []
    for line in reversed(lines):
        if line.event.closes_window:
            closing = line.at
        backwards.append((line, closing))
    return reversed(backwards)


def _public_channel(line: Line, secret: Container[UUID | None]) -> str | None:
    """Return the channel of a line if it is public. A timeout is public, but never for an answer in a reaction."""
    return line.via if line.via == Move.Via.TIMEOUT and line.move not in secret else None


def _enveloped(line: Line, event: Event, viewer: Viewer, closed: datetime | None, channel: str | None) -> ShownEvent:
    number = line.number_for(viewer)
    if viewer in (EVERYONE, line.seat):
        return ShownEvent(number=number, event=event, at=line.at, via=line.via, seat=line.seat, move=line.move)
    at = closed if line.event.in_open_window else line.at
    return ShownEvent(number=number, event=event, at=at, via=channel, seat=None, move=None)


_CLAIMED: Final = "%(claim)s"
_DENIED: Final = gettext_noop("no %(claim)s")


def claims_so_far(rules: AnyRules, names: Mapping[SeatNumber, str], lines: Sequence[Line]) -> tuple[str, ...]:
    """Return a line for each player who has claimed something, from public events."""
    events = [line.event for line in show_log(rules, lines, SPECTATOR) if not isinstance(line.event, TableEvent)]
    by_seat = groupby(rules.claims(events), key=lambda claims: claims.seat)
    return tuple(f"{player(seat, names)}: {_between().join(map(_describe, claims))}" for seat, claims in by_seat)


def name_claim(claims: Claims) -> str:
    """Return the claim in words: to hold a character, or not to hold it."""
    return render_phrase(claim_words(claims.claim, denies=claims.denies), {})


def claim_words(claim: str, *, denies: bool = False) -> Phrase:
    """Return the phrase for a claim in notation."""
    return Phrase(_DENIED if denies else _CLAIMED, {"claim": claim})


def _describe(claims: Claims) -> str:
    """Return a sentence about a player's claims of one character: their number, and the results of the challenges."""
    template = ngettext("%(claim)s once", "%(claim)s %(number)s times", claims.made)
    outcomes = []
    if claims.proved:
        outcome = ngettext("proved once", "proved %(number)s times", claims.proved)
        outcomes.append(outcome % {"number": number(claims.proved)})
    if claims.fallen:
        outcome = ngettext("caught once", "caught %(number)s times", claims.fallen)
        outcomes.append(outcome % {"number": number(claims.fallen)})
    sentence = template % {"claim": name_claim(claims), "number": number(claims.made)}
    return f"{sentence} ({_between().join(outcomes)})" if outcomes else sentence


def _between() -> str:
    return pgettext("between the items of a list", ", ")


class StorySentence(msgspec.Struct, frozen=True):
    """A sentence of the story as one reader may see it."""

    text: str
    number: int
    """The number of the line of the log for this reader."""
    seat: SeatNumber | None
    """The seat whose event this is, if the event has one."""
    cards: tuple[tuple[SeatNumber, str], ...] = ()
    """The cards that were turned up (``Event.shown_cards``), each with its seat."""


def line_texts(lines: Iterable[Iterable[StorySentence]]) -> list[str]:
    """Return each line of the story as one text."""
    return [" ".join(sentence.text for sentence in line) for line in lines]


def story_lines(
    rules: AnyRules,
    names: Mapping[SeatNumber, str],
    events: Sequence[ShownEvent],
    reader: SeatNumber | None,
    planned: Mapping[UUID, str] | None = None,
    answered_by: Mapping[UUID, str] | None = None,
    taken_over: Mapping[SeatNumber, int] | None = None,
) -> list[list[StorySentence]]:
    """Return the story of these lines of the log, for the player on the seat ``reader`` or for a spectator (None).

    ``planned`` and ``answered_by`` annotate own moves: with the plan that made them, or the player who answered.
    """
    lines: list[list[StorySentence]] = []
    last_index = -1
    last_source = None
    phrases = [*_phrases(rules, events, reader, takeovers(events) if taken_over is None else taken_over)]
    ends = [*(index for index, _phrase in phrases[1:]), len(events)]
    for (index, phrase), end in zip(phrases, ends, strict=False):
        text = render_phrase(phrase, names)
        annotation, value = _annotation(events[index], planned or {}, answered_by or {})
        source = (events[index].via, events[index].at, value) if annotation else None
        if source not in (None, last_source):
            text = annotation % {"sentence": text, "plan": value, "player": value}
        last_source = source
        if not lines or _begins(events[last_index + 1 : index + 1]):
            lines.append([])
        seat = getattr(events[index].event, "seat", None)
        cards = tuple(
            (line.event.seat, card)
            for line in events[index:end]
            if isinstance(line.event, SeatEvent)
            for card in line.event.shown_cards
        )
        lines[-1].append(StorySentence(text, events[index].number, seat, cards))
        last_index = index
    return lines


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
    if line.via == Move.Via.TIMEOUT and not isinstance(line.event, TableEvent):
        return _("%(sentence)s (Time was up.)"), ""
    return "", ""

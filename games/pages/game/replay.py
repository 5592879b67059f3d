"""Replaying a finished game step by step: with everything open, or as a player saw it then."""

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.archive import records
from games.archive.replay import require_over
from games.engine import EVERYONE, SPECTATOR, AnyRules, SeatNumber, Viewer
from games.engine.record import dump
from games.event_log import log_store
from games.event_log.lines import Line
from games.event_log.log_store import Position, UnknownRules
from games.event_log.table_events import TableEvent
from games.models import Game
from games.pages.shared.titles import GameOverview
from games.pages.shared.views import open_page, refusal_text
from games.refusals import Refusal
from games.text.phrases import player, render_phrase
from games.visibility import picture as drawing
from games.visibility.access import Sight
from games.visibility.shown_events import shown, takeovers
from games.visibility.story import story

LINES: Final = 8
"""The number of the last lines of the story beside the picture."""
_EVERYBODY: Final = ""
_SPECTATOR: Final = "spectator"


@dataclass(frozen=True)
class Reel:
    """The log of a game that is over, and at which of its lines one stops: those that there is something to tell of."""

    game: Game
    rules: AnyRules
    lines: list[Line]
    stops: list[int]

    @staticmethod
    def of(game: Game) -> "Reel":
        """The whole game."""
        rules, lines = log_store.rules_of(game), log_store.read(game)
        begun = _begun(rules, lines)
        stops = [line.number for line in lines if line.number > begun and _is_told(rules, line)]
        return Reel(game, rules, lines, [begun, *stops])

    def highlights(self) -> list[int]:
        """The stops, counted from 1, at which something happened that the game calls a highlight."""
        numbers = enumerate(self.stops, 1)
        return [stop for stop, line in numbers if isinstance(self.lines[line - 1].event, self.rules.highlights)]

    def before(self, stop: int) -> int:
        """Return the number of lines of the log before the new ones at a stop."""
        return self.stops[stop - 2] if stop > 1 else 0

    def at(self, stop: int) -> tuple[list[Line], Any]:
        """Return the log up to a stop, counted from 1, and the state of the game there. Raises Http404 for an
        unknown stop.
        """
        if not 1 <= stop <= len(self.stops):
            raise Http404
        lines = self.lines[: self.stops[stop - 1]]
        position = Position()
        for line in lines:
            position = log_store.fold(self.rules, position, line.event)
        return lines, position.state


def _begun(rules: AnyRules, lines: list[Line]) -> int:
    """Return the number of the line with the first question. The cards are dealt before it."""
    position = Position()
    for line in lines:
        position = log_store.fold(rules, position, line.event)
        if position.state is not None and rules.questions(position.state):
            return line.number
    return len(lines)


def _is_told(rules: AnyRules, line: Line) -> bool:
    return not isinstance(line.event, TableEvent) and any(rules.words.story([line.event], None))


@open_page
def replay(request: HttpRequest, at: Sight) -> HttpResponse:
    """Show a step of a game, with links to the others."""
    try:
        require_over(at.game)
        reel, names = Reel.of(at.game), at.names
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("pages:game", at.game.pk)
    except UnknownRules:
        return render(request, "games/unknown.html", {"place": "games", "overview": GameOverview(at.game)}, status=409)
    asked = request.GET.get("as", _EVERYBODY)
    viewer = _viewer(at.game, asked)
    stop = _stop(_asked_step(request, reel), len(reel.stops))
    lines, state = reel.at(stop)
    highlights = reel.highlights()
    known = shown(reel.rules, lines, viewer)
    new = known[len(shown(reel.rules, lines[: reel.before(stop)], viewer)) :]
    taken_over = takeovers(shown(reel.rules, reel.lines, viewer))
    view = _told_to(at.seat, reel.rules.view(state, viewer))
    eyes = [(_EVERYBODY, None), *((str(seat), player(seat, names)) for seat in sorted(names)), (_SPECTATOR, None)]
    context = {
        "place": "games",
        "game": at.game,
        "overview": GameOverview(at.game),
        "as": asked,
        "eyes": eyes,
        "step": stop,
        "steps": len(reel.stops),
        "highlights": bool(highlights),
        "jump_back": max((highlight for highlight in highlights if highlight < stop), default=None),
        "jump_on": min((highlight for highlight in highlights if highlight > stop), default=None),
        "at": lines[-1].at,
        "story": story(reel.rules, names, known, at.seat, taken_over=taken_over)[-LINES:],
        "told": bool(story(reel.rules, names, new, at.seat)),
        "lines": [render_phrase(phrase, names) for phrase in reel.rules.words.table(view)],
        "picture": drawing.inline(reel.rules, view, names, at.seat),
        "visitor": at.reader is None,
    }
    return render(request, "games/replay.html", context)


@open_page
def record(request: HttpRequest, at: Sight) -> HttpResponse:
    """Return the record of the game as a file, which anyone can verify."""
    try:
        written = dump(records.export_record(at.game))
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("pages:game", at.game.pk)
    except UnknownRules:
        raise Http404 from None
    headers = {
        "Content-Disposition": f'attachment; filename="darbar-{at.game.pk}.json"',
        "X-Robots-Tag": "noindex",
    }
    return HttpResponse(written, content_type="application/json", headers=headers)


def _asked_step(request: HttpRequest, reel: Reel) -> str:
    """Return the step that is asked for: by its number, or by a line of the log."""
    line = request.GET.get("line", "")
    if not (line.isascii() and line.isdigit() and len(line) < 7):
        return request.GET.get("step", "")
    return str(1 + sum(stop < int(line) for stop in reel.stops))


def _viewer(game: Game, asked: str) -> Viewer:
    """Return whose eyes are asked for. Http404 for a seat that there is not."""
    if asked == _EVERYBODY:
        return EVERYONE
    if asked == _SPECTATOR:
        return SPECTATOR
    if not (asked.isascii() and asked.isdigit() and len(asked) < 4 and 1 <= int(asked) <= game.seat_count):
        raise Http404
    return SeatNumber(int(asked))


def _told_to(reader: SeatNumber | None, view: Any) -> Any:
    """Return a view that calls only its reader "you", and not another player whose eyes it is seen with."""
    if getattr(view, "viewer", reader) in (reader, EVERYONE):
        return view
    return msgspec.structs.replace(view, viewer=SPECTATOR)


def _stop(asked: str, most: int) -> int:
    """Return which step is asked for; the nearest one there is."""
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
    return max(1, min(number, most))

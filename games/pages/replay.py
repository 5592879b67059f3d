"""Pages of finished games: the replay step by step, the record, and the analysis of a player's decisions.

The replay shows all cards, or the view of one player.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.archive import records
from games.archive.analyses import Decided, analysed_decisions, is_analysed, open_analysis, report
from games.archive.records import require_over
from games.engine import EVERYONE, SPECTATOR, AnyRules, SeatNumber, Viewer
from games.engine.record import dump
from games.event_log import log_store
from games.event_log.lines import Line
from games.event_log.log_store import Position, UnknownRules
from games.event_log.table_events import TableEvent
from games.models import Analysis, Game
from games.pages.cards import preview
from games.pages.game_views import open_page, visible_game
from games.pages.posted_forms import refusal_text
from games.pages.titles import GameOverview
from games.phrases import percent, player, render_phrase
from games.refusals import Refusal
from games.visibility import picture as drawing
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import ShownEvent, StorySentence, line_texts, show_log, story_lines, takeovers

_LEAST_STOPS: Final = 3
"""A replay with fewer stops has no graph."""
_ALL_OPEN: Final = ""
_SPECTATOR: Final = "spectator"


@dataclass
class Reel:
    """The log of a finished game, and the lines at which a replay stops."""

    game: Game
    rules: AnyRules
    lines: list[Line]
    stops: list[int]
    """The numbers of the lines that have a sentence in the story, after the deal."""

    @staticmethod
    def of(game: Game) -> "Reel":
        """Return the replay of a whole game."""
        rules, lines = log_store.rules_of(game), log_store.read(game)
        first = _first_question_line(rules, lines)
        stops = [line.number for line in lines if line.number > first and _has_sentence(rules, line)]
        return Reel(game, rules, lines, [first, *stops])

    def highlights(self) -> list[int]:
        """Return the stops, counted from 1, that the rules call highlights."""
        numbers = enumerate(self.stops, 1)
        return [stop for stop, line in numbers if isinstance(self.lines[line - 1].event, self.rules.highlights)]

    def before(self, stop: int) -> int:
        """Return the number of lines of the log before the new ones at a stop."""
        return self.stops[stop - 2] if stop > 1 else 0

    def at(self, stop: int) -> tuple[list[Line], Any]:
        """Return the log up to a stop, counted from 1, and the state of the game there. Raises Http404 for an unknown
        stop.
        """
        if not 1 <= stop <= len(self.stops):
            raise Http404
        return self.lines[: self.stops[stop - 1]], self.states[stop - 1]

    @cached_property
    def states(self) -> list[Any]:
        """Return the state of the game at each stop."""
        position, states = Position(), {}
        for line in self.lines:
            position = log_store.fold(self.rules, position, line.event)
            states[line.number] = position.state
        return [states[stop] for stop in self.stops]

    def stop_at(self, line: int) -> int:
        """Return the first stop, counted from 1, that shows this line of the log."""
        return min(1 + bisect_left(self.stops, line), len(self.stops))


def _first_question_line(rules: AnyRules, lines: list[Line]) -> int:
    """Return the number of the line with the first question. The cards are dealt before it."""
    position = Position()
    for line in lines:
        position = log_store.fold(rules, position, line.event)
        if position.state is not None and rules.questions(position.state):
            return line.number
    return len(lines)


def _has_sentence(rules: AnyRules, line: Line) -> bool:
    return not isinstance(line.event, TableEvent) and any(rules.words.story([line.event], None))


@dataclass(frozen=True)
class ListedMove:
    """A line of the story in the list of moves."""

    text: str
    stop: int
    """The stop at which the whole line is shown."""
    is_later: bool
    better: list[str]
    """The better moves that an analysis has found for decisions of this line."""


@open_page
def replay_page(request: HttpRequest, access: GameAccess) -> HttpResponse:
    """Show one step of a game, with links to the other steps."""
    try:
        require_over(access.game)
        reel, names = Reel.of(access.game), access.names
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("pages:game", access.game.pk)
    except UnknownRules:
        return render(
            request, "games/unknown.html", {"place": "games", "overview": GameOverview(access.game)}, status=409
        )
    viewer_name = request.GET.get("as", _ALL_OPEN)
    viewer = _viewer(access.game, viewer_name)
    stop = _stop(_step_parameter(request, reel), len(reel.stops))
    lines, state = reel.at(stop)
    highlights = reel.highlights()
    shown_lines = show_log(reel.rules, lines, viewer)
    new = shown_lines[len(show_log(reel.rules, lines[: reel.before(stop)], viewer)) :]
    taken_over = takeovers(show_log(reel.rules, reel.lines, viewer))
    moves = _listed_moves(reel, access, shown_lines, viewer, taken_over)
    view = _addressed_to(access.seat, reel.rules.view(state, viewer))
    viewers = [(_ALL_OPEN, None), *((str(seat), player(seat, names)) for seat in sorted(names)), (_SPECTATOR, None)]
    # A card shows the end of the game. A page with the view of one player must not.
    is_previewed = access.reader is None and viewer == EVERYONE
    context = {
        "place": "games",
        "game": access.game,
        "overview": GameOverview(access.game),
        "as": viewer_name,
        "eyes": viewers,
        "step": stop,
        "steps": len(reel.stops),
        "highlights": bool(highlights),
        "jump_back": max((highlight for highlight in highlights if highlight < stop), default=None),
        "jump_on": min((highlight for highlight in highlights if highlight > stop), default=None),
        "at": lines[-1].at,
        "moves": moves,
        "current": max((index for index, move in enumerate(moves, 1) if not move.is_later), default=0),
        "chances": _chances(reel, stop, names) if viewer == EVERYONE else None,
        "is_analysed": access.reader is not None and is_analysed(access.game),
        "told": bool(story_lines(reel.rules, names, new, access.seat)),
        "lines": [render_phrase(phrase, names) for phrase in reel.rules.words.table(view)],
        "picture": drawing.inline(reel.rules, view, names, access.seat),
        "picture_style": drawing.style_address(reel.rules),
        "moment_address": f"{settings.PUBLIC_URL}{request.path}?step={stop}&as={viewer_name}",
        "visitor": access.reader is None,
        "preview": preview(access, PlayerView(access.game, None, None, access.viewer)) if is_previewed else None,
    }
    return render(request, "games/replay.html", context)


@open_page
def record_file(request: HttpRequest, access: GameAccess) -> HttpResponse:
    """Return the record of the game as a file, which anyone can verify."""
    try:
        document = dump(records.export_record(access.game))
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("pages:game", access.game.pk)
    except UnknownRules:
        raise Http404 from None
    headers = {
        "Content-Disposition": f'attachment; filename="darbar-{access.game.pk}.json"',
        "X-Robots-Tag": "noindex",
    }
    return HttpResponse(document, content_type="application/json", headers=headers)


def _listed_moves(
    reel: Reel, access: GameAccess, shown_lines: list[ShownEvent], viewer: Viewer, taken_over: Mapping[SeatNumber, int]
) -> list[ListedMove]:
    """Return the story up to the present stop, and for a viewer of all cards also the lines that begin later."""
    log_numbers = {line.number_for(viewer): line.number for line in reel.lines}
    past = story_lines(reel.rules, access.names, shown_lines, access.seat, taken_over=taken_over)
    later, better = list[list[StorySentence]](), dict[int, list[str]]()
    if viewer == EVERYONE:
        whole_log = show_log(reel.rules, reel.lines, viewer)
        whole_story = story_lines(reel.rules, access.names, whole_log, access.seat, taken_over=taken_over)
        later = whole_story[len(past) :]
        better = _better_moves(reel, access)
    moves, first = [], 0
    for index, line in enumerate([*past, *later]):
        last = log_numbers[line[-1].number]
        better_moves = [text for number, texts in better.items() if first < number <= last for text in texts]
        moves.append(ListedMove(line_texts([line])[0], reel.stop_at(last), index >= len(past), better_moves))
        first = last
    return moves


def _better_moves(reel: Reel, access: GameAccess) -> dict[int, list[str]]:
    """Return the better moves that finished analyses have found, by the line of the log of each decision."""
    better = dict[int, list[str]]()
    if access.reader is None:
        return better
    for analysis in Analysis.objects.filter(game=reel.game, done_at__isnull=False).order_by("seat"):
        for decision in analysed_decisions(analysis):
            if decision.finding is not None and decision.finding.better is not None:
                values = {
                    "player": player(SeatNumber(analysis.seat), access.names),
                    "move": render_phrase(decision.finding.better.move, access.names),
                }
                better.setdefault(decision.line, []).append(_("Better for %(player)s: %(move)s") % values)
    return better


def _chances(reel: Reel, stop: int, names: Mapping[SeatNumber, str]) -> dict[str, Any] | None:
    """Return a graph of each seat's share of the game over all stops, and the shares at one of them."""
    share = reel.rules.search.share
    if share is None or len(reel.stops) < _LEAST_STOPS:
        return None
    shares = {seat: [share(state, seat) for state in reel.states] for seat in sorted(names)}
    lines = format_html_join(
        "",
        '<polyline class="seat-{}" points="{}"/>',
        (
            (seat, " ".join(f"{index},{100 - 100 * value:.1f}" for index, value in enumerate(values)))
            for seat, values in shares.items()
        ),
    )
    return {
        "lines": lines,
        "width": len(reel.stops) - 1,
        "now": stop - 1,
        "players": [(seat, player(seat, names), percent(values[stop - 1])) for seat, values in shares.items()],
    }


def _step_parameter(request: HttpRequest, reel: Reel) -> str:
    """Return the step of the query parameters: by its number, or by a line of the log."""
    line = request.GET.get("line", "")
    if not (line.isascii() and line.isdigit() and len(line) < 7):
        return request.GET.get("step", "")
    return str(reel.stop_at(int(line)))


def _viewer(game: Game, viewer_name: str) -> Viewer:
    """Return the viewer with this name. Raises Http404 if there is no such seat."""
    if viewer_name == _ALL_OPEN:
        return EVERYONE
    if viewer_name == _SPECTATOR:
        return SPECTATOR
    if not (
        viewer_name.isascii()
        and viewer_name.isdigit()
        and len(viewer_name) < 4
        and 1 <= int(viewer_name) <= game.seat_count
    ):
        raise Http404
    return SeatNumber(int(viewer_name))


def _addressed_to(reader: SeatNumber | None, view: Any) -> Any:
    """Return the view with the words "you" and "your" for its reader only, not for another player whose view it is."""
    if getattr(view, "viewer", reader) in (reader, EVERYONE):
        return view
    return msgspec.structs.replace(view, viewer=SPECTATOR)


def _stop(step_text: str, most: int) -> int:
    """Return the number of the step, or the nearest one that exists."""
    number = int(step_text) if step_text.isascii() and step_text.isdigit() and len(step_text) < 7 else 1
    return max(1, min(number, most))


_LOOK_AFTER: Final = 3
"""The page reloads after this number of seconds while the analysis is being made."""


@dataclass(frozen=True)
class Stretch:
    """Consecutive decisions that are shown in the same way: all with a better alternative, or all without one."""

    decided: list[Decided]
    is_plain: bool


@require_safe
@login_required
def analysis_page(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Show the decisions of one player: by default those of the reader."""
    access = visible_game(request, game)
    seat = _selected_seat(access, request.GET.get("seat", ""))
    try:
        analysis = open_analysis(access.game, seat, request.user, clock.now())
    except UnknownRules:
        raise Http404 from None
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
        return redirect("pages:game", access.game.pk)
    result = report(analysis, PlayerView(access.game, access.seat, access.account, EVERYONE))
    groups = [
        (plain, list(group)) for plain, group in groupby(result.decided, key=lambda decision: decision.better is None)
    ]
    context = {
        "place": "games",
        "game": access.game,
        "overview": GameOverview(access.game),
        "report": result,
        "stretches": [Stretch(decided, plain) for plain, decided in groups],
        "own": seat == access.seat,
        "name": player(seat, access.names),
        "players": [(number, player(number, access.names)) for number in sorted(access.names)],
        "bluffs": [(player(bluff.seat, access.names), bluff) for bluff in result.bluffs],
        "look_after": 0 if result.is_done else _LOOK_AFTER,
    }
    return render(request, "games/analysis.html", context)


def _selected_seat(access: GameAccess, parameter: str) -> SeatNumber:
    """Return the seat of the query parameter. The default is the reader's seat, or the first one."""
    if not parameter:
        return access.seat or SeatNumber(1)
    if not (parameter.isascii() and parameter.isdigit() and len(parameter) < 4):
        raise Http404
    return SeatNumber(int(parameter))

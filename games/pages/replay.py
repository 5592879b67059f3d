"""The page of a finished game: its board step by step, the graph of everyone's chances, and the analysis of decisions.

The page shows all cards, or the view of one player.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.archive import records
from games.archive.analyses import (
    GRADES,
    Bluffed,
    Decided,
    Report,
    bluffs,
    is_analysed,
    open_analysis,
    report,
    turning_points,
)
from games.archive.records import require_over
from games.engine import EVERYONE, SPECTATOR, SeatNumber, Viewer
from games.engine.record import dump
from games.event_log.log_store import UnknownRules, events_of
from games.models import Game
from games.pages.cards import Preview, card_address, draw_moment_card, preview
from games.pages.game_views import open_page, visible_game
from games.pages.posted_forms import new_key, refusal_text
from games.pages.reel import Chances, Mistake, Reel, mistakes_of, private_knowledge
from games.pages.titles import GameOverview
from games.phrases import percent, player, render_phrase
from games.refusals import Refusal
from games.tables.practice import end_of_decision
from games.visibility import picture as drawing
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import ShownEvent, StorySentence, line_texts, show_log, story_lines, takeovers

_ALL_OPEN: Final = ""
_SPECTATOR: Final = "spectator"
_LOOK_AFTER: Final = 4
"""The page loads again after this number of seconds while an analysis is being made."""


@dataclass(frozen=True)
class ListedMove:
    """A line of the story in the list of moves."""

    text: str
    stop: int
    """The stop at which the whole line is shown."""
    is_later: bool
    mistakes: list[Mistake]
    """The mistakes that an analysis has found in this line."""


@dataclass(frozen=True)
class StepButton:
    """A link from one step to another."""

    label: str
    icon: str
    """The path of the icon in SVG."""
    step: int | None
    """The number of the other step, or None if there is none."""
    relation: str = ""
    jump: str = ""


@dataclass(frozen=True)
class MomentDecision:
    """A decision that was made at the present step, with its analysis."""

    seat: SeatNumber
    name: str
    is_own: bool
    decided: Decided
    mistake: Mistake | None
    line_before: int
    """The number of the line of the log before the decision."""


@dataclass(frozen=True)
class PlayerSummary:
    """A row of the table of players."""

    name: str
    report: Report | None
    """The analysis of the player's decisions, if there is one."""
    mistakes: list[int]
    """The numbers of inaccuracies, mistakes and blunders."""
    bluffs: Bluffed | None

    @property
    def accuracy(self) -> str:
        """Return the accuracy of the player's decisions in percent. It is blank while they are analysed."""
        accuracy = None if self.report is None else self.report.accuracy
        return "" if accuracy is None else percent(accuracy / 100)


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
    reports = _reports(access) if viewer == EVERYONE else []
    mistakes = [mistake for one in reports for mistake in mistakes_of(one.seat, one.decided, names)]
    moves = _listed_moves(reel, access, shown_lines, viewer, taken_over, mistakes)
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
        "buttons": _step_buttons(stop, len(reel.stops), highlights),
        "at": lines[-1].at,
        "moves": moves,
        "current": max((index for index, move in enumerate(moves, 1) if not move.is_later), default=0),
        "told": bool(story_lines(reel.rules, names, new, access.seat)),
        "lines": [render_phrase(phrase, names) for phrase in reel.rules.words.table(view)],
        "picture": drawing.inline(reel.rules, view, names, access.seat),
        "picture_style": drawing.style_address(reel.rules),
        "moment_address": f"{settings.PUBLIC_URL}{request.path}?step={stop}&as={viewer_name}",
        "visitor": access.reader is None,
        "has_record": reel.has_record,
        "preview": _preview(request, access, reel, stop) if is_previewed else None,
    }
    if viewer == EVERYONE:
        context |= _everything(reel, access, stop, reports, mistakes)
    return render(request, "games/replay.html", context)


def _step_buttons(stop: int, last: int, highlights: Sequence[int]) -> list[StepButton]:
    """Return the links to other steps. A game without highlights has no jumps to them."""
    back = max((highlight for highlight in highlights if highlight < stop), default=None)
    on = min((highlight for highlight in highlights if highlight > stop), default=None)
    before, after = (stop - 1 or None), (stop + 1 if stop < last else None)
    first = pgettext("step of a replay", "First"), "M6 5v14M19 5 9 12l10 7z"
    previous = pgettext("step of a replay", "Previous"), "M16 5 6 12l10 7z"
    following = pgettext("step of a replay", "Next"), "M8 5l10 7-10 7z"
    final = pgettext("step of a replay", "Last"), "M18 5v14M5 5l10 7-10 7z"
    buttons = [
        StepButton(*first, before and 1),
        StepButton(_("Previous highlight"), "M12 5 3 12l9 7zM21 5l-9 7 9 7z", back, jump="prev"),
        StepButton(*previous, before, "prev"),
        StepButton(*following, after, "next"),
        StepButton(_("Next highlight"), "M12 5l9 7-9 7zM3 5l9 7-9 7z", on, jump="next"),
        StepButton(*final, after and last),
    ]
    return [button for button in buttons if highlights or not button.jump]


def _everything(
    reel: Reel, access: GameAccess, stop: int, reports: Sequence[Report], mistakes: Sequence[Mistake]
) -> dict[str, Any]:
    """Return the parts of the page for a viewer of all cards: chances, knowledge, the analysis, and turning points."""
    names, view = access.names, PlayerView(access.game, access.seat, access.reader, EVERYONE)
    is_computing = any(not one.is_done for one in reports)
    return {
        "chances": Chances.of(reel, stop, names, mistakes),
        "knowledge": private_knowledge(reel.rules, reel.states[stop - 1], names),
        "decisions": _decisions_at(reel, access, stop, reports, mistakes),
        "deciders": [] if access.reader is None else _deciders(reel, stop, names),
        "last_line": reel.stops[stop - 1],
        "key": new_key(),
        "offers_analysis": access.reader is not None and not reports and is_analysed(access.game),
        "is_analysed": bool(reports),
        "analysed_count": sum(len(one.decided) for one in reports),
        "decision_count": sum(one.decisions for one in reports),
        "look_after": _LOOK_AFTER if is_computing else 0,
        "summary": _summary(reports, names, bluffs(view.statistics.claims)),
        "turning_points": [(point, reel.stop_at(point.line)) for point in turning_points(view, access.seat)],
        "moment_card": _moment_card(reel, stop),
    }


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
    reel: Reel,
    access: GameAccess,
    shown_lines: list[ShownEvent],
    viewer: Viewer,
    taken_over: Mapping[SeatNumber, int],
    mistakes: Sequence[Mistake],
) -> list[ListedMove]:
    """Return the story up to the present stop, and for a viewer of all cards also the lines that begin later."""
    log_numbers = {line.number_for(viewer): line.number for line in reel.lines}
    past = story_lines(reel.rules, access.names, shown_lines, access.seat, taken_over=taken_over)
    later = list[list[StorySentence]]()
    if viewer == EVERYONE:
        whole_log = show_log(reel.rules, reel.lines, viewer)
        whole_story = story_lines(reel.rules, access.names, whole_log, access.seat, taken_over=taken_over)
        later = whole_story[len(past) :]
    moves, first = [], 0
    for index, line in enumerate([*past, *later]):
        last = log_numbers[line[-1].number]
        in_line = [mistake for mistake in mistakes if first < mistake.line <= last]
        moves.append(ListedMove(line_texts([line])[0], reel.stop_at(last), index >= len(past), in_line))
        first = last
    return moves


def _moment_card(reel: Reel, stop: int) -> str:
    """Return the path of the picture of a moment. It is blank for a private game, whose cards have no addresses."""
    if reel.game.private:
        return ""
    return card_address("moment", draw_moment_card(reel, stop), reel.game.pk, stop)


def _preview(request: HttpRequest, access: GameAccess, reel: Reel, stop: int) -> Preview | None:
    """Return the preview of the page: the card of the game, or of the moment that its address names."""
    whole_game = preview(access, PlayerView(access.game, None, None, access.viewer))
    if whole_game is None or not {"step", "line"} & request.GET.keys():
        return whole_game
    return replace(whole_game, card=_moment_card(reel, stop))


def _reports(access: GameAccess) -> list[Report]:
    """Return the analyses of this game for a signed-in reader, in seat order."""
    if access.reader is None:
        return []
    return [report(analysis, access.names) for analysis in access.game.analyses.order_by("seat")]


def _decisions_at(
    reel: Reel, access: GameAccess, stop: int, reports: Sequence[Report], mistakes: Sequence[Mistake]
) -> list[MomentDecision]:
    """Return the analysed decisions whose lines are new at a stop."""
    mistake_at = {mistake.line: mistake for mistake in mistakes}
    return [
        MomentDecision(
            one.seat,
            player(one.seat, access.names),
            one.seat == access.seat,
            decision,
            mistake_at.get(decision.line),
            decision.line - 1,
        )
        for one in reports
        for decision in one.decided
        if reel.before(stop) < decision.line <= reel.stops[stop - 1]
    ]


def _deciders(reel: Reel, stop: int, names: Mapping[SeatNumber, str]) -> list[tuple[SeatNumber, str]]:
    """Return the players who had a question after a stop, if no later stop belongs to the same decision."""
    end = end_of_decision(reel.lines, reel.stops[stop - 1])
    if stop < len(reel.stops) and end >= reel.stops[stop]:
        return []
    state = reel.states[stop - 1]
    for event in events_of(reel.lines[reel.stops[stop - 1] : end]):
        state = reel.rules.evolve(state, event)
    return [(seat, player(seat, names)) for seat in sorted({question.seat for question in reel.rules.questions(state)})]


def _summary(
    reports: Sequence[Report], names: Mapping[SeatNumber, str], bluffed: Sequence[Bluffed]
) -> list[PlayerSummary]:
    """Return a row for each player who is analysed or has claimed something."""
    report_of, bluffs_of = {one.seat: one for one in reports}, {one.seat: one for one in bluffed}
    return [
        PlayerSummary(
            player(seat, names),
            report_of.get(seat),
            [report_of[seat].count(grade) for grade in reversed(GRADES)] if seat in report_of else [],
            bluffs_of.get(seat),
        )
        for seat in sorted(report_of.keys() | bluffs_of.keys())
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def analysis_page(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Start the analysis of a finished game, and lead to its replay, which shows it."""
    access = visible_game(request, game)
    address = reverse("pages:replay", args=[access.game.pk])
    step = request.POST.get("step", "")
    if request.method == "POST":
        try:
            for seat in _seats_to_analyse(access):
                open_analysis(access.game, seat, request.user, clock.now())
        except UnknownRules:
            raise Http404 from None
        except Refusal as refusal:
            messages.error(request, refusal_text(refusal))
    return redirect(f"{address}?step={step}" if step.isascii() and step.isdigit() and len(step) < 7 else address)


def _seats_to_analyse(access: GameAccess) -> list[SeatNumber]:
    """Return the seats of people, the reader's own first. A game of bots alone is analysed for all seats."""
    rows = [*access.game.seats.all()]
    people = [SeatNumber(row.number) for row in rows if not row.bot] or [SeatNumber(row.number) for row in rows]
    return sorted(people, key=lambda seat: (seat != access.seat, seat))


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

"""The moves of a player on a game's page: an answer to a question, and resigning."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.engine.record import RESIGNATION
from games.models import Game, Move
from games.pages.shared import page_words
from games.pages.shared.views import (
    PAGE,
    confirmation,
    game_action,
    posted_notation,
    posted_text,
    resolve_now,
    submit_with_plan,
)
from games.play.submit import LONGEST, Written, submit
from games.visibility.access import Sight
from games.visibility.player_view import PlayerView


@game_action
def answer(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Answer a question by number or in notation. The result is shown on the page of the game."""
    now = database_clock.now()
    text = posted_text(request, "answer", LONGEST + 1) or posted_notation(request, LONGEST + 1)
    written = Written(posted_text(request, "question", 20), text)
    move = submit_with_plan(at.game, at.account, written, posted_text(request, "then", LONGEST + 1), now)
    resolve_now(at.game, now)
    move.refresh_from_db()
    _tell(request, at, move)
    return redirect("pages:game", at.game.pk)


def _tell(request: AccountHttpRequest, at: Sight, move: Move) -> None:
    """Say what became of an answer; one that can be given again is told of beside its question."""
    if move.state == Move.State.APPLIED:
        messages.success(request, _("Move played."))
    elif move.code == "question-closed":
        player_view = PlayerView(at.game, at.plays, at.account, at.viewer)
        assert at.plays is not None
        before = Move.objects.filter(
            game=at.game, seat=at.plays, question=move.question, state=Move.State.APPLIED
        ).first()
        messages.info(request, page_words.closed_question(player_view, before))
    elif move.state == Move.State.RECEIVED:
        messages.info(request, page_words.waiting_move(Game.objects.get(pk=at.game.pk)))
    elif move.state == Move.State.FAILED:
        messages.error(
            request, _("Something went wrong on the server: this move was not played. The operator knows of it.")
        )


@game_action
def _resign(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    now = database_clock.now()
    move = submit(at.game, at.account, Written("", RESIGNATION), PAGE, now)
    resolve_now(at.game, now)
    move.refresh_from_db()
    player_view = PlayerView(at.game, at.seat, at.account, at.viewer)
    if move.state == Move.State.APPLIED:
        messages.success(request, _("You have resigned."))
    else:
        messages.info(request, page_words.move_result(player_view, move))
    return redirect("pages:game", at.game.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Give up the game, for good: asked first, then done."""
    if request.method == "POST":
        return _resign(request, game)
    return confirmation(
        request,
        game,
        title=pgettext("title of a page or section", "Resign?"),
        sentence=_("You cannot undo this. You lose everything you hold, and the others play on without you."),
        button=pgettext("button", "Resign"),
    )

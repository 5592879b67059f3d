"""Forms for moves: answering a question, and resigning."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from accounts.web.requests import AccountHttpRequest
from config.core import clock
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
from games.play.submit import MAX_TEXT_LENGTH, WrittenMove, store_move
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView


@game_action
def answer_question(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Answer a question by number or in notation. The result is shown on the page of the game."""
    now = clock.now()
    text = posted_text(request, "answer", MAX_TEXT_LENGTH + 1) or posted_notation(request, MAX_TEXT_LENGTH + 1)
    submission = WrittenMove(posted_text(request, "question", 20), text)
    move = submit_with_plan(
        access.game, access.account, submission, posted_text(request, "then", MAX_TEXT_LENGTH + 1), now
    )
    resolve_now(access.game, now)
    move.refresh_from_db()
    _add_message(request, access, move)
    return redirect("pages:game", access.game.pk)


def _add_message(request: AccountHttpRequest, access: GameAccess, move: Move) -> None:
    """Add a message about the result of an answer. If it can be sent again, the page shows its result beside the
    question.
    """
    if move.state == Move.State.APPLIED:
        messages.success(request, _("Move played."))
    elif move.code == "question-closed":
        player_view = PlayerView(access.game, access.plays, access.account, access.viewer)
        assert access.plays is not None
        played = Move.objects.filter(
            game=access.game, seat=access.plays, question=move.question, state=Move.State.APPLIED
        ).first()
        messages.info(request, page_words.closed_question(player_view, played))
    elif move.state == Move.State.RECEIVED:
        messages.info(request, page_words.waiting_move(Game.objects.get(pk=access.game.pk)))
    elif move.state == Move.State.FAILED:
        messages.error(
            request, _("Something went wrong on the server: this move was not played. The operator knows of it.")
        )


@game_action
def _resign(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    now = clock.now()
    move = store_move(access.game, access.account, WrittenMove("", RESIGNATION), PAGE, now)
    resolve_now(access.game, now)
    move.refresh_from_db()
    player_view = PlayerView(access.game, access.seat, access.account, access.viewer)
    if move.state == Move.State.APPLIED:
        messages.success(request, _("You have resigned."))
    else:
        messages.info(request, page_words.move_result(player_view, move))
    return redirect("pages:game", access.game.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Resign from the game, after a confirmation."""
    if request.method == "POST":
        return _resign(request, game)
    return confirmation(
        request,
        game,
        title=pgettext("title of a page or section", "Resign?"),
        sentence=_("You cannot undo this. You lose everything you hold, and the others play on without you."),
        button=pgettext("button", "Resign"),
    )

"""The buttons of a game's page; each goes through the door that everybody uses."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import Language
from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.engine.record import RESIGNATION
from games.lobby import invitations
from games.lobby.join import join_game
from games.lobby.leave import leave_game
from games.lobby.rematch import create_rematch
from games.lobby.start import start_game
from games.lobby.starting import reveal_seed
from games.models import Game, Move
from games.pages.shared import page_words
from games.pages.shared.titles import GameOverview
from games.pages.shared.views import (
    PAGE,
    game_action,
    posted_notation,
    posted_seeding,
    posted_text,
    resolve_now,
    visible_game,
)
from games.play.submit import LONGEST, Written, submit
from games.visibility.access import Sight
from games.visibility.player_view import PlayerView


@game_action
def answer(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Answer a question, by the number of an answer or in notation. What became of it is said on the table's page."""
    now = database_clock.now()
    text = posted_text(request, "answer", LONGEST + 1) or posted_notation(request, LONGEST + 1)
    move = submit(at.game, at.account, Written(posted_text(request, "question", 20), text), PAGE, now)
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
        messages.error(request, _("This move could not be processed; the fault is ours, and the operator knows of it."))


@game_action
def join(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Take the next free seat of a public table."""
    now = database_clock.now()
    join_game(at.game.pk, at.account, "", PAGE, now, posted_seeding(request))
    resolve_now(at.game, now)
    return redirect("pages:game", at.game.pk)


@game_action
def reveal(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Reveal the seed that this browser committed to."""
    now = database_clock.now()
    seed, following = posted_text(request, "seed", 64), posted_text(request, "next_seed_commitment", 64)
    reveal_seed(at.game.pk, at.account, seed, PAGE, now, following)
    resolve_now(at.game, now)
    return redirect("pages:game", at.game.pk)


@game_action
def start(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Begin with those who sit here and the bots."""
    now = database_clock.now()
    start_game(at.game.pk, at.account, now)
    resolve_now(at.game, now)
    return redirect("pages:game", at.game.pk)


@game_action
def rematch(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Seat the same people once more; asked for again, it leads to the same game."""
    now = database_clock.now()
    again = create_rematch(at.game.pk, at.account, {}, PAGE, now)
    resolve_now(again, now)
    return redirect("pages:game", again.pk)


@game_action
def invite(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Invite an address."""
    address, language = posted_text(request, "address", 320), posted_text(request, "language", 10)
    try:
        validate_email(address)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        spoken = language if language in Language.values else get_language()
        seat, note = posted_text(request, "seat", 3), posted_text(request, "note", 2 * invitations.LONGEST_NOTE)
        number = int(seat) if seat.isascii() and seat.isdigit() else None
        invitations.invite(at.game.pk, at.account, address, spoken, database_clock.now(), number, note)
        messages.success(request, _("The invitation is on its way to %(address)s.") % {"address": address})
    return redirect("pages:game", at.game.pk)


@game_action
def withdraw_invitation(request: AccountHttpRequest, at: Sight, invitation: UUID) -> HttpResponse:
    """Take an invitation back."""
    invitations.withdraw(at.game.pk, at.account, invitation, database_clock.now())
    messages.success(request, _("Invitation withdrawn."))
    return redirect("pages:game", at.game.pk)


@game_action
def _leave(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    leave_game(at.game.pk, at.account, PAGE, database_clock.now())
    messages.success(request, _("You have left the table."))
    return redirect("pages:games")


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
def leave(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Get up before the game begins: asked first, then done."""
    if request.method == "POST":
        return _leave(request, game)
    return _sure(
        request,
        game,
        title=_("Leave the table?"),
        sentence=_(
            "Your seat becomes free for somebody else. A game is cancelled when the last player leaves its table."
        ),
        button=_("Leave the table"),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Give up the game, for good: asked first, then done."""
    if request.method == "POST":
        return _resign(request, game)
    return _sure(
        request,
        game,
        title=pgettext("title of a page or section", "Resign?"),
        sentence=_("You cannot undo this. You lose everything you hold, and the others play on without you."),
        button=pgettext("button", "Resign"),
    )


@login_required
def _sure(request: AccountHttpRequest, game: UUID, **said: str) -> HttpResponse:
    """The page that asks before it is done."""
    at = visible_game(request, game)
    return render(request, "games/sure.html", {"place": "games", "overview": GameOverview(at.game), **said})

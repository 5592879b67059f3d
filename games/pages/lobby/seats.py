"""The seats of a game on its page: joining, inviting, starting, leaving, and the rematch."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import Language
from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.lobby import invitations
from games.lobby.join import join_game
from games.lobby.leave import leave_game
from games.lobby.rematch import create_rematch
from games.lobby.start import start_game
from games.lobby.starting import reveal_seed
from games.pages.shared.views import PAGE, confirmation, game_action, posted_seeding, posted_text, resolve_now
from games.visibility.access import Sight


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
    head = posted_text(request, "head", 64)
    reveal_seed(at.game.pk, at.account, seed, head, PAGE, now, next_commitment=following)
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
    """Create a rematch with the same players, or redirect to the existing one."""
    now = database_clock.now()
    again = create_rematch(at.game.pk, at.account, {}, PAGE, now)
    resolve_now(again, now)
    return redirect("pages:game", again.pk)


@game_action
def invite(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Invite an address."""
    address, language = posted_text(request, "address", 320), posted_text(request, "language", 10)
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


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Get up before the game begins: asked first, then done."""
    if request.method == "POST":
        return _leave(request, game)
    return confirmation(
        request,
        game,
        title=_("Leave the table?"),
        sentence=_(
            "Your seat becomes free for somebody else. A game is cancelled when the last player leaves its table."
        ),
        button=_("Leave the table"),
    )

"""Forms for the seats of a game: joining, inviting, starting, leaving, and the rematch."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import Language
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.lobby import invitations
from games.lobby.join import join_game
from games.lobby.leave import leave_game
from games.lobby.rematch import create_rematch
from games.lobby.start import start_game
from games.lobby.starting import reveal_seed
from games.pages.shared.views import PAGE, confirmation, game_action, posted_seeding, posted_text, resolve_now
from games.visibility.access import GameAccess


@game_action
def join_table(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Take the next free seat of a public game."""
    now = clock.now()
    join_game(access.game.pk, access.account, "", PAGE, now, posted_seeding(request))
    resolve_now(access.game, now)
    return redirect("pages:game", access.game.pk)


@game_action
def reveal_promised_seed(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Reveal the seed that this browser committed to."""
    now = clock.now()
    seed, next_commitment = posted_text(request, "seed", 64), posted_text(request, "next_seed_commitment", 64)
    head = posted_text(request, "head", 64)
    reveal_seed(access.game.pk, access.account, seed, head, PAGE, now, next_commitment=next_commitment)
    resolve_now(access.game, now)
    return redirect("pages:game", access.game.pk)


@game_action
def start_early(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Start the game with its present players and bots."""
    now = clock.now()
    start_game(access.game.pk, access.account, now)
    resolve_now(access.game, now)
    return redirect("pages:game", access.game.pk)


@game_action
def rematch(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Create a rematch with the same players, or redirect to the existing one."""
    now = clock.now()
    new_game = create_rematch(access.game.pk, access.account, {}, PAGE, now)
    resolve_now(new_game, now)
    return redirect("pages:game", new_game.pk)


@game_action
def invite_address(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Send an invitation to an email address."""
    address, language = posted_text(request, "address", 320), posted_text(request, "language", 10)
    chosen_language = language if language in Language.values else get_language()
    seat, note = posted_text(request, "seat", 3), posted_text(request, "note", 2 * invitations.LONGEST_NOTE)
    number = int(seat) if seat.isascii() and seat.isdigit() else None
    invitations.invite(access.game.pk, access.account, address, chosen_language, clock.now(), number, note)
    messages.success(request, _("The invitation is on its way to %(address)s.") % {"address": address})
    return redirect("pages:game", access.game.pk)


@game_action
def withdraw_invitation(request: AccountHttpRequest, access: GameAccess, invitation: UUID) -> HttpResponse:
    """Withdraw an invitation."""
    invitations.withdraw(access.game.pk, access.account, invitation, clock.now())
    messages.success(request, _("Invitation withdrawn."))
    return redirect("pages:game", access.game.pk)


@game_action
def _leave_table(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    leave_game(access.game.pk, access.account, PAGE, clock.now())
    messages.success(request, _("You have left the table."))
    return redirect("pages:games")


@require_http_methods(["GET", "HEAD", "POST"])
def leave_table(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Leave the game before it starts, after a confirmation."""
    if request.method == "POST":
        return _leave_table(request, game)
    return confirmation(
        request,
        game,
        title=_("Leave the table?"),
        sentence=_(
            "Your seat becomes free for somebody else. A game is cancelled when the last player leaves its table."
        ),
        button=_("Leave the table"),
    )

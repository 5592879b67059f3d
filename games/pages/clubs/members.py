"""Forms of club members: roles, leaving, notifications and handles."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.clubs import members
from games.clubs.rights import Right, Role, require
from games.lobby.vacate import remove_from_club
from games.models import ClubChannel, Membership
from games.pages.clubs.club_action import club_action, club_page
from games.pages.game.table_channel import give_posted_handle
from games.pages.shared.views import posted_text
from games.text.phrases import isolated

_PAGE = "pages:club"


@club_action(_PAGE)
def change_member(request: AccountHttpRequest, membership: Membership, member: UUID) -> HttpResponse:
    """Change the role of a member, or remove them. ``hand-over`` asks for confirmation before it changes the owner."""
    action = posted_text(request, "do", 10)
    if action == "hand-over":
        return _ask_to_hand_over(request, membership, member)
    if action in Role.values:
        members.appoint(membership, member, action, clock.now())
    elif action == "remove" and member != membership.pk:
        remove_from_club(membership, member, clock.now())
        messages.success(request, _("They are removed. The club has a new link. The old one no longer works."))
        return redirect(_PAGE, membership.club_id)
    else:
        raise Http404
    messages.success(request, pgettext("message", "Saved."))
    return redirect(_PAGE, membership.club_id)


def _ask_to_hand_over(request: AccountHttpRequest, membership: Membership, member: UUID) -> HttpResponse:
    require(membership, Right.APPOINT)
    heir = isolated(members.get_member(membership, member).account.name)
    texts = {
        "title": _("Hand over the club?"),
        "sentence": _("%(name)s becomes its owner, and you an organizer. Only they can give it back.") % {"name": heir},
        "button": _("Hand over club"),
        "do": Role.OWNER.value,
    }
    return render(request, "games/clubs/sure.html", {"place": "games", "club": membership.club, **texts})


@club_action(_PAGE)
def choose_notifications(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Choose whether the club sends notifications about new games."""
    members.set_notifications(membership, hears=posted_text(request, "hears", 3) == "yes")
    messages.success(request, pgettext("message", "Saved."))
    return redirect(_PAGE, membership.club_id)


@club_action(_PAGE)
def set_club_handle(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Set the handle by which reminders in the club's chat mention the reader."""
    channel = ClubChannel.objects.filter(club=membership.club_id).first()
    if channel is None:
        raise Http404
    give_posted_handle(request, channel, membership.account)
    return redirect(_PAGE, membership.club_id)


@require_http_methods(["GET", "HEAD", "POST"])
def leave_club(request: AccountHttpRequest, club: UUID) -> HttpResponse:
    """Leave the club, after a confirmation."""
    return _leave_club(request, club=club) if request.method == "POST" else _ask_to_leave(request, club=club)


@club_page
def _ask_to_leave(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    texts = {
        "title": _("Leave the club?"),
        "sentence": _("You no longer see its games, except those that you play in."),
        "button": _("Leave the club"),
    }
    return render(request, "games/clubs/sure.html", {"place": "games", "club": membership.club, **texts})


@club_action(_PAGE)
def _leave_club(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    members.remove_member(membership, membership.pk)
    messages.success(request, _("You have left the club."))
    return redirect("pages:clubs")

"""The page for organizing a club: name, link, chat, and closing it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.clubs import club_channel, founding, joining
from games.clubs.rights import Right, may, require
from games.models import ClubChannel, Membership
from games.pages.clubs.club_action import club_action, club_page
from games.pages.clubs.club_form import ClubForm, link_of
from games.pages.game.table_channel import app_names, connect_posted_chat
from games.refusals import Refusal

_PAGE = "pages:edit-club"


@require_http_methods(["GET", "HEAD", "POST"])
def edit_club(request: AccountHttpRequest, club: UUID) -> HttpResponse:
    """Show or change the settings of a club."""
    return _change_settings(request, club=club) if request.method == "POST" else _show_settings(request, club=club)


@club_page
def _show_settings(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    return _render_settings(
        request, membership, ClubForm(initial={"name": membership.club.name, "about": membership.club.about})
    )


@club_action("pages:club")
def _change_settings(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    require(membership, Right.EDIT)
    form = ClubForm(request.POST)
    if form.is_valid():
        try:
            founding.change_club(membership, **form.cleaned_data)
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, pgettext("message", "Saved."))
            return redirect(_PAGE, membership.club_id)
    return _render_settings(request, membership, form)


def _render_settings(request: AccountHttpRequest, membership: Membership, form: ClubForm) -> HttpResponse:
    """Render the page. Members who may not organize the club are redirected to the page that they may see."""
    if not may(membership, Right.EDIT):
        return redirect("pages:club", membership.club_id)
    channel = ClubChannel.objects.filter(club=membership.club_id).first()
    names = app_names()
    context = {
        "place": "games",
        "mine": membership,
        "club": membership.club,
        "form": form,
        "link": link_of(membership.club),
        "channel": names.get(channel.app, channel.app) if channel else "",
        "apps": names,
        "may_close": may(membership, Right.CLOSE),
    }
    return render(request, "games/clubs/edit.html", context, status=422 if form.errors else 200)


@club_action("pages:club")
def renew_link(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Give the club a new link."""
    joining.renew_link(membership)
    messages.success(request, _("The club has a new link. The old one no longer works."))
    return redirect(_PAGE, membership.club_id)


@club_action(_PAGE)
def connect_club_chat(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Connect a chat to the club."""
    require(membership, Right.CONNECT)
    now = clock.now()
    connect_posted_chat(
        request, lambda app, address, secret: club_channel.connect(membership, app, address, secret, now)
    )
    return redirect(_PAGE, membership.club_id)


@club_action(_PAGE)
def disconnect_club_chat(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Disconnect the chat from the club."""
    club_channel.disconnect(membership)
    messages.success(request, _("The chat is disconnected."))
    return redirect(_PAGE, membership.club_id)


@require_http_methods(["GET", "HEAD", "POST"])
def close_club(request: AccountHttpRequest, club: UUID) -> HttpResponse:
    """Close the club, after a confirmation."""
    return _close_club(request, club=club) if request.method == "POST" else _ask_to_close(request, club=club)


@club_page
def _ask_to_close(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    if not may(membership, Right.CLOSE):
        return redirect("pages:club", membership.club_id)
    texts = {
        "title": _("Close the club?"),
        "sentence": _(
            "Its leaderboard is deleted, and its members no longer see its games. Players finish their games."
        ),
        "button": _("Close the club"),
    }
    return render(request, "games/clubs/sure.html", {"place": "games", "club": membership.club, **texts})


@club_action("pages:club")
def _close_club(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    founding.close_club(membership)
    messages.success(request, _("The club is closed."))
    return redirect("pages:clubs")

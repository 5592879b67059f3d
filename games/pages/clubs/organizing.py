"""The page on which organizers and the owner run a club: its name, its link, its chat, and closing it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.clubs import club_channel, founding, joining
from games.clubs.rights import Right, may, require
from games.models import ClubChannel, Membership
from games.pages.clubs.club_action import club_action, club_page
from games.pages.clubs.club_form import ClubForm, link_of
from games.pages.game.table_channel import app_names, connect_posted_chat
from games.refusals import Refusal

_PAGE = "pages:edit-club"


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: AccountHttpRequest, club: UUID) -> HttpResponse:
    """The page on which a club is organized."""
    return _change(request, club=club) if request.method == "POST" else _show(request, club=club)


@club_page
def _show(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    return _rendered(request, mine, ClubForm(initial={"name": mine.club.name, "about": mine.club.about}))


@club_action("pages:club")
def _change(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    require(mine, Right.EDIT)
    form = ClubForm(request.POST)
    if form.is_valid():
        try:
            founding.change_club(mine, **form.cleaned_data)
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, pgettext("message", "Saved."))
            return redirect(_PAGE, mine.club_id)
    return _rendered(request, mine, form)


def _rendered(request: AccountHttpRequest, mine: Membership, form: ClubForm) -> HttpResponse:
    """Render the page. Members who may not organize the club are redirected to the page that they may see."""
    if not may(mine, Right.EDIT):
        return redirect("pages:club", mine.club_id)
    channel = ClubChannel.objects.filter(club=mine.club_id).first()
    names = app_names()
    shown = {
        "place": "games",
        "mine": mine,
        "club": mine.club,
        "form": form,
        "link": link_of(mine.club),
        "channel": names.get(channel.app, channel.app) if channel else "",
        "apps": names,
        "may_close": may(mine, Right.CLOSE),
    }
    return render(request, "games/clubs/edit.html", shown, status=422 if form.errors else 200)


@club_action("pages:club")
def renew_link(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    """Give the club a new link."""
    joining.renew_link(mine)
    messages.success(request, _("The club has a new link. The old one no longer works."))
    return redirect(_PAGE, mine.club_id)


@club_action(_PAGE)
def connect(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    """Connect a chat to the club."""
    require(mine, Right.CONNECT)
    now = database_clock.now()
    connect_posted_chat(request, lambda app, address, secret: club_channel.connect(mine, app, address, secret, now))
    return redirect(_PAGE, mine.club_id)


@club_action(_PAGE)
def disconnect(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    """Take the chat away from the club."""
    club_channel.disconnect(mine)
    messages.success(request, _("The chat is disconnected."))
    return redirect(_PAGE, mine.club_id)


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: AccountHttpRequest, club: UUID) -> HttpResponse:
    """Close the club: asked first, then done."""
    return _close(request, club=club) if request.method == "POST" else _ask_to_close(request, club=club)


@club_page
def _ask_to_close(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    if not may(mine, Right.CLOSE):
        return redirect("pages:club", mine.club_id)
    shown = {
        "title": _("Close the club?"),
        "sentence": _(
            "Its leaderboard is deleted, and its members no longer see its games. Players finish their games."
        ),
        "button": _("Close the club"),
    }
    return render(request, "games/clubs/sure.html", {"place": "games", "club": mine.club, **shown})


@club_action("pages:club")
def _close(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    founding.close_club(mine)
    messages.success(request, _("The club is closed."))
    return redirect("pages:clubs")

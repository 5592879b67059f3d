"""My clubs, the page of one, and joining one by its link."""

from collections.abc import Collection
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.limits.idempotency import Effect
from accounts.web.requests import AccountHttpRequest, account_of
from config.database import database_clock
from games.archive import player_stats
from games.clubs import founding, joining, leaders, members
from games.clubs.rights import Right, is_member, may
from games.models import ClubChannel, Game, Membership
from games.pages.clubs.club_action import club_page
from games.pages.clubs.club_form import ClubForm, link_of
from games.pages.game.table_channel import handle_field
from games.pages.lobby.games import ListedGame, list_game
from games.pages.shared.views import new_key, once_only, refusal_text
from games.refusals import Refusal
from games.templatetags.live import is_look
from games.visibility.access import listed, visible

_LATELY: Final = 90
"""The number of days that count on the leaderboard, unless all do."""
_MOST: Final = 20
_OVER: Final = 5


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def clubs(request: AccountHttpRequest) -> HttpResponse:
    """My clubs, and the form that creates one."""
    form = ClubForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            return redirect(_create(request, form.cleaned_data))
        except Refusal as refusal:
            form.refuse(refusal)
    mine = members.list_clubs(request.user)
    shown = {"place": "games", "form": form, "clubs": mine, "key": new_key()}
    return render(request, "games/clubs/clubs.html", shown, status=422 if form.errors else 200)


def _create(request: AccountHttpRequest, chosen: dict[str, Any]) -> str:
    """Create a club, once for each time the form was shown; return where its page is. Refusal."""
    now = database_clock.now()

    def effect() -> Effect:
        made = founding.create_club(request.user, **chosen, now=now)
        return Effect(reverse("pages:club", args=[made.club_id]))

    return once_only(request, effect, now)


@club_page
def club(request: AccountHttpRequest, mine: Membership) -> HttpResponse:
    """The games, the leaderboard and the members of a club."""
    now = database_clock.now()
    all_time = request.GET.get("leaders") == "all"
    days = None if all_time else _LATELY
    board = [] if is_look(request) else leaders.leaders(mine.club_id, now, days)  # a look shows the games only
    channel = ClubChannel.objects.filter(club=mine.club_id).first()
    return render(
        request,
        "games/clubs/club.html",
        {
            "place": "games",
            "mine": mine,
            "club": mine.club,
            "open": _listed(mine, [Game.State.OPEN], "-created_at"),
            "running": _listed(mine, [Game.State.STARTING, Game.State.RUNNING], "-started_at"),
            "over": _listed(mine, [Game.State.OVER], "-ended_at", _OVER),
            "board": board,
            "all_time": all_time,
            "days": _LATELY,
            "members": members.list_members(mine),
            "may_invite": may(mine, Right.INVITE),
            "link": link_of(mine.club),
            "handle": handle_field(channel, mine.account) if channel else None,
        },
    )


def _listed(mine: Membership, states: Collection[Game.State], order: str, most: int = _MOST) -> list[ListedGame]:
    """The first games of the club in some states, as a list shows them."""
    games = visible(mine.account).filter(club=mine.club_id, state__in=states).order_by(order)
    found = listed(games.prefetch_related("results")[:most], mine.account)
    player_stats.load(found)
    return [list_game(game, mine.account) for game in found]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Show the club to which a link invites, with the button to join. Visitors see no member names."""
    account = account_of(request)
    if account is None and request.method == "POST":
        return redirect_to_login(request.path)
    try:
        found = joining.club_of_link(code)
        if account is not None and request.method == "POST":
            joining.join_club(account, code, database_clock.now())
            messages.success(request, _("Welcome to the club."))
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
        return redirect(request.path)
    if is_member(account, found.pk):
        return redirect("pages:club", found.pk)
    shown = {"place": "games", "club": found, "count": found.memberships.count()}
    return render(request, "games/clubs/join.html", shown)

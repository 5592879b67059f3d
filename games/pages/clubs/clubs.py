"""The list of the reader's clubs, the page of a club, and joining a club by its link."""

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
from config.core import clock
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
from games.visibility.access import games_for_reader, visible

_LEADER_DAYS: Final = 90
"""The leaderboard counts games of this number of days, or all games."""
_LISTED_GAMES: Final = 20
_LISTED_FINISHED_GAMES: Final = 5


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_list(request: AccountHttpRequest) -> HttpResponse:
    """Show the reader's clubs, and the form for a new one."""
    form = ClubForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            return redirect(_create_club(request, form.cleaned_data))
        except Refusal as refusal:
            form.refuse(refusal)
    memberships = members.list_clubs(request.user)
    context = {"place": "games", "form": form, "clubs": memberships, "key": new_key()}
    return render(request, "games/clubs/clubs.html", context, status=422 if form.errors else 200)


def _create_club(request: AccountHttpRequest, fields: dict[str, Any]) -> str:
    """Create a club once for each key of the form, and return the address of its page. Raises Refusal."""
    now = clock.now()

    def effect() -> Effect:
        membership = founding.create_club(request.user, **fields, now=now)
        return Effect(reverse("pages:club", args=[membership.club_id]))

    return once_only(request, effect, now)


@club_page
def club_detail(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Show the games, the leaderboard and the members of a club."""
    now = clock.now()
    all_time = request.GET.get("leaders") == "all"
    days = None if all_time else _LEADER_DAYS
    board = [] if is_look(request) else leaders.leaders(membership.club_id, now, days)  # a look shows the games only
    channel = ClubChannel.objects.filter(club=membership.club_id).first()
    return render(
        request,
        "games/clubs/club.html",
        {
            "place": "games",
            "mine": membership,
            "club": membership.club,
            "open": _listed(membership, [Game.State.OPEN], "-created_at"),
            "running": _listed(membership, [Game.State.STARTING, Game.State.RUNNING], "-started_at"),
            "over": _listed(membership, [Game.State.OVER], "-ended_at", _LISTED_FINISHED_GAMES),
            "board": board,
            "all_time": all_time,
            "days": _LEADER_DAYS,
            "members": members.list_members(membership),
            "may_invite": may(membership, Right.INVITE),
            "link": link_of(membership.club),
            "handle": handle_field(channel, membership.account) if channel else None,
        },
    )


def _listed(
    membership: Membership, states: Collection[Game.State], order: str, most: int = _LISTED_GAMES
) -> list[ListedGame]:
    """Return the first games of the club in some states, for a list."""
    query = visible(membership.account).filter(club=membership.club_id, state__in=states).order_by(order)
    games = games_for_reader(query.prefetch_related("results")[:most], membership.account)
    player_stats.load(games)
    return [list_game(game, membership.account) for game in games]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_by_link(request: HttpRequest, code: str) -> HttpResponse:
    """Show the club of an invitation link, with a button to join. Visitors see no names of members."""
    account = account_of(request)
    if account is None and request.method == "POST":
        return redirect_to_login(request.path)
    try:
        club = joining.find_club_by_code(code)
        if account is not None and request.method == "POST":
            joining.join_club(account, code, clock.now())
            messages.success(request, _("Welcome to the club."))
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
        return redirect(request.path)
    if is_member(account, club.pk):
        return redirect("pages:club", club.pk)
    context = {"place": "games", "club": club, "count": club.memberships.count()}
    return render(request, "games/clubs/join.html", context)

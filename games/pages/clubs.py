"""The pages of clubs: the list, one club, joining by a link, the members, and organizing a club."""

from collections.abc import Callable, Collection
from datetime import timedelta
from functools import wraps
from typing import Any, Final
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.idempotency import Effect
from accounts.models import Account
from accounts.web.requests import AccountHttpRequest, account_of
from config.core import clock
from games import clubs
from games.archive import player_stats
from games.clubs import Right, Role, get_membership, is_member, may, require
from games.models import LONGEST_ABOUT, LONGEST_NAME, Club, ClubChannel, Game, Membership
from games.pages.games import ListedGame, list_game
from games.pages.posted_forms import new_key, once_only, posted_text, refusal_text
from games.pages.table import app_names, connect_posted_chat, give_posted_handle, handle_field
from games.pages.tournaments import next_tournaments
from games.phrases import isolated
from games.refusals import Refusal
from games.tables.joining import remove_from_club
from games.templatetags.live import is_look
from games.visibility.access import games_for_reader, visible

View = Callable[..., HttpResponse]


def _own_membership(account: Account, club: UUID) -> Membership:
    try:
        return get_membership(account, club)
    except Refusal:
        raise Http404 from None


def club_page(view: View) -> View:
    """Decorate a view that shows a club to its members. Other accounts get a 404."""

    @require_safe
    @login_required
    @wraps(view)
    def wrapper(request: AccountHttpRequest, club: UUID) -> HttpResponse:
        return view(request, _own_membership(request.user, club))

    return wrapper


def club_action(page: str) -> Callable[[View], View]:
    """Return a decorator for views of a club's forms. Refusals are shown on the page with this URL name."""

    def decorate(view: View) -> View:
        @require_POST
        @login_required
        @wraps(view)
        def wrapper(request: AccountHttpRequest, club: UUID, **more: UUID) -> HttpResponse:
            membership = _own_membership(request.user, club)
            try:
                return view(request, membership, **more)
            except Refusal as refusal:
                if refusal.code == "not-found":
                    raise Http404 from None
                messages.error(request, refusal_text(refusal))
                return redirect(page, club)

        return wrapper

    return decorate


class ClubForm(forms.Form):
    """The name and description of a club."""

    name = forms.CharField(
        label=pgettext_lazy("label of a field", "Name of the club"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    about = forms.CharField(
        label=gettext_lazy("A line about it (optional)"),
        max_length=LONGEST_ABOUT,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )

    def refuse(self, refusal: Refusal) -> None:
        """Add an error to its field, or to the whole form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, refusal_text(refusal))


def link_of(club: Club) -> str:
    """Return the link by which other accounts join a club."""
    return f"{settings.PUBLIC_URL}{reverse('pages:join-club', args=[club.code])}"


_LEADER_DAYS: Final = 90
"""The leaderboard counts games of this number of days, or all games."""
_RECENT: Final = timedelta(days=30)
"""The club's page counts the games that ended in this time."""
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
    memberships = clubs.list_clubs(request.user)
    context = {"place": "games", "form": form, "clubs": memberships, "key": new_key()}
    return render(request, "games/clubs/clubs.html", context, status=422 if form.errors else 200)


def _create_club(request: AccountHttpRequest, fields: dict[str, Any]) -> str:
    """Create a club once for each key of the form, and return the address of its page. Raises Refusal."""
    now = clock.now()

    def effect() -> Effect:
        membership = clubs.create_club(request.user, **fields, now=now)
        return Effect(reverse("pages:club", args=[membership.club_id]))

    return once_only(request, effect, now)


@club_page
def club_detail(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Show the games, the leaderboard and the members of a club."""
    now = clock.now()
    all_time = request.GET.get("leaders") == "all"
    days = None if all_time else _LEADER_DAYS
    board = [] if is_look(request) else clubs.leaders(membership.club_id, now, days)  # a look shows the games only
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
            "tournaments": next_tournaments(membership),
            "recent": visible(membership.account).filter(club=membership.club_id, ended_at__gte=now - _RECENT).count(),
            "past_days": _RECENT.days,
            "board": board,
            "all_time": all_time,
            "days": _LEADER_DAYS,
            "members": clubs.list_members(membership),
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
        club = clubs.find_club_by_code(code)
        if account is not None and request.method == "POST":
            clubs.join_club(account, code, clock.now())
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


_MEMBERS_PAGE = "pages:club"


@club_action(_MEMBERS_PAGE)
def change_member(request: AccountHttpRequest, membership: Membership, member: UUID) -> HttpResponse:
    """Change the role of a member, or remove them. ``hand-over`` asks for confirmation before it changes the owner."""
    action = posted_text(request, "do", 10)
    if action == "hand-over":
        return _ask_to_hand_over(request, membership, member)
    if action in Role.values:
        clubs.appoint(membership, member, action, clock.now())
    elif action == "remove" and member != membership.pk:
        remove_from_club(membership, member, clock.now())
        messages.success(request, _("They’ve been removed. The club has a new link. The old one no longer works."))
        return redirect(_MEMBERS_PAGE, membership.club_id)
    else:
        raise Http404
    messages.success(request, pgettext("message", "Saved."))
    return redirect(_MEMBERS_PAGE, membership.club_id)


def _ask_to_hand_over(request: AccountHttpRequest, membership: Membership, member: UUID) -> HttpResponse:
    require(membership, Right.APPOINT)
    heir = isolated(clubs.get_member(membership, member).account.name)
    texts = {
        "title": _("Hand over the club?"),
        "sentence": _("%(name)s becomes its owner, and you an organizer. Only they can give it back.") % {"name": heir},
        "button": _("Hand over club"),
        "do": Role.OWNER.value,
    }
    return render(request, "games/clubs/sure.html", {"place": "games", "club": membership.club, **texts})


@club_action(_MEMBERS_PAGE)
def choose_notifications(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Choose whether the club sends notifications about new games."""
    clubs.set_notifications(membership, hears=posted_text(request, "hears", 3) == "yes")
    messages.success(request, pgettext("message", "Saved."))
    return redirect(_MEMBERS_PAGE, membership.club_id)


@club_action(_MEMBERS_PAGE)
def set_club_handle(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Set the handle by which reminders in the club's chat mention the reader."""
    channel = ClubChannel.objects.filter(club=membership.club_id).first()
    if channel is None:
        raise Http404
    give_posted_handle(request, channel, membership.account)
    return redirect(_MEMBERS_PAGE, membership.club_id)


@require_http_methods(["GET", "HEAD", "POST"])
def leave_club(request: AccountHttpRequest, club: UUID) -> HttpResponse:
    """Leave the club, after a confirmation."""
    return _leave_club(request, club=club) if request.method == "POST" else _ask_to_leave(request, club=club)


@club_page
def _ask_to_leave(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    texts = {
        "title": _("Leave the club?"),
        "sentence": _("You’ll no longer see its games, except those that you’re in."),
        "button": _("Leave the club"),
    }
    return render(request, "games/clubs/sure.html", {"place": "games", "club": membership.club, **texts})


@club_action(_MEMBERS_PAGE)
def _leave_club(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    clubs.remove_member(membership, membership.pk)
    messages.success(request, _("You’ve left the club."))
    return redirect("pages:clubs")


_EDIT_PAGE = "pages:edit-club"


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
            clubs.change_club(membership, **form.cleaned_data)
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, pgettext("message", "Saved."))
            return redirect(_EDIT_PAGE, membership.club_id)
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
    clubs.renew_link(membership)
    messages.success(request, _("The club has a new link. The old one no longer works."))
    return redirect(_EDIT_PAGE, membership.club_id)


@club_action(_EDIT_PAGE)
def connect_club_chat(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Connect a chat to the club."""
    require(membership, Right.CONNECT)
    now = clock.now()
    connect_posted_chat(request, lambda app, address, secret: clubs.connect_chat(membership, app, address, secret, now))
    return redirect(_EDIT_PAGE, membership.club_id)


@club_action(_EDIT_PAGE)
def disconnect_club_chat(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    """Disconnect the chat from the club."""
    clubs.disconnect_chat(membership)
    messages.success(request, _("The chat is disconnected."))
    return redirect(_EDIT_PAGE, membership.club_id)


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
            "Its leaderboard is deleted, and its members no longer see its games. Players can finish their games."
        ),
        "button": _("Close the club"),
    }
    return render(request, "games/clubs/sure.html", {"place": "games", "club": membership.club, **texts})


@club_action("pages:club")
def _close_club(request: AccountHttpRequest, membership: Membership) -> HttpResponse:
    clubs.close_club(membership)
    messages.success(request, _("The club is closed."))
    return redirect("pages:clubs")

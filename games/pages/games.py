"""The list of games, joining a game by its code, and the forms for the seats of a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guests, names
from accounts.models import Account, Language
from accounts.rate_limits import TooManyAttempts
from accounts.web.pagination import KeysetPagination
from accounts.web.requests import AccountHttpRequest, account_of, compressed_for_visitors
from config.core import clock
from games.archive import player_stats
from games.models import AnswerTimes, Game, Seat
from games.pages import cards
from games.pages.game_views import confirmation, game_action
from games.pages.posted_forms import PAGE, posted_seeding, posted_text, refusal_text, resolve_now
from games.pages.titles import GameOverview, cover, goal_of, rules_titles
from games.phrases import isolated, number
from games.refusals import Refusal
from games.rules.registry import find_rules
from games.tables import arena, invitations
from games.tables.joining import join_game, leave_game, open_to_guests
from games.tables.rematch import accept_rematch, decline_rematch
from games.tables.starting import reveal_seed, start_game
from games.terms import SPEEDS
from games.visibility.access import GameAccess, games_for_reader, list_games
from games.visibility.words import is_named

_PAGE_SIZE: Final = 20
_WATCHED: Final = 6
"""The number of running games of others below the games with free seats."""
_STATES: Final = (
    ("open", gettext_lazy("with free seats")),
    ("running", pgettext_lazy("choice", "running")),
    ("over", pgettext_lazy("choice", "over")),
    ("all", pgettext_lazy("choice", "all")),
)
_BOTS: Final = (
    ("", pgettext_lazy("choice", "with people")),
    ("no", gettext_lazy("people only")),
    ("yes", gettext_lazy("with bots")),
    ("arena", pgettext_lazy("choice", "in the arena")),
)
_WHOSE: Final = (
    ("", pgettext_lazy("choice", "everyone")),
    ("mine", pgettext_lazy("choice", "me")),
    ("others", pgettext_lazy("choice", "others")),
    ("followed", gettext_lazy("people I follow")),
)


class GameFilter(forms.Form):
    """The filter of the list of games."""

    state = forms.ChoiceField(label=pgettext_lazy("label of a field", "State"), choices=_STATES, required=False)
    rules = forms.ChoiceField(label=pgettext_lazy("label of a field", "Game"), required=False)
    speed = forms.ChoiceField(label=pgettext_lazy("label of a field", "Speed"), required=False)
    bots = forms.ChoiceField(label=gettext_lazy("Kind of game"), choices=_BOTS, required=False)
    whose = forms.ChoiceField(label=pgettext_lazy("label of a field", "Played by"), choices=_WHOSE, required=False)

    name = forms.CharField(label=gettext_lazy("Name of the game"), max_length=80, required=False)

    def __init__(self, data: Any, account: Account | None) -> None:
        super().__init__(data)
        self.account = account
        if account is None:
            del self.fields["whose"]
        fields: Any = self.fields
        all_choice = ("", pgettext("choice", "all"))
        fields["rules"].choices = [all_choice, *rules_titles().items()]
        fields["speed"].choices = [all_choice, *((name, _(speed.label)) for name, speed in SPEEDS.items())]

    def select_games(self) -> QuerySet[Game]:
        """Return the games, newest first. Fields with invalid values do not filter. A name finds games in any state."""
        self.full_clean()
        filters = self.cleaned_data
        name = filters.get("name") or ""
        state = "all" if name else filters.get("state") or "open"
        whose = filters.get("whose") or ""
        state_filter: dict[str, Any] = {} if state == "all" else {"state": state}
        games = list_games(
            self.account,
            mine={"mine": True, "others": False}.get(whose),
            followed=whose == "followed",
            **state_filter,
        )
        return games.filter(_kind_condition(filters), is_named(name) if name else Q()).prefetch_related("results")


def _kind_condition(filters: Mapping[str, str]) -> Q:
    """Return the condition for the chosen game, speed and kind of players."""
    kind = Q(rules=filters["rules"]) if filters.get("rules") else Q()
    if filters.get("speed"):
        limits = msgspec.to_builtins(SPEEDS[filters["speed"]].limits)
        kind &= Q(**{f"terms__{name}": limit for name, limit in limits.items()})
    bots = filters.get("bots")
    if bots in ("yes", "no"):
        kind &= Q(bot_count__gt=0) if bots == "yes" else Q(bot_count=0)
    return kind & Q(arena=bots == "arena")


@dataclass(frozen=True)
class ListedPlayer:
    """A player in the list, with their rating if the reader may see it."""

    name: str
    rating: int | None
    is_new: bool
    won: bool
    answer_times: AnswerTimes | None = None
    """The usual times that the player needs for an answer."""


@dataclass(frozen=True)
class ListedGame:
    """A game in the list, and whether the reader may join it with one click."""

    overview: GameOverview
    players: list[ListedPlayer]
    may_join: bool


def list_game(game: Game, reader: Account | None) -> ListedGame:
    """Return a game as the list shows it to a reader."""
    seats, overview = list(game.seats.all()), GameOverview(game)
    sits = reader is not None and any(seat.account_id == reader.pk for seat in seats)
    may_join = game.state == Game.State.OPEN and not sits and overview.free > 0
    return ListedGame(overview, [_listed_player(seat, game, reader) for seat in seats], may_join)


def _listed_player(seat: Seat, game: Game, reader: Account | None) -> ListedPlayer:
    account = seat.account if seat.account and player_stats.may_read(seat.account, reader) else None
    standing = player_stats.standing(account, game.rules)
    won = any(result.won and result.seat == seat.number for result in game.results.all())
    name = isolated(seat.player)
    if standing is None:
        return ListedPlayer(name, None, is_new=False, won=won)
    return ListedPlayer(name, standing.rating, not standing.games, won, standing.answer_times)


@require_safe
@compressed_for_visitors
def game_list(request: HttpRequest) -> HttpResponse:
    """Show public games and the reader's own games, newest first."""
    reader, form = account_of(request), GameFilter(request.GET, account_of(request))
    pages = KeysetPagination(_PAGE_SIZE, is_lenient=True)
    rows = games_for_reader(pages.paginate_queryset(form.select_games(), request), reader)
    watched = list_games(reader, mine=False, state=Game.State.RUNNING).filter(arena=False).prefetch_related("results")
    watched_rows = [] if request.GET else games_for_reader(list(watched.order_by("-started_at")[:_WATCHED]), reader)
    player_stats.load([*rows, *watched_rows])
    return render(
        request,
        "games/game_list.html",
        {
            "place": "games",
            "form": form,
            "pages": pages,
            "games": [list_game(game, reader) for game in rows],
            "watched": [list_game(game, reader) for game in watched_rows],
            "has_arena": arena.is_open(),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def join_by_code(request: HttpRequest) -> HttpResponse:
    """Show the game of a code, with a button to take a seat. Visitors see no names of players."""
    account = account_of(request)
    code = "".join(request.POST.get("code", request.GET.get("code", "")).lower().replace("\0", "").split())[:40]
    if account is None and (request.method == "POST" or not code):
        return redirect_to_login(f"{request.path}?{urlencode({'code': code})}" if code else request.path)
    game = Game.objects.filter(code=code).prefetch_related("seats__account").first() if code else None
    error = _("There’s no game with this code.") if code and game is None else ""
    if request.method == "POST" and account is not None and game is not None:
        try:
            now = clock.now()
            join_game(game.pk, account, code, PAGE, now, posted_seeding(request))
        except Refusal as refusal:
            error = refusal_text(refusal)
        else:
            resolve_now(game, now)
            return redirect("pages:game", game.pk)
    context = {"place": "games", "code": code, "error": error, "overview": GameOverview(game) if game else None}
    if account is None and game is not None:
        context |= _preview(game)
    return render(request, "games/join.html", context, status=422 if error else 200)


def _preview(game: Game) -> dict[str, Any]:
    """Return the context of a game for visitors and link previews: free seats and pace, without names of players."""
    overview, rules = GameOverview(game), find_rules(game.rules, game.rules_version)
    free = ngettext("%(number)s seat is free", "%(number)s seats are free", overview.free)
    lead = f"{free % {'number': number(overview.free)}} · {overview.pace}" if game.state == Game.State.OPEN else ""
    return {
        "title": _("You’re invited to play %(game)s") % {"game": overview.title},
        "lead": lead or overview.pace,
        "card": cards.card_address("rules", cards.draw_rules_card(rules), rules.name) if rules else "",
    }


def guest_link(game: Game) -> str:
    """Return the address at which guests join a game, or an empty string if the host has made no link."""
    if not game.guest_token or game.state != Game.State.OPEN or settings.SIGN_UP != "open":
        return ""
    return f"{settings.PUBLIC_URL}{reverse('pages:join-as-guest', args=[game.guest_token])}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_as_guest(request: HttpRequest, token: str) -> HttpResponse:
    """Show the game behind the host's link for guests, or take a seat: without an account, as a new guest."""
    games = Game.objects.filter(guest_token=token).select_related("host").prefetch_related("seats__account")
    game = games.first()
    if game is None or not guest_link(game):
        return render(request, "games/guest_link.html", {"place": "games"}, status=404)
    account, error = account_of(request), ""
    if account is not None and game.seats.filter(account=account).exists():
        return redirect("pages:game", game.pk)
    if request.method == "POST":
        try:
            return _take_seat_by_link(request, game, token)
        except Refusal as refusal:
            error = refusal_text(refusal)
        except ValidationError as invalid_name:
            error = " ".join(invalid_name.messages)
        except TooManyAttempts:
            error = _("Too many guests have come from your network just now. Try again later.")
    rules = find_rules(game.rules, game.rules_version)
    context = {
        "place": "games",
        "overview": GameOverview(game),
        "host": isolated(game.host.name) if game.host else "",
        "cover": cover(rules) if rules else None,
        "goal": goal_of(rules) if rules else "",
        "has_name": account is None,
        "name": posted_text(request, "name", 80),
        "error": error,
        **_preview(game),
    }
    return render(request, "games/guest_link.html", context, status=422 if error else 200)


def _take_seat_by_link(request: HttpRequest, game: Game, token: str) -> HttpResponse:
    now = clock.now()
    account = account_of(request) or guests.begin(request, now, names.tidy(posted_text(request, "name", 80)))
    join_game(game.pk, account, "", PAGE, now, guest_token=token)
    resolve_now(game, now)
    return redirect("pages:game", game.pk)


@game_action
def change_guest_link(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Make a link by which guests join, or end it."""
    open_to_guests(access.game.pk, access.account, clock.now(), is_open=posted_text(request, "answer", 10) == "open")
    return redirect("pages:game", access.game.pk)


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
    seed, head = posted_text(request, "seed", 64), posted_text(request, "head", 64)
    reveal_seed(access.game.pk, access.account, seed, head, PAGE, now)
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
    """Offer a rematch, accept it or decline it. Redirect to the new game once it has started."""
    now = clock.now()
    if posted_text(request, "answer", 10) == "decline":
        decline_rematch(access.game.pk, access.account, PAGE, now)
        return redirect("pages:game", access.game.pk)
    answered = accept_rematch(access.game.pk, access.account, {}, PAGE, now, posted_seeding(request)).game
    if answered.rematch is None or not answered.rematch.seats.filter(account=access.account).exists():
        return redirect("pages:game", access.game.pk)
    resolve_now(answered.rematch, now)
    return redirect("pages:game", answered.rematch.pk)


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
    messages.success(request, _("You’ve left the game."))
    return redirect("pages:games")


@require_http_methods(["GET", "HEAD", "POST"])
def leave_table(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Leave the game before it starts, after a confirmation."""
    if request.method == "POST":
        return _leave_table(request, game)
    return confirmation(
        request,
        game,
        title=_("Leave the game?"),
        sentence=_("Your seat becomes free for someone else. If you’re the last player, the game is cancelled."),
        button=_("Leave the game"),
    )

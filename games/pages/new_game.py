"""Creating a game: choosing its rules, the form, and the button that starts a game with bots immediately."""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests
from accounts.authentication.sign_up import SignUpClosed
from accounts.idempotency import Effect
from accounts.models import Account
from accounts.rate_limits import TooManyAttempts
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.archive.durations import durations
from games.clubs import list_clubs
from games.engine import AnyRules, SeatNumber
from games.event_log.log_store import UnknownRules
from games.models import Bot, Game
from games.pages.game_views import visible_game
from games.pages.home import list_quick_starts, quick_bot_count
from games.pages.new_game_form import NewGameForm
from games.pages.posted_forms import PAGE, new_key, once_only, posted_text, refusal_text
from games.pages.titles import list_rules
from games.phrases import render_phrase
from games.play import bots
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables.new_game import NewGame
from games.tables.practice import create_practice
from games.tables.starting import create_game
from games.terms import SPEEDS


@require_safe
@login_required
def choose_rules(request: AccountHttpRequest) -> HttpResponse:
    """Show the rules for which a game can be created."""
    return render(
        request,
        "games/titles.html",
        {
            "place": "games",
            "games": list_rules(),
            "quick": list_quick_starts(),
            "key": new_key(),
            "club": request.GET.get("club", ""),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_game_page(request: AccountHttpRequest, name: str) -> HttpResponse:
    """Show and handle the form for a new game. Errors are shown beside their fields, and no input is lost."""
    rules = _rules(name)
    zone, clubs = request.user.time_zone, [club.club for club in list_clubs(request.user)]
    if request.method != "POST":
        club = request.GET.get("club", "")
        blank = NewGameForm(rules, zone=zone, clubs=clubs, club=club) if clubs else None
        fields = _render_fields(blank) if blank else _blank_fields(name, zone, get_language())
        return _render_form(request, rules, None, fields)
    bound_form = NewGameForm(rules, request.POST, zone, clubs)
    if bound_form.is_valid():
        try:
            return _create_and_redirect(
                request, lambda now: create_game(request.user, bound_form.new_game(), PAGE, now)
            )
        except Refusal as refusal:
            _refuse(bound_form, refusal)
    return _render_form(request, rules, bound_form, _render_fields(bound_form))


@require_POST
@login_required
def play_now(request: AccountHttpRequest) -> HttpResponse:
    """Create a game with bots, which starts immediately."""
    rules = _rules(request.POST.get("rules", ""))
    bot_count = quick_bot_count(rules)
    new_game = NewGame(rules=rules.name, seat_count=bot_count + 1, bots=(Bot(),) * bot_count, private=True)
    try:
        return _create_and_redirect(request, lambda now: create_game(request.user, new_game, PAGE, now))
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("pages:home")


@require_POST
@login_required
def try_again(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Start a practice game from a moment of a finished game."""
    access = visible_game(request, game)
    numbers = [posted_text(request, field, 6) for field in ("line", "seat")]
    line, seat = (int(text) if text.isascii() and text.isdigit() else 0 for text in numbers)
    try:
        return _create_and_redirect(
            request, lambda now: create_practice(access.game, line, SeatNumber(seat), request.user, PAGE, now)
        )
    except UnknownRules:
        raise Http404 from None
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("pages:replay", game)


@require_POST
def try_it(request: HttpRequest) -> HttpResponse:
    """Play with bots immediately, as a guest if the visitor is not logged in."""
    if not isinstance(request.user, Account):
        _rules(request.POST.get("rules", ""))
        try:
            request.user = guests.begin(request, clock.now())
        except SignUpClosed:
            return redirect("account_signup")
        except TooManyAttempts:
            messages.error(request, _("Too many people have tried it from your network just now. Please sign up."))
            return redirect("account_signup")
    return play_now(cast(AccountHttpRequest, request))


def _render_form(
    request: HttpRequest, rules: AnyRules, refused: NewGameForm | None, fields: SafeString
) -> HttpResponse:
    return render(
        request,
        "games/new_game.html",
        {
            "place": "games",
            "form": refused,
            "fields": fields,
            "durations": [(_(SPEEDS[duration.speed].label), duration) for duration in durations(rules.name)],
            "title": render_phrase(rules.words.title, {}),
            "game": rules.name,
            "key": new_key(),
        },
        status=422 if refused else 200,
    )


def _render_fields(form: NewGameForm) -> SafeString:
    return render_to_string("games/new_game_fields.html", {"form": form})


@lru_cache(maxsize=64)
def _blank_fields(name: str, zone: str, _language: str | None) -> SafeString:
    """Render the fields of an empty form. They are cached, because rendering takes longer than the rest of the page."""
    return _render_fields(NewGameForm(RULES[name], zone=zone))


def _rules(name: str) -> AnyRules:
    rules = RULES.get(name)
    if rules is None:
        raise Http404
    return rules


def _create_and_redirect(request: AccountHttpRequest, create: Callable[[datetime], Game]) -> HttpResponse:
    """Create a game once for each key of the form, and redirect to it. Raises Refusal."""
    now = clock.now()

    def effect() -> Effect:
        game = create(now)
        return Effect(reverse("pages:game", args=[game.pk]), game.pk)

    address = once_only(request, effect, now)
    bots.try_to_play(UUID(address.rstrip("/").rpartition("/")[2]), now)
    return redirect(address)


def _refuse(bound_form: NewGameForm, refusal: Refusal) -> None:
    if refusal.code == "key-reused":
        bound_form.add_error(
            None, _("You’ve already created a game with this form. Send it again to create another one.")
        )
    else:
        bound_form.refuse(refusal)

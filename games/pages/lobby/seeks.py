"""Finding players: an account's searches, the form for a new one, and the games that came of them."""

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits.idempotency import Effect
from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.models import Seek
from games.pages.lobby.home import list_rules
from games.pages.lobby.seek_form import SeekForm
from games.pages.shared.views import new_key, once_only, refusal_text
from games.refusals import Refusal
from games.rules.registry import RULES
from games.seeks import own_seeks
from games.seeks.listed_seek import ListedSeek
from games.seeks.new_seek import create_seek
from games.text.phrases import render_phrase

_MOST_OVER: Final = 3
"""The number of searches that are over and still shown."""


@require_safe
@login_required
def seeks(request: AccountHttpRequest) -> HttpResponse:
    """My searches, their games, and the rules for which players can be looked for."""
    mine = own_seeks.list_seeks(request.user)
    over = [each for each in mine if each.state in (Seek.State.MATCHED, Seek.State.LAPSED) and not each.stands]
    return render(
        request,
        "games/seeks.html",
        {
            "place": "games",
            "open": [ListedSeek(each) for each in mine if each.state == Seek.State.OPEN],
            "over": [ListedSeek(each) for each in over[:_MOST_OVER]],
            "games": list_rules(),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def form(request: AccountHttpRequest, name: str) -> HttpResponse:
    """Show and handle the form for a game. Errors are shown beside their fields, and no input is lost."""
    rules = RULES.get(name)
    if rules is None:
        raise Http404
    bound_form = SeekForm(rules, request.POST if request.method == "POST" else None)
    if bound_form.is_valid():
        try:
            return _create_and_redirect(request, bound_form)
        except Refusal as refusal:
            bound_form.refuse(refusal, refusal_text(refusal))
    return render(
        request,
        "games/new_seek.html",
        {"place": "games", "form": bound_form, "title": render_phrase(rules.words.title, {}), "key": new_key()},
        status=422 if bound_form.errors else 200,
    )


def _create_and_redirect(request: AccountHttpRequest, bound_form: SeekForm) -> HttpResponse:
    """Create a seek, only once for each time the form was shown, and redirect to it. Raises Refusal."""
    now = database_clock.now()

    def effect() -> Effect:
        create_seek(request.user, bound_form.new_seek(), now)
        return Effect(reverse("pages:seeks"))

    return redirect(once_only(request, effect, now))


@require_POST
@login_required
def withdraw(request: AccountHttpRequest, seek: UUID) -> HttpResponse:
    """Stop looking."""
    try:
        own_seeks.withdraw(request.user, seek, database_clock.now())
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("The search has ended."))
    return redirect("pages:seeks")

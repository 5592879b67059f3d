"""Finding players: the reader's seeks, the form for a new one, and the games that resulted from them."""

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
from config.core import clock
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
"""The maximum number of ended seeks that are shown."""


@require_safe
@login_required
def seek_list(request: AccountHttpRequest) -> HttpResponse:
    """Show the reader's seeks, and the rules for which players can be found."""
    rows = own_seeks.list_seeks(request.user)
    over = [seek for seek in rows if seek.state in (Seek.State.MATCHED, Seek.State.LAPSED) and not seek.stands]
    return render(
        request,
        "games/seeks.html",
        {
            "place": "games",
            "open": [ListedSeek(seek) for seek in rows if seek.state == Seek.State.OPEN],
            "over": [ListedSeek(seek) for seek in over[:_MOST_OVER]],
            "games": list_rules(),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_seek_page(request: AccountHttpRequest, name: str) -> HttpResponse:
    """Show and handle the form for a new seek. Errors are shown beside their fields, and no input is lost."""
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
    """Create a seek once for each key of the form, and redirect to the list. Raises Refusal."""
    now = clock.now()

    def effect() -> Effect:
        create_seek(request.user, bound_form.new_seek(), now)
        return Effect(reverse("pages:seeks"))

    return redirect(once_only(request, effect, now))


@require_POST
@login_required
def withdraw_seek(request: AccountHttpRequest, seek: UUID) -> HttpResponse:
    """Withdraw a seek."""
    try:
        own_seeks.withdraw(request.user, seek, clock.now())
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("The search has ended."))
    return redirect("pages:seeks")

"""Standing orders on a table's page: those given, those one might give, and taking one back."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Game, StandingOrder
from games.pages.doors import acting, judge_soon
from games.play import orders
from games.play.access import Sight
from games.play.speak import speak
from games.play.telling import Telling

_LONGEST = 1000
"""No order that is proposed has so many characters."""


@dataclass(frozen=True)
class Ahead:
    """What is answered for somebody, and what might be."""

    given: list[tuple[UUID, str]]
    """The orders of the reader, in the order in which they are asked."""
    proposed: list[tuple[str, str]]
    """Others they might give: as JSON, and as a sentence."""


def answers_ahead(at: Sight, told: Telling) -> Ahead | None:
    """The orders of who plays here; None for anybody else, and in a game without orders."""
    law = told.rules.orders
    if law is None or told.seat is None or told.state is None or at.game.state != Game.State.RUNNING:
        return None
    rows = [(row.pk, orders.decoded(at.game, row)) for row in orders.of_seat(at.game, at.account)]
    standing = [order for _, order in rows]
    proposed = law.proposed(told.rules.view(told.state, told.seat))
    return Ahead(
        given=[(row, speak(law.describe(order), told.names)) for row, order in rows],
        proposed=[
            (msgspec.json.encode(order).decode(), speak(law.describe(order), told.names))
            for order in proposed
            if order not in standing
        ],
    )


@acting
def give(request: HttpRequest, at: Sight) -> HttpResponse:
    """Have something answered from now on."""
    now = timezone.now()
    orders.give(at.game.pk, at.account, _read(request.POST.get("order", "")[:_LONGEST]), now)
    judge_soon(at.game, now)
    messages.success(request, _("This is answered for you from now on."))
    return redirect("pages:table", at.game.pk)


def _read(text: str) -> Any:
    """What the form sent; what is no JSON is no order either."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return None


@acting
def withdraw(request: HttpRequest, at: Sight) -> HttpResponse:
    """Take an order back. Http404 for one that is gone, or not one's own."""
    try:
        order = UUID(request.POST.get("order", "")[:_LONGEST])
    except ValueError:
        raise Http404 from None
    row = StandingOrder.objects.filter(pk=order, game=at.game, account=at.account, done_at=None).first()
    if row is None:
        raise Http404
    orders.withdraw(row)
    messages.success(request, _("You are asked yourself again."))
    return redirect("pages:table", at.game.pk)

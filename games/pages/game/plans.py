"""The page of a player's plans at a table: those given, all that one might give, changing one and taking one back."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.limits.idempotency import Effect
from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.engine import Notation
from games.models import Game, Plan
from games.pages.shared.titles import GameOverview
from games.pages.shared.views import (
    PAGE,
    action_on,
    game_action,
    new_key,
    once_only,
    posted_notation,
    resolve_now,
    visible_game,
)
from games.play import plans
from games.text.answer_forms import Form, form_of
from games.text.notation import localized
from games.text.phrases import number, render_phrase
from games.visibility.access import Sight
from games.visibility.player_view import PlayerView

_LONGEST = 200
"""An upper bound on the length of a plan's text."""


@dataclass(frozen=True)
class Given:
    """A plan of the reader's."""

    id: UUID
    number: str
    says: str
    notation: str
    times: int
    times_said: str
    """The number of uses in the reader's digits."""
    did: str
    """The last answer of the plan, or blank if it has not answered yet."""
    at: datetime | None
    """The time at which it answered or lapsed."""


@dataclass(frozen=True)
class PlanAhead:
    """The plans of a player, and what else could be planned."""

    standing: list[Given]
    """In the order in which they are asked."""
    done: list[Given]
    """The plans that were used up or have expired."""
    forms: list[Form]
    """All kinds of plans."""


def standing_plans(at: Sight, player_view: PlayerView) -> list[Given] | None:
    """Return the plans of who plays here, in the order in which they are asked; None where there can be none."""
    if at.seat is None or at.game.state != Game.State.RUNNING or player_view.rules.plans is None:
        return None
    if not player_view.has_planned:
        return []
    return [_given(player_view, row) for row in plans.of_seat(at.game, at.account)]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Show one's plans and all kinds of them, and take a new one."""
    if request.method == "POST":
        return _give(request, game)
    at = visible_game(request, game)
    player_view = PlayerView(at.game, at.plays, at.reader, at.viewer)
    standing = standing_plans(at, player_view)
    if standing is None:
        return redirect("pages:game", game)
    planned = PlanAhead(
        standing, [_given(player_view, row) for row in plans.done(at.game, at.account)], _forms(player_view)
    )
    shown = {"plan_ahead": planned, "key": new_key(), "overview": GameOverview(at.game), "game": at.game}
    return render(request, "games/plans.html", {"place": "games", **shown})


def _forms(player_view: PlayerView) -> list[Form]:
    rules, state, seat = player_view.rules, player_view.state, player_view.seat
    if rules.plans is None or state is None or seat is None:
        return []
    forms = rules.plans.forms(rules.view(state, seat), seat)
    return [form_of(form.title, form.begins, form.slots, player_view.names) for form in forms]


def _given(player_view: PlayerView, row: Plan) -> Given:
    plan_rules = player_view.rules.plans
    assert plan_rules is not None
    plan, answer = plans.decoded(player_view.game, row), plans.last_answer(player_view.game, row)
    did = "" if answer is None else render_phrase(player_view.rules.words.label(answer), player_view.names)
    says, times = render_phrase(plan_rules.describe(plan), player_view.names), number(row.times)
    text = localized(player_view.rules, plan_rules.text(plan))
    return Given(row.pk, number(row.number), says, text, row.times, times, did, row.last_at or row.done_at)


plan_action: Final = action_on("pages:plans")


@plan_action
def _give(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Make a plan: one that was written, or put together of words that were chosen."""
    now = database_clock.now()

    def effect() -> Effect:
        plans.give(at.game.pk, at.account, _written(request), now, via=PAGE)
        return Effect(reverse("pages:plans", args=[at.game.pk]), at.game.pk)

    once_only(request, effect, now)
    return _answered(request, at, now)


@game_action
def ask_only_aimed(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Ask the reader only what concerns them, or everything again."""
    now, wanted = database_clock.now(), request.POST.get("wanted") == "1"
    plans.ask_only_aimed(at.game.pk, at.account, wanted, PAGE, now)
    resolve_now(at.game, now)
    messages.success(request, _("We ask you only what concerns you.") if wanted else _("We ask you everything again."))
    return redirect("pages:game", at.game.pk)


@plan_action
def change(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Put another plan in the place of one."""
    now = database_clock.now()
    plans.give(at.game.pk, at.account, _written(request), now, _own(request, at), PAGE)
    return _answered(request, at, now)


def _written(request: HttpRequest) -> Notation:
    return Notation(posted_notation(request, _LONGEST))


def _answered(request: HttpRequest, at: Sight, now: datetime) -> HttpResponse:
    resolve_now(at.game, now)
    messages.success(request, _("Plan added."))
    return redirect("pages:plans", at.game.pk)


@plan_action
def withdraw(request: AccountHttpRequest, at: Sight) -> HttpResponse:
    """Take a plan back."""
    plans.withdraw(_own(request, at), database_clock.now())
    messages.success(request, _("Plan cancelled."))
    return redirect("pages:plans", at.game.pk)


def _own(request: HttpRequest, at: Sight) -> Plan:
    """The plan that a form is about. Http404 for one that is gone, or not one's own."""
    try:
        plan = UUID(request.POST.get("plan", "")[:_LONGEST])
    except ValueError:
        raise Http404 from None
    row = Plan.objects.filter(pk=plan, game=at.game, account=at.account).first()
    if row is None:
        raise Http404
    return row

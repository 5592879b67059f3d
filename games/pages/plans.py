"""The page of a player's plans in a game, and forms to give, change and withdraw plans."""

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

from accounts.idempotency import Effect
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.engine import Notation
from games.models import Game, Plan
from games.pages.game_views import action_on, game_action, visible_game
from games.pages.posted_forms import PAGE, new_key, once_only, posted_notation, resolve_now
from games.pages.titles import GameOverview
from games.phrases import localized, number, render_phrase
from games.play import plans
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView
from games.visibility.words import Form, form_of

_LONGEST = 200
"""An upper bound on the length of a plan's text."""


@dataclass(frozen=True)
class PlanView:
    """A plan of the reader."""

    id: UUID
    number: str
    says: str
    notation: str
    times: int
    times_said: str
    """The number of uses in the reader's digits."""
    did: str
    """The last answer that the plan gave, or an empty string."""
    at: datetime | None
    """The time of that answer, or else the time at which the plan expired."""


@dataclass(frozen=True)
class PlansView:
    """The plans of a player, and the forms for new ones."""

    standing: list[PlanView]
    """The active plans, in the order in which the server tries them."""
    done: list[PlanView]
    """The plans that were used up or have expired."""
    forms: list[Form]
    """The forms for all kinds of plans."""


def standing_plans(access: GameAccess, player_view: PlayerView) -> list[PlanView] | None:
    """Return the reader's active plans, in the order in which the server tries them. None if the reader cannot plan."""
    if access.seat is None or access.game.state != Game.State.RUNNING or player_view.rules.plans is None:
        return None
    if not player_view.has_planned:
        return []
    return [_plan_view(player_view, row) for row in plans.active_plans(access.game, access.account)]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def plans_page(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Show the reader's plans and the forms for new ones, or store a new plan."""
    if request.method == "POST":
        return _store_plan(request, game)
    access = visible_game(request, game)
    player_view = PlayerView(access.game, access.plays, access.reader, access.viewer)
    standing = standing_plans(access, player_view)
    if standing is None:
        return redirect("pages:game", game)
    planned = PlansView(
        standing,
        [_plan_view(player_view, row) for row in plans.finished_plans(access.game, access.account)[: plans.MAX_PLANS]],
        _forms(player_view),
    )
    context = {"plan_ahead": planned, "key": new_key(), "overview": GameOverview(access.game), "game": access.game}
    return render(request, "games/plans.html", {"place": "games", **context})


def _forms(player_view: PlayerView) -> list[Form]:
    rules, state, seat = player_view.rules, player_view.state, player_view.seat
    if rules.plans is None or state is None or seat is None:
        return []
    forms = rules.plans.forms(rules.view(state, seat), seat)
    return [form_of(form.title, form.begins, form.slots, player_view.names) for form in forms]


def _plan_view(player_view: PlayerView, row: Plan) -> PlanView:
    plan_rules = player_view.rules.plans
    assert plan_rules is not None
    plan, answer = plans.decode_plan(player_view.game, row), plans.last_answer(player_view.game, row)
    did = "" if answer is None else render_phrase(player_view.rules.words.label(answer), player_view.names)
    description, times = render_phrase(plan_rules.describe(plan), player_view.names), number(row.times)
    text = localized(player_view.rules, plan_rules.text(plan))
    return PlanView(row.pk, number(row.number), description, text, row.times, times, did, row.last_at or row.done_at)


plan_action: Final = action_on("pages:plans")


@plan_action
def _store_plan(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Store a plan that was typed, or put together from the fields of a form."""
    now = clock.now()

    def effect() -> Effect:
        plans.store_plan(access.game.pk, access.account, _posted_plan(request), now, via=PAGE)
        return Effect(reverse("pages:plans", args=[access.game.pk]), access.game.pk)

    once_only(request, effect, now)
    return _finish_storing(request, access, now)


@game_action
def ask_only_aimed(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Switch questions that do not concern the reader off or on."""
    now, is_wanted = clock.now(), request.POST.get("wanted") == "1"
    plans.set_only_aimed(access.game.pk, access.account, is_wanted, PAGE, now)
    resolve_now(access.game, now)
    messages.success(
        request, _("We only ask you what concerns you.") if is_wanted else _("We’ll ask you everything again.")
    )
    return redirect("pages:game", access.game.pk)


@plan_action
def change_plan(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Replace a plan."""
    now = clock.now()
    plans.store_plan(access.game.pk, access.account, _posted_plan(request), now, _own_plan(request, access), PAGE)
    return _finish_storing(request, access, now)


def _posted_plan(request: HttpRequest) -> Notation:
    return Notation(posted_notation(request, _LONGEST))


def _finish_storing(request: HttpRequest, access: GameAccess, now: datetime) -> HttpResponse:
    resolve_now(access.game, now)
    messages.success(request, _("Plan added."))
    return redirect("pages:plans", access.game.pk)


@plan_action
def withdraw_plan(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Withdraw a plan."""
    plans.withdraw(_own_plan(request, access), clock.now())
    messages.success(request, _("Plan cancelled."))
    return redirect("pages:plans", access.game.pk)


def _own_plan(request: HttpRequest, access: GameAccess) -> Plan:
    """Return the reader's plan with the posted id. Raises Http404."""
    try:
        plan = UUID(request.POST.get("plan", "")[:_LONGEST])
    except ValueError:
        raise Http404 from None
    row = Plan.objects.filter(pk=plan, game=access.game, account=access.account).first()
    if row is None:
        raise Http404
    return row

"""Plans by email: the commands that change plans, and the notifications that confirm them."""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import Notation, Phrase, gettext_noop
from games.mail import game_replies
from games.mail.commands import AskOnlyAimed, CancelPlan, GivePlan, ListPlans
from games.mail.senders import ActingPlayer
from games.models import Move, Plan
from games.phrases import isolated, localized, number, plan_line, render_phrase
from games.play import plans
from games.refusals import Refusal
from games.visibility.player_view import PlayerView
from notifications.content import Block, Listing, Prose, RenderedNotification, answerable


def handle_plan_command(
    acting: ActingPlayer,
    command: AskOnlyAimed | ListPlans | GivePlan | CancelPlan,
    received_at: datetime,
    now: datetime,
) -> RenderedNotification:
    """Carry out a command about plans, and return the notification with its result."""
    try:
        plans.plan_rules_of(acting.game)
        match command:
            case GivePlan():
                return confirm_plans(acting.current_view(), [give_plan(acting, command, received_at, now)])
            case CancelPlan(plan_number):
                return _withdraw(acting, plan_number, now)
            case AskOnlyAimed(enabled):
                plans.set_only_aimed(acting.game.pk, acting.account, enabled, Move.Via.MAIL, now)
                return game_replies.asked_only_aimed(acting.current_view(), enabled)
            case ListPlans():
                return _list_plans(acting.current_view())
    except Refusal as refusal:
        return game_replies.nothing_done(acting.current_view(), refusal.phrase, getattr(command, "text", ""), now)


def give_plan(acting: ActingPlayer, command: GivePlan, received_at: datetime, now: datetime) -> uuid.UUID:
    """Store a plan, perhaps in place of another, and return its id. Raises Refusal."""
    instead = None if command.number is None else _get_plan(acting, command.number)
    plan, via = Notation(command.text), Move.Via.MAIL
    return plans.store_plan(acting.game.pk, acting.account, plan, now, instead, via, received_at)


def _get_plan(acting: ActingPlayer, plan_number: int) -> Plan:
    """Return the acting account's plan of this number. Raises Refusal(not-found)."""
    row = Plan.objects.filter(game=acting.game, account=acting.account, number=plan_number).first()
    if row is None:
        raise Refusal("not-found", Phrase(gettext_noop("You have no plan %(number)s."), {"number": plan_number}))
    return row


def confirm_plans(player_view: PlayerView, plan_ids: Collection[uuid.UUID]) -> RenderedNotification:
    """Return the confirmation of new plans, with the questions that they have answered already."""
    rows = Plan.objects.filter(pk__in=plan_ids).order_by("number")
    lines = [line for row in rows for line in (_plan_line(player_view, row), _answers_line(player_view, row)) if line]
    headline = ngettext("Your plan is set.", "Your plans are set.", len(plan_ids))
    return answerable(
        game_replies.notification(
            player_view, headline, Prose(tuple(lines)), _plans_block(player_view), _syntax_block(player_view)
        )
    )


def _withdraw(acting: ActingPlayer, plan_number: int | None, now: datetime) -> RenderedNotification:
    rows = plans.active_plans(acting.game, acting.account) if plan_number is None else [_get_plan(acting, plan_number)]
    player_view = acting.current_view()
    cancelled = Prose(tuple(_plan_line(player_view, row) for row in rows) or (_("You have no plans."),))
    if plan_number is None:
        plans.withdraw_plans(acting.game.pk, [row.pk for row in rows], now)
    else:
        plans.withdraw(rows[0], now)
    return game_replies.notification(
        player_view, _("Plan cancelled. We’ll ask you again."), cancelled, _plans_block(player_view)
    )


def _list_plans(player_view: PlayerView) -> RenderedNotification:
    return answerable(
        game_replies.notification(
            player_view,
            _("Your plans: the moves that Darbar plays for you."),
            _plans_block(player_view),
            _syntax_block(player_view),
        )
    )


def _plans_block(player_view: PlayerView) -> Block:
    """Return the active plans in the order in which they are tried, each with its last answer."""
    rows = plans.active_plans(player_view.game, player_view.reader)
    lines = [" ".join(filter(None, (_plan_line(player_view, row), _answers_line(player_view, row)))) for row in rows]
    return Listing(_("Your plans"), tuple(lines or [_("You have no plans.")]))


def _plan_line(player_view: PlayerView, row: Plan) -> str:
    plan, plan_rules = plans.decode_plan(player_view.game, row), player_view.rules.plans
    assert plan_rules is not None
    text = isolated(localized(player_view.rules, plan_rules.text(plan)))
    meaning = render_phrase(plan_rules.describe(plan), player_view.names)
    return _("%(number)s. %(plan)s: %(said)s") % {"number": number(row.number), "plan": text, "said": meaning}


def _answers_line(player_view: PlayerView, row: Plan) -> str:
    """Return a sentence about the questions that a plan has answered, or a blank text."""
    move = plans.last_answer(player_view.game, row)
    if move is None or row.last_at is None:
        return ""
    sentence = ngettext(
        "It has answered once, %(at)s: %(answer)s.",
        "It has answered %(times)s times, last %(at)s: %(answer)s.",
        row.times,
    )
    answer = render_phrase(player_view.rules.words.label(move), player_view.names)
    return sentence % {"times": number(row.times), "at": player_view.moment(row.last_at), "answer": answer}


def _syntax_block(player_view: PlayerView) -> Block:
    """Return one example of each kind of plan that can be given now."""
    plan_rules = player_view.rules.plans
    assert plan_rules is not None
    assert player_view.seat is not None
    rules = player_view.rules
    examples = plan_rules.examples(rules.view(player_view.state, player_view.seat), player_view.seat)
    examples_with_meaning = [
        (plan_line(rules, plan_rules.text(plan)), render_phrase(plan_rules.describe(plan), player_view.names))
        for plan in examples
    ]
    examples_with_meaning += [
        (plan_line(rules, f"2 {plan_rules.text(plan)}"), _("replaces plan 2")) for plan in examples[:1]
    ]
    examples_with_meaning += [
        (pgettext("command in an email", "plan cancel 2"), _("cancels plan 2, in a separate email")),
        (pgettext("command in an email", "plan cancel all"), _("cancels all of them, in a separate email")),
        (pgettext("command in an email", "plans"), _("asks for this list, in a separate email")),
    ]
    lines = tuple(
        _("%(plan)s: %(said)s") % {"plan": isolated(plan_text), "said": meaning}
        for plan_text, meaning in examples_with_meaning
    )
    return Listing(_("You can write these, one on each line, also below your move"), lines)

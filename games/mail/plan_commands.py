"""Plans by mail: what is done with one, and the notification that says so."""

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import Account
from games.engine import Notation, Phrase, gettext_noop
from games.mail import replies
from games.mail.mail_commands import AskOnlyAimed, CancelPlan, GivePlan, ListPlans
from games.models import Game, Move, Plan
from games.play import plans
from games.refusals import Refusal
from games.text.notation import localized, plan_line
from games.text.phrases import isolated, number, render_phrase
from games.visibility.player_view import PlayerView
from notifications.content.rendered_notification import Block, Listing, Prose, RenderedNotification, answerable


class ActingPlayer(Protocol):
    """For whom a mail acts."""

    @property
    def game(self) -> Game: ...

    @property
    def account(self) -> Account: ...

    def current_view(self) -> PlayerView:
        """Return what may be told to them as the game stands now."""
        ...


def handle_plan_command(
    acting: ActingPlayer,
    command: AskOnlyAimed | ListPlans | GivePlan | CancelPlan,
    received_at: datetime,
    now: datetime,
) -> RenderedNotification:
    """Do what a mail says of plans; gives the notification that says what was done, or why nothing was."""
    try:
        plans.plan_rules_of(acting.game)
        match command:
            case GivePlan():
                return confirm_plans(acting.current_view(), [give_plan(acting, command, received_at, now)])
            case CancelPlan(number=named):
                return _withdraw(acting, named, now)
            case AskOnlyAimed(wanted):
                plans.ask_only_aimed(acting.game.pk, acting.account, wanted, Move.Via.MAIL, now)
                return replies.asked_only_aimed(acting.current_view(), wanted)
            case ListPlans():
                return _list_plans(acting.current_view())
    except Refusal as refusal:
        return replies.nothing_done(acting.current_view(), refusal.phrase, getattr(command, "text", ""), now)


def give_plan(acting: ActingPlayer, command: GivePlan, received_at: datetime, now: datetime) -> uuid.UUID:
    """Keep a plan that a mail gives, perhaps in the place of another; gives its id. Refusal."""
    instead = None if command.number is None else _get_plan(acting, command.number)
    plan, via = Notation(command.text), Move.Via.MAIL
    return plans.give(acting.game.pk, acting.account, plan, now, instead, via, received_at)


def _get_plan(acting: ActingPlayer, named: int) -> Plan:
    """The plan of that number. Refusal ``not-found`` where there is none."""
    row = Plan.objects.filter(game=acting.game, account=acting.account, number=named).first()
    if row is None:
        raise Refusal("not-found", Phrase(gettext_noop("You have no plan %(number)s."), {"number": named}))
    return row


def confirm_plans(player_view: PlayerView, plans_given: Collection[uuid.UUID]) -> RenderedNotification:
    """Confirm that these plans were understood, and list what they have answered already."""
    rows = Plan.objects.filter(pk__in=plans_given).order_by("number")
    lines = [line for row in rows for line in (_plan_line(player_view, row), _answers_line(player_view, row)) if line]
    headline = ngettext("Your plan is set.", "Your plans are set.", len(plans_given))
    return answerable(
        replies.notification(
            player_view, headline, Prose(tuple(lines)), _plans_block(player_view), _syntax_block(player_view)
        )
    )


def _withdraw(acting: ActingPlayer, named: int | None, now: datetime) -> RenderedNotification:
    rows = plans.of_seat(acting.game, acting.account) if named is None else [_get_plan(acting, named)]
    player_view = acting.current_view()
    said = Prose(tuple(_plan_line(player_view, row) for row in rows) or (_("You have no plans."),))
    if named is None:
        plans.withdraw_together(acting.game.pk, [row.pk for row in rows], now)
    else:
        plans.withdraw(rows[0], now)
    return replies.notification(
        player_view, _("Plan cancelled. We will ask you again."), said, _plans_block(player_view)
    )


def _list_plans(player_view: PlayerView) -> RenderedNotification:
    return answerable(
        replies.notification(
            player_view,
            _("Your plans: the moves that Darbar plays for you."),
            _plans_block(player_view),
            _syntax_block(player_view),
        )
    )


def _plans_block(player_view: PlayerView) -> Block:
    """The plans that stand, in the order in which they are asked, and what they did."""
    rows = plans.of_seat(player_view.game, player_view.reader)
    lines = [" ".join(filter(None, (_plan_line(player_view, row), _answers_line(player_view, row)))) for row in rows]
    return Listing(_("Your plans"), tuple(lines or [_("You have no plans.")]))


def _plan_line(player_view: PlayerView, row: Plan) -> str:
    plan, plan_rules = plans.decoded(player_view.game, row), player_view.rules.plans
    assert plan_rules is not None
    text = isolated(localized(player_view.rules, plan_rules.text(plan)))
    said = render_phrase(plan_rules.describe(plan), player_view.names)
    return _("%(number)s. %(plan)s: %(said)s") % {"number": number(row.number), "plan": text, "said": said}


def _answers_line(player_view: PlayerView, row: Plan) -> str:
    """Return what a plan has answered; blank where it has not."""
    move = plans.last_answer(player_view.game, row)
    if move is None or row.last_at is None:
        return ""
    said = ngettext(
        "It has answered once, %(at)s: %(answer)s.",
        "It has answered %(times)s times, last %(at)s: %(answer)s.",
        row.times,
    )
    answer = render_phrase(player_view.rules.words.label(move), player_view.names)
    return said % {"times": number(row.times), "at": player_view.moment(row.last_at), "answer": answer}


def _syntax_block(player_view: PlayerView) -> Block:
    """Return how plans are written: one of each kind, as it could be given here."""
    plan_rules = player_view.rules.plans
    assert plan_rules is not None
    assert player_view.seat is not None
    rules = player_view.rules
    examples = plan_rules.examples(rules.view(player_view.state, player_view.seat), player_view.seat)
    known = [
        (plan_line(rules, plan_rules.text(plan)), render_phrase(plan_rules.describe(plan), player_view.names))
        for plan in examples
    ]
    known += [(plan_line(rules, f"2 {plan_rules.text(plan)}"), _("replaces plan 2")) for plan in examples[:1]]
    known += [
        (pgettext("command in an email", "plan cancel 2"), _("cancels plan 2, in a separate email")),
        (pgettext("command in an email", "plan cancel all"), _("cancels all of them, in a separate email")),
        (pgettext("command in an email", "plans"), _("asks for this list, in a separate email")),
    ]
    lines = tuple(_("%(plan)s: %(said)s") % {"plan": isolated(each), "said": said} for each, said in known)
    return Listing(_("You can write these, one on each line, also below your move"), lines)

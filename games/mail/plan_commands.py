"""Standing orders by mail: what is done with one, and the letter that says so."""

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Account
from games.engine import Notation, Phrase, gettext_noop
from games.mail import replies
from games.mail.mail_commands import CancelOrder, Order, Orders
from games.models import Game, Move, StandingOrder
from games.play import plans
from games.refusals import Refusal
from games.text.phrases import isolated, number, render_phrase
from games.visibility.player_view import Telling
from notifications.content.notice import Block, Listing, Notice, Prose


class Seated(Protocol):
    """For whom a mail acts."""

    @property
    def game(self) -> Game: ...

    @property
    def account(self) -> Account: ...

    def told(self) -> Telling:
        """What may be told to them as the game stands now."""
        ...


def follow(seated: Seated, command: Orders | Order | CancelOrder, received_at: datetime, now: datetime) -> Notice:
    """Do what a mail says of orders; gives the letter that says what was done, or why nothing was."""
    try:
        plans.law_of(seated.game)
        match command:
            case Order():
                return given(seated.told(), [give(seated, command, received_at, now)])
            case CancelOrder(number=named):
                return _withdrawn(seated, named)
            case Orders():
                return _listed(seated.told())
    except Refusal as refusal:
        return replies.refused(seated.told(), refusal.phrase, getattr(command, "text", ""))


def give(seated: Seated, command: Order, received_at: datetime, now: datetime) -> uuid.UUID:
    """Keep an order that a mail gives, perhaps in the place of another; gives its id. Refusal."""
    instead = None if command.number is None else _own(seated, command.number)
    order, via = Notation(command.text), Move.Via.MAIL
    return plans.give(seated.game.pk, seated.account, order, now, instead, via, received_at)


def _own(seated: Seated, named: int) -> StandingOrder:
    """The order of that number. Refusal ``not-found`` where there is none."""
    row = StandingOrder.objects.filter(game=seated.game, account=seated.account, number=named).first()
    if row is None:
        raise Refusal("not-found", Phrase(gettext_noop("You have no order %(number)s."), {"number": named}))
    return row


def undo(given: Collection[uuid.UUID]) -> None:
    """Take orders back that have done nothing yet: the move that they came with was refused."""
    for row in StandingOrder.objects.filter(pk__in=given, times=0, done_at=None):
        plans.withdraw(row)


def given(told: Telling, orders_given: Collection[uuid.UUID]) -> Notice:
    """That these orders were understood, and what they have answered already."""
    rows = StandingOrder.objects.filter(pk__in=orders_given).order_by("number")
    lines = [line for row in rows for line in (_line(told, row), _answered(told, row)) if line]
    headline = ngettext("Your order was understood.", "Your orders were understood.", len(orders_given))
    return replies.letter(told, headline, Prose(tuple(lines)), _standing(told), _how(told))


def _withdrawn(seated: Seated, named: int | None) -> Notice:
    rows = plans.of_seat(seated.game, seated.account) if named is None else [_own(seated, named)]
    told = seated.told()
    said = Prose(tuple(_line(told, row) for row in rows) or (_("You have no orders."),))
    for row in rows:
        plans.withdraw(row)
    return replies.letter(told, _("Your order was taken back: you are asked yourself again."), said, _standing(told))


def _listed(told: Telling) -> Notice:
    return replies.letter(told, _("Your orders: what is answered for you ahead."), _standing(told), _how(told))


def _standing(told: Telling) -> Block:
    """The orders that stand, in the order in which they are asked, and what they did."""
    rows = plans.of_seat(told.game, told.reader)
    lines = [" ".join(filter(None, (_line(told, row), _answered(told, row)))) for row in rows]
    return Listing(_("Your standing orders"), tuple(lines or [_("You have no orders.")]))


def _line(told: Telling, row: StandingOrder) -> str:
    order = plans.decoded(told.game, row)
    assert told.rules.orders is not None
    line = {"number": number(row.number), "order": isolated(told.rules.orders.text(order))}
    said = render_phrase(told.rules.orders.describe(order), told.names)
    return _("%(number)s. %(order)s: %(said)s") % {**line, "said": said}


def _answered(told: Telling, row: StandingOrder) -> str:
    """What an order has answered; blank where it has not."""
    move = plans.last_answer(told.game, row)
    if move is None or row.last_at is None:
        return ""
    said = ngettext(
        "It has answered once, %(at)s: %(answer)s.",
        "It has answered %(times)s times, last %(at)s: %(answer)s.",
        row.times,
    )
    answer = render_phrase(told.rules.words.label(move), told.names)
    return said % {"times": number(row.times), "at": told.moment(row.last_at), "answer": answer}


def _how(told: Telling) -> Block:
    """How orders are written: one of each kind, as it could be given here."""
    law = told.rules.orders
    assert law is not None
    assert told.seat is not None
    known = [
        (f"order {law.text(order)}", render_phrase(law.describe(order), told.names))
        for order in law.examples(told.rules.view(told.state, told.seat), told.seat)
    ]
    known += [
        (f"order 2 {law.text(order)}", _("puts another order in the place of order 2"))
        for order in law.examples(told.rules.view(told.state, told.seat), told.seat)[:1]
    ]
    known += [
        ("order cancel 2", _("takes order 2 back, in a mail of its own")),
        ("order cancel all", _("takes all of them back, in a mail of its own")),
        ("orders", _("asks for this list, in a mail of its own")),
    ]
    lines = tuple(_("%(order)s: %(said)s") % {"order": isolated(each), "said": said} for each, said in known)
    return Listing(_("What you can write, a line each, also below your answer to a question"), lines)

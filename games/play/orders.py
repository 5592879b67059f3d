"""Standing orders: answers that players give ahead, and their obedience.

They answer as their player does, in the same transaction as what put the question: nobody else sees them, and nothing
tells that one acted. What an order may look at is the game's own concern (``games.engine.rules.Orders``).
"""

import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import msgspec

from accounts.models import Account
from games import log_store
from games.engine import Phrase, Question, Seat, gettext_noop
from games.models import Game, Move, StandingOrder
from games.play.encoding import encode
from games.play.refusals import Refusal
from games.play.sitting import Sitting, held

MOST: Final = 20
"""So many orders a seat may have at once."""
_LONGEST: Final = 500
"""How many answers orders give at most before the game is stored."""


def of_seat(game: Game, account: Account) -> list[StandingOrder]:
    """The orders of an account in a game, in the order in which they are asked."""
    live = StandingOrder.objects.filter(game=game, account=account, done_at=None)
    found = [(row, decoded(game, row)) for row in live]
    return [row for row, _ in sorted(found, key=lambda pair: _sorting(game, *pair))]


def decoded(game: Game, row: StandingOrder) -> Any:
    """An order as the game reads it."""
    return msgspec.json.decode(row.body, type=_orders(game).order_type)


def give(
    game: uuid.UUID, account: Account, order: Any, now: datetime, instead: StandingOrder | None = None
) -> uuid.UUID:
    """Keep an order (in place of another), and have it answer what is open; gives its id.

    Refusal ``malformed`` (no order of this game), ``forbidden`` (not at this table), ``conflict`` (no game is on, too
    many orders, a game without any).
    """
    with held(game, now) as sitting:
        seat = _playing(sitting, account)
        assert sitting is not None
        body = _checked(sitting.game, order)
        if instead is not None:
            sitting.game.orders.filter(pk=instead.pk).delete()
        elif sitting.game.orders.filter(account=account, done_at=None).count() >= MOST:
            raise Refusal("conflict", Phrase(gettext_noop("You may have %(most)s orders at once."), {"most": MOST}))
        row = StandingOrder(game=sitting.game, seat=seat, account=account, body=body, created_at=now)
        if instead is not None:
            row.pk = instead.pk
        row.save(force_insert=True)
        obey(sitting)
    return row.pk


def _playing(sitting: Sitting | None, account: Account) -> Seat:
    """Where this account plays, if it does."""
    places = {} if sitting is None else sitting.places
    seat = next((seat for seat, place in places.items() if place.account_id == account.pk), None)
    if sitting is None or seat is None:
        raise Refusal("forbidden", Phrase(gettext_noop("You do not sit at this table.")))
    if sitting.game.state != Game.State.RUNNING:
        raise Refusal("conflict", Phrase(gettext_noop("Orders are given while a game is being played.")))
    return seat


def _checked(game: Game, order: Any) -> str:
    """An order's JSON, if it is one that can be given at this table."""
    orders = _orders(game)
    try:
        read = msgspec.convert(order, orders.order_type)
    except msgspec.ValidationError as error:
        sentence = gettext_noop("This cannot be read as an order: %(why)s.")
        raise Refusal("malformed", Phrase(sentence, {"why": str(error)[:200]}), "order") from error
    if why := orders.wrong(read, game.seats):
        raise Refusal("malformed", why, "order")
    return msgspec.json.encode(read).decode()


def _orders(game: Game) -> Any:
    """What the game says of orders. Refusal ``conflict`` for a game that has none."""
    orders = log_store.rules_of(game).orders
    if orders is None:
        raise Refusal("conflict", Phrase(gettext_noop("This game has no standing orders.")))
    return orders


def withdraw(order: StandingOrder) -> None:
    """Take an order back."""
    StandingOrder.objects.filter(pk=order.pk).delete()


def obey(sitting: Sitting) -> None:
    """Have orders answer what they can, until none of them answers an open question."""
    if sitting.state is None or sitting.rules.orders is None:
        return
    given = _given(sitting)
    for _ in range(_LONGEST if given else 0):
        found = min(_answers(sitting, given), key=lambda each: each[0].created_at, default=None)
        if found is None:
            return
        _answer(sitting, given, *found)


Given = dict[Seat, list[tuple[StandingOrder, Any]]]
"""The orders of each seat, in the order in which they are asked."""


def _given(sitting: Sitting) -> Given:
    given: Given = {}
    for row in sitting.game.orders.filter(done_at=None).select_related("account"):
        place = sitting.places.get(Seat(row.seat))
        if place is not None and place.account_id == row.account_id:
            given.setdefault(Seat(row.seat), []).append((row, decoded(sitting.game, row)))
    for orders in given.values():
        orders.sort(key=lambda pair: _sorting(sitting.game, *pair))
    return given


def _sorting(game: Game, row: StandingOrder, order: Any) -> Any:
    return (_orders(game).rank(order), row.created_at, row.pk)


def _answers(sitting: Sitting, given: Given) -> Iterator[tuple[StandingOrder, Question, Any]]:
    """Which order answers each open question, and what. Those that lapse with a question are gone with it."""
    for question in sitting.rules.questions(sitting.state):
        if orders := given.get(question.seat):
            yield from _first(sitting, question, orders)


def _first(
    sitting: Sitting, question: Question, orders: list[tuple[StandingOrder, Any]]
) -> Iterator[tuple[StandingOrder, Question, Any]]:
    """The first of a seat's orders that answers a question."""
    law = sitting.rules.orders
    view = sitting.rules.view(sitting.state, question.seat)
    moves = sitting.rules.legal_moves(sitting.state, question)
    for row, order in list(orders):
        answer = law.obey(view, question, moves, order)
        if answer is not None:
            yield row, question, answer
            return
        if law.is_spent(view, question, order):
            _done(sitting, orders, row)


def _answer(sitting: Sitting, given: Given, row: StandingOrder, question: Question, answer: Any) -> None:
    """Answer a question as its player; an order that is for once is gone then."""
    chance = sitting.chance()
    events = sitting.rules.decide(sitting.state, question.seat, answer, chance)
    move = Move(
        game=sitting.game,
        seat=question.seat,
        account=row.account,
        question=question.id,
        body=encode(answer),
        via=Move.Via.ORDER,
        received_at=sitting.now,
        state=Move.State.APPLIED,
    )
    sitting.happen(events, chance, move)
    move.save(force_insert=True)
    orders = given[question.seat]
    order = next(order for each, order in orders if each is row)
    if sitting.rules.orders.is_once(order):
        _done(sitting, orders, row)


def _done(sitting: Sitting, orders: list[tuple[StandingOrder, Any]], row: StandingOrder) -> None:
    """Ask an order no more."""
    row.done_at = sitting.now
    row.save(update_fields=["done_at"])
    orders[:] = [pair for pair in orders if pair[0] is not row]

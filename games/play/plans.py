"""Standing orders: answers that players give ahead, and their obedience.

They answer as their player does, in the same transaction as what put the question: nobody else sees them, and nothing
tells that one acted. What an order may look at is the game's own concern (``games.engine.plans``).
"""

import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import transaction

from accounts.models import Account
from games.engine import Notation, Phrase, Question, RuleViolation, SeatNumber, gettext_noop
from games.engine.plans import first_answer
from games.engine.reading import names_to_read
from games.event_log import log_store
from games.event_log.encoding import decode, encode
from games.models import Game, Move, StandingOrder
from games.play.locked_game import LockedGame, held
from games.refusals import Refusal, not_seated

MOST: Final = 20
"""So many orders a seat may have at once; so many that are done are listed with them."""
_LONGEST: Final = 500
"""How many answers orders give at most before the game is stored."""


def of_seat(game: Game, account: Account) -> list[StandingOrder]:
    """The standing orders of an account in a game, in the order in which they are asked."""
    found = [(row, decoded(game, row)) for row in _standing(game, account)]
    return [row for row, _ in sorted(found, key=lambda pair: _sorting(game, *pair))]


def done(game: Game, account: Account) -> list[StandingOrder]:
    """The latest of an account's orders that were carried out or have lapsed, the last one first."""
    rows = StandingOrder.objects.filter(game=game, account=account, done_at__isnull=False)
    return list(rows.order_by("-done_at", "-number")[:MOST])


def _standing(game: Game, account: Account) -> Any:
    return StandingOrder.objects.filter(game=game, account=account, done_at=None)


def decoded(game: Game, row: StandingOrder) -> Any:
    """An order as the game reads it."""
    return msgspec.json.decode(row.body, type=law_of(game).order_type)


def last_answer(game: Game, row: StandingOrder) -> Any:
    """What an order answered last, as the game's move; None where it has not answered yet."""
    move_type = log_store.rules_of(game).move_type
    return None if row.last_answer is None else decode(move_type, row.last_answer, "")


def give(
    game: uuid.UUID,
    account: Account,
    order: Any,
    now: datetime,
    instead: StandingOrder | None = None,
    via: str = Move.Via.API,
    received_at: datetime | None = None,
) -> uuid.UUID:
    """Keep an order (in place of another), and have it answer what was open when it came; gives its id.

    It is JSON, or ``Notation``. Refusal ``malformed`` (no order of this game), ``forbidden`` (not at this table),
    ``conflict`` (no game is on, too many orders, a second one about the same, a game without any, ``instead`` is done).
    """
    with held(game, now) as locked:
        seat = _playing(locked, account)
        assert locked is not None
        wanted = _read(locked, seat, order)
        row = _place_for(locked, seat, account, wanted, instead)
        row.body = msgspec.json.encode(wanted).decode()
        row.via, row.created_at = via, received_at or now
        row.after = _this_turn(locked, seat, wanted)
        row.times, row.last_at, row.last_answer = 0, None, None
        row.save()
        if not Move.objects.filter(game=game, state=Move.State.RECEIVED).exists():
            obey(locked)
    return row.pk


def _playing(locked: LockedGame | None, account: Account) -> SeatNumber:
    """Where this account plays, if it does."""
    seat = None if locked is None else locked.seat_of(account)
    if locked is None or seat is None:
        raise not_seated()
    if locked.game.state != Game.State.RUNNING:
        raise Refusal("conflict", Phrase(gettext_noop("Orders are given while a game is being played.")))
    return seat


def _read(locked: LockedGame, seat: SeatNumber, order: Any) -> Any:
    """An order that this seat may give as the game stands."""
    law, view = law_of(locked.game), locked.rules.view(locked.state, seat)
    if isinstance(order, Notation):
        try:
            return law.parse(view, seat, order.text, names_to_read(locked.names()))
        except RuleViolation as violation:
            raise Refusal("malformed", violation.phrase, "text") from violation
    try:
        read = msgspec.convert(order, law.order_type)
    except msgspec.ValidationError as error:
        sentence = gettext_noop("This cannot be read as an order: %(why)s.")
        raise Refusal("malformed", Phrase(sentence, {"why": str(error)[:200]}), "order") from error
    if why := law.wrong(view, seat, read):
        raise Refusal("malformed", why, "order")
    return read


def law_of(game: Game) -> Any:
    """What the game says of orders. Refusal ``conflict`` for a game that has none."""
    law = log_store.rules_of(game).orders
    if law is None:
        raise Refusal("conflict", Phrase(gettext_noop("This game has no standing orders.")))
    return law


def _place_for(
    locked: LockedGame, seat: SeatNumber, account: Account, wanted: Any, instead: StandingOrder | None
) -> StandingOrder:
    """The row in which an order is kept: a new one, or that of the one it takes the place of."""
    rows = {row.pk: row for row in _standing(locked.game, account)}
    if instead is not None and instead.pk not in rows:
        raise _is_done(instead)
    law = law_of(locked.game)
    about = law.subject(wanted)
    for row in rows.values() if about is not None else ():
        other = decoded(locked.game, row)
        if law.subject(other) == about and (instead is None or row.pk != instead.pk):
            sentence = gettext_noop("Your order %(number)s is about the same (%(order)s): change it, or take it back.")
            said = {"number": row.number, "order": Notation(law.text(other))}
            raise Refusal("conflict", Phrase(sentence, said))
    if instead is not None:
        return rows[instead.pk]
    if len(rows) >= MOST:
        raise Refusal("limit-reached", Phrase(gettext_noop("You may have %(most)s orders at once."), {"most": MOST}))
    return _new_row(locked, seat, account)


def _new_row(locked: LockedGame, seat: SeatNumber, account: Account) -> StandingOrder:
    seat_row = locked.seats[seat]
    seat_row.orders += 1
    seat_row.save(update_fields=["orders"])
    return StandingOrder(game=locked.game, seat=seat, account=account, number=seat_row.orders)


def _is_done(order: StandingOrder) -> Refusal:
    sentence = gettext_noop("Your order %(number)s does not stand any more.")
    return Refusal("conflict", Phrase(sentence, {"number": order.number}))


def withdraw(order: StandingOrder) -> None:
    """Take an order back: from then on it answers nothing. Refusal ``conflict`` where it does not stand any more."""
    with transaction.atomic():
        Game.objects.select_for_update(no_key=True).get(pk=order.game_id)
        deleted, _ = StandingOrder.objects.filter(pk=order.pk, done_at=None).delete()
        if not deleted:
            raise _is_done(order)


def obey(locked: LockedGame) -> None:
    """Have orders answer what they can, until none of them answers an open question."""
    if locked.state is None or not any(seat.orders for seat in locked.seats.values()):
        return
    given = _given(locked)
    for row, order in (pair for orders in given.values() for pair in orders):
        _wait_for_the_turn(locked, row, order)
    for _ in range(_LONGEST if given else 0):
        found = min(_answers(locked, given), key=lambda each: each[0].created_at, default=None)
        if found is None:
            return
        _answer(locked, given, *found)


def _this_turn(locked: LockedGame, seat: SeatNumber, order: Any) -> str:
    """The question of the turn that is being asked, of a seat whose order is for a turn; empty where it is not."""
    view, law = locked.rules.view(locked.state, seat), law_of(locked.game)
    mine = [question for question in locked.rules.questions(locked.state) if question.seat == seat]
    return next((question.id for question in mine if law.is_spent(view, question, order)), "")


Given = dict[SeatNumber, list[tuple[StandingOrder, Any]]]
"""The orders of each seat, in the order in which they are asked."""


def _given(locked: LockedGame) -> Given:
    given: Given = {}
    if locked.orders is None:
        locked.orders = list(locked.game.orders.filter(done_at=None))
    for row in (each for each in locked.orders if each.done_at is None):
        seat = locked.seats.get(SeatNumber(row.seat))
        if seat is not None and seat.account_id == row.account_id:
            given.setdefault(SeatNumber(row.seat), []).append((row, decoded(locked.game, row)))
    for orders in given.values():
        orders.sort(key=lambda pair: _sorting(locked.game, *pair))
    return given


def _wait_for_the_turn(locked: LockedGame, row: StandingOrder, order: Any) -> None:
    """Have an order that was given during its owner's turn wait for the end of it, also if it was asked anew."""
    if row.after and row.after not in locked.open:
        answered = any(move.question == row.after and move.last_event for move in locked.judged)
        row.after = "" if answered else _this_turn(locked, SeatNumber(row.seat), order)
        locked.acted[row.pk] = row


def _sorting(game: Game, row: StandingOrder, order: Any) -> Any:
    return law_of(game).rank(order), row.number


def _answers(locked: LockedGame, given: Given) -> Iterator[tuple[StandingOrder, Question, Any]]:
    """Which order answers each question in time, and what. Those that lapse with a question are done."""
    for question in locked.rules.questions(locked.state):
        orders = given.get(question.seat, [])
        due = locked.open[question.id].due_at
        in_time = [(row, order) for row, order in orders if row.created_at <= due and not row.after]
        if not in_time:
            continue
        answer, which, spent = first_answer(locked.rules, locked.state, question, [order for _, order in in_time])
        for index in spent:
            orders.remove(in_time[index])
            _finish(locked, in_time[index][0])
        if which is not None:
            yield in_time[which][0], question, answer


def _answer(locked: LockedGame, given: Given, row: StandingOrder, question: Question, answer: Any) -> None:
    """Answer a question as its player; an order that is for once is gone then."""
    chance = locked.chance()
    events = locked.rules.decide(locked.state, question.seat, answer, chance)
    move = Move(
        game=locked.game,
        seat=question.seat,
        account_id=row.account_id,
        question=question.id,
        body=encode(answer),
        via=row.via,
        obeyed=row.body,
        received_at=locked.now,
        state=Move.State.APPLIED,
    )
    locked.happen(events, chance, move)
    row.times, row.last_at, row.last_answer = row.times + 1, locked.now, move.body
    orders = given[question.seat]
    if locked.rules.orders.is_once(next(order for each, order in orders if each is row)):
        orders[:] = [pair for pair in orders if pair[0] is not row]
        row.done_at = locked.now
    locked.acted[row.pk] = row


def _finish(locked: LockedGame, row: StandingOrder) -> None:
    """Ask an order no more."""
    row.done_at = locked.now
    locked.acted[row.pk] = row

"""Who at a table is told what: letters are ordered here, and written when their turn comes.

An order stands in the transaction of the events it tells of; what the letter says is composed
afterwards, as the game stands then (``games.play.letters``).
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction

from games.bells import ring
from games.engine import Seat
from games.models import Seat as SeatRow
from games.play.letters import ENDED, QUESTION, REMINDER, STARTED, compose, topic_of
from notifications import outbox
from notifications.failures import describe
from notifications.models import Letter

BATCH: Final = 50
"""How many letters one transaction composes."""
BATCHES: Final = 20
"""How many batches one run composes at most; the next bell finds the rest."""


@dataclass(frozen=True)
class News:
    """What has just happened in a game that somebody may have to be told."""

    game: uuid.UUID
    asked: Sequence[tuple[Seat, str]] = ()
    """Who is asked now: the seat and the question's id."""
    started: bool = False
    ended: bool = False


def after(news: Iterable[News], now: datetime) -> None:
    """Order the letters that follow from what was just written to logs: in the same transaction.

    One for each person asked, and one for each person at a table that has begun or ended; seats
    without an account get none. What was ordered before is not ordered again.
    """
    news = tuple(news)
    people = _people({each.game for each in news})
    orders = []
    for each in news:
        seated = people.get(each.game, {})
        orders += [_order(QUESTION, each.game, seated[seat], id) for seat, id in each.asked if seat in seated]
        orders += [_order(STARTED, each.game, account) for account in seated.values() if each.started]
        orders += [_order(ENDED, each.game, account) for account in seated.values() if each.ended]
    _hand_in(orders, now)


def remind(questions: Iterable[tuple[uuid.UUID, Seat, str]], now: datetime) -> None:
    """Order a reminder of each open question (game, seat, id), in the transaction that notes it as done."""
    questions = tuple(questions)
    people = _people({game for game, _, _ in questions})
    accounts = ((game, people.get(game, {}).get(seat), id) for game, seat, id in questions)
    _hand_in([_order(REMINDER, game, account, id) for game, account, id in accounts if account is not None], now)


def _people(games: set[uuid.UUID]) -> dict[uuid.UUID, dict[Seat, int]]:
    """For each game the accounts of the people who sit at it."""
    people: dict[uuid.UUID, dict[Seat, int]] = {}
    seats = SeatRow.objects.filter(game__in=games, house=False, account__is_active=True)
    for game, seat, account in seats.order_by("game", "number").values_list("game_id", "number", "account_id"):
        people.setdefault(game, {})[Seat(seat)] = account
    return people


def _order(reason: str, game: uuid.UUID, account: int, question: str = "") -> outbox.Order:
    key = ":".join(filter(None, [reason, str(game), question, str(account)]))
    return outbox.Order(key=key, reason=reason, account=account, topic=topic_of(game), question=question)


def _hand_in(orders: list[outbox.Order], now: datetime) -> None:
    if orders:
        outbox.order(orders, now)
        ring("games.tasks.write_letters")


def write_due(now: datetime) -> int:
    """Compose the letters that are ordered, in short transactions; how many were taken up.

    One that cannot be composed is tried again later, and stops no other.
    """
    taken = 0
    for _batch in range(BATCHES):
        with transaction.atomic():
            letters = outbox.unwritten(BATCH, now)
            for letter in letters:
                _write(letter, now)
        taken += len(letters)
        if len(letters) < BATCH:
            break
    return taken


def _write(letter: Letter, now: datetime) -> None:
    try:
        with transaction.atomic():
            outbox.write(letter, compose(letter), now)
    except Exception as error:
        letter.set_back(describe(error), now)

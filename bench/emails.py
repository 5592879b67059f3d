"""Emails with a question: rendered with the picture of the board, delivered and written as bytes.

The games differ and get their moves in turn, as on a server with many games: hardly two emails in a row come from the
same table.
"""

import random
import time
from collections.abc import Iterator, Sequence
from typing import Final

from django.conf import settings
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from accounts.models import Account
from bench.engine import TABLES
from bench.measure import Row, at_least
from games.announcements import notify
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Game, Move
from games.play.resolve import resolve
from games.rules.registry import RULES
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from notifications import deliver
from notifications.models import Notification

WARM: Final = 15
"""The maximum number of moves that are played before the first email is rendered."""
ROUNDS: Final = 4
"""The number of moves that are then played in each game. The emails of the first one are not measured."""
BOUNDS: Final = (100.0, 300.0)
"""The emails a second that must be reached, and those aimed at."""


class CountingBackend(BaseEmailBackend):
    """Email backend that serializes and counts emails."""

    count = 0

    def send_messages(self, email_messages: Sequence[object]) -> int:
        for email in email_messages:
            email.message().as_bytes(linesep="\r\n")  # type: ignore[attr-defined]
            CountingBackend.count += 1
        return len(email_messages)


def rows(people: Sequence[int], games: int) -> Iterator[Row]:
    """Emails of questions a second of processor time: of four rounds the last three together."""
    settings.EMAIL_BACKEND = f"{__name__}.{CountingBackend.__name__}"
    Account.objects.filter(pk__in=people[::2]).update(language="fa")
    luck = random.Random(0)
    tables = [_table(people, number, luck) for number in range(games)]
    seconds: list[float] = []
    for round_number in range(ROUNDS):
        if round_number == 1:
            CountingBackend.count = 0
            seconds.clear()
        Notification.objects.all().delete()
        for game in tables:
            _play_on(game, luck)
        seconds.append(_compose_all())
    speed = CountingBackend.count / sum(seconds)
    required, better = BOUNDS
    yield at_least(
        "emails of questions composed a second of processor time",
        "a second",
        "the limit",
        (speed, required, speed / required),
        1,
        better / required,
    )


def _table(people: Sequence[int], number: int, luck: random.Random) -> Game:
    """Return a running game of random players, some moves after its start."""
    rules = [*TABLES][number % len(TABLES)]
    seats = luck.randint(min(3, TABLES[rules][0]), TABLES[rules][0])
    accounts = list(Account.objects.filter(pk__in=luck.sample(people, seats)))
    options = TABLES[rules][1] if number % 4 < 2 else {}
    game = create_game(accounts[0], NewGame(rules=rules, seat_count=seats, options=options), "api", timezone.now())
    for other in accounts[1:]:
        game = join_game(game.id, other, game.code, "api", timezone.now())
    for _ in range(luck.randint(1, WARM)):
        _play_on(game, luck)
    return game


def _play_on(game: Game, luck: random.Random) -> None:
    """Play a random move of a game, unless it is over."""
    choice = luck.choice([*game.open_questions.all()] or [None])
    if choice is None:
        return
    game = Game.objects.get(pk=game.pk)
    rules, state = RULES[game.rules], log_store.position(game).state
    question = next(question for question in rules.questions(state) if question.id == choice.question)
    seat = game.seats.get(number=choice.seat)
    now = timezone.now()
    Move.objects.create(
        game=game,
        seat=SeatNumber(choice.seat),
        account_id=seat.account_id,
        question=choice.question,
        text=rules.text(luck.choice(rules.legal_moves(state, question))),
        via=Move.Via.MAIL,
        received_at=now,
        asked_at=choice.asked_at,
    )
    resolve(game.pk, now)


def _compose_all() -> float:
    """Return the processor time in which all due emails are rendered and delivered."""
    began, now = time.process_time(), timezone.now()
    while notify.write_due(now):
        pass
    while deliver.deliver_due(timezone.now()):
        pass
    return time.process_time() - began

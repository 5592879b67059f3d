"""Orders of notifications about a game, and their composition when they are due.

A notification is ordered in the transaction of the events that it is about. Its content is composed later from the
state of the game at that time (``games.announcements.emails``).
"""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import DatabaseError, transaction
from django.db.models import Max

from accounts import blocks as people
from accounts.models import Account
from config.core import traces
from config.core.database.sql import silent_transaction
from config.core.logs import describe_error
from config.core.tasks import enqueue
from games.announcements import (
    batches,
    club_emails,
    emails,
    invitation_emails,
    rematch_emails,
    table_emails,
    tournament_emails,
)
from games.announcements.batches import digest, topic_of
from games.announcements.club_emails import CLUB_GAME
from games.announcements.emails import (
    AGAIN,
    ENDED,
    PLAYED,
    QUESTION,
    RECEIPT,
    REMINDER,
    STARTED,
    NotNow,
)
from games.announcements.invitation_emails import INVITATION
from games.deadlines import pauses, reminder_schedule
from games.engine import SeatNumber
from games.models import ChatMessage, Move, OpenQuestion, Plan, Seat, StandIn
from games.visibility import seats
from notifications import outbox, preferences, server_emails
from notifications.content import RenderedNotification
from notifications.endpoints import Kind
from notifications.models import Notification, State
from notifications.stream_events import NewStreamEvent, emit

MOST: Final = 400
"""The most notifications that one run composes. The next task finds the rest."""
TOGETHER: Final = 8
"""The most notifications that are composed in one transaction."""
READERS: Final = 8
"""The number of readers with held notifications that one query returns."""
MARGIN: Final = timedelta(hours=2)
"""The time before a deadline by which a question is sent even in quiet hours. Half of the time if that is shorter."""
_COMPOSERS: Final = {
    INVITATION: invitation_emails.compose,
    CLUB_GAME: club_emails.compose,
    tournament_emails.MOVED: tournament_emails.compose,
    tournament_emails.ROUND: tournament_emails.compose,
    tournament_emails.ENDED: tournament_emails.compose,
    rematch_emails.OFFERED: rematch_emails.compose,
    preferences.NEWS: server_emails.compose_news,
    **dict.fromkeys((pauses.PROPOSED, pauses.ON, pauses.OVER), table_emails.compose_pause),
}
"""The functions that compose notifications for reasons other than the events of a game."""
GATHERING: Final = timedelta(minutes=10)
"""The time for which chat messages are collected before a notification is sent."""
APART: Final = timedelta(hours=1)
"""The least time between two notifications to one account about the chat of one game."""
BEFORE_WRITING: Final = timedelta(minutes=1)
"""A notification that is composed at least this much later certainly includes the present change."""
RECEIPT_AFTER: Final = timedelta(hours=1)
"""The time for which a receipt waits for another email that mentions the move."""


@dataclass(frozen=True)
class GameUpdate:
    """A change of a game that may cause notifications."""

    game: uuid.UUID
    seats: Sequence[Seat]
    """The seats of the game, with accounts and preferences loaded."""
    questions: Sequence[OpenQuestion] = ()
    """New questions to players."""
    stand_in_questions: Sequence[OpenQuestion] = ()
    """New questions to stand-ins."""
    closed: Collection[str] = ()
    """The ids of questions that were closed."""
    started: bool = False
    ended: bool = False
    paused: Sequence[pauses.PauseEvent] = ()
    """News about a pause."""
    has_stand_ins: bool = False
    """True if a player has a stand-in, who is asked too."""
    finished_plans: Sequence[Plan] = ()
    """Plans for one move that were carried out or have expired."""

    def concerned(self) -> Sequence[Seat]:
        """Return the seats whose players may get a notification."""
        if self.started or self.ended or self.paused:
            return self.seats
        numbers = {row.seat for row in self.questions} | {row.seat for row in self.finished_plans}
        return [seat for seat in self.seats if seat.number in numbers]


@dataclass(frozen=True)
class Recipients:
    """The accounts that get the notifications about one game."""

    players: Mapping[SeatNumber, int]
    stand_ins: Mapping[SeatNumber, int]
    """The stand-ins by the seat of their player."""


def notify_players(updates: Iterable[GameUpdate], now: datetime) -> None:
    """Order the notifications about new events, in the same transaction.

    Seats without an account get none. Notifications that were ordered before are not ordered again. Composed
    notifications about questions that are closed now are withdrawn.
    """
    updates = tuple(updates)
    people = _people([seat for update in updates for seat in update.concerned()])
    stand_ins = _stand_ins({update.game for update in updates if update.has_stand_ins})
    outbox.withdraw([(topic_of(update.game), question) for update in updates for question in update.closed], now)
    orders: list[outbox.NewNotification] = []
    for update in updates:
        recipients = Recipients(
            players={seat: account.pk for seat, account in people.get(update.game, {}).items()},
            stand_ins={
                SeatNumber(seat): account.pk for (game, seat), account in stand_ins.items() if game == update.game
            },
        )
        for notify in (notify_question, notify_plan_done, notify_started, notify_ended, notify_pause):
            orders += notify(update, recipients)
    accounts = [account for person in people.values() for account in person.values()]
    _schedule(orders, now, [*accounts, *stand_ins.values()])


def notify_question(update: GameUpdate, recipients: Recipients) -> Iterator[outbox.NewNotification]:
    """Order a notification of each new question, to its player and their stand-in."""
    questions = (recipients.players, update.questions), (recipients.stand_ins, update.stand_in_questions)
    for accounts, rows in questions:
        for row in rows:
            if (account := accounts.get(SeatNumber(row.seat))) is not None:
                yield _question_order(QUESTION, row, account)


def notify_plan_done(update: GameUpdate, recipients: Recipients) -> Iterator[outbox.NewNotification]:
    """Notify a player that a plan was carried out, unless a question or the end of the game is notified too."""
    seats_with_question = {row.seat for row in update.questions}
    for plan in update.finished_plans:
        is_seated = recipients.players.get(SeatNumber(plan.seat)) == plan.account_id
        if plan.times and is_seated and not update.ended and plan.seat not in seats_with_question:
            yield _order(PLAYED, update.game, plan.account_id, str(plan.number))


def notify_started(update: GameUpdate, recipients: Recipients) -> Iterator[outbox.NewNotification]:
    """Notify all players that the game has started."""
    if update.started:
        yield from (_order(STARTED, update.game, account) for account in recipients.players.values())


def notify_ended(update: GameUpdate, recipients: Recipients) -> Iterator[outbox.NewNotification]:
    """Notify all players that the game is over."""
    if update.ended:
        yield from (_order(ENDED, update.game, account) for account in recipients.players.values())


def notify_pause(update: GameUpdate, recipients: Recipients) -> Iterator[outbox.NewNotification]:
    """Notify all players that a pause was proposed, has begun or is over."""
    for news in update.paused:
        for account in recipients.players.values():
            yield _order(news.reason, update.game, account, str(news.number), latest=news.latest)


def remind(questions: Iterable[OpenQuestion], now: datetime) -> None:
    """Order a reminder of each of these open questions, and set the time of the next one.

    Must run inside a transaction. The rows are changed but not saved. Players without reminders in their preferences,
    and players with a plan that answers, get none. Stand-ins do, because they may not know of a plan.
    """
    questions = tuple(questions)
    table_seats = [*seats.seats_of({row.game_id for row in questions})]
    people = _people(table_seats)
    represented = {(seat.game_id, seat.number) for seat in table_seats if seat.stand_in_id}
    accounts = [people.get(row.game_id, {}).get(SeatNumber(row.seat)) for row in questions]
    stand_ins = _stand_ins({row.game_id for row in questions})
    orders = []
    for row, account in zip(questions, accounts, strict=True):
        step, row.remind_at = row.remind_at, None
        if account is None or step is None:
            continue
        own_preferences, stand_in = preferences.stored(account), stand_ins.get((row.game_id, row.seat))
        if reminder_schedule.steps_of(own_preferences, alone=row.alone) and row.due_at > now:
            if row.planned_at is None and not reminder_schedule.is_repeated(row):
                orders.append(_question_order(REMINDER, row, account.pk, f"{step:%Y%m%d%H%M%S}"))
            shared = (row.game_id, row.seat) in represented
            reminder_schedule.set_next(row, own_preferences, row.asked_at, max(now, step), shared=shared)
        if stand_in is not None and row.due_at > now:
            orders.append(_question_order(REMINDER, row, stand_in.pk, f"{step:%Y%m%d%H%M%S}"))
    _schedule(orders, now, [account for account in (*accounts, *stand_ins.values()) if account is not None])


def _stand_ins(games: set[uuid.UUID]) -> dict[tuple[uuid.UUID, int], Account]:
    """Return the stand-ins in these games that can be notified, by game and seat."""
    if not games:
        return {}
    active = StandIn.objects.filter(game__in=games, ended_at=None).select_related("account__preferences")
    accounts = {(row.game_id, row.seat): row.account for row in active if row.account is not None}
    reachable = preferences.reachable_accounts(accounts.values())
    return {seat: account for seat, account in accounts.items() if account.pk in reachable}


def ask_again(question: OpenQuestion, account: int, request: str, now: datetime) -> None:
    """Order a question again without a delay, because its reader wants it. ``request`` is an id that makes it
    unique.
    """
    _schedule([_question_order(AGAIN, question, account, request, patient=False)], now)


def order_receipt(move: Move, now: datetime) -> None:
    """Order the receipt for a move by email. It is dropped if another email within an hour mentions the move.

    Must run inside a transaction.
    """
    assert move.account_id is not None
    _schedule([_order(RECEIPT, move.game_id, move.account_id, str(move.pk), earliest=now + RECEIPT_AFTER)], now)


def notify_chat(chat_message: ChatMessage, now: datetime) -> None:
    """Notify the readers of a chat message: their programs now, the accounts themselves by a later notification.

    Must run in the transaction of the message.
    """
    table_seats = [*seats.seats_of([chat_message.game_id])]
    accounts = [seat.account for seat in table_seats if seat.account is not None and seat.account.is_active]
    readers = {account.pk for account in accounts if chat_message.to is None or account.pk == chat_message.reader_id}
    assert chat_message.author_id is not None
    readers -= {chat_message.author_id, *people.readers_hiding(chat_message.author_id, readers)}
    data = {"game": str(chat_message.game_id), "message": str(chat_message.public_id)}
    emit([NewStreamEvent(account, Kind.CHAT, data) for account in sorted(readers)], now)
    reachable = _people(table_seats).get(chat_message.game_id, {})
    _order_chat_emails(chat_message, readers & {account.pk for account in reachable.values()}, now)


def _order_chat_emails(chat_message: ChatMessage, readers: set[int], now: datetime) -> None:
    """Order notifications about a chat message, each with all messages of some minutes, and at most one an hour."""
    topic = emails.topics_of(chat_message.game)[1]
    notifications = Notification.objects.filter(topic=topic, account__in=readers).exclude(state=State.DROPPED)
    pending = notifications.filter(state=State.SCHEDULED, next_attempt_at__gt=now + BEFORE_WRITING)
    last_times = dict(notifications.values_list("account").annotate(Max("next_attempt_at")))
    orders = []
    for account in sorted(readers - set(pending.values_list("account", flat=True))):
        earliest = max(now + GATHERING, last_times[account] + APART) if account in last_times else now + GATHERING
        key = f"{emails.CHAT}:{chat_message.public_id}:{account}"
        orders.append(outbox.NewNotification(key, emails.CHAT, account, topic=topic, patient=True, earliest=earliest))
    _schedule(orders, now)


def _people(seats: Sequence[Seat]) -> dict[uuid.UUID, dict[SeatNumber, Account]]:
    """Return the accounts on these seats that can be notified, by game and seat."""
    people: dict[uuid.UUID, dict[SeatNumber, Account]] = {}
    reachable = preferences.reachable_accounts([seat.account for seat in seats if seat.account is not None])
    for seat in seats:
        if not seat.bot and seat.account is not None and seat.account_id in reachable:
            people.setdefault(seat.game_id, {})[SeatNumber(seat.number)] = seat.account
    return people


def _order(reason: str, game: uuid.UUID, account: int, *more: str, **options: Any) -> outbox.NewNotification:
    key = ":".join([reason, str(game), *more, str(account)])
    return outbox.NewNotification(key, reason, account, topic=topic_of(game), **{"patient": True, **options})


def _question_order(reason: str, row: OpenQuestion, account: int, *more: str, **options: Any) -> outbox.NewNotification:
    """Return the order of a notification with a question. It waits only while there is enough time to answer."""
    latest = row.due_at - min(MARGIN, (row.due_at - row.asked_at) / 2)
    return _order(reason, row.game_id, account, row.question, *more, question=row.question, latest=latest, **options)


def _schedule(orders: list[outbox.NewNotification], now: datetime, readers: Iterable[Account] = ()) -> None:
    if orders:
        outbox.schedule(orders, now, readers)
        enqueue("games.tasks.compose_notifications")


def write_due(now: datetime) -> int:
    """Compose the due notifications. Return how many were handled.

    Several share a transaction and the data that they need. A notification that cannot be composed is tried again
    later, without stopping the others.
    """
    handled = 0
    while handled < MOST and (count := _write_next(now)):
        handled += count
    return handled + _write_held(now)


def _write_next(now: datetime, limit: int = TOGETHER) -> int:
    """Compose the next due notifications and return their number.

    A statement that fails ends the transaction. Then the first notification is composed alone and may fail alone.
    """
    try:
        with silent_transaction():
            notifications = outbox.next_unwritten(now, limit)
            table_data = batches.try_read(
                [notification for notification in notifications if notification.reason not in _COMPOSERS], now
            )
            attempts = [
                (notification, *_composed(notification, now, table_data, is_alone=limit == 1))
                for notification in notifications
            ]
            parts = [(notification, rendered) for notification, is_composed, rendered in attempts if is_composed]
            outbox.write_all([*batches.keep_questions_open(parts, now)], now)
    except DatabaseError:
        if limit == 1:
            raise
        return _write_next(now, limit=1)
    return len(notifications)


def _composed(
    notification: Notification, now: datetime, table_data: batches.Tables | None = None, *, is_alone: bool = True
) -> tuple[bool, RenderedNotification | None]:
    """Return whether a notification could be composed, with its content.

    ``is_alone`` makes a savepoint, which costs two statements. Without it DatabaseError is raised, because the
    transaction has failed.
    """
    try:
        with (
            traces.follow(notification.trace, "compose notification", reason=notification.reason),
            transaction.atomic() if is_alone else nullcontext(),
        ):
            if composer := _COMPOSERS.get(notification.reason):
                return True, composer(notification, now)
            return True, emails.compose(notification, now, table_data or batches.read([notification], now))
    except NotNow as later:
        notification.next_attempt_at = later.until or now + batches.SOON
        notification.save(update_fields=["next_attempt_at"])
    except Exception as error:
        if isinstance(error, DatabaseError) and not is_alone:
            raise
        notification.set_back(describe_error(error), now)
    return False, None


def _write_held(now: datetime) -> int:
    """Compose held notifications of readers whose time has come, one for each reader. Return how many were handled."""
    handled, finished_accounts = 0, set[int]()
    while accounts := outbox.accounts_with_due_digests(READERS, now, finished_accounts):
        for account in accounts:
            with silent_transaction():
                notifications = outbox.gather(account, now)
                _write_together(notifications, now)
            handled += len(notifications)
        finished_accounts.update(accounts)
    return handled


def _write_together(notifications: Sequence[Notification], now: datetime) -> None:
    """Combine notifications to one reader. A question with a reminder is included once.

    If a question was closed meanwhile, the others are composed again, because its notification contained chat messages.
    """
    parts, empty = _composed_in_turn(notifications, now)
    checked = [*batches.keep_questions_open(parts, now)]
    current = [(notification, rendered) for notification, rendered in checked if rendered is not None]
    if len(current) < len(parts):
        outbox.write_all([part for part in checked if part not in current], now)
        remaining = [row for row in notifications if row in (*empty, *(notification for notification, _ in current))]
        for notification in remaining:
            notification.told = None
            notification.save(update_fields=["told"])
        _write_together(remaining, now)
        return
    outbox.write_all([(notification, None) for notification in empty], now)
    if len(current) == 1:
        outbox.write(*current[0], now)
    elif current:
        lead, *others = (notification for notification, _ in current)
        outbox.write(lead, digest(lead, [rendered for _, rendered in current]), now, others)


def _composed_in_turn(
    notifications: Sequence[Notification], now: datetime
) -> tuple[list[tuple[Notification, RenderedNotification]], list[Notification]]:
    """Return notifications to one reader with their content, and those whose content is part of an earlier one."""
    parts: list[tuple[Notification, RenderedNotification]] = []
    empty: list[Notification] = []
    subjects: set[tuple[str, str]] = set()
    for notification in notifications:
        subject = (notification.topic, notification.question or notification.reason)
        is_composed, rendered = (True, None) if subject in subjects else _composed(notification, now)
        if rendered is not None:
            parts.append((notification, rendered))
            subjects.add(subject)
            notification.save(update_fields=["told"])  # The others in the digest must not repeat these chat messages.
        elif is_composed:
            empty.append(notification)
    return parts, empty

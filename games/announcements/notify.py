"""Notifies the people of a game: notifications are ordered here, and written when their turn comes.

An order stands in the transaction of the events it tells of; what the notification says is composed
afterwards, as the game stands then (``games.announcements.emails``).
"""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import DatabaseError, transaction
from django.db.models import Max

from accounts.models import Account
from accounts.people import blocks as people
from config import traces
from config.database.silent_transactions import silent_transaction
from config.failures import describe_error
from games.announcements import chat_emails, emails, invitation_emails, pause_emails, tables
from games.announcements.clubs import club_emails
from games.announcements.clubs.club_emails import CLUB_GAME
from games.announcements.digest import digest
from games.announcements.emails import (
    AGAIN,
    ENDED,
    PLAYED,
    QUESTION,
    RECEIPT,
    REMINDER,
    STARTED,
    NotNow,
    topic_of,
)
from games.announcements.invitation_emails import INVITATION
from games.announcements.tournaments import tournament_emails
from games.deadlines import pauses, reminder_schedule
from games.engine import SeatNumber
from games.event_log.enqueue import enqueue
from games.models import ChatMessage, Move, OpenQuestion, Plan, Seat, StandIn
from games.visibility import seats
from notifications.content.rendered_notification import RenderedNotification
from notifications.delivery import news_emails, outbox
from notifications.endpoints import Kind
from notifications.models import Notification, State
from notifications.recipients import channel_choice, preferences
from notifications.stream.stream_events import NewStreamEvent, emit

MOST: Final = 400
"""The number of notifications one run composes at most; the next task finds the rest."""
TOGETHER: Final = 8
"""The number of notifications that are composed in one transaction at most."""
READERS: Final = 8
"""The number of readers with held notifications that are read in one query."""
MARGIN: Final = timedelta(hours=2)
"""The time before a deadline by which a question is sent at the latest, at any hour, or half of a shorter time."""
_COMPOSERS: Final = {
    INVITATION: invitation_emails.compose,
    CLUB_GAME: club_emails.compose,
    tournament_emails.MOVED: tournament_emails.compose,
    tournament_emails.ROUND: tournament_emails.compose,
    tournament_emails.ENDED: tournament_emails.compose,
    preferences.NEWS: news_emails.compose,
    **dict.fromkeys((pauses.PROPOSED, pauses.ON, pauses.OVER), pause_emails.compose),
}
"""The composer for each reason that is not a table's own notification."""
GATHERING: Final = timedelta(minutes=10)
"""For so long chat is gathered before a notification tells of it."""
APART: Final = timedelta(hours=1)
"""The least time between two notifications about chat that one person gets from one table."""
BEFORE_WRITING: Final = timedelta(minutes=1)
"""A notification that is written at least this much later will certainly include the present change."""
RECEIPT_AFTER: Final = timedelta(hours=1)
"""For so long a receipt waits for an email that tells of its move."""


@dataclass(frozen=True)
class GameUpdate:
    """A change of a game that may cause notifications."""

    game: uuid.UUID
    seats: Sequence[Seat]
    """The seats of the game, with accounts and preferences loaded."""
    asked: Sequence[OpenQuestion] = ()
    """The questions to the players now."""
    put_to_stand_ins: Sequence[OpenQuestion] = ()
    """The questions that those are asked now who may answer for a player."""
    closed: Collection[str] = ()
    """The ids of questions that were closed."""
    started: bool = False
    ended: bool = False
    paused: Sequence[pauses.Told] = ()
    """The news of a pause."""
    has_stand_ins: bool = False
    """True where a stand-in may answer for a player, and is asked too."""
    done: Sequence[Plan] = ()
    """Plans that were for once, and were carried out or have lapsed."""

    def concerned(self) -> Sequence[Seat]:
        """The seats whose players may have to be told."""
        if self.started or self.ended or self.paused:
            return self.seats
        named = {row.seat for row in self.asked} | {row.seat for row in self.done}
        return [seat for seat in self.seats if seat.number in named]


@dataclass(frozen=True)
class Recipients:
    """The accounts that emails about one game go to."""

    players: Mapping[SeatNumber, int]
    stand_ins: Mapping[SeatNumber, int]
    """The stand-ins of a seat's player."""


def notify_players(updates: Iterable[GameUpdate], now: datetime) -> None:
    """Order the notifications about new lines of logs, in the same transaction.

    Seats without an account get none. Notifications that were already ordered are not ordered again. Written
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
    _hand_in(orders, now, [*accounts, *stand_ins.values()])


def notify_question(update: GameUpdate, recipients: Recipients) -> Iterator[outbox.NewNotification]:
    """Order a notification of each new question, to its player and their stand-in."""
    asked = (recipients.players, update.asked), (recipients.stand_ins, update.put_to_stand_ins)
    for accounts, rows in asked:
        for row in rows:
            if (account := accounts.get(SeatNumber(row.seat))) is not None:
                yield _asking(QUESTION, row, account)


def notify_plan_done(update: GameUpdate, recipients: Recipients) -> Iterator[outbox.NewNotification]:
    """Inform a player that a plan was carried out, unless a question or the end of the game says so."""
    asked = {row.seat for row in update.asked}
    for plan in update.done:
        still_seated = recipients.players.get(SeatNumber(plan.seat)) == plan.account_id
        if plan.times and still_seated and not update.ended and plan.seat not in asked:
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
    for told in update.paused:
        for account in recipients.players.values():
            yield _order(told.reason, update.game, account, str(told.number), latest=told.latest)


def remind(questions: Iterable[OpenQuestion], now: datetime) -> None:
    """Order a reminder of each of these open questions, and set when the next one is due.

    Only inside a transaction; the rows are changed and not yet saved. Who wants no reminders gets none, and who has
    a plan that answers is not reminded. A stand-in is: they may know of no plan.
    """
    questions = tuple(questions)
    at_table = [*seats.seats_of({row.game_id for row in questions})]
    people = _people(at_table)
    stood_in_for = {(seat.game_id, seat.number) for seat in at_table if seat.stand_in_id}
    accounts = [people.get(row.game_id, {}).get(SeatNumber(row.seat)) for row in questions]
    stand_ins = _stand_ins({row.game_id for row in questions})
    orders = []
    for row, account in zip(questions, accounts, strict=True):
        step, row.remind_at = row.remind_at, None
        if account is None or step is None:
            continue
        wanted, stand_in = preferences.said_by(account), stand_ins.get((row.game_id, row.seat))
        if reminder_schedule.steps_of(wanted, alone=row.alone) and row.due_at > now:
            if row.planned_at is None and not reminder_schedule.is_repeated(row):
                orders.append(_asking(REMINDER, row, account.pk, f"{step:%Y%m%d%H%M%S}"))
            shared = (row.game_id, row.seat) in stood_in_for
            reminder_schedule.set_next(row, wanted, row.asked_at, max(now, step), shared=shared)
        if stand_in is not None and row.due_at > now:
            orders.append(_asking(REMINDER, row, stand_in.pk, f"{step:%Y%m%d%H%M%S}"))
    _hand_in(orders, now, [account for account in (*accounts, *stand_ins.values()) if account is not None])


def _stand_ins(games: set[uuid.UUID]) -> dict[tuple[uuid.UUID, int], Account]:
    """Return the stand-ins in these games, by game and seat, if notifications reach them."""
    if not games:
        return {}
    live = StandIn.objects.filter(game__in=games, ended_at=None).select_related("account__preferences")
    named = {(each.game_id, each.seat): each.account for each in live if each.account is not None}
    reached = channel_choice.reached(named.values())
    return {seat: account for seat, account in named.items() if account.pk in reached}


def ask_again(question: OpenQuestion, account: int, request: str, now: datetime) -> None:
    """Order a question again, now, as its reader asked for. ``request`` is an id that the reader chose."""
    _hand_in([_asking(AGAIN, question, account, request, patient=False)], now)


def order_receipt(move: Move, now: datetime) -> None:
    """Order the receipt for a move by email. It is dropped where another email tells of the move within an hour.

    Only inside a transaction.
    """
    assert move.account_id is not None
    _hand_in([_order(RECEIPT, move.game_id, move.account_id, str(move.pk), earliest=now + RECEIPT_AFTER)], now)


def notify_chat(chat_message: ChatMessage, now: datetime) -> None:
    """Notify the readers of a message: their programs immediately, themselves by a later notification.

    Call it in the transaction of the message.
    """
    seated = Seat.objects.filter(game=chat_message.game_id, account__is_active=True).values_list("account", flat=True)
    readers = {account for account in seated if chat_message.to is None or account == chat_message.reader_id}
    assert chat_message.author_id is not None
    readers -= {chat_message.author_id, *people.readers_hiding(chat_message.author_id, readers)}
    data = {"game": str(chat_message.game_id), "message": str(chat_message.public_id)}
    emit([NewStreamEvent(account, Kind.CHAT, data) for account in sorted(readers)], now)
    reached = _people([*seats.seats_of([chat_message.game_id])]).get(chat_message.game_id, {})
    _order_chat_emails(chat_message, readers & {account.pk for account in reached.values()}, now)


def _order_chat_emails(chat_message: ChatMessage, readers: set[int], now: datetime) -> None:
    """Order notifications about a message: some time later, with all messages until then, and at most one an hour."""
    topic = chat_emails.topics_of(chat_message.game)[1]
    notifications = Notification.objects.filter(topic=topic, account__in=readers).exclude(state=State.DROPPED)
    soon = notifications.filter(state=State.SCHEDULED, next_attempt_at__gt=now + BEFORE_WRITING)
    last = dict(notifications.values_list("account").annotate(Max("next_attempt_at")))
    orders = []
    for account in sorted(readers - set(soon.values_list("account", flat=True))):
        at = max(now + GATHERING, last[account] + APART) if account in last else now + GATHERING
        key = f"{chat_emails.CHAT}:{chat_message.public_id}:{account}"
        orders.append(outbox.NewNotification(key, chat_emails.CHAT, account, topic=topic, patient=True, earliest=at))
    _hand_in(orders, now)


def _people(seats: Sequence[Seat]) -> dict[uuid.UUID, dict[SeatNumber, Account]]:
    """For each game of these seats the accounts at it to which notifications go."""
    people: dict[uuid.UUID, dict[SeatNumber, Account]] = {}
    reached = channel_choice.reached([seat.account for seat in seats if seat.account is not None])
    for seat in seats:
        if not seat.bot and seat.account is not None and seat.account_id in reached:
            people.setdefault(seat.game_id, {})[SeatNumber(seat.number)] = seat.account
    return people


def _order(reason: str, game: uuid.UUID, account: int, *more: str, **how: Any) -> outbox.NewNotification:
    key = ":".join([reason, str(game), *more, str(account)])
    return outbox.NewNotification(key, reason, account, topic=topic_of(game), **{"patient": True, **how})


def _asking(reason: str, row: OpenQuestion, account: int, *more: str, **how: Any) -> outbox.NewNotification:
    """The order of a notification that asks something: it waits no longer than there is time to answer."""
    latest = row.due_at - min(MARGIN, (row.due_at - row.asked_at) / 2)
    return _order(reason, row.game_id, account, row.question, *more, question=row.question, latest=latest, **how)


def _hand_in(orders: list[outbox.NewNotification], now: datetime, readers: Iterable[Account] = ()) -> None:
    if orders:
        outbox.schedule(orders, now, readers)
        enqueue("games.tasks.compose_notifications")


def write_due(now: datetime) -> int:
    """Compose the due notifications. Return how many were handled.

    Several share a transaction and the data that they need. A notification that cannot be composed is tried again
    later, without stopping the others.
    """
    taken = 0
    while taken < MOST and (count := _write_next(now)):
        taken += count
    return taken + _write_held(now)


def _write_next(now: datetime, most: int = TOGETHER) -> int:
    """Compose the next notifications that are due; how many there were.

    A statement that fails ends the transaction. Then the first is composed by itself, and may fail by itself.
    """
    try:
        with silent_transaction():
            notifications = outbox.next_unwritten(now, most)
            at_hand = tables.try_read(
                [notification for notification in notifications if notification.reason not in _COMPOSERS], now
            )
            tried = [
                (notification, *_composed(notification, now, at_hand, by_itself=most == 1))
                for notification in notifications
            ]
            parts = [(each, said) for each, is_composed, said in tried if is_composed]
            outbox.write_all([*tables.kept_open(parts, now)], now)
    except DatabaseError:
        if most == 1:
            raise
        return _write_next(now, most=1)
    return len(notifications)


def _composed(
    notification: Notification, now: datetime, at_hand: tables.Tables | None = None, *, by_itself: bool = True
) -> tuple[bool, RenderedNotification | None]:
    """Return whether a notification could be composed, with its content. Raises DatabaseError unless it is composed
    alone, which takes two more statements.
    """
    try:
        with (
            traces.follow(notification.trace, "compose notification", reason=notification.reason),
            transaction.atomic() if by_itself else nullcontext(),
        ):
            if composer := _COMPOSERS.get(notification.reason):
                return True, composer(notification, now)
            return True, emails.compose(notification, now, at_hand or tables.read([notification], now))
    except NotNow as later:
        notification.next_attempt_at = later.until or now + tables.SOON
        notification.save(update_fields=["next_attempt_at"])
    except Exception as error:
        if isinstance(error, DatabaseError) and not by_itself:
            raise
        notification.set_back(describe_error(error), now)
    return False, None


def _write_held(now: datetime) -> int:
    """Compose held notifications for readers whose time has come, one for each reader. Return how many were handled."""
    taken, done = 0, set[int]()
    while accounts := outbox.readers(READERS, now, done):
        for account in accounts:
            with silent_transaction():
                notifications = outbox.gather(account, now)
                _write_together(notifications, now)
            taken += len(notifications)
        done.update(accounts)
    return taken


def _write_together(notifications: Sequence[Notification], now: datetime) -> None:
    """Combine notifications to one reader. A question with a reminder is included once.

    If a question was closed in the meantime, the others are composed again, because they contain the chat of its
    notification.
    """
    parts, empty = _composed_in_turn(notifications, now)
    kept = [*tables.kept_open(parts, now)]
    said = [(notification, rendered) for notification, rendered in kept if rendered is not None]
    if len(said) < len(parts):
        outbox.write_all([part for part in kept if part not in said], now)
        left = [each for each in notifications if each in (*empty, *(notification for notification, _ in said))]
        for notification in left:
            notification.told = None
            notification.save(update_fields=["told"])
        _write_together(left, now)
        return
    outbox.write_all([(notification, None) for notification in empty], now)
    if len(said) == 1:
        outbox.write(*said[0], now)
    elif said:
        lead, *others = (notification for notification, _ in said)
        outbox.write(lead, digest(lead, [rendered for _, rendered in said]), now, others)


def _composed_in_turn(
    notifications: Sequence[Notification], now: datetime
) -> tuple[list[tuple[Notification, RenderedNotification]], list[Notification]]:
    """Return notifications to one reader with their content, and those whose content is part of an earlier one."""
    parts: list[tuple[Notification, RenderedNotification]] = []
    empty: list[Notification] = []
    seen: set[tuple[str, str]] = set()
    for notification in notifications:
        about = (notification.topic, notification.question or notification.reason)
        is_composed, rendered = (True, None) if about in seen else _composed(notification, now)
        if rendered is not None:
            parts.append((notification, rendered))
            seen.add(about)
            notification.save(update_fields=["told"])  # the others in the digest do not tell it
        elif is_composed:
            empty.append(notification)
    return parts, empty

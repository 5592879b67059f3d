"""The channel of a game: a chat outside of this server with a message that shows the state of the game.

The host connects and disconnects it. The message contains what any spectator may know. It is posted once and edited
when the public head of the game has moved, so it does not change while a reaction is open.

A reminder is a separate message, at most once for each public head, shortly before the public deadline. Its time
depends on public facts: the time of the last public event, and the latest deadline. It mentions a player by their
handle in this chat, which each player sets only for themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.local_times import format_moment
from accounts.models import Account
from config.core.crypto import encrypt
from games.announcements import setbacks
from games.announcements.batches import topic_of
from games.engine import SPECTATOR, Phrase, SeatNumber, gettext_noop
from games.event_log.log_store import UnknownRules
from games.models import ClubChannel, ClubHandle, Game, TableChannel, TableHandle
from games.models.community import SECRETS
from games.phrases import player
from games.refusals import Refusal
from games.visibility.player_view import PlayerView
from notifications import outbox
from notifications.channels.base import (
    ChannelError,
    ChatMessage,
    ChatResult,
    NothingToSend,
    PostingChannel,
    describe_outcome,
)
from notifications.channels.registry import chat_apps
from notifications.models import Notification, State, skip_locked
from notifications.outgoing import Outcome, OutgoingRequest

CHANNEL_NAME: Final = "game-chats"
APART: Final = timedelta(seconds=15)
"""The least time between two changes of one message."""
NEW_ONES_APART: Final = timedelta(hours=1)
"""The least time between two new messages, in an app that cannot edit messages or did not return the id of one."""


STATUS: Final = "table-status"
REMINDER: Final = "table-reminder"
BATCH: Final = 100
"""The most channels for which messages are ordered in one transaction."""


class GroupMessages(PostingChannel):
    """Messages to group chats."""

    chats: QuerySet[Any]
    """All connections to chats of this kind."""

    def chat_of(self, notification: Notification) -> Any:
        """Return the chat of a message, or None if it was disconnected or replaced."""
        return self.chats.filter(endpoint=str(notification.endpoint)).first()

    def compose(self, chat: Any, notification: Notification, now: datetime) -> ChatMessage | None:
        """Return the message as of now, or None if it is out of date."""
        raise NotImplementedError

    def note_result(self, chat: Any, notification: Notification, result: ChatResult | None) -> None:
        """Record the result of a post, which is None if there was nothing to post."""

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        chat = self.chat_of(notification)
        app, secret = (chat_apps().get(chat.app), chat.readable_secret()) if chat else (None, None)
        with suppress(UnknownRules):
            if app and secret and (message := self.compose(chat, notification, now)):
                notification.data = {**(notification.data or {}), "edited": message.edited}
                return [app.chat_request(chat.address, secret, message)]
        return []

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        chat = self.chat_of(notification)
        outcome = next(iter(outcomes.values()), None)
        result = None
        if chat is not None and outcome is not None:
            result = chat_apps()[chat.app].read_outcome(outcome, (notification.data or {})["edited"])
            if result.new_address:
                follow_chat(chat, result.new_address)
                raise ChannelError("the chat has moved")
        # Locked only now: follow_chat locks the chats of one address in the order of their keys.
        chat = self.chats.select_for_update(of=("self",)).filter(endpoint=str(notification.endpoint)).first()
        if chat is not None:
            self.note_result(chat, notification, result)
        if chat is None or outcome is None or result is None:
            raise NothingToSend
        if not result.is_accepted:
            raise ChannelError(describe_outcome(outcome), permanent=result.is_final)


class TableMessages(GroupMessages):
    """The state of a game as a message, and reminders."""

    chats = TableChannel.objects.select_related("game__host")

    def compose(self, chat: TableChannel, notification: Notification, now: datetime) -> ChatMessage | None:
        if notification.reason == REMINDER:
            return _reminder(chat, notification, now)
        text = write_status(chat)
        digest = sha256(text.encode()).hexdigest()
        notification.data = {"text": digest}
        key = f"{notification.pk}-{digest[:16]}"  # Matrix ignores another text under the same key.
        return None if digest == chat.text else ChatMessage(text, key, not chat.message, chat.message)

    def note_result(self, chat: TableChannel, notification: Notification, result: ChatResult | None) -> None:
        now = notification.tried_at
        if notification.reason != STATUS or now is None:
            return
        if result is not None and result.is_accepted:
            chat.message, chat.text = result.message, (notification.data or {})["text"]
        elif result is not None and result.is_message_gone:
            chat.message = chat.text = ""
        if result is None or result.is_accepted:
            chat.next_change_at = now + (NEW_ONES_APART if result and not result.message else APART)
            chat.remind_at, chat.stopped_at = time_of_reminder(chat.game, now), None
        chat.save(update_fields=["message", "text", "next_change_at", "remind_at", "stopped_at"])

    def give_up(self, notification: Notification, now: datetime) -> None:
        """Stop the channel if the state of its game cannot be posted, and notify the host."""
        chat = self.chat_of(notification)
        if chat is not None and notification.reason == STATUS:
            TableChannel.objects.filter(endpoint=chat.endpoint).update(stopped_at=now)
            notify_of_dead_chat(chat, now)


MESSAGES: Final = TableMessages()


def notify_of_dead_chat(chat: TableChannel | ClubChannel, now: datetime) -> None:
    """Notify the account that connected a chat that it takes no messages: the organizer of its club, or the host."""
    app = chat_apps().get(chat.app)
    app_name, secret = app.app if app else chat.app, sha256(chat.secret.encode()).hexdigest()[:16]
    club = chat.club_id if isinstance(chat, ClubChannel) else chat.game.club_id
    club_chat = ClubChannel.objects.filter(club=club, secret=chat.secret).select_related("club", "account").first()
    if club_chat is not None:
        setbacks.of_club_chat(club_chat.club, club_chat.account, app_name, secret, now)
    elif isinstance(chat, TableChannel):
        setbacks.of_group_chat(chat.game, app_name, secret, now)


def waiting(now: datetime) -> Iterable[QuerySet[Any]]:
    """Return the channels whose message is out of date, those with a due reminder, and reminders to drop."""
    return [_changed(now), due_reminders(now), _stale_reminders()]


def order_due(now: datetime) -> int:
    """Order messages of channels whose game has changed or whose reminder is due. Return their number."""
    with transaction.atomic():
        changed = _locked(_changed(now))
        for channel in changed:
            channel.told = channel.game.public_head
            channel.save(update_fields=["told"])
            outbox.add_message(CHANNEL_NAME, channel.endpoint, STATUS, now, topic_of(channel.game_id))
        skip_locked(_stale_reminders()).update(state=State.DROPPED)
        reminding = _locked(due_reminders(now))
        for channel in reminding:
            channel.remind_at = None
            channel.save(update_fields=["remind_at"])
            data = {"head": bytes(channel.told).hex()}
            outbox.add_message(CHANNEL_NAME, channel.endpoint, REMINDER, now, topic_of(channel.game_id), data)
    return len(changed) + len(reminding)


def _locked(channels: QuerySet[TableChannel]) -> list[TableChannel]:
    return list(channels.select_for_update(skip_locked=True, of=("self",)).select_related("game")[:BATCH])


def _idle() -> QuerySet[TableChannel]:
    """Return the working channels without a status in the outbox, which shows the state when it is sent."""
    return TableChannel.objects.filter(~_has_status(), stopped_at=None)


def _has_status() -> Exists:
    """Return the condition that a status waits for the endpoint of a row."""
    return Exists(Notification.objects.filter(endpoint=OuterRef("endpoint"), reason=STATUS, state=State.READY))


def _stale_reminders() -> QuerySet[Notification]:
    """Return reminders of an earlier state, which would hold up the new one."""
    reminders = Notification.objects.filter(endpoint__isnull=False, reason=REMINDER, state=State.READY)
    return reminders.filter(_has_status())


def _changed(now: datetime) -> QuerySet[TableChannel]:
    changed = _idle().exclude(told=F("game__public_head"))
    return changed.filter(next_change_at__lte=now).order_by("next_change_at")


def follow_chat(channel: TableChannel | ClubChannel, address: str) -> None:
    """Store the new address of a chat, in all games and clubs that post to it with the same secret."""
    old_chat = {"app": channel.app, "address": channel.address, "secret": channel.secret}
    tables = TableChannel.objects.filter(**old_chat)
    # Other workers may follow the same chat. The order prevents a deadlock.
    keys = list(tables.order_by("pk").select_for_update().values_list("pk", flat=True))
    # Messages of the old chat cannot be edited in the new one.
    TableChannel.objects.filter(pk__any=keys).update(address=address, message="", text="")
    ClubChannel.objects.filter(**old_chat).update(address=address)


LEFT: Final = 0.25
"""The part of the time that is left when a reminder goes out."""
SHORTEST: Final = timedelta(hours=4)
"""The shortest time for which there are reminders. In faster games the players watch the game anyway."""


def time_of_reminder(game: Game, now: datetime) -> datetime | None:
    """Return the time of the reminder about the present state of a game, or None without one."""
    if game.state != Game.State.RUNNING or game.due_at is None or game.due_at - now < SHORTEST:
        return None
    return game.due_at - (game.due_at - now) * LEFT


def due_reminders(now: datetime) -> QuerySet[TableChannel]:
    """Return the channels with a due reminder whose message is up to date."""
    return _idle().filter(remind_at__lte=now, told=F("game__public_head")).order_by("remind_at")


def _reminder(channel: TableChannel, notification: Notification, now: datetime) -> ChatMessage | None:
    """Return a reminder, or None if the game has moved on or its time is over."""
    game = channel.game
    is_late = game.state != Game.State.RUNNING or game.due_at is None or game.due_at <= now
    if is_late or (notification.data or {})["head"] != bytes(game.public_head).hex():
        return None
    text, handle = write_reminder(channel)
    return ChatMessage(text, str(notification.pk), handle=handle)


LINES: Final = 3
"""The number of lines of the story in a message."""
_REACTION: Final = "reaction"


def write_reminder(channel: TableChannel) -> tuple[str, str]:
    """Return the reminder about the state of a game, and the handle that it mentions or a blank text.

    Raises UnknownRules.
    """
    with override(channel.language):
        player_view = PlayerView(channel.game, None, None, SPECTATOR)
        seat = _awaited(player_view)
        handle = _handle(channel, seat)
        addressee = _("A reminder for all who haven’t answered yet.")
        if seat is not None:
            name = chat_apps()[channel.app].mention(handle) if handle else player(seat, player_view.names)
            addressee = _("A reminder for %(player)s.") % {"player": name}
        status = [] if player_view.state is None else player_view.status()
        return "\n".join([player_view.subject, addressee, *status, *_ending(channel.game)]), handle


def _awaited(player_view: PlayerView) -> SeatNumber | None:
    """Return the seat that is publicly known to have a question. None in a reaction, where answers are hidden."""
    questions = () if player_view.state is None else player_view.rules.questions(player_view.state)
    seats = [
        question.seat for question in questions if player_view.rules.paces.get(question.kind, _REACTION) != _REACTION
    ]
    return seats[0] if len(questions) == len(seats) == 1 else None


def _handle(channel: TableChannel, seat: SeatNumber | None) -> str:
    accounts = {seat.number: seat.account_id for seat in channel.game.seats.all()}
    account = None if seat is None else accounts.get(seat)
    return "" if account is None else handle_of_player(channel, account)


def write_status(channel: TableChannel) -> str:
    """Return the state of a channel's game in the channel's language. Raises UnknownRules."""
    with override(channel.language):
        return "\n".join(_lines(channel.game))


def _lines(game: Game) -> list[str]:
    player_view = PlayerView(game, None, None, SPECTATOR)
    lines = [player_view.subject, *player_view.history(LINES)]
    if player_view.state is not None and not any(line.event.tells_winners for line in player_view.log):
        lines += player_view.status()
    return [*lines, *_ending(game)]


def _ending(game: Game) -> list[str]:
    """Return the public deadline and the page of the game."""
    page = f"{settings.PUBLIC_URL}{reverse('pages:game', args=[game.pk])}"
    if game.state != Game.State.RUNNING or game.due_at is None:
        return [page]
    moment = format_moment(game.due_at, timezone.get_default_timezone())
    return [_("Until %(moment)s") % {"moment": moment}, page]


def give_handle(channel: TableChannel | ClubChannel, account: Account, handle: str) -> None:
    """Store an account's handle in a chat, for reminders. Blank deletes it. Raises ForbiddenHandle."""
    if handle:
        chat_apps()[channel.app].check_handle(handle)
    rows = channel.handles.filter(account=account)
    with transaction.atomic():
        rows.delete()
        if handle:
            channel.handles.create(account=account, handle=handle)


def own_handle(channel: TableChannel | ClubChannel, account: Account) -> str:
    """Return an account's handle in a chat, or an empty string."""
    return channel.handles.filter(account=account).values_list("handle", flat=True).first() or ""


def handle_of_player(channel: TableChannel, account: int) -> str:
    """Return the handle of a player in the chat of a game: set for this chat, or in the club with the same chat; or
    blank.
    """
    in_chat = TableHandle.objects.filter(channel=channel, account=account)
    in_club = ClubHandle.objects.filter(
        channel__club=channel.game.club_id, channel__secret=channel.secret, account=account
    )
    rows = (*in_chat.values_list("handle", flat=True), *in_club.values_list("handle", flat=True))
    return next(iter(rows), "")


def connect(game: Game, host: Account, app: str, address: str, secret: str, now: datetime) -> TableChannel:
    """Connect a chat to a game in place of any other one. Its first message is posted soon.

    ``app`` is a name in ``chat_apps``. Raises Refusal if the account is not the host, and ForbiddenAddress or
    ForbiddenSecret for an invalid address or secret.
    """
    _check_host(game, host)
    chat_apps()[app].check_chat(address, secret)
    with transaction.atomic():
        TableChannel.objects.filter(game=game).delete()
        return TableChannel.objects.create(
            game=game,
            app=app,
            address=address,
            secret=encrypt(secret, SECRETS),
            language=host.language,
            next_change_at=now,
        )


def disconnect(game: Game, host: Account) -> None:
    """Disconnect the chat of a game, if it has one. Posted messages stay. Raises Refusal if the account is not the
    host.
    """
    _check_host(game, host)
    TableChannel.objects.filter(game=game).delete()


def _check_host(game: Game, account: Account) -> None:
    if game.host_id != account.pk:
        raise Refusal("forbidden", Phrase(gettext_noop("Only the host of this game can do that.")))

"""The channel of a game: a chat outside of this server with a message that shows the state of the game.

The host connects and disconnects it. The message contains what any spectator may know. It is posted once and edited
when the public head of the game has moved, so it does not change while a reaction is open.

A reminder is a separate message, at most once for each public head, shortly before the public deadline. Its time
depends on public facts: the time of the last public event, and the latest deadline. It mentions a player by their
handle in this chat, which each player sets only for themselves.
"""

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Account
from accounts.profile.local_times import format_moment
from config.core.crypto import encrypt
from games.announcements import setbacks
from games.engine import SPECTATOR, Phrase, SeatNumber, gettext_noop
from games.event_log.log_store import UnknownRules
from games.models import ClubChannel, ClubHandle, Game, TableChannel, TableHandle
from games.models.clubs import SECRETS
from games.refusals import Refusal
from games.text.phrases import player
from games.visibility.player_view import PlayerView
from notifications.channels.base import ChatMessage
from notifications.channels.registry import chat_apps
from notifications.outgoing import http_client
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, Outcome, OutgoingRequest

logger = logging.getLogger(__name__)

APART: Final = timedelta(seconds=15)
"""The least time between two changes of one message."""
NEW_ONES_APART: Final = timedelta(hours=1)
"""The least time between two new messages, in an app that cannot edit messages or did not return the id of one."""


def waiting(now: datetime) -> Iterable[QuerySet[TableChannel]]:
    """Return the channels whose message is out of date, and those with a due reminder."""
    return [_due(now), due_reminders(now)]


def post_due(now: datetime) -> int:
    """Post one batch of due messages. Return the number of channels that were checked, 0 if none is due."""
    channels = _take(now)
    _post(channels, now)
    return len(channels)


def _due(now: datetime) -> QuerySet[TableChannel]:
    changed = TableChannel.objects.exclude(told=F("game__public_head"))
    return changed.filter(next_attempt_at__lte=now).order_by("next_attempt_at")


def _take(now: datetime) -> list[TableChannel]:
    with transaction.atomic():
        rows = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("game")
        channels = list(rows[:SIDE_BY_SIDE])
        TableChannel.objects.filter(pk__in=[channel.pk for channel in channels]).update(
            next_attempt_at=now + http_client.CHAT_LEASE
        )
    return channels


def _post(channels: Sequence[TableChannel], now: datetime) -> None:
    outcomes = http_client.post_each([_request(channel) for channel in channels])
    for channel, outcome in zip(channels, outcomes, strict=True):
        _settle(channel, outcome, now)


def _request(channel: TableChannel) -> OutgoingRequest | None:
    """Return the request that posts the message, and record its content. None if it is up to date."""
    app, secret = chat_apps().get(channel.app), channel.readable_secret()
    channel.told = channel.game.public_head
    if app is None or secret is None:
        return None
    with suppress(UnknownRules):
        text = write_status(channel)
        digest = sha256(text.encode()).hexdigest()
        if digest != channel.text:
            channel.text = digest
            message = ChatMessage(text, str(uuid4()), not channel.message, channel.message)
            return app.chat_request(channel.address, secret, message)
    return None


def _settle(channel: TableChannel, outcome: Outcome | None, now: datetime) -> None:
    """Store the result of a post to a channel. A channel that was disconnected or replaced meanwhile is not changed."""
    app = chat_apps().get(channel.app)
    rows = TableChannel.objects.filter(pk=channel.pk, secret=channel.secret)
    if outcome is None or app is None:
        remind_at = time_of_reminder(channel.game, now)
        rows.update(told=channel.told, next_attempt_at=now + APART, remind_at=remind_at)
        return
    result = app.read_outcome(outcome, channel.message)
    if result.is_accepted:
        rows.update(
            told=channel.told,
            text=channel.text,
            message=result.message,
            attempts=0,
            next_attempt_at=now + (APART if result.message else NEW_ONES_APART),
            remind_at=time_of_reminder(channel.game, now),
        )
        return
    if result.new_address:
        follow_chat(channel, result.new_address)
    elif result.is_message_gone:
        rows.update(message="", text="")
    name, tries = f"channel of game {channel.game_id}", channel.attempts + 1
    next_attempt_at = http_client.next_attempt(name, tries, outcome, now, is_final=result.is_final)
    if rows.update(attempts=tries, next_attempt_at=next_attempt_at) and next_attempt_at is None:
        setbacks.of_group_chat(channel.game, app.app, sha256(channel.secret.encode()).hexdigest()[:16], now)


def follow_chat(channel: TableChannel | ClubChannel, address: str) -> None:
    """Store the new address of a chat, in all games and clubs that post to it with the same secret."""
    for model in (TableChannel, ClubChannel):
        chats = model.objects.filter(app=channel.app, address=channel.address, secret=channel.secret)
        chats.update(address=address)
    # Messages of the old chat cannot be edited in the new one.
    TableChannel.objects.filter(address=address, secret=channel.secret).update(message="", text="")


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
    channels = TableChannel.objects.filter(remind_at__lte=now, told=F("game__public_head"))
    return channels.filter(next_attempt_at__isnull=False).order_by("remind_at")


def remind_due(now: datetime) -> int:
    """Post due reminders, each only once, even if it fails.

    Return the number of channels that were checked, 0 if none is due.
    """
    channels = _take_reminders(now)
    _post_reminders(channels, [_reminder_request(channel, now) for channel in channels])
    return len(channels)


def _take_reminders(now: datetime) -> list[TableChannel]:
    with transaction.atomic():
        rows = due_reminders(now).select_for_update(skip_locked=True, of=("self",)).select_related("game")
        channels = list(rows[:SIDE_BY_SIDE])
        TableChannel.objects.filter(pk__in=[channel.pk for channel in channels]).update(remind_at=None)
    return channels


def _reminder_request(channel: TableChannel, now: datetime) -> OutgoingRequest | None:
    """Return the request that posts the reminder, or None if the time is already over or nothing can be posted."""
    app, secret, game = chat_apps().get(channel.app), channel.readable_secret(), channel.game
    if app is None or secret is None or game.state != Game.State.RUNNING or game.due_at is None or game.due_at <= now:
        return None
    with suppress(UnknownRules):
        text, handle = write_reminder(channel)
        return app.chat_request(channel.address, secret, ChatMessage(text, str(uuid4()), handle=handle))
    return None


def _post_reminders(channels: Sequence[TableChannel], requests: Sequence[OutgoingRequest | None]) -> None:
    outcomes = http_client.post_each(requests)
    for channel, outcome in zip(channels, outcomes, strict=True):
        if outcome is not None and not (isinstance(outcome, Answer) and outcome.is_accepted):
            status = outcome.status if isinstance(outcome, Answer) else outcome
            logger.warning("a reminder in the channel of game %s was not taken: %s", channel.game_id, status)


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
            next_attempt_at=now,
        )


def disconnect(game: Game, host: Account) -> None:
    """Disconnect the chat of a game, if it has one. Posted messages stay. Raises Refusal if the account is not the
    host.
    """
    _check_host(game, host)
    TableChannel.objects.filter(game=game).delete()


def _check_host(game: Game, account: Account) -> None:
    if game.host_id != account.pk:
        raise Refusal("forbidden", Phrase(gettext_noop("Only the host of this game may do that.")))

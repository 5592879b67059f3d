"""Chat in emails: the messages since the last email to a player, as far as the player may read them.

A notification records its last message. A message in a notification that was sent is in no other one. A message in a
notification that was not sent is in the next one.
"""

from typing import Final

from django.db.models import Max
from django.utils.translation import gettext as _

from games import links
from games.announcements.batches import topic_of
from games.engine import SeatNumber
from games.models import ChatMessage, Game
from games.phrases import isolated, number, player
from games.visibility import table
from games.visibility.player_view import PlayerView
from notifications import preferences
from notifications.channels.registry import MAIL
from notifications.content import Listing
from notifications.models import Notification, State

CHAT: Final = "chat"
"""The reason of a notification about chat only. As a topic it stands for all these notifications."""
MOST: Final = 30
"""The most messages in a notification. Earlier ones are on the page of the game."""
_NOT_SENT: Final = (State.DROPPED, State.FAILED)


def topics_of(game: Game) -> tuple[str, str]:
    """Return the topic of a game's notifications, and the topic of those about chat only, which can be muted
    separately.
    """
    return topic_of(game.id), f"{CHAT}:{game.id}"


def is_wanted(notification: Notification, game: Game) -> bool:
    """Return whether the reader of a notification about chat has not muted the game, its chat or all chat."""
    return not {CHAT, *topics_of(game)} & set(preferences.of(notification.account).muted)


def new_messages(player_view: PlayerView, notification: Notification) -> tuple[Listing, ...]:
    """Return the messages that the reader has not been sent yet, with the reader's own messages between them.

    The notification records them, and the record is stored together with its text.
    """
    visible = table.visible_messages(player_view.game, player_view.reader).filter(
        hidden=False, id__gt=last_sent_message(player_view)
    )
    messages = [message for message in visible if message.text]
    if not any(message.author_id != player_view.reader.pk for message in messages):
        return ()
    if notification.channel == MAIL:  # Other channels do not show the text of messages.
        notification.told = messages[-1].pk
    lines = [_line(player_view, message) for message in messages[-MOST:]]
    if len(messages) > MOST:
        left_out = _("Earlier messages left out here: %(count)s.")
        lines.insert(0, left_out % {"count": number(len(messages) - MOST)})
    return (Listing(_("New in the chat"), tuple(lines)),)


def reply_address(player_view: PlayerView, since: int) -> str:
    """Return the reply address of a notification about chat with messages after ``since``.

    A reply that is not a command becomes a message to all, or to the only player whose private messages are in the
    notification. If several chats are in it, the recipient of a reply is unclear. The address is then that of the seat,
    which accepts commands only.
    """
    game, seat = player_view.game, player_view.own_seat
    visible = table.visible_messages(game, player_view.reader).filter(hidden=False, id__gt=since)
    others = [message for message in visible if message.text and message.author_id != player_view.reader.pk]
    recipients = {None if other.to is None else SeatNumber(other.seat) for other in others}
    if len(recipients) != 1:
        return player_view.seat_address
    return links.chat_address(game.id, seat, recipients.pop(), player_view.reader.pk)


def how_to_reply(player_view: PlayerView, reply_to: str) -> str:
    """Return the sentence about what a reply to this address does."""
    match links.parse(reply_to):
        case links.ChatAddress(to=None):
            return _(
                "To write to everyone in the chat, reply to this email. Start with “chat” and a name to write just to "
                "that player."
            )
        case links.ChatAddress(to=int() as other):
            sentence = _("To write just to %(player)s, reply to this email. Start with “chat” to write to everyone.")
            return sentence % {"player": player(other, player_view.names)}
    return _(
        "To write in the chat, reply to this email: start with “chat”, and add a name to write just to that player."
    )


def last_sent_message(player_view: PlayerView) -> int:
    """Return the last message that is in a notification to the reader which was or will be sent."""
    notifications = Notification.objects.filter(
        account=player_view.reader, topic__in=topics_of(player_view.game), told__isnull=False
    )
    return notifications.exclude(state__in=_NOT_SENT).aggregate(last=Max("told"))["last"] or 0


def _line(player_view: PlayerView, chat_message: ChatMessage) -> str:
    """Return a message in one line, so that its text cannot imitate another part of the email."""
    text = isolated(" ".join(chat_message.text.split()))
    values = {"player": player(SeatNumber(chat_message.seat), player_view.names), "text": text}
    if chat_message.to is None:
        return _("%(player)s: %(text)s") % values
    if chat_message.author_id != player_view.reader.pk:
        return _("%(player)s, just to you: %(text)s") % values
    return _("%(player)s, just to %(other)s: %(text)s") % {
        **values,
        "other": player(SeatNumber(chat_message.to), player_view.names),
    }

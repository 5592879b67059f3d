"""Chat in emails: the messages since the last email to a player, as far as they may read them.

A notification notes how far it tells. So what stands in one that goes out is told in no other, and what stood in one
that never went out is told by the next.
"""

from typing import Final

from django.db.models import Max
from django.utils.translation import gettext as _

from games.engine import SeatNumber
from games.models import ChatMessage, Game
from games.text import links
from games.text.phrases import isolated, number, player
from games.visibility import visible_chat
from games.visibility.player_view import PlayerView
from notifications.channels.registry import MAIL
from notifications.content.rendered_notification import Listing
from notifications.models import Notification, State
from notifications.recipients import preferences

CHAT: Final = "chat"
"""The reason of a notification that tells of nothing but chat; as a topic, all of these."""
MOST: Final = 30
"""The number of messages in a notification. Earlier ones are on the page of the game."""
_NOT_GONE_OUT: Final = (State.DROPPED, State.FAILED)


def topics_of(game: Game) -> tuple[str, str]:
    """Return the topics of a game's notifications, and those of its notifications about chat only, which can be
    muted alone.
    """
    return f"game:{game.id}", f"{CHAT}:{game.id}"


def is_wanted(notification: Notification, game: Game) -> bool:
    """Return whether the reader of a notification about chat has not said that none is to come: from here, or at
    all.
    """
    return not {CHAT, *topics_of(game)} & set(preferences.of(notification.account).muted)


def new_messages(player_view: PlayerView, notification: Notification) -> tuple[Listing, ...]:
    """Return the messages that the reader has not been sent yet, with the reader's own messages between them.

    The notification records them, and the record is stored together with its text.
    """
    visible = visible_chat.visible_messages(player_view.game, player_view.reader).filter(
        hidden=False, id__gt=last_told_message(player_view)
    )
    new = [each for each in visible if each.text]
    if not any(each.author_id != player_view.reader.pk for each in new):
        return ()
    if notification.channel == MAIL:  # other channels only say that there is a message
        notification.told = new[-1].pk
    lines = [_line(player_view, each) for each in new[-MOST:]]
    if len(new) > MOST:
        left_out = _("Earlier messages left out here: %(count)s.")
        lines.insert(0, left_out % {"count": number(len(new) - MOST)})
    return (Listing(_("New in the chat"), tuple(lines)),)


def reply_address(player_view: PlayerView, since: int) -> str:
    """Return the reply address of a notification about chat with messages after this one.

    A reply that is not a command becomes a message to all, or to the one player whose private messages are the only
    ones in the notification. Otherwise the recipient is not clear, and the address is that of the seat, which takes
    commands only.
    """
    game, seat = player_view.game, player_view.own_seat
    visible = visible_chat.visible_messages(game, player_view.reader).filter(hidden=False, id__gt=since)
    others = [each for each in visible if each.text and each.author_id != player_view.reader.pk]
    rooms = {None if other.to is None else SeatNumber(other.seat) for other in others}
    return links.chat_address(game.id, seat, rooms.pop()) if len(rooms) == 1 else links.seat_address(game.id, seat)


def how_to_reply(player_view: PlayerView, reply_to: str) -> str:
    """Return the sentence about what a reply to this address does."""
    match links.parse(reply_to):
        case links.ChatAddress(to=None):
            return _(
                "To write to everybody in the chat, reply to this email. Begin with chat and a name to write to that "
                "player alone."
            )
        case links.ChatAddress(to=int() as other):
            how = _("To write to %(player)s alone, reply to this email. Begin with chat to write to everybody.")
            return how % {"player": player(other, player_view.names)}
    return _(
        "To write in the chat, reply to this email: begin with chat, and add a name to write to that player alone."
    )


def last_told_message(player_view: PlayerView) -> int:
    """Return how far notifications that went out, or are about to, have told the reader of the chat at this table."""
    notifications = Notification.objects.filter(
        account=player_view.reader, topic__in=topics_of(player_view.game), told__isnull=False
    )
    return notifications.exclude(state__in=_NOT_GONE_OUT).aggregate(last=Max("told"))["last"] or 0


def _line(player_view: PlayerView, chat_message: ChatMessage) -> str:
    """A message in one line, so that it can look like nothing but a message."""
    text = isolated(" ".join(chat_message.text.split()))
    who = {"player": player(SeatNumber(chat_message.seat), player_view.names), "text": text}
    if chat_message.to is None:
        return _("%(player)s: %(text)s") % who
    if chat_message.author_id != player_view.reader.pk:
        return _("%(player)s, to you alone: %(text)s") % who
    return _("%(player)s, to %(other)s alone: %(text)s") % {
        **who,
        "other": player(SeatNumber(chat_message.to), player_view.names),
    }

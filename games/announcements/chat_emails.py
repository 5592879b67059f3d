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
"""The number of messages in a notification; earlier ones are to be found at the table."""
_NOT_GONE_OUT: Final = (State.DROPPED, State.FAILED)


def topics_of(game: Game) -> tuple[str, str]:
    """Return what notifications of a table belong to, and what those belong to that tell of chat only and can be
    stopped alone.
    """
    return f"game:{game.id}", f"{CHAT}:{game.id}"


def is_wanted(notification: Notification, game: Game) -> bool:
    """Return whether the reader of a notification about chat has not said that none is to come: from here, or at
    all.
    """
    return not {CHAT, *topics_of(game)} & set(preferences.of(notification.account).muted)


def new_messages(player_view: PlayerView, notification: Notification) -> tuple[Listing, ...]:
    """Return what the reader has not been told yet of what others said; their own words stand between.

    The notification notes that it tells it; that is stored with what it says.
    """
    visible = visible_chat.visible_messages(player_view.game, player_view.reader).filter(
        hidden=False, id__gt=last_told_message(player_view)
    )
    new = [each for each in visible if each.text]
    if not any(each.author_id != player_view.reader.pk for each in new):
        return ()
    if notification.channel == MAIL:  # other ways say no more than that something was said
        notification.told = new[-1].pk
    lines = [_line(player_view, each) for each in new[-MOST:]]
    if len(new) > MOST:
        left_out = _("Earlier messages left out here: %(count)s.")
        lines.insert(0, left_out % {"count": number(len(new) - MOST)})
    return (Listing(_("New in the chat"), tuple(lines)),)


def reply_address(player_view: PlayerView, since: int) -> str:
    """Return where a reply to a notification about chat goes that tells of messages after this one.

    What is no command in it is chat with all, or with the one player whose private messages are all that is told. The
    seat's own address, which takes commands only, where that would have to be guessed.
    """
    game, seat = player_view.game, player_view.own_seat
    visible = visible_chat.visible_messages(game, player_view.reader).filter(hidden=False, id__gt=since)
    others = [each for each in visible if each.text and each.author_id != player_view.reader.pk]
    rooms = {None if each.to is None else SeatNumber(each.seat) for each in others}
    return links.of_chat(game.id, seat, rooms.pop()) if len(rooms) == 1 else links.of_seat(game.id, seat)


def how_to_reply(player_view: PlayerView, reply_to: str) -> str:
    """Return what a reply to this address does."""
    match links.read(reply_to):
        case links.Chatting(to=None):
            return _(
                "To write to everybody in the chat, reply to this email. Begin with chat and a name to write to that "
                "player alone."
            )
        case links.Chatting(to=int() as other):
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

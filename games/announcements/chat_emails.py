"""Chat in emails: the messages since the last email to a player, as far as they may read them.

A notification notes how far it tells. So what stands in one that goes out is told in no other, and what stood in one
that never went out is told by the next.
"""

from typing import Final

from django.db.models import Max
from django.utils.translation import gettext as _

from games.engine import SeatNumber
from games.models import ChatMessage, Game
from games.text.phrases import isolated, number, player
from games.visibility import visible_chat
from games.visibility.player_view import PlayerView
from notifications.content.rendered_notification import Listing
from notifications.models import Notification, State
from notifications.recipients import preferences
from notifications.recipients.channel_choice import MAIL

CHAT: Final = "chat"
"""The reason of a notification that tells of nothing but chat; as a topic, all of these."""
MOST: Final = 30
"""So many messages stand in a notification; earlier ones are to be found at the table."""
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

    The notification notes that it tells it.
    """
    if player_view.game.terms.chat == "none":
        return ()
    visible = visible_chat.visible_messages(player_view.game, player_view.reader).filter(
        hidden=False, id__gt=_last_told_message(player_view)
    )
    new = [each for each in visible if each.text]
    if not any(each.author_id != player_view.reader.pk for each in new):
        return ()
    if notification.channel == MAIL:  # other ways say no more than that something was said
        notification.told = new[-1].pk
        notification.save(update_fields=["told"])
    lines = [_line(player_view, each) for each in new[-MOST:]]
    if len(new) > MOST:
        left_out = _("Earlier messages left out here: %(count)s.")
        lines.insert(0, left_out % {"count": number(len(new) - MOST)})
    return (Listing(_("New in the chat"), tuple(lines)),)


def _last_told_message(player_view: PlayerView) -> int:
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

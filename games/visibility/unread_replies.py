"""Email replies of the reader of a game's page that the server could not read."""

from datetime import datetime, timedelta
from typing import Final

from games.models import UnreadReply
from games.visibility.access import GameAccess

_SHOWN_FOR: Final = timedelta(days=3)
_MOST: Final = 3


def own_unread_replies(access: GameAccess, now: datetime) -> list[UnreadReply]:
    """Return the latest unread replies of the reader's own account in this game, newest first."""
    if access.reader is None:
        return []
    rows = UnreadReply.objects.filter(account=access.reader, game=access.game, received_at__gt=now - _SHOWN_FOR)
    return [*rows.order_by("-received_at", "-pk")[:_MOST]]

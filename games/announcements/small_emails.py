"""Emails stay small: a picture of the table takes what room the rest leaves it."""

from typing import Final

import msgspec

from games.visibility.player_view import PlayerView
from notifications.channels.mail.message import ENCODED, size, size_at_most
from notifications.content.rendered_notification import Block, Picture, RenderedNotification
from notifications.models import Notification

LIMIT: Final = 30_000
"""An email that puts a question has at most so many bytes, its picture among them."""
_ROUNDED: Final = 6
"""Bytes added for what base64 rounds up: its last group of three bytes, and its last line."""


def fitted(rendered: RenderedNotification, player_view: PlayerView, notification: Notification) -> RenderedNotification:
    """``rendered`` with a picture so small that its email has at most LIMIT bytes; without one where none is."""
    if not rendered.pictures or size_at_most(rendered) <= LIMIT:
        return rendered
    over = size(notification, rendered) - LIMIT
    if over <= 0:
        return rendered
    room = int(len(rendered.pictures[0].png) - (over + _ROUNDED) * ENCODED)
    smaller = iter(player_view.pictures(room))
    blocks: list[Block] = []
    for block in rendered.blocks:
        blocks += smaller if isinstance(block, Picture) else (block,)
    return msgspec.structs.replace(rendered, blocks=tuple(blocks))

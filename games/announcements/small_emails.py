"""Emails stay small: a picture of the table takes what room the rest leaves it."""

from typing import Final

import msgspec

from games.visibility.picture import MOST
from games.visibility.player_view import PlayerView
from notifications.channels.mail.message import ENCODED, size_at_most
from notifications.content.rendered_notification import Block, Picture, RenderedNotification

LIMIT: Final = 30_000
"""An email that puts a question has at most so many bytes, its picture among them."""
_ROUNDED: Final = 6
"""Bytes added for what base64 rounds up: its last group of three bytes, and its last line."""


def with_picture(rendered: RenderedNotification, player_view: PlayerView) -> RenderedNotification:
    """``rendered`` with its blank picture drawn so small that its email has at most LIMIT bytes; without one where none
    is.
    """
    if not rendered.pictures:
        return rendered
    room = LIMIT - size_at_most(rendered) - _ROUNDED
    drawn = player_view.pictures(min(int(room * ENCODED), MOST))
    blocks: list[Block] = []
    for block in rendered.blocks:
        blocks += drawn if isinstance(block, Picture) else (block,)
    return msgspec.structs.replace(rendered, blocks=tuple(blocks))

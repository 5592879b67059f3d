"""Several notifications to one reader as one."""

from collections.abc import Sequence
from typing import Final

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.announcements.question_blocks import how_to_answer, how_to_answer_several
from games.text import links
from games.text.phrases import number
from notifications.content import addresses
from notifications.content.rendered_notification import (
    Answers,
    Block,
    Heading,
    Link,
    Prose,
    RenderedNotification,
    answerable,
)
from notifications.models import Notification

THREAD: Final = "digest"
"""The thread of the digests to one reader."""


def digest(lead: Notification, parts: Sequence[RenderedNotification]) -> RenderedNotification:
    """Combine notifications into one. A line of a reply acts in the game whose code it begins with, and each
    question also keeps its own address.
    """
    assert lead.account is not None
    with override(lead.account.language):
        asked = sum(_asks(part) for part in parts)
        return answerable(
            RenderedNotification(
                language=lead.account.language,
                subject=_("Your games at Darbar"),
                headline=_headline(asked),
                blocks=(
                    Prose((how_to_answer_several(),)),
                    *(block for part in parts for block in _within(part)),
                ),
                reply_to=addresses.address(addresses.DIGEST, addresses.short(lead.id)),
                thread=THREAD,
            )
        )


def _headline(asked: int) -> str:
    if not asked:
        return _("There is news from your games.")
    return _("Questions that wait for your answer: %(count)s.") % {"count": number(asked)}


def _asks(part: RenderedNotification) -> bool:
    return any(block.__struct_config__.tag == "answers" for block in part.blocks)


def _within(part: RenderedNotification) -> list[Block]:
    """A notification as a part of another; instead of how to answer by replying, the link that does."""
    kept: list[Block] = [Heading(f"{part.subject}: {part.headline}")]
    for block in part.blocks:
        if isinstance(block, Answers):
            kept.append(msgspec.structs.replace(block, title=_("Your options")))
        elif block not in (how_to_answer(ahead=True), how_to_answer(ahead=False)):
            kept.append(block)
        else:
            kept.append(Link(_("Answer this question by email"), links.reply_link(part.reply_to, part.subject)))
    return kept

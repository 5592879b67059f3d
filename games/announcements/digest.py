"""Digests: several notifications to one reader in one email."""

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
    """Combine notifications into one. A line of a reply names its game by its code. Each question keeps its own address
    too.
    """
    assert lead.account is not None
    with override(lead.account.language):
        question_count = sum(_asks(part) for part in parts)
        return answerable(
            RenderedNotification(
                language=lead.account.language,
                subject=_("Your games at Darbar"),
                headline=_headline(question_count),
                blocks=(
                    Prose((how_to_answer_several(),)),
                    *(block for part in parts for block in _within(part)),
                ),
                reply_to=addresses.address(addresses.DIGEST, addresses.short(lead.id)),
                thread=THREAD,
            )
        )


def _headline(question_count: int) -> str:
    if not question_count:
        return _("There is news from your games.")
    return _("Questions that wait for your answer: %(count)s.") % {"count": number(question_count)}


def _asks(part: RenderedNotification) -> bool:
    return any(block.__struct_config__.tag == "answers" for block in part.blocks)


def _within(part: RenderedNotification) -> list[Block]:
    """Return a notification as a part of a digest, with a link to answer by email in place of the instructions."""
    blocks: list[Block] = [Heading(f"{part.subject}: {part.headline}")]
    for block in part.blocks:
        if isinstance(block, Answers):
            blocks.append(msgspec.structs.replace(block, title=_("Your options")))
        elif block not in (how_to_answer(ahead=True), how_to_answer(ahead=False)):
            blocks.append(block)
        else:
            blocks.append(Link(_("Answer this question by email"), links.reply_link(part.reply_to, part.subject)))
    return blocks

"""Notifications whose text mail programs do not turn into links, because players wrote parts of it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from notifications.content.contact_details import without_links
from notifications.content.rendered_notification import (
    Answer,
    Answers,
    Block,
    Footnote,
    Heading,
    Link,
    Links,
    Listing,
    Picture,
    Prose,
    RenderedNotification,
)


def unlinked(rendered: RenderedNotification) -> RenderedNotification:
    """Return a notification in which only ``Link``, ``Links`` and ``Answers`` contain links."""
    if rendered.is_official:
        return rendered
    return replace(
        rendered,
        subject=without_links(rendered.subject),
        headline=without_links(rendered.headline),
        blocks=tuple(_block(block) for block in rendered.blocks),
    )


def _block(block: Block) -> Block:
    writer = _WRITERS.get(type(block))
    return block if writer is None else writer(block)


def _lines(block: Prose | Footnote) -> Block:
    return replace(block, lines=tuple(map(without_links, block.lines)))


def _listing(block: Listing) -> Block:
    return replace(block, title=without_links(block.title), lines=tuple(map(without_links, block.lines)))


def _answers(block: Answers) -> Block:
    return replace(block, title=without_links(block.title), answers=tuple(map(_answer, block.answers)))


def _answer(answer: Answer) -> Answer:
    return replace(answer, notation=without_links(answer.notation), label=without_links(answer.label))


def _link(link: Link) -> Link:
    return replace(link, label=without_links(link.label))


_WRITERS: Final[Mapping[type, Callable[[Any], Block]]] = {
    Prose: _lines,
    Footnote: _lines,
    Listing: _listing,
    Answers: _answers,
    Link: _link,
    Links: lambda block: replace(block, links=tuple(map(_link, block.links))),
    Heading: lambda block: replace(block, text=without_links(block.text)),
    Picture: lambda block: replace(block, alt=without_links(block.alt)),
}

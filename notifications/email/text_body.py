"""A notification as plain text for mail programs.

It has the whole content except pictures, and links in small print that only write an email: the text names the
commands.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from textwrap import TextWrapper
from typing import Any, Final

from django.utils.text import wrap

from notifications.content import (
    MARKER_BEGINS,
    RIGHT_TO_LEFT,
    Answers,
    Code,
    Footnote,
    Heading,
    Link,
    Links,
    Listing,
    Picture,
    Prose,
    RenderedNotification,
    notation,
    plain_text,
)

WIDTH: Final = 76
"""The width at which text is wrapped. Only addresses and the marker's line are longer."""
_RULE: Final = "--------"
_DIRECTION_MARKS: Final[Mapping[str, tuple[str, re.Pattern[str]]]] = {
    "rtl": ("\u200f", re.compile(rf"^(?!{MARKER_BEGINS}|-+$|\s*(?:https?:|mailto:))(?=.*\S)", re.M)),
    "ltr": ("\u200e", re.compile(rf"^(?=(?:[^\w\n]|[\d_])*[{RIGHT_TO_LEFT}])", re.M)),
}
"""The mark of each direction of writing, and the lines that need it.

From right to left these are all lines except links. From left to right they are lines that begin with a name in another
script.
"""
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def text_body(rendered: RenderedNotification, marker: str, direction: str) -> str:
    """Return a notification as text in this direction of writing.

    If it has a marker, this stands behind the headline on the same line. So inboxes show the headline first, and in a
    quotation both are removed.
    """
    if marker:
        lines = [f"{plain_text(rendered.headline, direction)} {marker}"]
    else:
        lines = [*_wrapped(rendered.headline, direction)]
    in_small_print = False
    for block in rendered.blocks:
        if not (block_lines := [*_WRITERS[type(block)](block, direction)]):
            continue
        if isinstance(block, Footnote | Links):
            lines += block_lines if in_small_print else ("", _RULE, *block_lines)
        else:
            lines += ("", *block_lines)
        in_small_print = isinstance(block, Footnote | Links)
    text = _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip() + "\n"
    # Mail programs take a line's direction from its first letter.
    mark, lines_to_mark = _DIRECTION_MARKS[direction]
    return lines_to_mark.sub(mark, text)


def _wrapped(text: str, direction: str) -> Iterator[str]:
    line = plain_text(text, direction)
    yield line if len(line) <= WIDTH else wrap(line, WIDTH)


def _hanging(start: str, text: str, indent: str = "") -> str:
    """Return an entry of a list. Its further lines are indented."""
    wrapper = TextWrapper(WIDTH, start, indent or " " * len(start), break_long_words=False, break_on_hyphens=False)
    return wrapper.fill(text)


def _prose(block: Prose, direction: str) -> Iterator[str]:
    for line in block.lines:
        yield from _wrapped(line, direction)


def _footnote(block: Footnote, direction: str) -> Iterator[str]:
    for line in block.lines:
        yield from _wrapped(line, direction)


def _listing(block: Listing, direction: str) -> Iterator[str]:
    yield from _wrapped(block.title, direction)
    yield from (_hanging("  * ", plain_text(line, direction)) for line in block.lines)


def _answers(block: Answers, direction: str) -> Iterator[str]:
    yield from _wrapped(block.title, direction)
    for answer in block.answers:
        number = f"{answer.number}. " if answer.number else ""
        notation_text = f"{notation(answer.notation, direction)} - " if answer.notation else ""
        yield _hanging("  ", f"{number}{notation_text}{plain_text(answer.label, direction)}", "     ")


def _code(block: Code, _direction: str) -> Iterator[str]:
    yield f"    {block.text}"


def _heading(block: Heading, direction: str) -> Iterator[str]:
    yield "\n========"
    yield from _wrapped(block.text, direction)
    yield ""


def _links(block: Links, direction: str) -> Iterator[str]:
    for link in block.links:
        if not link.url.startswith("mailto:"):
            yield from _link(link, direction)


def _link(link: Link, direction: str) -> Iterator[str]:
    yield f"{plain_text(link.label, direction)}: {link.url}"


def _picture(_block: Picture, _direction: str) -> Iterator[str]:
    yield from ()


_WRITERS: Final[Mapping[type, Callable[[Any, str], Iterator[str]]]] = {
    Prose: _prose,
    Listing: _listing,
    Answers: _answers,
    Code: _code,
    Heading: _heading,
    Picture: _picture,
    Footnote: _footnote,
    Links: _links,
    Link: _link,
}

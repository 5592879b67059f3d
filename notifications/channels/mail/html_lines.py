"""Short lines for the HTML of an email: programs quote it as it is, and some servers refuse lines of 998 bytes."""

import re
from collections.abc import Iterator
from typing import Final

LONGEST: Final = 200
"""Bytes of a line, unless a single word or address has more."""
_BREAK: Final = "\x1f"
_TAG_OR_TEXT: Final = re.compile(r'<[^<>"]*(?:"[^"]*"[^<>"]*)*>|[^<]+|<')
_STYLE: Final = re.compile(rf'(?<={_BREAK}style=")[^"]*')
_OUTSIDE_QUOTES: Final = re.compile(r'("[^"]*")| ')


def wrap_html(html: str) -> str:
    """Return HTML that shows the same, with line breaks in place of spaces where a line is too long.

    A line is broken between words of text, between attributes, and between the declarations of a style; never in
    another attribute's value, where a line break might be shown. There must be no ``<pre>``.
    """
    return "\n".join(_wrap_line(line) if _size(line) > LONGEST else line for line in html.split("\n"))


def _wrap_line(line: str) -> str:
    pieces = "".join(map(_mark_breaks, _TAG_OR_TEXT.findall(line.replace(_BREAK, " ")))).split(_BREAK)
    return "\n".join(_fill(pieces))


def _mark_breaks(piece: str) -> str:
    """Put a mark wherever a tag or a text may be broken; a mark takes the place of a space, except in styles."""
    if not piece.startswith("<"):
        return piece.replace(" ", _BREAK)
    marked = _OUTSIDE_QUOTES.sub(lambda found: found[1] or _BREAK, piece)
    return _STYLE.sub(lambda found: re.sub(r"; ?(?=.)", f";{_BREAK}", found[0]), marked)


def _fill(pieces: list[str]) -> Iterator[str]:
    """Yield lines of as many pieces as there is room for, with spaces between them."""
    line, *others = pieces
    for piece in others:
        if _size(line) + 1 + _size(piece) > LONGEST:
            yield line
            line = piece
        else:
            line = f"{line} {piece}"
    yield line


def _size(text: str) -> int:
    return len(text.encode())

"""Text with Unicode isolates, as HTML and as plain text."""

import re
from html import escape
from typing import Final

_ISOLATE: Final = re.compile("([\u2066-\u2068])([^\u2066-\u2069]*)\u2069")
RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""The letters that are written from right to left, in the form of a character class."""
_RIGHT: Final = re.compile(f"[{RIGHT_TO_LEFT}]")
_LEFT: Final = re.compile("[A-Za-z\u00c0-\u058f]")
_STRAY: Final = re.compile("[\u2066-\u2069]")
_TAGS: Final = {"\u2066": '<bdi dir="ltr">', "\u2067": '<bdi dir="rtl">', "\u2068": "<bdi>"}


def with_bdi(text: str) -> str:
    """Return an escaped text with each isolated piece in a ``bdi`` element. Isolates without an end are left out."""
    html = escape(text)
    if not _STRAY.search(html):
        return html
    while (inner := _ISOLATE.sub(lambda match: f"{_TAGS[match[1]]}{match[2]}</bdi>", html)) != html:
        html = inner
    return _STRAY.sub("", html)


def plain(text: str, direction: str) -> str:
    """Return a text for plain text in this direction. Isolates stay only around pieces that need them."""
    foreign = _LEFT if direction == "rtl" else _RIGHT
    return _ISOLATE.sub(lambda match: match[0] if foreign.search(match[2]) else match[2], text)


def notation(text: str, direction: str) -> str:
    """Return notation within plain text, isolated if its direction differs from that of the text."""
    return f"\u2066{text}\u2069" if direction == "rtl" and not _RIGHT.search(text) else text

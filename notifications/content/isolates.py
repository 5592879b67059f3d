"""Text with Unicode isolates, as HTML and as plain text."""

import re
from html import escape
from typing import Final

_ISOLATE: Final = re.compile("([\u2066-\u2068])([^\u2066-\u2069]*)\u2069")
RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""The letters that run from right to left, as a regular expression lists them between brackets."""
_RIGHT: Final = re.compile(f"[{RIGHT_TO_LEFT}]")
_LEFT: Final = re.compile("[A-Za-z\u00c0-\u058f]")
_STRAY: Final = re.compile("[\u2066-\u2069]")
_TAGS: Final = {"\u2066": '<bdi dir="ltr">', "\u2067": '<bdi dir="rtl">', "\u2068": "<bdi>"}


def with_bdi(text: str) -> str:
    """``text`` escaped, each isolated piece in a ``bdi`` element; isolates without an end are left out."""
    marked = escape(text)
    if not _STRAY.search(marked):
        return marked
    while (inner := _ISOLATE.sub(lambda found: f"{_TAGS[found[1]]}{found[2]}</bdi>", marked)) != marked:
        marked = inner
    return _STRAY.sub("", marked)


def plain(text: str, direction: str) -> str:
    """``text`` for plain text of that direction: isolates stay only round what needs them."""
    foreign = _LEFT if direction == "rtl" else _RIGHT
    return _ISOLATE.sub(lambda found: found[0] if foreign.search(found[2]) else found[2], text)


def notation(text: str, direction: str) -> str:
    """Notation within plain text of that direction: isolated where it runs in the other one."""
    return f"\u2066{text}\u2069" if direction == "rtl" and not _RIGHT.search(text) else text

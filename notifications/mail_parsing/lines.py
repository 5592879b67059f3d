"""A body as lines, each known to be quoted or not: what plain text and HTML have in common."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

MOST_LINES: Final = 4000
LONGEST_LINE: Final = 4000
"""A longer line is cut and ends in U+FFFD, which no grammar reads."""

_BREAKS: Final = re.compile("\r\n|[\r\n\u0085\u2028\u2029]")
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff]")
_QUOTE: Final = re.compile(r"\s*(?:[A-Za-z]{0,4}>|[|»＞])")
_WIDTH: Final = 66
"""Programs wrap what they quote at 72 columns or more."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a body."""

    text: str
    quoted: bool = False
    """True where the email itself marks it as somebody else's: quotation marks, a quoting element, a signature."""
    torn: bool = False
    """True where it may be the end of the quoted line above, broken off by a program that wraps."""
    ends: bool = False
    """True where everything from here on is somebody else's."""


def seen(text: str) -> str:
    """``text`` as quotations are told by: without marks that nobody sees, single blanks, none at the ends."""
    return " ".join(_UNSEEN.sub("", text).split())


def clean(text: str) -> str:
    """A line without controls and not endless. Each control becomes U+FFFD: cut out, it might leave another word."""
    text = text.replace("\t", " ")
    if not text.isprintable():
        text = "".join("\ufffd" if unicodedata.category(each) in ("Cc", "Cs") else each for each in text)
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}\ufffd"


def plain(text: str, *, flowed: bool = False, delete_space: bool = False) -> list[Line]:
    """The lines of a plain text; ``flowed`` ones (RFC 3676) made whole again."""
    raw = _BREAKS.split(text, MOST_LINES)[:MOST_LINES]
    lines = list(_flowed(raw, delete_space)) if flowed else [_line(each) for each in raw]
    return list(_unarmoured(_with_torn(lines)))


def _line(raw: str) -> Line:
    quoted = _QUOTE.match(_UNSEEN.sub("", raw[:80])) is not None
    return Line(clean(raw), quoted=quoted)


def _flowed(raw: Iterable[str], delete_space: bool) -> Iterator[Line]:
    pieces: list[str] = []
    depth = 0
    for each in raw:
        bare = each.lstrip(">")
        content = bare.removeprefix(" ") if len(bare) < len(each) or bare.startswith(" ") else bare
        if pieces and (depth != len(each) - len(bare) or content == "-- "):
            yield Line(clean("".join(pieces)), quoted=depth > 0)
            pieces = []
        depth = len(each) - len(bare)
        if content.endswith(" ") and content != "-- ":
            pieces.append(content[:-1] if delete_space else content)
        else:
            yield Line(clean("".join([*pieces, content])), quoted=depth > 0)
            pieces = []
    if pieces:
        yield Line(clean("".join(pieces)), quoted=depth > 0)


def _with_torn(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, with those marked that stand where a wrapped piece of a quotation would."""
    above = Line("")
    for line in lines:
        first = seen(line.text).partition(" ")[0]
        torn = above.quoted and not line.quoted and bool(first) and len(above.text) + 1 + len(first) > _WIDTH
        yield replace(line, torn=True) if torn else line
        above = line


def _unarmoured(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines without the armour that PGP puts round a signed text."""
    head = False
    for line in lines:
        text = seen(line.text)
        if text == "-----BEGIN PGP SIGNED MESSAGE-----":
            head = True
        elif text == "-----BEGIN PGP SIGNATURE-----":
            return
        elif head:
            head = bool(text)
        else:
            yield line

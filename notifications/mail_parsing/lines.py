"""The lines of a body, each quoted or not, in a form that plain text and HTML share."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

MOST_LINES: Final = 4000
LONGEST_LINE: Final = 4000
"""A longer line is cut and ends in U+FFFD, which no grammar accepts."""

_BREAKS: Final = re.compile("\r\n|[\r\n\u0085\u2028\u2029]")
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff]")
_QUOTE: Final = re.compile(r"\s*(?:[A-Za-z]{0,4}>|[|»＞])")
_WIDTH: Final = 66
"""The least width of a wrapped line. Mail programs wrap quotations at 72 columns or more."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a body."""

    text: str
    quoted: bool = False
    """True if the email marks the line as foreign: with quotation marks, a quoting element or a signature."""
    torn: bool = False
    """True if the line may be the end of the quoted line above, which a mail program has wrapped."""
    ends: bool = False
    """True if all text from here on is foreign."""


def visible_text(text: str) -> str:
    """Return a text without invisible characters, with single blanks and none at the ends."""
    return " ".join(_UNSEEN.sub("", text).split())


def clean(text: str) -> str:
    """Return a line of limited length without control characters. They become U+FFFD, because removing them could join
    words.
    """
    text = text.replace("\t", " ")
    if not text.isprintable():
        text = "".join("\ufffd" if unicodedata.category(character) in ("Cc", "Cs") else character for character in text)
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}\ufffd"


def plain(text: str, *, flowed: bool = False, delete_space: bool = False) -> list[Line]:
    """Return the lines of a plain text. With ``flowed`` (RFC 3676) wrapped lines are joined again."""
    raw = _BREAKS.split(text, MOST_LINES)[:MOST_LINES]
    lines = list(_flowed(raw, delete_space)) if flowed else [_line(line) for line in raw]
    return list(_without_pgp_armour(_with_torn(lines)))


def _line(raw: str) -> Line:
    quoted = _QUOTE.match(_UNSEEN.sub("", raw[:80])) is not None
    return Line(clean(raw), quoted=quoted)


def _flowed(raw: Iterable[str], delete_space: bool) -> Iterator[Line]:
    pieces: list[str] = []
    depth = 0
    for line in raw:
        unquoted = line.lstrip(">")
        content = unquoted.removeprefix(" ") if len(unquoted) < len(line) or unquoted.startswith(" ") else unquoted
        if pieces and (depth != len(line) - len(unquoted) or content == "-- "):
            yield Line(clean("".join(pieces)), quoted=depth > 0)
            pieces = []
        depth = len(line) - len(unquoted)
        if content.endswith(" ") and content != "-- ":
            pieces.append(content[:-1] if delete_space else content)
        else:
            yield Line(clean("".join([*pieces, content])), quoted=depth > 0)
            pieces = []
    if pieces:
        yield Line(clean("".join(pieces)), quoted=depth > 0)


def _with_torn(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines. Those that may be wrapped pieces of a quotation are marked as torn."""
    previous = Line("")
    for line in lines:
        first_word = visible_text(line.text).partition(" ")[0]
        is_torn = (
            previous.quoted
            and not line.quoted
            and bool(first_word)
            and len(previous.text) + 1 + len(first_word) > _WIDTH
        )
        yield replace(line, torn=True) if is_torn else line
        previous = line


def _without_pgp_armour(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines without the armour that PGP puts around a signed text."""
    in_header = False
    for line in lines:
        text = visible_text(line.text)
        if text == "-----BEGIN PGP SIGNED MESSAGE-----":
            in_header = True
        elif text == "-----BEGIN PGP SIGNATURE-----":
            return
        elif in_header:
            in_header = bool(text)
        else:
            yield line
